"""The plain client as a process on a terminal of its own: signals, hang-up, the end of input."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.ptys import CLIENT, PATIENCE_S, ROOT, PtyClient, of_maya, on_a_terminal

READY = "NOTE: not connected."
ASKED = "LEAVE: once more"


@contextmanager
def a_terminal(home: Path) -> Iterator[PtyClient]:
    """A client that has started, on a terminal that cannot draw."""
    with on_a_terminal(home, term="dumb") as terminal:
        terminal.prints(READY)
        yield terminal


@pytest.mark.parametrize("key", [b"\x03", b"\x04"], ids=["ctrl-c", "ctrl-d"])
def test_the_key_asks_and_the_second_time_leaves(key: bytes, tmp_path: Path) -> None:
    with a_terminal(tmp_path) as terminal:
        terminal.types(key)
        terminal.prints(ASKED)
        terminal.types(key)

        assert terminal.ends() == 130
        assert "Error" not in terminal.text


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["term", "hup"]
)
def test_a_signal_leaves_with_its_code(number: int, code: int, tmp_path: Path) -> None:
    with a_terminal(tmp_path) as terminal:
        terminal.send(number)

        assert terminal.ends() == code


def test_a_terminal_that_vanishes_ends_the_client(tmp_path: Path) -> None:
    with a_terminal(tmp_path) as terminal:
        terminal.hang_up()

        assert terminal.ends() == 129


def test_quit_is_typed_and_answered_by_the_end(tmp_path: Path) -> None:
    with a_terminal(tmp_path) as terminal:
        terminal.types(b"quit\n")

        assert terminal.ends() == 0


@pytest.mark.parametrize("stdin", ["devnull", "file", "closed"])
def test_input_of_any_kind_comes_to_an_end(stdin: str, tmp_path: Path) -> None:
    typed = tmp_path / "typed"
    typed.write_bytes(b"help\nhand\xff\n")
    open_input: dict[str, Callable[[], int]] = {
        "devnull": lambda: subprocess.DEVNULL,
        "file": lambda: os.open(typed, os.O_RDONLY),
        "closed": lambda: subprocess.DEVNULL,
    }
    command = [*CLIENT, "--plain"]
    if stdin == "closed":
        command = ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *command]

    ran = subprocess.run(
        command,
        stdin=open_input[stdin](),
        capture_output=True,
        cwd=ROOT,
        env=of_maya(tmp_path, "dumb"),
        timeout=PATIENCE_S,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == b""
    assert b"NOTE: not connected." in ran.stdout
    assert (b"HELP:" in ran.stdout) is (stdin == "file")
