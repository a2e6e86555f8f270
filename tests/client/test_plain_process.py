"""The plain client as a process on a terminal of its own: signals, hang-up, the end of input."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PATIENCE_S = 20.0
READY = b"NOTE: not connected."
ASKED = b"LEAVE: once more"


class Terminal:
    """A client at the slave end of a terminal, and us at the other."""

    def __init__(self, home: Path) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "HOME": str(home), "FACEDOWN_NAME": "maya"}
        self.process = subprocess.Popen(
            (sys.executable, "-m", "client"),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - there are no threads here
        )
        os.close(slave)
        self.seen = b""

    def shows(self, text: bytes) -> None:
        """Wait until this has been printed."""
        limit = time.monotonic() + PATIENCE_S
        while text not in self.seen:
            left = limit - time.monotonic()
            assert left > 0, self.seen
            ready, _, _ = select.select([self.master], [], [], left)
            assert ready, self.seen
            self.seen += os.read(self.master, 4096)

    def types(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.master, keys)

    def hang_up(self) -> None:
        """Take the terminal away."""
        os.close(self.master)
        self.master = -1

    def exit_code(self) -> int:
        """Wait for the end."""
        return self.process.wait(PATIENCE_S)


def _take_terminal() -> None:
    import fcntl  # noqa: PLC0415 - in the child only
    import termios  # noqa: PLC0415

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextmanager
def a_terminal(home: Path) -> Iterator[Terminal]:
    """A client that has started; it is ended in any case."""
    terminal = Terminal(home)
    try:
        terminal.shows(READY)
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()
        if terminal.master >= 0:
            terminal.hang_up()


@pytest.mark.parametrize("key", [b"\x03", b"\x04"], ids=["ctrl-c", "ctrl-d"])
def test_the_key_asks_and_the_second_time_leaves(key: bytes, tmp_path: Path) -> None:
    with a_terminal(tmp_path) as terminal:
        terminal.types(key)
        terminal.shows(ASKED)
        terminal.types(key)

        assert terminal.exit_code() == 130
        assert b"Error" not in terminal.seen


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["term", "hup"]
)
def test_a_signal_leaves_with_its_code(number: int, code: int, tmp_path: Path) -> None:
    with a_terminal(tmp_path) as terminal:
        terminal.process.send_signal(number)

        assert terminal.exit_code() == code


def test_a_terminal_that_vanishes_ends_the_client(tmp_path: Path) -> None:
    with a_terminal(tmp_path) as terminal:
        terminal.hang_up()

        assert terminal.exit_code() == 129


def test_quit_is_typed_and_answered_by_the_end(tmp_path: Path) -> None:
    with a_terminal(tmp_path) as terminal:
        terminal.types(b"quit\n")

        assert terminal.exit_code() == 0


@pytest.mark.parametrize("stdin", ["devnull", "file", "closed"])
def test_input_of_any_kind_comes_to_an_end(stdin: str, tmp_path: Path) -> None:
    typed = tmp_path / "typed"
    typed.write_bytes(b"help\nhand\xff\n")
    open_input: dict[str, Callable[[], int]] = {
        "devnull": lambda: subprocess.DEVNULL,
        "file": lambda: os.open(typed, os.O_RDONLY),
        "closed": lambda: subprocess.DEVNULL,
    }
    command = [sys.executable, "-m", "client", "--plain"]
    if stdin == "closed":
        command = ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *command]

    ran = subprocess.run(
        command,
        stdin=open_input[stdin](),
        capture_output=True,
        env={**os.environ, "HOME": str(tmp_path), "FACEDOWN_NAME": "maya"},
        timeout=PATIENCE_S,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == b""
    assert b"NOTE: not connected." in ran.stdout
    assert (b"HELP:" in ran.stdout) is (stdin == "file")
