"""A key that is held down counts once, from the first repeat on; what is pressed again counts again."""

import pytest
from msgspec.structs import replace

from client.keys.held import DELAY_S, REPEAT_S, Pressed, may_repeat, pressed, repeats
from client.keys.press import press
from client.screens.desk import Desk, Overlay, Question, Screen, Typing
from client.screens.editor import Editor
from client.state import ClientState
from protocol import commands as c
from protocol.cards import Rank
from protocol.numbers import PlayNumber
from tests.support.keyboard import LONG_AGO, hint, painted, picking
from tests.support.scenes import the_result
from tests.support.screen_states import a_frame, dealt, folded, in_lobby, played

FIRST = Pressed(key="b", at=0.0, play=PlayNumber(1), screen=Screen.TABLE)
OTHER_PLAY = replace(FIRST, play=PlayNumber(2))
OTHERS = [
    OTHER_PLAY,
    replace(FIRST, screen=Screen.RESULT),
    replace(FIRST, overlay=Overlay.MENU),
    replace(FIRST, asking=Question.GIVE_UP),
    replace(FIRST, typing=Typing.SAY),
    replace(FIRST, reads=True),
]
KINDS = ["a play", "a page", "a menu", "a question", "a text", "a lesson"]
TABLE = Desk(screen=Screen.TABLE, screen_since=LONG_AGO)


def said() -> ClientState:
    """Ana has said one ace, for as long as it takes to see it."""
    return painted(folded((played(1, 0, 1, Rank.ACE, turn=1),), dealt()))


@pytest.mark.parametrize("after_s", [0.03, 0.099], ids=["30 a second", "10 a second"])
def test_a_key_again_at_the_pace_of_a_keyboard_is_held_down(after_s: float) -> None:
    assert repeats(FIRST, replace(FIRST, at=FIRST.at + after_s))


@pytest.mark.parametrize("delay_s", [0.25, 0.5, 0.66], ids=["short", "usual", "as X has it"])
@pytest.mark.parametrize("now", OTHERS, ids=KINDS)
def test_the_first_repeat_of_a_key_counted_as_a_press_for_what_had_come_meanwhile(
    now: Pressed, delay_s: float
) -> None:
    again = replace(now, at=FIRST.at + delay_s)

    assert may_repeat(FIRST, again)
    assert not repeats(FIRST, again)


@pytest.mark.parametrize(
    "again",
    [
        replace(FIRST, at=FIRST.at + REPEAT_S),
        replace(OTHER_PLAY, at=FIRST.at + DELAY_S),
        replace(OTHER_PLAY, at=FIRST.at + 0.2, key="y"),
    ],
    ids=["for the same thing", "later", "another key"],
)
def test_a_key_pressed_again_by_hand_is_no_repeat(again: Pressed) -> None:
    assert not repeats(FIRST, again)
    assert not may_repeat(FIRST, again)


def test_what_a_press_is_about_is_read_off_the_page() -> None:
    asked = replace(TABLE, overlay=Overlay.MENU, asking=Question.GIVE_UP)

    about = pressed(a_frame(said(), desk=asked, now=10.0), "b")

    assert about == replace(FIRST, at=10.0, overlay=Overlay.MENU, asking=Question.GIVE_UP)


def test_enter_that_sent_a_word_began_to_repeat_and_laid_the_cards_that_were_picked() -> None:
    saying = replace(TABLE, typing=Typing.SAY, line=Editor().of("good luck"))
    mine = picking(0)
    first = pressed(a_frame(mine, desk=saying, now=20.0), "enter")
    sent = press(a_frame(mine, desk=saying, now=20.0), "enter").desk

    frame = a_frame(mine, desk=sent, now=20.5)
    held = may_repeat(first, pressed(frame, "enter"))

    assert "let go of the key" in hint(press(replace(frame, may_be_held=held), "enter"))


def test_a_doubt_that_may_come_of_a_key_held_down_is_not_sent_but_a_belief_is() -> None:
    frame = replace(a_frame(said(), desk=TABLE, now=20.0), may_be_held=True)

    assert "let go of the key" in hint(press(frame, "b"))
    assert [type(told) for told in press(frame, "y").told] == [c.LetGoOf]


def test_enter_that_began_to_repeat_said_yes_to_what_it_had_asked() -> None:
    asked = replace(TABLE, asking=Question.LEAVE_LOBBY)
    frame = replace(a_frame(said(), desk=asked, now=20.0), may_be_held=True)

    assert press(frame, "enter").desk.asking is Question.LEAVE_LOBBY


@pytest.mark.parametrize(
    ("screen", "state"),
    [(Screen.LOBBY, in_lobby()), (Screen.RESULT, the_result())],
    ids=["in the lobby", "after the deal"],
)
def test_the_space_bar_held_down_was_ready_and_not_ready_in_turn(
    screen: Screen, state: ClientState
) -> None:
    there = Desk(screen=screen, screen_since=LONG_AGO)
    frame = a_frame(state, desk=there, now=20.0)

    assert [type(told) for told in press(frame, "space").told] == [c.SetReady]
    assert "let go of the key" in hint(press(replace(frame, held_down=True), "space"))


def test_a_card_picked_just_as_the_deal_ended_was_a_yes_to_the_next_one() -> None:
    there = Desk(screen=Screen.RESULT, screen_since=19.9)

    assert "only just come up" in hint(press(a_frame(the_result(), desk=there, now=20.0), "space"))


def test_the_space_bar_held_down_still_turns_the_pages_of_the_help() -> None:
    there = Desk(screen=Screen.LOBBY, screen_since=LONG_AGO, overlay=Overlay.HELP)
    frame = replace(a_frame(in_lobby(), desk=there, now=20.0), held_down=True)

    assert press(frame, "space").desk.page == 1
