"""A guest's client as a real process at a terminal, with a real server: what it opens, and what gets out."""

import contextlib
import os
import re
import resource
import signal
import socket
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.line import child
from client.way_in.ssh import login_name
from tests.support.homes import environment
from tests.support.ptys import PATIENCE_S, OnPty, on_a_pty

KEY = bytes(range(64))
ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
LIMITS = {
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_DATA: 256 * 1024 * 1024,
}
IGNORED = (signal.SIGTSTP, signal.SIGQUIT, signal.SIGTTIN, signal.SIGTTOU)
WATCHED = """
import atexit, ctypes, os, sys

def say_whether_others_can_look_in():
    os.write(2, f"DUMPABLE {ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)}\\n".encode())

def watch(event, arguments):
    writes = event == "open" and len(arguments) == 3 and isinstance(arguments[2], int) and (
        arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and arguments[0] != "/dev/tty"
    )
    starts = event in {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork",
                       "os.forkpty", "pty.spawn", "os.mkdir", "os.rename", "os.remove"}
    if writes or starts:
        os.write(2, f"CAUGHT {event} {arguments[0]!r}\\n".encode())

if sys.platform == "linux":
    atexit.register(say_whether_others_can_look_in)
sys.addaudithook(watch)
sys.argv[0] = "facedown"
from client.__main__ import main
main()
"""


def of_a_guest(home: Path, term: str) -> dict[str, str]:
    return environment(
        home,
        TERM=term,
        LC_ALL="C.UTF-8",
        SSH_CONNECTION="127.0.0.1 50022 127.0.0.1 22",
        SSH_ORIGINAL_COMMAND="sh -c 'echo pwned'",
    )


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A server that has the key of the guests."""
    key = tmp_path / "guests.key"
    key.write_bytes(KEY)
    key.chmod(0o440)
    data = str(tmp_path / "data")
    server = child.start(("--port", "0", "--data", data, "--guest-key", str(key)))
    yield str(server.address)
    server.stop()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where a guest's client would leave something, if it did."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@contextlib.contextmanager
def a_guest(address: str, home: Path, *flags: str, term: str = "dumb") -> Iterator[OnPty]:
    """A guest's client at a terminal; whatever it opens to write, or starts, is printed as CAUGHT."""
    command = (sys.executable, "-W", "error", "-c", WATCHED, "join", address, "--kiosk", *flags)
    with on_a_pty(*command, environment=of_a_guest(home, term)) as guest:
        yield guest


def by_key(home: Path, name: str) -> tuple[str, ...]:
    return ("--key-file", str(home.parent / "guests.key"), "--name", name)


def leaves(guest: OnPty) -> None:
    """Leave as anybody would, by pressing Ctrl-C twice."""
    guest.types("\x03")
    guest.waits_for(lambda: "C again leaves" in guest.screen or "LEAVE: once more" in guest.text)
    guest.types("\x03")
    assert guest.ends() == 130


def settled_in(guest: OnPty) -> int:
    """Wait for the hall of the plain client."""
    return guest.prints("HALL:")


def test_a_guest_comes_back_to_the_seat_from_a_new_login(address: str, home: Path) -> None:
    with a_guest(address, home, *by_key(home, "ana")) as ana:
        settled_in(ana)
        ana.types("create\n")
        ana.prints(", host ana.")
        code = re.search(r"LOBBY: ([A-Z]+-\d+),", ana.text)
        assert code is not None
        ana.hang_up()
        assert ana.process.wait(PATIENCE_S) == 129

    with a_guest(address, home, *by_key(home, "ana")) as again:
        again.prints(f"LOBBY: {code[1]},")
        again.prints(f"INVITE: ssh -t {login_name()}@127.0.0.1 {code[1]}")


def test_the_newest_terminal_wins_and_the_older_one_ends_with_a_polite_word(
    address: str, home: Path
) -> None:
    with a_guest(address, home, *by_key(home, "ana"), term="xterm-256color") as older:
        older.shows("the hall")
        with a_guest(address, home, *by_key(home, "ana")) as newer:
            settled_in(newer)
            assert older.ends() == 4
            newer.types("hall\n")
            newer.prints("HALL:", after=len(newer.text))

    assert "You have connected from another terminal" in older.text
    assert "Traceback" not in older.text


def test_a_guest_without_a_key_line_name_comes_back_by_a_phrase(address: str, home: Path) -> None:
    with a_guest(address, home) as first:
        first.prints("Your name: ")
        first.types("cy\n")
        first.prints("rejoin phrase, if you")
        first.types("\n")
        first.prints("Write it down")
        phrase = re.search(r"Your rejoin phrase: ([-0-9A-Z]{19})\.", first.text)
        assert phrase is not None
        settled_in(first)
        first.types("create\n")
        first.prints(", host cy.")

    with a_guest(address, home) as second:
        second.types(f"cyril\n{phrase[1].lower()}\n")
        second.prints(", host cy.")
        second.prints("SEAT: 1 cy,")


MEDDLING = ("?", "\x1b", "\x1bOQ", "\x1bOR", "\x1bOS", "m", "y", "\x1a", "\x18\x05", "\x1c", "v")
"""Help, suits, colours, bell, mouse, copy, background, editor, quit, view."""


def plays_a_little(guest: OnPty) -> None:
    settled_in(guest)
    guest.types("create\nadd proof\nready\nstart\n")
    guest.prints("DEAL:")


def meddles(guest: OnPty) -> None:
    guest.shows("the hall")
    guest.types("c\r")
    guest.shows("Invite:")
    for keys in MEDDLING:
        guest.types(keys)


@pytest.mark.parametrize(("term", "acts"), [("dumb", plays_a_little), ("xterm-256color", meddles)])
def test_a_guest_opens_no_file_to_write_and_starts_nothing(
    term: str, acts: Callable[[OnPty], None], address: str, home: Path
) -> None:
    with a_guest(address, home, *by_key(home, "ana"), term=term) as ana:
        acts(ana)
        leaves(ana)

    assert "CAUGHT" not in ana.text
    assert "pwned" not in ana.text
    assert list(home.rglob("*")) == []


def test_an_ordinary_client_is_caught_and_can_be_looked_into(address: str, home: Path) -> None:
    command = (sys.executable, "-c", WATCHED, "join", address, "--name", "ana", "--plain")
    with on_a_pty(*command, environment=of_a_guest(home, "dumb")) as ana:
        settled_in(ana)
        ana.prints("CAUGHT")
        ana.types("quit\n")
        ana.ends()

    assert sys.platform != "linux" or "DUMPABLE 1" in ana.text


@ON_LINUX
@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_a_guest_s_process_is_closed_to_others_and_cannot_be_put_aside(
    term: str, address: str, home: Path
) -> None:
    with a_guest(address, home, *by_key(home, "ana"), term=term) as ana:
        ana.waits_for(lambda: "HALL:" in ana.text or "the hall" in ana.screen)
        process = Path(f"/proc/{ana.process.pid}")
        status = dict(
            line.split(":\t", 1)
            for line in (process / "status").read_text().splitlines()
            if ":\t" in line
        )
        dealt_with = int(status["SigIgn"], 16) | int(status["SigCgt"], 16)
        for keys in ("\x1a", "\x1c"):
            ana.types(keys)
        for number in (signal.SIGTSTP, signal.SIGQUIT, signal.SIGTTIN, signal.SIGTTOU):
            os.kill(ana.process.pid, number)
        ana.types("hall\n" if term == "dumb" else "c")
        ana.waits_for(lambda: ana.text.count("HALL:") > 1 or "OPEN A LOBBY" in ana.screen)

        limits = {limit: resource.prlimit(ana.process.pid, limit) for limit in LIMITS}
        assert limits == {limit: (most, most) for limit, most in LIMITS.items()}
        assert status["NoNewPrivs"].strip() == "1"
        assert all(dealt_with >> number - 1 & 1 for number in IGNORED)
        leaves(ana)

    assert "DUMPABLE 0" in ana.text


def test_ctrl_c_pressed_again_and_again_was_once_an_end_by_the_signal(
    address: str, home: Path
) -> None:
    with a_guest(address, home, *by_key(home, "ana")) as ana:
        settled_in(ana)
        while ana.process.poll() is None:
            ana.types("\x03")
            ana.reads(0.02)
        assert ana.ends() == 130


@pytest.mark.parametrize(
    ("key", "code"), [("\x03", -signal.SIGINT), ("\x04", 130), ("\x1c", None), ("\x1a", None)]
)
def test_a_key_at_the_first_question_leaves_or_does_nothing(
    key: str, code: int | None, address: str, home: Path
) -> None:
    with a_guest(address, home) as ana:
        ana.prints("Your name: ")
        ana.types(key)
        if code is not None:
            assert ana.ends() == code
        else:
            ana.types("\x15ana\n\n")
            settled_in(ana)

    assert "Traceback" not in ana.text


def test_a_server_that_was_not_given_the_key_is_told_apart(address: str, home: Path) -> None:
    other = home.parent / "other.key"
    other.write_bytes(KEY[::-1])
    other.chmod(0o440)
    with a_guest(address, home, "--key-file", str(other), "--name", "ana") as ana:
        assert ana.ends() == 4

    assert "its host starts it with --guest-key" in ana.text


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_a_server_that_is_not_there_is_the_host_s_to_mend(
    term: str, address: str, home: Path
) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        there = f"127.0.0.1:{nobody.getsockname()[1]}"
        with a_guest(there, home, *by_key(home, "ana"), term=term) as ana:
            assert ana.ends() == 3

    assert "tell its host" in ana.text.replace("\n", " ")
    assert "facedown host" not in ana.text


def memory_of(guest: OnPty) -> int:
    """The most memory that the program has had so far, in kB."""
    status = Path(f"/proc/{guest.process.pid}/status").read_text()
    most = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    assert most is not None
    return int(most[1])


@ON_LINUX
def test_a_window_said_to_be_huge_once_took_a_gigabyte(address: str, home: Path) -> None:
    with a_guest(address, home, *by_key(home, "ana"), term="xterm-256color") as ana:
        ana.shows("the hall")
        before = len(ana.text)
        termios.tcsetwinsize(ana.master, (65535, 65535))
        ana.prints("No open lobbies. Press c to open one.", after=before)  # all of it once more

        assert memory_of(ana) < 200_000
