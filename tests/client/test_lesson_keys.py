"""A lesson of the tutorial on the screen: what it says while the table waits, and what keys do."""

import pytest
from msgspec.structs import replace

from client.lessons.due import Lesson
from client.lessons.tutorial import follow
from client.screens.desk import Desk
from client.state import ClientState, Noted, Picked
from protocol import commands as c
from protocol import events as e
from protocol.numbers import Seat
from tests.support.keyboard import after, hint
from tests.support.looking import seen as shown
from tests.support.scenes import lesson_scenes, taught_by
from tests.support.screen_states import folded, in_lobby

SCENES = lesson_scenes()


def desk_of(lesson: Lesson) -> tuple[ClientState, Desk]:
    state, given = SCENES[lesson]
    return state, Desk(tutorial=taught_by(state, given))


def test_a_paused_table_says_that_it_waits_for_the_reader() -> None:
    state, desk = desk_of(Lesson.WINDOW)
    paused = folded((e.Paused(reason=e.PauseReason.ASKED),), state)

    assert "The table waits until you have read this." in shown(paused, desk)


def test_enter_reads_a_lesson_and_lays_nothing() -> None:
    state, desk = desk_of(Lesson.TURN)

    done = after(state, "enter", desk=desk)

    assert done.told == ()
    assert done.desk.tutorial is not None
    assert Lesson.TURN in done.desk.tutorial.seen


def test_enter_pressed_as_a_lesson_comes_up_is_not_meant_for_it() -> None:
    state, desk = desk_of(Lesson.TURN)
    tutorial = replace(desk.tutorial, opened_at=0.9)  # type: ignore[type-var]

    assert "An explanation has come up" in hint(
        after(state, "enter", desk=replace(desk, tutorial=tutorial), now=1.0)
    )


@pytest.mark.parametrize("key", ["escape", "q"])
def test_lessons_can_be_skipped(key: str) -> None:
    state, desk = desk_of(Lesson.WINDOW)

    done = after(state, key, desk=desk)

    assert done.desk.tutorial is not None
    assert done.desk.tutorial.over
    assert [type(told) for told in done.told] == [Noted]


def test_b_doubts_from_a_lesson_and_closes_it() -> None:
    state, desk = desk_of(Lesson.SURE_LIE)
    state = replace(state, painted=state.table.table.newest)  # type: ignore[union-attr]

    done = after(state, "b", desk=desk)

    (told,) = done.told
    assert isinstance(told, c.Challenge)
    assert done.desk.tutorial is not None
    assert done.desk.tutorial.open is None


def test_a_doubt_from_a_lesson_at_a_paused_table_was_refused_without_a_word() -> None:
    state, desk = desk_of(Lesson.WINDOW)
    paused = folded((e.Paused(reason=e.PauseReason.ASKED),), state)

    done = after(paused, "b", desk=desk)

    assert "in three seconds" in hint(done)
    assert done.desk.tutorial is not None
    assert done.desk.tutorial.open is None


@pytest.mark.parametrize(
    ("lesson", "key"), [(Lesson.TURN, "a"), (Lesson.BLUFF, "3")], ids=["the truth", "a bluff"]
)
def test_the_keys_that_a_lesson_said_to_press_were_dead_while_it_was_open(
    lesson: Lesson, key: str
) -> None:
    state, desk = desk_of(lesson)

    done = after(state, key, desk=desk)

    (told,) = done.told
    assert isinstance(told, Picked)
    assert len(told.cards) == 1
    assert done.desk.tutorial is not None
    assert done.desk.tutorial.open is None
    assert lesson in done.desk.tutorial.seen


def test_q_picked_no_queen_but_ended_all_lessons_where_a_lesson_says_what_to_lay() -> None:
    state, desk = desk_of(Lesson.TURN)

    done = after(state, "q", desk=desk)

    assert done.desk.tutorial is not None
    assert not done.desk.tutorial.over


def test_a_rank_pressed_as_a_lesson_comes_up_is_not_meant_for_it() -> None:
    state, desk = desk_of(Lesson.TURN)
    tutorial = replace(desk.tutorial, opened_at=0.9)  # type: ignore[type-var]

    assert "An explanation has come up" in hint(
        after(state, "a", desk=replace(desk, tutorial=tutorial), now=1.0)
    )


def test_other_keys_say_that_a_lesson_is_open() -> None:
    state, desk = desk_of(Lesson.WINDOW)

    assert "Enter" in hint(after(state, "a", desk=desk))


def test_the_menu_has_all_lessons_once_more() -> None:
    state, desk = desk_of(Lesson.TURN)
    skipping = after(state, "escape", desk=desk).desk

    menu = after(state, "escape", desk=skipping).desk
    page = shown(state, menu)
    row = next(
        n for n, line in enumerate(page.splitlines()[2:]) if "all explanations once more" in line
    )
    done = after(state, *["down"] * row, "enter", desk=menu)

    assert done.desk.tutorial is not None
    assert not done.desk.tutorial.over
    assert follow(done.desk.tutorial, state).open is not None


def test_a_page_without_lobby_shows_no_lesson() -> None:
    state, desk = desk_of(Lesson.TURN)

    assert "YOUR TURN" not in shown(replace(in_lobby(), lobby=None), desk)
    assert state.table is not None
    assert state.table.you == Seat(3)
