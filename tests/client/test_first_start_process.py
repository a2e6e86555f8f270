"""A fresh machine: the program at a real terminal asks once, teaches, and asks no more."""

import os
import sys
from pathlib import Path

import pytest

from tests.support.homes import environment
from tests.support.ptys import on_a_pty

ENTER = "\r"


def a_fresh_machine(home: Path, term: str = "xterm-256color") -> dict[str, str]:
    """Nobody has played here yet."""
    return environment(home, TERM=term, LANG="C.UTF-8")


def facedown(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "client", *arguments)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=["80x24", "60x20"])
def test_a_fresh_machine_asks_and_teaches_and_the_next_time_plays(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    machine = a_fresh_machine(tmp_path)
    with on_a_pty(*facedown("play"), environment=machine, size=size) as client:
        client.shows("What is your name")
        client.types("\x15maya" + ENTER)
        client.shows("Do you see four suits?")
        client.press_until(ENTER, "Learn the game")
        client.press_until("y", "WELCOME")
        client.shows("casual")
        client.types("\x03\x03")  # what is still on its way to the disk is waited for
        assert client.ends() == 130

    with on_a_pty(*facedown("play"), environment=machine, size=size) as client:
        client.shows("YOUR HAND")
        client.shows("maya")
        assert "What is your name" not in client.text


def test_line_by_line_a_fresh_machine_asks_too(tmp_path: Path) -> None:
    machine = a_fresh_machine(tmp_path, "dumb")
    with on_a_pty(*facedown(), environment=machine) as client:
        client.prints("NAME: what is your name at the table?")
        client.types("maya\n")
        client.prints("LEARN: learn the game in about three minutes?")
        client.types("\n")
        client.prints("LESSON: welcome.")
        client.types("quit\n")
        assert client.ends() == 0

    with on_a_pty(*facedown(), environment=machine) as client:
        client.prints("NOTE: not connected.")
        assert "NAME:" not in client.text

    settings = (tmp_path / "config" / "facedown" / "config.toml").read_text()
    assert settings.strip() == 'name = "maya"'


def test_a_letter_of_another_encoding_at_the_first_question_was_a_crash(tmp_path: Path) -> None:
    """As most locales have it; under C.UTF-8 such a letter always was one that a name cannot have."""
    strict = a_fresh_machine(tmp_path, "dumb") | {"PYTHONIOENCODING": "utf-8:strict"}
    with on_a_pty(*facedown(), environment=strict) as client:
        client.prints("NAME: what is your name at the table?")
        os.write(client.master, b"Jos\xe9\n")
        client.prints("NO: A name is 1 to 16 letters")
        client.types("maya\n")
        client.prints("LEARN: learn the game in about three minutes?")
        client.types("n\n")
        client.prints("NOTE: not connected.")
        client.types("quit\n")
        assert client.ends() == 0
