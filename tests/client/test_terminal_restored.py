"""However the full-screen client ends, the terminal is as it was and the exit code says why.

Real processes on a pseudo-terminal, on the start screen: no server is needed to leave.
"""

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 20.0
SHOWN = b"practise here"
ALTERNATE, NORMAL = b"\x1b[?1049h", b"\x1b[?1049l"
SHOW_CURSOR = b"\x1b[?25h"


class OnATerminal:
    """A client process, and the far end of its terminal."""

    def __init__(self, home: Path, *command: str) -> None:
        """The process starts at once."""
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, (24, 80))
        self.before = termios.tcgetattr(self.slave)
        self.written = b""
        self.process = subprocess.Popen(
            command,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            cwd=ROOT,
            env=environment(home),
            start_new_session=True,
        )

    def read_until(self, wanted: bytes) -> None:
        """Read what the client writes until it has written this."""
        end = time.monotonic() + PATIENCE_S
        while wanted not in self.written:
            ready, _, _ = select.select([self.master], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"never wrote {wanted!r}: {self.written!r}"
            self.written += os.read(self.master, 65536)

    def read_rest(self) -> None:
        """Read what is left once the process has ended."""
        while select.select([self.master], [], [], 0)[0]:
            self.written += os.read(self.master, 65536)

    def press(self, keys: bytes) -> None:
        """Type at the terminal."""
        os.write(self.master, keys)

    def code(self) -> int:
        """Wait for the end; the exit code."""
        return self.process.wait(PATIENCE_S)


def environment(home: Path) -> dict[str, str]:
    """An environment in which nothing of this machine's user is read or written."""
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "STATE", "CONFIG")}
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FACEDOWN_")}
    return {**kept, **folders, "HOME": str(home), "TERM": "xterm-256color", "FACEDOWN_NAME": "maya"}


@contextlib.contextmanager
def started(home: Path, *command: str) -> Iterator[OnATerminal]:
    """A client that shows its start screen; killed at the end if it has not ended."""
    client = OnATerminal(home, *(command or (sys.executable, "-m", "client")))
    try:
        client.read_until(SHOWN)
        yield client
    finally:
        if client.process.poll() is None:
            client.process.kill()
            client.process.wait()
        for descriptor in (client.master, client.slave):
            with contextlib.suppress(OSError):
                os.close(descriptor)


def send(number: int) -> Callable[[OnATerminal], None]:
    """Send a signal."""
    return lambda client: client.process.send_signal(number)


def interrupt_twice(client: OnATerminal) -> None:
    """Two SIGINTs from outside, the second once the first was understood."""
    client.process.send_signal(signal.SIGINT)
    client.read_until(b"Ctrl-C again leaves")
    client.process.send_signal(signal.SIGINT)


def press(keys: bytes) -> Callable[[OnATerminal], None]:
    """Type keys."""
    return lambda client: client.press(keys)


@pytest.mark.parametrize(
    ("leave", "code"),
    [
        pytest.param(press(b"q"), 0, id="q"),
        pytest.param(press(b"\x03\x03"), 130, id="Ctrl-C twice"),
        pytest.param(press(b"\x04\x04"), 130, id="Ctrl-D twice"),
        pytest.param(interrupt_twice, 130, id="SIGINT twice"),
        pytest.param(send(signal.SIGTERM), 143, id="SIGTERM"),
        pytest.param(send(signal.SIGHUP), 129, id="SIGHUP"),
    ],
)
def test_the_terminal_is_restored(
    tmp_path: Path, leave: Callable[[OnATerminal], None], code: int
) -> None:
    with started(tmp_path) as client:
        leave(client)

        assert client.code() == code
        client.read_rest()
        assert client.written.count(ALTERNATE) == client.written.count(NORMAL) == 1
        assert client.written.rindex(SHOW_CURSOR) > client.written.index(ALTERNATE)
        assert termios.tcgetattr(client.slave) == client.before


def test_a_vanished_terminal_ends_the_client_even_with_hang_ups_ignored(tmp_path: Path) -> None:
    command = ("/bin/sh", "-c", f"trap '' HUP; exec '{sys.executable}' -m client")
    with started(tmp_path, *command) as client:
        os.close(client.slave)
        os.close(client.master)

        assert client.code() == 129


CRASH = """
import client.screen_client
client.screen_client.press = lambda *_: 1 / 0
from client.__main__ import main
main()
"""


def test_a_crash_restores_the_terminal_and_leaves_a_file_and_a_sentence(tmp_path: Path) -> None:
    with started(tmp_path, sys.executable, "-c", CRASH) as client:
        client.press(b"x")

        assert client.code() == 1
        client.read_rest()
        after = client.written[client.written.rindex(NORMAL) :]
        assert b"mistake in itself (ZeroDivisionError)" in after
        assert termios.tcgetattr(client.slave) == client.before
    (crash,) = (tmp_path / "state" / "facedown").glob("crash-*.txt")
    assert "ZeroDivisionError" in crash.read_text()


def test_leaving_costs_little_more_than_the_way_back(tmp_path: Path) -> None:
    with started(tmp_path) as client:
        client.read_rest()
        client.written = b""
        client.press(b"q")

        assert client.code() == 0
        client.read_rest()
        assert len(client.written) < 200
