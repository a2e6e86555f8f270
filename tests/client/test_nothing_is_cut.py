"""What is meant for a person is on the page to its last word, also where there are sixty columns."""

import ast
import itertools
from pathlib import Path

import pytest
from msgspec.structs import replace

import client
from client.news import PAUSES, refused
from client.screens.desk import Desk, Question, screen_of
from client.state import ClientState, Doubt, DoubtStage, Hinted, LinkLost, LinkRefused
from protocol import events as e
from protocol.answers import Refused
from protocol.cards import Rank
from protocol.numbers import CommandNumber, PlayNumber, Seat
from protocol.refusals import Refusal, explained
from protocol.rules import Challengers, ChallengeUntil, RankOrder, TableRules
from tests.support.cuts import SIZES, SKINS, losses_seen, may_be_cut, shown, words
from tests.support.keyboard import after
from tests.support.looking import SMALL
from tests.support.scenes import LONG_NAMES, a_full_lobby
from tests.support.screen_states import (
    dealt,
    folded,
    online,
    played,
)
from tests.support.snapshots import shown_scenes

SCENES = shown_scenes()
SCROLLED = {"the menu of a host"}  # its head says how many lines there are
LOST = LinkLost(reason="it broke", attempt=1, retry_s=4.0)


# --- every page ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ascii_skin", SKINS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [name for name in SCENES if name != "too small"])
def test_no_page_loses_a_word(name: str, size: tuple[int, int], *, ascii_skin: bool) -> None:
    with losses_seen() as lost:
        shown(*SCENES[name], size, ascii_skin=ascii_skin)

    assert [text for text in lost if not may_be_cut(text)] == [] or name in SCROLLED


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [name for name in SCENES if name != "too small"])
def test_a_line_that_anybody_may_read_once_cut_off_how_many_sit_in_the_lobby(
    name: str, size: tuple[int, int]
) -> None:
    state, desk = SCENES[name]
    readable = replace(state, link=replace(state.link, encrypted=False))

    with losses_seen() as lost:
        shown(readable, desk, size)

    assert [text for text in lost if not may_be_cut(text)] == [] or name in SCROLLED


def test_a_word_that_is_lost_is_noticed() -> None:
    with losses_seen() as lost:
        shown(*SCENES["a menu about somebody"], (30, 20))
        shown(*SCENES["the menu of a host"], SMALL)

    assert any("quit" in text for text in lost)


# --- refusals --------------------------------------------------------------------------------------

PLACES = {
    "my turn": (dealt(turn=3), Desk()),
    "saying something": SCENES["the window, chatting"],
    "ten seats": (dealt(names=LONG_NAMES), Desk()),
    "the hall": (online(), Desk()),
    "a full lobby": (a_full_lobby(), Desk()),
    "the result of ten": SCENES["the result of ten"],
    "the help": SCENES["the help"],
    "the log": SCENES["the log of a crowd"],
    "the settings": SCENES["settings"],
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("refusal", Refusal, ids=str)
def test_every_refusal_is_whole_wherever_it_may_stand(
    refusal: Refusal, size: tuple[int, int]
) -> None:
    clause = explained(refusal).clause
    no = Refused(n=CommandNumber(1), code=refusal, clause=clause, late_us=40_000)
    hint = Hinted(text=refused(no))

    for place, (state, desk) in PLACES.items():
        for ascii_skin in (False, True):
            page = shown(folded((hint,), state), desk, size, ascii_skin=ascii_skin)
            assert words(hint.text) in page, place


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("refusal", Refusal, ids=str)
def test_every_refusal_at_the_door_is_whole(refusal: Refusal, size: tuple[int, int]) -> None:
    turned_away = LinkRefused(text=explained(refusal).sentence, code=refusal)

    page = shown(folded((turned_away,), ClientState(name="maya")), Desk(can_practise=True), size)

    assert words(turned_away.text) in page


# --- hints -----------------------------------------------------------------------------------------

KEYS = "abcdefghijklmnopqrstuvwxyzBCLSVY0123456789/=?+-!#"
NAMED = (
    "enter",
    "tab",
    "space",
    "backspace",
    "up",
    "left",
    "f1",
    "f2",
    "f3",
    "f4",
    "escape",
    "c-c",
)


WITH_HINTS = [
    name
    for name, (state, desk) in SCENES.items()
    if screen_of(state, desk) != "first" and desk.tutorial is None and name != "too small"
]
"""Without the first start and the lessons, whose lines the test of all pages looks at."""


def hints_of(state: ClientState, desk: Desk) -> dict[str, Desk]:
    """What is said of all the keys that do nothing here, and the desk as it is then."""
    found: dict[str, Desk] = {}
    for key in (*KEYS, *NAMED):
        done = after(state, key, desk=desk)
        found |= {each.text: done.desk for each in done.told if isinstance(each, Hinted)}
    return {text: desk for text, desk in found.items() if text}


def hints_in_the_source() -> set[str]:
    """Every hint that stands in the client word for word."""
    sources = Path(client.__file__).parent.rglob("*.py")
    calls = (node for path in sources for node in ast.walk(ast.parse(path.read_text())))
    values = (
        keyword.value
        for call in calls
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in {"Hinted", "hinted"}
        for keyword in (*call.keywords, *(ast.keyword(value=each) for each in call.args))
    )
    return {str(node.value) for node in values if isinstance(node, ast.Constant) and node.value}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", WITH_HINTS)
def test_every_hint_is_whole_where_it_is_given(name: str, size: tuple[int, int]) -> None:
    state, desk = SCENES[name]

    for hint, then in hints_of(state, desk).items():
        page = shown(folded((Hinted(text=hint),), state), then, size)
        assert words(hint) in page, hint


@pytest.mark.parametrize("size", SIZES)
def test_every_hint_in_the_source_is_whole(size: tuple[int, int]) -> None:
    hints = hints_in_the_source()

    pages = {
        hint: shown(folded((Hinted(text=hint),), dealt(names=LONG_NAMES)), Desk(), size)
        for hint in hints
    }

    assert len(hints) > 10
    assert [hint for hint, page in pages.items() if words(hint) not in page] == []


# --- what has to be seen at a table ------------------------------------------------------------------


def crowded(*told: e.Event) -> ClientState:
    """Ten with long names, of whom I am one; it is my turn, and one of three ranks is due."""
    rules = TableRules(rank_order=RankOrder.UP_SAME_OR_DOWN)
    names = (*LONG_NAMES[:3], "maya", *LONG_NAMES[3:9])
    waiting = folded(
        (played(1, 2, 1, Rank.QUEEN, turn=3),), dealt(names=names, turn=2, rules=rules)
    )
    return folded(told, waiting)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("on", e.VoteOn, ids=str)
def test_a_vote_is_whole(on: e.VoteOn, size: tuple[int, int]) -> None:
    vote = e.VoteState(vote=1, on=on, by=LONG_NAMES[0], yes=1, no=0, needed=4, left_us=60_000_000)

    page = shown(crowded(vote), Desk(), size)

    assert "v yes, V no. 1 yes, 0 no, 4 needed, 59 s." in page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("reason", e.PauseReason, ids=str)
def test_a_pause_is_whole(reason: e.PauseReason, size: tuple[int, int]) -> None:
    paused = e.Paused(reason=reason, left_us=900_000_000)

    page = shown(crowded(paused), Desk(), size)

    assert f"{PAUSES[reason]} At most 14:59 more." in page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("question", Question, ids=str)
def test_a_question_says_how_to_answer_it(question: Question, size: tuple[int, int]) -> None:
    page = shown(crowded(), Desk(asking=question, passing=True), size)

    assert "Enter yes, Esc no" in page or "Ctrl-C again leaves; this practice ends." in page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("stage", DoubtStage, ids=str)
def test_what_has_become_of_a_doubt_is_whole(stage: DoubtStage, size: tuple[int, int]) -> None:
    doubt = Doubt(
        play=PlayNumber(1), n=CommandNumber(9), stage=stage, margin_us=83_000, other=Seat(1)
    )
    with losses_seen() as lost:
        page = shown(replace(crowded(), doubt=doubt), Desk(), size)

    told = (
        "waiting for the ruling",
        "over sixteen-chars_01.",
        "yours costs nothing.",
        "costs nothing.",
    )
    assert any(words(sentence) in page for sentence in told)
    assert not [lose for lose in lost if not may_be_cut(lose)]


SHOUTS = ("BS!", "Cheat!", "I doubt it!", "w" * 12)
BOXES = [
    pytest.param(TableRules(), id="anyone may doubt"),
    pytest.param(TableRules(challengers=Challengers.NEXT_PLAYER), id="only the next player"),
    pytest.param(TableRules(challenge_until=ChallengeUntil.PICK_UP), id="until it is picked up"),
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rules", BOXES)
@pytest.mark.parametrize("shout", SHOUTS)
def test_the_box_of_a_window_is_whole(shout: str, rules: TableRules, size: tuple[int, int]) -> None:
    seats = (*LONG_NAMES[:3], "maya", LONG_NAMES[4])
    play = played(1, 1, 4, Rank.QUEEN, turn=2, auto=True, last=True)
    at_table = folded((play,), dealt(names=seats, turn=1, rules=rules))
    called = replace(at_table.lobby.settings, shout=shout) if at_table.lobby else None
    lobby = replace(at_table.lobby, settings=called) if at_table.lobby else None
    protected = replace(at_table, lobby=lobby)
    settled = folded((e.ProtectionOver(play=PlayNumber(1)),), protected)

    for state, line in itertools.product((protected, settled), ((), (LOST,))):
        for desk in (Desk(), SCENES["the window, chatting"][1]):
            with losses_seen() as lost:
                shown(folded(line, state), desk, size)
            assert [text for text in lost if not may_be_cut(text)] == []
