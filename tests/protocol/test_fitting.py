"""What a server may tell is checked against the table before it changes what a client knows."""

import pytest
from msgspec.structs import replace

from protocol import events as e
from protocol import fitting
from protocol.fitting import misfit
from protocol.numbers import MAX_CARDS, CardId, PlayNumber, Seat
from protocol.views import LogPage, TableSnapshot, TableView, apply
from tests.protocol.examples import a_deal, a_play, a_ruling, a_table, cards, shown

NOWHERE = Seat(3)  # of three seats
A_PILE = a_table(pile=(a_play(1, 1),), newest=PlayNumber(1))
LYING = TableView(table=A_PILE, you=Seat(0), hand=cards("AS KD"))
EMPTY = TableView(table=a_table(), you=Seat(0), hand=cards("AS KD"))
OVER = e.DealOver(reason=e.StopReason.OUT, places=(1, 2, 3), cards=(0, 4, 5))
A_CALL = e.Call(seat=Seat(2), after_us=1)


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(a_deal(), id="a deal"),
        pytest.param(TableSnapshot(table=A_PILE, you=Seat(2)), id="a snapshot"),
        pytest.param(TableSnapshot(table=a_table(outcome=OVER)), id="a snapshot of the end"),
        pytest.param(a_play(2, 2), id="a play"),
        pytest.param(a_ruling(), id="a ruling"),
        pytest.param(e.SetAside(cards=2, turn=Seat(1)), id="a pile set aside"),
        pytest.param(OVER, id="the end"),
        pytest.param(e.Took(cards=cards("2C")), id="cards taken"),
        pytest.param(
            LogPage(log=(a_play(1, 1), e.LateCall(play=PlayNumber(1), call=A_CALL))), id="a log"
        ),
        pytest.param(e.Said(name="Ann", text="hi"), id="nothing about a deal"),
    ],
)
def test_what_a_server_tells_fits(event: e.Event) -> None:
    assert misfit(LYING, event) is None
    assert apply(LYING, event) is not None


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(replace(a_deal(), turn=NOWHERE), id="a deal begun by nobody"),
        pytest.param(replace(a_deal(), dealer=NOWHERE), id="a deal dealt by nobody"),
        pytest.param(e.HandDealt(seat=NOWHERE, cards=()), id="a hand"),
        pytest.param(a_play(2, NOWHERE), id="a play"),
        pytest.param(a_play(2, 1, turn=NOWHERE), id="the turn after a play"),
        pytest.param(e.Passed(seat=Seat(1), turn=NOWHERE), id="the turn after a pass"),
        pytest.param(a_ruling(challenger=NOWHERE), id="a challenger"),
        pytest.param(a_ruling(taker=NOWHERE), id="a taker"),
        pytest.param(a_ruling(calls=(e.Call(seat=NOWHERE, after_us=0),)), id="a call"),
        pytest.param(a_ruling(shown=replace(shown("5H 9C"), seat=NOWHERE)), id="a play shown"),
        pytest.param(a_ruling(pile=(replace(shown("5H"), seat=NOWHERE),)), id="a play of the pile"),
        pytest.param(e.WentOut(seat=NOWHERE, place=1, turn=Seat(0)), id="somebody out"),
        pytest.param(e.ChairChanged(seat=NOWHERE, name="Ann", chair=e.Chair.OWNER), id="a chair"),
        pytest.param(e.TurnClock(seat=NOWHERE, left_us=1), id="a clock"),
        pytest.param(LogPage(log=(a_play(1, NOWHERE),)), id="an entry of the log"),
        pytest.param(TableSnapshot(table=A_PILE, you=NOWHERE), id="my own seat"),
        pytest.param(TableSnapshot(table=replace(A_PILE, turn=NOWHERE)), id="a turn in a snapshot"),
        pytest.param(
            TableSnapshot(table=replace(A_PILE, pile=(a_play(1, NOWHERE),))),
            id="a play in a snapshot",
        ),
    ],
)
def test_a_seat_that_is_not_there_once_broke_the_client(event: e.Event) -> None:
    assert misfit(LYING, event) == "there is no seat 3"


@pytest.mark.parametrize(
    ("view", "event", "why"),
    [
        pytest.param(EMPTY, a_ruling(), "there is no pile", id="a ruling without a play"),
        pytest.param(
            EMPTY, e.SetAside(cards=1, turn=Seat(1)), "there is no pile", id="no pile to set aside"
        ),
        pytest.param(
            LYING,
            replace(OVER, places=(1, 2)),
            "the outcome is not one of 3 seats",
            id="few places",
        ),
        pytest.param(
            LYING, replace(OVER, cards=(1,)), "the outcome is not one of 3 seats", id="few hands"
        ),
        pytest.param(
            None,
            TableSnapshot(table=a_table(outcome=replace(OVER, cards=()))),
            "the outcome is not one of 3 seats",
            id="a snapshot with a short outcome",
        ),
        pytest.param(
            None, TableSnapshot(table=a_table(due=())), "no rank is due", id="no rank is due"
        ),
    ],
)
def test_what_cannot_happen_at_this_table_is_named(
    view: TableView | None, event: e.Event, why: str
) -> None:
    assert misfit(view, event) == why


def test_a_hand_once_grew_without_an_end() -> None:
    full = replace(LYING, hand=cards("AS") * MAX_CARDS)

    assert misfit(full, e.Took(cards=())) is None
    assert misfit(full, e.Took(cards=cards("2C"))) == "more cards in a hand than there are"


def test_a_pile_once_grew_without_an_end() -> None:
    full = replace(LYING, table=replace(A_PILE, pile=(a_play(1, 1),) * MAX_CARDS))

    assert misfit(full, a_play(2, 1)) == "more plays in a pile than there are cards"


@pytest.mark.parametrize("part", ["log", "laid", "confession"])
def test_a_log_once_grew_without_an_end(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "MOST_LOGGED", 2)
    entries = {
        "log": (a_play(1, 1),),
        "laid": (e.Laid(play=PlayNumber(1), cards=()),),
        "confession": (shown("5H"),),
    }
    at_the_bound = replace(LYING, **{part: entries[part] * 2})
    beyond = replace(LYING, **{part: entries[part] * 3})

    assert misfit(at_the_bound, a_play(2, 2)) is None
    assert misfit(beyond, a_play(2, 2)) == "a log without an end"


def test_without_a_deal_there_is_nothing_to_fit() -> None:
    assert misfit(None, a_play(1, 9)) is None
    assert apply(None, a_play(1, 9)) is None


def test_the_id_of_a_card_is_no_seat() -> None:
    held = e.Held(held=e.HeldPlay(cards=(CardId(200),), count=1))

    assert misfit(LYING, held) is None
