"""A server of one's own: `facedown-server` as a child process, for practice and for hosting."""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from client.way_in.address import Address, read_address

SERVER = "facedown-server"
ITS_SETTINGS = "FACEDOWN_SERVER_"  # how variables begin that are meant for a server
READY = "ready on "
READY_S = 15.0
STOP_S = 7.0  # a server closes within 5 s of SIGTERM
# Beside the packages, so that a folder named "server" where the player stands is not run instead.
HOME = Path(__file__).resolve().parents[2]


class NoServer(Exception):
    """The server did not start; the message says why, for a person."""


class Child(Struct, frozen=True, kw_only=True):
    """A running server."""

    process: "subprocess.Popen[bytes]"
    address: Address  # for a client on this machine
    friends: tuple[str, ...] = ()  # this machine's addresses on its networks, for the others

    @property
    def is_running(self) -> bool:
        """Whether it has not ended meanwhile."""
        return self.process.poll() is None

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
            (sys.executable, "-m", "server", *arguments),
            stdin=standard_input,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=HOME,
            env=environment,
            start_new_session=True,
        )
        if READY in (line := _ready_line(process, meanwhile)):
            return Child(process=process, address=_address(line), friends=_friends(line))
        _end(process)
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace").strip().splitlines()
    raise NoServer(_for_us(said[-1]) if said else "the server did not start")


@contextmanager
def _told_in_words() -> Iterator[None]:
    """What the system refuses, a file on a full disk or one more process, is why there is no server."""
    try:
        yield
    except OSError as error:
        why = f"the server could not be started: {(error.strerror or str(error)).lower()}"
        raise NoServer(why) from error


def _for_us(said: str) -> str:
    """The server's last words, from somebody who has not its options."""
    folder = "another folder with --data"
    return said.removeprefix(f"{SERVER}: ").replace(folder, f"{SERVER} {folder}")


def _ready_line(process: "subprocess.Popen[bytes]", meanwhile: Callable[[], None]) -> str:
    try:
        meanwhile()
        return _first_line(process)
    except BaseException:  # Ctrl-C, say: nobody would know of this server any more
        _end(process)
        raise


def _first_line(process: "subprocess.Popen[bytes]") -> str:
    """The first line of its output; empty if there is none in time."""
    lines: list[bytes] = []
    output = process.stdout
    if output is None:
        return ""
    reader = threading.Thread(target=lambda: lines.append(output.readline()), daemon=True)
    reader.start()
    reader.join(READY_S)
    return lines[0].decode("utf-8", "replace") if lines else ""


def _address(line: str) -> Address:
    """The address in a line such as "facedown-server ready on 0.0.0.0:5252  data ..."."""
    shown = read_address(line.partition(READY)[2].split()[0])
    everywhere = shown.host in {"0.0.0.0", "::"}  # noqa: S104 - compared, not bound
    return Address(host="127.0.0.1" if everywhere else shown.host, port=shown.port)


def _friends(line: str) -> tuple[str, ...]:
    """The hosts in a line such as "... (friends: facedown join 192.0.2.7 or 10.0.0.7)  ..."."""
    said = line.partition(" (friends: facedown join ")[2].partition(")")[0]
    return tuple(read_address(one).host for one in said.split(" or ") if one)
