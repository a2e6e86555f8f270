"""The window's title: whose turn it is while we play, and afterwards what it was before."""

import io

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.vt100 import Vt100_Output

from client.screens.clock import window_title
from client.terminal.window_title import WindowTitle
from tests.support.screen_states import a_frame, dealt, in_lobby, online

SAVED, RESTORED = "\x1b[22;2t", "\x1b[23;2t"


@pytest.fixture
def tape() -> io.StringIO:
    """What reaches the terminal."""
    return io.StringIO()


@pytest.fixture
def title(tape: io.StringIO) -> WindowTitle:
    """The title of that terminal."""
    return WindowTitle(Vt100_Output(tape, lambda: Size(rows=24, columns=80), term="xterm"))


def test_it_is_saved_before_it_is_set_and_restored_at_the_end(
    title: WindowTitle, tape: io.StringIO
) -> None:
    title.show("Facedown")
    title.show("Facedown FOX-42")
    title.give_back()

    set_twice = "\x1b]2;Facedown\x07\x1b]2;Facedown FOX-42\x07"
    assert tape.getvalue() == f"{SAVED}{set_twice}{RESTORED}"


def test_the_same_title_costs_nothing(title: WindowTitle, tape: io.StringIO) -> None:
    title.show("Facedown")
    before = tape.getvalue()

    title.show("Facedown")

    assert tape.getvalue() == before


def test_a_title_that_was_never_taken_is_not_given_back(
    title: WindowTitle, tape: io.StringIO
) -> None:
    title.give_back()

    assert tape.getvalue() == ""


def test_it_says_whose_turn_it_is() -> None:
    assert window_title(a_frame(dealt(turn=3))) == "Facedown FOX-42: your turn: ACES"
    assert window_title(a_frame(dealt(turn=0))) == "Facedown FOX-42: ana's turn: ACES"
    assert window_title(a_frame(in_lobby())) == "Facedown FOX-42"
    assert window_title(a_frame(online())) == "Facedown"
