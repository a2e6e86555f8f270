"""`facedown doctor`: what this terminal can do, and whether a server can be reached."""

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence

from client.address import Address
from client.identity import Keyring
from client.network import Network
from client.state import LinkRefused
from client.store import AnyEvent
from client.version import version
from protocol.answers import Stamps, Welcome
from protocol.text import clean

BEST = (80, 24)
SMALLEST = (60, 20)
SUITS = "\u2660\u2665\u2666\u2663"
REACH_S = 20.0


def terminal_lines(environment: Mapping[str, str]) -> Iterator[str]:
    """What is known of the terminal, one labelled line each."""
    yield f"PYTHON: {sys.version.split()[0]} on {sys.platform}."
    yield f"TERMINAL: {_terminal(environment)}."
    yield f"SIZE: {_size()}"
    yield f"COLOUR: {_colour(environment)}."
    encoding = sys.stdout.encoding or "unknown"
    yield f"ENCODING: {encoding}. {_suits(encoding)}"
    if "SSH_CONNECTION" in environment:
        yield "SSH: yes. Rulings show you as ssh: the server sees only the leg to this machine."


def _terminal(environment: Mapping[str, str]) -> str:
    term = environment.get("TERM", "")
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return "none here: plain mode (with ssh, ssh -t gives one)"
    if term in {"", "dumb"}:
        return f"TERM={term or 'not set'}: plain mode"
    return f"TERM={term}: full screen"


def _size() -> str:
    columns, rows = shutil.get_terminal_size()
    size = f"{columns} by {rows}"
    if columns >= BEST[0] and rows >= BEST[1]:
        return f"{size}, enough."
    if columns >= SMALLEST[0] and rows >= SMALLEST[1]:
        return f"{size}, usable; {BEST[0]} by {BEST[1]} is better."
    return f"{size}, too small: at least {SMALLEST[0]} by {SMALLEST[1]}, or --plain."


def _colour(environment: Mapping[str, str]) -> str:
    if environment.get("NO_COLOR"):
        return "off, because NO_COLOR is set"
    return environment.get("COLORTERM") or "as the terminal type says"


def _suits(encoding: str) -> str:
    try:
        SUITS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return "No suit symbols here: use --ascii."
    return f"You should see four suits: {SUITS}. If not: --ascii."


async def server_lines(address: Address, name: str) -> tuple[list[str], bool]:
    """Greet a server and leave again; what came of it, and whether it answered."""
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
        return [f"SERVER: {address} did not answer."], False
    finally:
        network.close()
        await running


async def _verdict(
    answers: "asyncio.Queue[AnyEvent]", address: Address, begun: float
) -> tuple[list[str], bool]:
    while True:
        match await answers.get():
            case Welcome() as welcome:
                return [*_welcome(welcome, address, time.monotonic() - begun)], True
            case LinkRefused() as refused:
                return [f"SERVER: {refused.text}"], False
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


def doctor(address: Address | None, name: str) -> int:
    """Print the report; the exit code is 3 if the server could not be reached."""
    lines, well = list(terminal_lines(os.environ)), True
    if address:
        more, well = asyncio.run(server_lines(address, name))
        lines.extend(more)
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if well else 3
