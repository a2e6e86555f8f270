"""What the terminal answers when it is asked, on a pseudo-terminal that plays one."""

import os
import pty
import signal
import termios
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.terminal.probe import WHERE, Answers, answers_in, ask
from tests.support.ptys import changed, on_a_terminal


@pytest.mark.parametrize(
    ("heard", "answers"),
    [
        pytest.param(b"\x1b[5;2R\x1b[5;1R", Answers(suit_cells=1), id="narrow"),
        pytest.param(b"\x1b[5;3R\x1b[5;1R", Answers(suit_cells=2), id="wide"),
        pytest.param(
            b"\x1b[5;2R\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[5;1R",
            Answers(suit_cells=1, is_light=True),
            id="white",
        ),
        pytest.param(
            b"\x1b[5;2R\x1b]11;rgb:1e/1e/1e\x07\x1b[5;1R",
            Answers(suit_cells=1, is_light=False),
            id="nearly black",
        ),
        pytest.param(b"x\x1b[1;2Ry", Answers(suit_cells=1), id="keys typed meanwhile"),
        pytest.param(b"", Answers(), id="nothing"),
    ],
)
def test_answers_are_found_in_what_was_heard(heard: bytes, answers: Answers) -> None:
    assert answers_in(heard) == answers


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take its time to answer."""
    monkeypatch.setattr("client.terminal.probe.PATIENCE_S", 30.0)


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """The two ends of a pseudo-terminal: the terminal's, and the program's."""
    ends = pty.openpty()
    yield ends
    for end in ends:
        os.close(end)


def answering(end: int, answer: bytes) -> threading.Thread:
    """A terminal that reads the question to its end before it answers."""

    def terminal() -> None:
        asked = b""
        while asked.count(b"\x1b[6n") < 2:
            asked += os.read(end, 4096)
        os.write(end, answer)

    thread = threading.Thread(target=terminal, daemon=True)
    thread.start()
    return thread


def test_a_terminal_that_answers_is_heard_and_left_as_it_was(terminal: tuple[int, int]) -> None:
    far, near = terminal
    before = termios.tcgetattr(near)
    with os.fdopen(os.dup(near)) as keyboard, os.fdopen(os.dup(near), "w") as screen:
        thread = answering(far, b"\x1b[1;3R\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[1;1R")

        answers = ask(keyboard, screen, "xterm")

        thread.join()
    assert answers == Answers(suit_cells=2, is_light=False)
    assert termios.tcgetattr(near) == before


def test_a_mute_terminal_is_not_waited_for_long(
    terminal: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.terminal.probe.PATIENCE_S", 0.05)
    near = terminal[1]

    with os.fdopen(os.dup(near)) as keyboard, os.fdopen(os.dup(near), "w") as screen:
        assert ask(keyboard, screen, "xterm") == Answers()


def test_a_console_is_not_asked_for_its_background(terminal: tuple[int, int]) -> None:
    far, near = terminal
    with os.fdopen(os.dup(near)) as keyboard, os.fdopen(os.dup(near), "w") as screen:
        thread = answering(far, b"\x1b[1;2R\x1b[1;1R")

        assert ask(keyboard, screen, "linux") == Answers(suit_cells=1)

        thread.join()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_doctor_that_was_ended_while_it_asked_left_a_terminal_without_an_echo(
    tmp_path: Path, number: int, code: int
) -> None:
    # A signal just before the wait is heeded when that is over.
    patient = changed({"client.terminal.probe:PATIENCE_S": "10"})

    with on_a_terminal(tmp_path, *patient, "doctor") as client:
        client.writes(WHERE.encode())
        client.send(number)

        assert client.ends() == code
        assert client.left_behind() == []
