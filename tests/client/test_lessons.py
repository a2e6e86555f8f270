"""The tutorial: each lesson when its thing first happens, in words of what the learner sees."""

import pytest
from msgspec.structs import replace

from client.lessons.due import Lesson
from client.lessons.texts import explanation
from client.lessons.tutorial import (
    RULES,
    Halt,
    Tutorial,
    again,
    asks,
    follow,
    skipped,
    turned,
)
from client.screens.desk import Desk
from client.screens.lesson_box import box_lines
from client.screens.parts.cells import text_of
from client.state import ClientState
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.codes import parse_rules
from tests.support.looking import seen as shown
from tests.support.scenes import lesson_scenes, taught_by, the_reveal, the_window
from tests.support.screen_states import a_frame, a_hand, dealt, folded, played, ruled

SCENES = lesson_scenes()
ALL = [pytest.param(lesson, *scene, id=lesson.name) for lesson, scene in SCENES.items()]
WORDS = {
    Lesson.WELCOME: ("rid of all cards", "against computer players (ana, bo, cy)"),
    Lesson.HAND: ("12 cards", "ana starts", "4, 10, 3, 9"),
    Lesson.REVEAL: ("You doubted", "the seven of clubs", '"1 king"', "A lie"),
    Lesson.PICK_UP: ("dee takes the whole pile, 8 cards", "hal with aces"),
    Lesson.CALL_ORDER: ("You doubted first, after 1.2 s", "1 more doubted later", "photo finish"),
    Lesson.LAST_CARDS: ("dee has laid the last cards", "last chance"),
    Lesson.WINDOW: (
        'cy says "1 ace"',
        "b doubts",
        "y believes",
        "Y believes everything",
        "costs little: try b",
    ),
    Lesson.SURE_LIE: ('"3 aces"', "only 4 aces", "you hold 2"),
    Lesson.READY: ("lies ready", "Backspace takes it back"),
    Lesson.TURN: ("aces are due", "you hold 1", "press a, then Enter"),
    Lesson.BLUFF: ("You hold no ace", "press 3, then Enter", '"1 ace"'),
    Lesson.OWN_PLAY: ('You have said "1 ace"', "It is the truth"),
    Lesson.MISSED: ("B doubts a play", "last cards can be doubted"),
    Lesson.RESULT: ("You are 5th", "l goes through them", "s deals again"),
}


def test_every_lesson_there_is_is_tried_here() -> None:
    assert set(SCENES) == set(WORDS) == set(Lesson)


@pytest.mark.parametrize(("lesson", "state", "given"), ALL)
def test_a_lesson_opens_when_its_thing_first_happens_and_not_again(
    lesson: Lesson, state: ClientState, given: frozenset[Lesson]
) -> None:
    opened = follow(Tutorial(seen=given), state)
    read = follow(turned(opened), state)

    assert opened.open is not None
    assert opened.open.lesson is lesson
    assert [word for word in WORDS[lesson] if word not in opened.open.text] == []
    assert read.open is None or read.open.lesson is not lesson


@pytest.mark.parametrize(("lesson", "state", "given"), ALL)
def test_the_box_hides_neither_what_it_explains_nor_the_keys(
    lesson: Lesson, state: ClientState, given: frozenset[Lesson]
) -> None:
    desk = Desk(tutorial=taught_by(state, given))
    rows = shown(state, desk, (60, 20)).splitlines()

    told = explanation(lesson, state, given, typed=False)
    assert told.title.upper() in "\n".join(rows)
    assert "Enter go on" in rows[-1]
    if told.is_about_hand:
        assert any("YOUR HAND" in row for row in rows)
    elif state.table is not None and state.ruling is not None:
        assert any("dee takes 8" in row for row in rows[1:10])
    elif lesson in {Lesson.WINDOW, Lesson.SURE_LIE, Lesson.LAST_CARDS}:
        assert any("b = BS!" in row for row in rows[1:10])


@pytest.mark.parametrize(("lesson", "state", "given"), ALL)
def test_the_box_is_never_higher_than_the_pane_it_may_cover(
    lesson: Lesson, state: ClientState, given: frozenset[Lesson]
) -> None:
    told = explanation(lesson, state, given, typed=False)

    box = box_lines(a_frame(state, (60, 20)), told)

    assert len(box) <= 9
    assert "".join(text_of(line)[3:-2].strip() + " " for line in box[1:-1]).split() == (
        told.text.split()
    )


def test_without_a_card_of_the_rank_the_lesson_of_the_turn_does_not_ask_for_one() -> None:
    told = explanation(Lesson.TURN, dealt(turn=3, hand="3H KS"), frozenset(), typed=False)

    assert "say that they are aces" in told.text
    assert "press" not in told.text


def test_a_lie_of_ones_own_is_called_so() -> None:
    laid = e.Laid(play=played(1, 3, 1, Rank.ACE, turn=4).play, cards=a_hand()[1:2])
    state = folded((laid, played(1, 3, 1, Rank.ACE, turn=4)), dealt(turn=3))

    assert "It is a lie" in explanation(Lesson.OWN_PLAY, state, frozenset(), typed=False).text


def test_ones_own_last_cards_are_spoken_of_as_ones_own() -> None:
    state = folded((played(1, 3, 1, Rank.ACE, turn=4, left=0, last=True),), dealt(turn=3))

    text = explanation(Lesson.LAST_CARDS, state, frozenset(), typed=False).text
    assert text.startswith("These were your last cards")


def test_whoever_doubted_the_truth_is_told_so() -> None:
    state = folded((ruled(lie=False),), the_window())

    pick_up = explanation(Lesson.PICK_UP, state, frozenset(), typed=False).text
    assert "whoever doubted the truth: you take the whole pile" in pick_up


@pytest.mark.parametrize(
    ("lesson", "words"),
    [
        (Lesson.TURN, "type a. "),
        (Lesson.READY, "back takes it back"),
        (Lesson.RESULT, "confess goes through them"),
    ],
    ids=["turn", "ready", "result"],
)
def test_line_by_line_the_lessons_speak_of_words(lesson: Lesson, words: str) -> None:
    state, given = SCENES[lesson]

    assert words in explanation(lesson, state, given, typed=True).text


# --- the table waits -----------------------------------------------------------------------------


def opened(state: ClientState, *given: Lesson) -> Tutorial:
    return follow(Tutorial(seen=frozenset(given), dealt=True), state)


def test_while_a_lesson_is_open_a_pause_is_asked_for_once() -> None:
    open_window, _ = SCENES[Lesson.WINDOW]
    tutorial, first = asks(opened(open_window, Lesson.HAND), open_window)
    _, second = asks(tutorial, open_window)

    assert isinstance(first, c.PauseTable)
    assert second is None


def test_a_lesson_about_a_doubt_pauses_what_comes_after_it() -> None:
    state, given = SCENES[Lesson.REVEAL]

    assert isinstance(asks(opened(state, *given), state)[1], c.PauseTable)


def test_a_lesson_read_in_time_calls_the_pause_off() -> None:
    open_window, _ = SCENES[Lesson.WINDOW]
    tutorial, _ = asks(opened(open_window, Lesson.HAND), open_window)

    read, command = asks(follow(turned(tutorial), open_window), open_window)

    assert isinstance(command, c.ResumeTable)
    assert command.pause == 0
    assert asks(read, open_window) == (replace(read, halt=Halt.NONE), None)


def test_a_pause_that_began_as_it_was_called_off_is_ended() -> None:
    open_window, _ = SCENES[Lesson.WINDOW]
    tutorial, _ = asks(opened(open_window, Lesson.HAND), open_window)
    read, _ = asks(follow(turned(tutorial), open_window), open_window)
    paused = folded((e.Paused(reason=e.PauseReason.ASKED, pause=3),), open_window)

    ended, command = asks(follow(read, paused), paused)

    assert isinstance(command, c.ResumeTable)
    assert command.pause == 3
    assert ended.halt is Halt.NONE


def test_a_pause_that_ended_by_itself_is_not_ended_again() -> None:
    open_window, _ = SCENES[Lesson.WINDOW]
    tutorial, _ = asks(opened(open_window, Lesson.HAND), open_window)
    paused = folded((e.Paused(reason=e.PauseReason.ASKED),), open_window)
    begun = follow(tutorial, paused)

    ended = follow(turned(begun), folded((e.Resumed(),), paused))

    assert begun.halt is Halt.BEGUN
    assert asks(ended, open_window)[1] is None


@pytest.mark.parametrize(
    "lesson", [Lesson.HAND, Lesson.OWN_PLAY], ids=["their turn", "my own play"]
)
def test_while_one_read_of_something_else_a_play_could_once_come_and_no_longer_be_doubted(
    lesson: Lesson,
) -> None:
    state, given = unhurried(lesson)

    assert isinstance(asks(opened(state, *given), state)[1], c.PauseTable)


@pytest.mark.parametrize("lesson", [Lesson.TURN, Lesson.RESULT], ids=["my turn", "the end"])
def test_nothing_is_paused_where_nothing_can_be_missed(lesson: Lesson) -> None:
    state, given = unhurried(lesson)

    assert asks(opened(state, *given), state)[1] is None


def unhurried(lesson: Lesson) -> tuple[ClientState, frozenset[Lesson]]:
    """The scene of a lesson under rules without a turn clock."""
    state, given = SCENES[lesson]
    table = state.table
    assert table is not None
    rules = replace(table.table.rules, turn_s=0)
    return replace(state, table=replace(table, table=replace(table.table, rules=rules))), given


def test_had_again_under_the_usual_rules_the_turn_clock_once_ran_while_one_read() -> None:
    state, given = SCENES[Lesson.TURN]

    assert isinstance(asks(opened(state, *given), state)[1], c.PauseTable)


def test_the_deal_begins_when_the_welcome_has_been_read() -> None:
    state, _ = SCENES[Lesson.WELCOME]
    tutorial = follow(Tutorial(), state)
    before = asks(tutorial, state)[1]

    dealing, command = asks(follow(turned(tutorial), state), state)

    assert before is None
    assert isinstance(command, c.StartDeal)
    assert command.anyway
    assert asks(dealing, state)[1] is None


def test_whoever_skips_plays_on_under_the_usual_rules_from_the_next_deal() -> None:
    state, _ = SCENES[Lesson.WELCOME]
    tutorial, first = asks(skipped(follow(Tutorial(), state)), state)
    tutorial, second = asks(tutorial, state)

    assert isinstance(first, c.SetRules)
    assert first.rules == "classic"
    assert isinstance(second, c.StartDeal)
    assert asks(tutorial, state)[1] is None
    assert follow(tutorial, the_reveal()).open is None


def test_after_the_last_lesson_the_tutorial_is_over_and_can_be_had_again() -> None:
    state, given = SCENES[Lesson.RESULT]
    done = follow(turned(opened(state, *given)), state)

    once_more = again(done)

    assert done.over
    assert not once_more.over
    assert follow(once_more, dealt()).open == follow(Tutorial(), dealt()).open


def test_a_deal_that_a_doubt_had_ended_was_still_said_to_be_at_its_last_chance() -> None:
    pending, given = SCENES[Lesson.LAST_CARDS]
    over, _ = SCENES[Lesson.RESULT]
    reading = follow(Tutorial(seen=given), pending)

    after = follow(reading, over)

    assert reading.open is not None
    assert reading.open.lesson is Lesson.LAST_CARDS
    assert after.open is not None
    assert after.open.lesson is Lesson.MISSED
    assert "last cards can be doubted" in after.open.text


def test_somebody_elses_table_is_asked_for_nothing() -> None:
    open_window, _ = SCENES[Lesson.WINDOW]
    lobby = open_window.lobby
    assert lobby is not None
    guest = replace(open_window, lobby=replace(lobby, host="ana"))

    assert asks(opened(guest, Lesson.HAND), guest)[1] is None


def test_the_rules_of_the_lessons_leave_time_to_read_and_an_end() -> None:
    rules = parse_rules(RULES)

    assert (rules.turn_s, rules.reveal_s) == (0, 10)
    assert rules.window_s >= 30
    assert rules.stop_after_plays is not None
