"""A server of one's own: `facedown-server` as a child process, for practice and for hosting."""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from client.way_in.address import Address

ITS_SETTINGS = "FACEDOWN_SERVER_"  # how variables begin that are meant for a server
READY_S = 15.0
STOP_S = 7.0  # a server closes within 5 s of SIGTERM
# Beside the packages, so that a folder named "server" where the player stands is not run instead.
HOME = Path(__file__).resolve().parents[2]


class NoServer(Exception):
    """The server did not start; the message says why, for a person."""


class Ready(Struct, frozen=True, kw_only=True):
    """What the server says once it is ready (server/README); there is more of it."""

    host: str
    port: int
    friends: tuple[str, ...] = ()
    server: str = ""

    @property
    def address(self) -> Address:
        """Where a client on this machine reaches it."""
        everywhere = self.host in {"0.0.0.0", "::"}  # noqa: S104 - compared, not bound
        return Address(host="127.0.0.1" if everywhere else self.host, port=self.port)


class Child(Struct, frozen=True, kw_only=True):
    """A running server."""

    process: "subprocess.Popen[bytes]"
    address: Address  # where a client on this machine finds it
    friends: tuple[str, ...] = ()  # this machine's addresses on its networks, for the others
    server: str = ""  # its id, the same after a restart

    @property
    def is_running(self) -> bool:
        """Whether it has not ended meanwhile."""
        return self.process.poll() is None

    def ends_within(self, patience_s: float) -> bool:
        """Whether it has ended, or does so meanwhile; waits so long at most."""
        try:
            self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """End it: first politely, then not."""
        _end(self.process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()


def nothing() -> None:
    """There is nothing to do while a server starts."""


@contextmanager
def practice_server(meanwhile: Callable[[], None] = nothing) -> Iterator[Child]:
    """A server for one evening on a free loopback port, which writes nothing to disk.

    `meanwhile` is called once it starts, before it is waited for.

    Raises:
        NoServer: it did not start.
    """
    # However this program ends, its end of the pipe closes, and the server goes with it. Settings that
    # somebody has for a server of theirs, open to a network perhaps, are none of its business.
    child = start(
        ("--host", "127.0.0.1", "--port", "0", "--in-memory", "--until-eof"),
        standard_input=subprocess.PIPE,
        meanwhile=meanwhile,
        environment={
            name: said for name, said in os.environ.items() if not name.startswith(ITS_SETTINGS)
        },
    )
    try:
        yield child
    finally:
        child.stop()


def start(
    arguments: Sequence[str],
    standard_input: int = subprocess.DEVNULL,
    meanwhile: Callable[[], None] = nothing,
    environment: Mapping[str, str] | None = None,
) -> Child:
    """Start a server, do what there is to do `meanwhile`, and wait until it is ready.

    It gets a process group of its own, so that Ctrl-C at this terminal does not reach it. Without an
    environment it gets this program's, with the settings for a server in it.

    Raises:
        NoServer: it did not start.
    """
    with _told_in_words(), tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 - our own program
            (sys.executable, "-m", "server", "--ready-json", *arguments),
            stdin=standard_input,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=HOME,
            env=environment,
            start_new_session=True,
        )
        if ready := _read(_ready_line(process, meanwhile)):
            return _child(process, ready)
        _end(process)
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace").strip().splitlines()
    raise NoServer(said[-1] if said else "the server did not start")


def _child(process: "subprocess.Popen[bytes]", ready: Ready) -> Child:
    return Child(process=process, address=ready.address, friends=ready.friends, server=ready.server)


@contextmanager
def _told_in_words() -> Iterator[None]:
    """What the system refuses, a file on a full disk or one more process, is why there is no server."""
    try:
        yield
    except OSError as error:
        why = f"the server could not be started: {(error.strerror or str(error)).lower()}"
        raise NoServer(why) from error


def _ready_line(process: "subprocess.Popen[bytes]", meanwhile: Callable[[], None]) -> bytes:
    try:
        meanwhile()
        return _first_line(process)
    except BaseException:  # Ctrl-C, say: nobody would know of this server any more
        _end(process)
        raise


def _first_line(process: "subprocess.Popen[bytes]") -> bytes:
    """The first line of its output; empty if there is none in time."""
    lines: list[bytes] = []
    output = process.stdout
    if output is None:
        return b""
    reader = threading.Thread(target=lambda: lines.append(output.readline()), daemon=True)
    reader.start()
    reader.join(READY_S)
    return lines[0] if lines else b""


def _read(line: bytes) -> Ready | None:
    try:
        return msgspec.json.decode(line, type=Ready)
    except msgspec.DecodeError:
        return None
