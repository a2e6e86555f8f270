"""`facedown doctor`: what this terminal can do, and whether a server can be reached."""

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from client.command_line.findings import Finding, Terminal, can_say, of_settings, of_terminal
from client.kept.config import own_name
from client.kept.identity import Keyring
from client.line.network import Ending, Network
from client.settings import Settings
from client.start.terminal_here import can_draw, has_terminal
from client.state import LinkRefused
from client.store import AnyEvent
from client.terminal.probe import SUIT, Answers, ask
from client.version import version
from client.way_in.address import Address
from client.words import many
from protocol.answers import Stamps, Welcome
from protocol.text import clean

REACH_S = 20.0


def terminal_here(environment: Mapping[str, str]) -> Terminal:
    """The terminal of this process; one that is there is asked how it draws."""
    is_tty, term = has_terminal(), environment.get("TERM", "")
    encoding = sys.stdout.encoding or "unknown"
    asks = is_tty and can_draw(term) and can_say(SUIT, encoding)
    columns, rows = shutil.get_terminal_size()
    return Terminal(
        environment=environment,
        is_tty=is_tty,
        columns=columns,
        rows=rows,
        encoding=encoding,
        answers=ask(sys.stdin, sys.stdout, term) if asks else Answers(),
    )


async def server_lines(address: Address, name: str) -> tuple[list[str], Ending]:
    """Greet a server and leave again; what came of it, and how it ended."""
    answers: asyncio.Queue[AnyEvent] = asyncio.Queue()

    def tell(events: Sequence[AnyEvent]) -> None:
        for event in events:
            answers.put_nowait(event)

    network = Network(
        address,
        name=name,
        version=version(),
        keyring=Keyring(None),
        tell=tell,
    )
    begun = time.monotonic()
    running = asyncio.create_task(network.run())
    try:
        async with asyncio.timeout(REACH_S):
            return await _verdict(answers, address, begun)
    except TimeoutError:
        return [f"SERVER: {address} did not answer."], Ending.UNREACHABLE
    finally:
        network.close()
        await running


async def _verdict(
    answers: "asyncio.Queue[AnyEvent]", address: Address, begun: float
) -> tuple[list[str], Ending]:
    while True:
        match await answers.get():
            case Welcome() as welcome:
                return [*_welcome(welcome, address, time.monotonic() - begun)], Ending.CLOSED
            case LinkRefused() as refused:
                ending = Ending.UNREACHABLE if refused.code is None else Ending.REFUSED
                return [f"SERVER: {refused.text}"], ending
            case _:
                continue


def _welcome(welcome: Welcome, address: Address, took: float) -> Iterator[str]:
    guard = "this machine" if address.is_loopback else "not encrypted"
    yield f"SERVER: {clean(welcome.title)} {clean(welcome.version)} at {address}, {guard}."
    yield f"LINK: answered in {took * 1000:.0f} ms."
    yield timing_line(welcome)


def timing_line(welcome: Welcome) -> str:
    """How this server times challenges (RULES C1)."""
    by_kernel = welcome.stamps is Stamps.KERNEL
    how = "by the kernel's arrival stamps" if by_kernel else "after reading (no kernel stamps)"
    return f"TIMING: challenges are timed {how}."


def doctor(address: Address | None, settings: Settings, state: Path | None) -> int:
    """Print the report; the exit code is 3 if the server could not be reached, 4 if it refuses."""
    terminal = terminal_here(os.environ)
    about = (
        Finding(label="PYTHON", text=f"{sys.version.split()[0]} on {sys.platform}"),
        *of_terminal(terminal, settings),
        *of_settings(settings, os.environ, state),
    )
    lines, ending = [line for finding in about for line in finding.lines()], Ending.CLOSED
    if address:
        more, ending = asyncio.run(server_lines(address, own_name(settings)))
        lines.extend(more)
    else:
        lines.append("SERVER: none checked. facedown doctor HOST checks one.")
    changes = sum(bool(finding.do) for finding in about)
    lines.append(_summary(changes, ending))
    sys.stdout.write("\n".join(lines) + "\n")
    return int(ending.value)


def _summary(changes: int, ending: Ending) -> str:
    if ending is Ending.REFUSED:
        return "RESULT: the server answered, but does not let you in."
    if ending is not Ending.CLOSED:
        return "RESULT: the server could not be reached."
    if not changes:
        return "RESULT: all well."
    return f"RESULT: {many(changes, 'thing')} to look at, marked with ->."
