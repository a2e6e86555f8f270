"""Real server and client processes on loopback, each stopped when its block ends.

Stopped in every case. A test whose time is up may end in the middle of trio, and then no block of
it ends: `kill_what_is_left` is for that. And the tests may be killed themselves: a server stops when
its standard input ends.
"""

import contextlib
import re
import resource
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import trio

from tests.support.homes import environment

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 20.0  # on a busy machine; a test that needs it all has failed
PIPED = {"PYTHONUNBUFFERED": "1", "TERM": "dumb"}


@dataclass(slots=True, kw_only=True)
class Terminal:
    """A process with lines going in and lines coming out."""

    process: trio.Process
    lines: list[str] = field(default_factory=list)
    read_up_to: int = 0
    on_line: Callable[["Terminal", str], str | None] = lambda _, __: None
    ended: trio.Event = field(default_factory=trio.Event)
    _news: trio.Event = field(default_factory=trio.Event)

    async def read(self) -> None:
        """Gather lines until the process ends, typing what `on_line` answers to each."""
        assert self.process.stdout is not None
        rest = ""
        async for data in self.process.stdout:
            *lines, rest = (rest + data.decode(errors="replace")).split("\n")
            for line in lines:
                await self._take(line.removeprefix("> "))
        self.ended.set()
        self._news.set()

    async def _take(self, line: str) -> None:
        self.lines.append(line)
        answer = self.on_line(self, line)
        if answer is not None:
            await self.type(answer)
        self._news.set()

    async def type(self, line: str) -> None:
        """Type a line and press Enter."""
        assert self.process.stdin is not None
        with contextlib.suppress(trio.BrokenResourceError):
            await self.process.stdin.send_all(f"{line}\n".encode())

    async def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait for the next line in which the pattern is found."""
        with trio.move_on_after(PATIENCE_S):
            while True:
                while self.read_up_to < len(self.lines):
                    self.read_up_to += 1
                    found = re.search(pattern, self.lines[self.read_up_to - 1])
                    if found:
                        return found
                if self.ended.is_set():
                    break
                self._news = trio.Event()
                await self._news.wait()
        mine, *others = [self, *(other for other in RUNNING if other is not self)]
        shown = "\n".join(mine.lines[-40:])
        elsewhere = "\n--\n".join("\n".join(other.lines[-8:]) for other in others)
        message = f"no line with {pattern!r} in:\n{shown}\n== elsewhere:\n{elsewhere}"
        raise AssertionError(message)


def plays_along(_: Terminal, line: str) -> str | None:
    """What a player types who does as the example says and believes everybody."""
    example = re.search(r"^TURN: you.*Example: (.+)$", line)
    if example:
        return example.group(1)
    return "y" if line.startswith("SAYS:") else None


RUNNING: list[Terminal] = []
"""All terminals of the running test, for the message of one that fails."""

STARTED: list[trio.Process] = []
"""All processes of the running test."""


async def start(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    stderr: int | None = subprocess.STDOUT,
) -> trio.Process:
    """Start a program in the project's folder, with pipes; whoever calls this kills it.

    `stderr` of None goes where that of the tests goes.
    """
    process = await trio.lowlevel.open_process(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
    )
    STARTED.append(process)
    return process


async def kill(process: trio.Process) -> None:
    """Kill a process if it still runs, and wait for its end, also when the test is cancelled."""
    with trio.CancelScope(shield=True):
        if process.poll() is None:
            process.kill()
        await process.wait()
    STARTED.remove(process)


def kill_what_is_left() -> None:
    """Kill what a test has left running."""
    RUNNING.clear()
    while STARTED:
        left = STARTED.pop()
        if left.poll() is None:
            left.kill()


def leave_descriptors(pid: int, number: int) -> None:
    """Let the process have this many more than it has now (Linux)."""
    limit = len(list(Path(f"/proc/{pid}/fd").iterdir())) + number
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (limit, limit))


@contextlib.asynccontextmanager
async def a_process(
    home: Path, *arguments: str, within: Sequence[str] = ()
) -> AsyncIterator[Terminal]:
    """Run `python -m ARGUMENTS` from the project, with pipes; kill it at the end of the block.

    `within` is a command that takes another one and becomes it, such as `unshare`.
    """
    command = [*within, sys.executable, "-m", *arguments]
    async with trio.open_nursery() as nursery:
        process = await start(command, environment(home, **PIPED))
        terminal = Terminal(process=process)
        RUNNING.append(terminal)
        nursery.start_soon(terminal.read)
        try:
            yield terminal
        finally:
            RUNNING.remove(terminal)
            await kill(process)
            nursery.cancel_scope.cancel()


@contextlib.asynccontextmanager
async def a_server(home: Path, *flags: str) -> AsyncIterator[str]:
    """A server on a free loopback port; gives its address."""
    async with a_process(home, "server", "--port", "0", "--until-eof", *flags) as server:
        ready = await server.wait_for(r"ready on (\S+)")
        yield ready.group(1)


@contextlib.asynccontextmanager
async def a_plain_client(
    home: Path, address: str, name: str, *flags: str
) -> AsyncIterator[Terminal]:
    """A plain client that has joined the server, with a home folder of its own."""
    arguments = ("client", "join", address, "--plain", "--name", name, *flags)
    async with a_process(home / name, *arguments) as terminal:
        yield terminal


async def a_plain_party(
    stack: contextlib.AsyncExitStack, home: Path, address: str, *names: str, rules: str
) -> list[Terminal]:
    """Plain clients in one lobby, the host first and all others ready: `start` is to be typed."""
    host, *guests = [
        await stack.enter_async_context(a_plain_client(home, address, name)) for name in names
    ]
    await host.wait_for("^HALL:")
    await host.type(f"create {rules}")
    code = (await host.wait_for(r"^LOBBY: (\S+),")).group(1)
    for guest in guests:
        await guest.wait_for("^HALL:")
        await guest.type(f"join {code}")
        await guest.wait_for("^LOBBY:")
        await guest.type("ready")
        await host.wait_for("^SEAT: .*, ready")
    return [host, *guests]
