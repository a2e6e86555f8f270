"""What has become of my challenge (RULES A10, C7, C8)."""

import pytest

from client import state as s
from client.news import doubt_text
from client.state import ClientState, DoubtStage
from client.store import reduce
from protocol import commands as c
from protocol import events as e
from protocol.answers import Refused
from protocol.cards import Rank
from protocol.numbers import CommandNumber, PlayNumber, Seat
from protocol.refusals import Refusal
from tests.support.screen_states import YOU, dealt, folded, played, ruled

ONE = CommandNumber(1)
NOW = 100.0
TWO_KINGS = played(2, 4, 1, Rank.KING, turn=5)


def doubted(play: int = 2) -> ClientState:
    """Maya has just doubted dee's play."""
    table = folded((played(1, 3, 1, Rank.QUEEN, turn=4), TWO_KINGS), dealt())
    return folded((s.Sent(command=c.Challenge(n=ONE, deal=1, play=PlayNumber(play))),), table)


def test_a_sent_challenge_waits_for_the_ruling_and_claims_nothing() -> None:
    doubt = doubted().doubt

    assert doubt is not None
    assert (doubt.stage, doubt.margin_us) == (DoubtStage.SENT, None)


def test_mine_was_first_by_the_margin_to_the_second_call() -> None:
    doubt = reduce(doubted(), ruled(), NOW).doubt

    assert doubt is not None
    assert (doubt.stage, doubt.other, doubt.margin_us) == (DoubtStage.FIRST, Seat(1), 83_000)


def test_somebody_else_was_first_and_the_margin_is_mine() -> None:
    calls = (e.Call(seat=Seat(1), after_us=900_000), e.Call(seat=YOU, after_us=41_000))

    doubt = reduce(doubted(), ruled(challenger=Seat(1), calls=calls), NOW).doubt

    assert doubt is not None
    assert (doubt.stage, doubt.other, doubt.margin_us) == (DoubtStage.BEATEN, Seat(1), 41_000)


def after_heat(order: dict[Seat, int], counted: Seat, heat: e.DeadHeat) -> s.Doubt:
    """My doubt after a dead heat of calls at these times after the first one."""
    calls = tuple(e.Call(seat=seat, after_us=us or 900_000) for seat, us in order.items())
    doubt = reduce(doubted(), ruled(challenger=counted, calls=calls, dead_heat=heat), NOW).doubt
    assert doubt is not None
    return doubt


@pytest.mark.parametrize(
    ("order", "counted", "stage", "margin_us", "said"),
    [
        pytest.param(
            {Seat(1): 0, YOU: 150_000},
            YOU,
            DoubtStage.FIRST,
            150_000,
            "Photo finish: yours counts, though 150 ms after bo.",
            id="mine counts",
        ),
        pytest.param(
            {YOU: 0, Seat(1): 150_000},
            Seat(1),
            DoubtStage.BEATEN,
            150_000,
            "Photo finish: bo counts, though 150 ms after you. Yours costs nothing.",
            id="mine came first",
        ),
        pytest.param(
            {Seat(5): 0, Seat(1): 50_000, YOU: 90_000},
            Seat(1),
            DoubtStage.BEATEN,
            None,
            "Photo finish: bo counts. Yours costs nothing.",
            id="mine came last",
        ),
        pytest.param(
            {YOU: 0, Seat(1): 150_000},
            YOU,
            DoubtStage.FIRST,
            150_000,
            "You doubted first, by 150 ms over bo.",
            id="mine came first, and counts",
        ),
    ],
)
def test_who_won_a_photo_finish_had_doubted_first_by_nothing_over_who_was_earlier(
    order: dict[Seat, int],
    counted: Seat,
    stage: DoubtStage,
    margin_us: int | None,
    said: str,
) -> None:
    doubt = after_heat(order, counted, e.DeadHeat.PHOTO_FINISH)
    table = doubted().table

    assert table is not None
    assert (doubt.stage, doubt.margin_us) == (stage, margin_us)
    assert doubt_text(table.table, doubt) == said


@pytest.mark.parametrize(
    ("order", "counted", "said"),
    [
        ((YOU, Seat(1)), YOU, "You and bo at one instant: yours counts, you sit nearer."),
        (
            (Seat(1), YOU),
            Seat(1),
            "bo at the same instant sits nearer: yours costs nothing.",
        ),
    ],
    ids=["mine counts", "the other's counts"],
)
def test_at_one_instant_one_was_first_by_nothing(
    order: tuple[Seat, ...], counted: Seat, said: str
) -> None:
    calls = tuple(e.Call(seat=seat, after_us=0) for seat in order)
    heat = ruled(challenger=counted, calls=calls, dead_heat=e.DeadHeat.EQUAL_ARRIVAL)
    state = reduce(doubted(), heat, NOW)

    assert state.table is not None
    assert state.doubt is not None
    assert doubt_text(state.table.table, state.doubt) == said
    not_first = Refused(n=ONE, code=Refusal.NOT_FIRST, late_us=0)
    assert counted == YOU or reduce(state, not_first, NOW).doubt == state.doubt


def test_my_own_late_call_tells_my_margin() -> None:
    beaten = reduce(
        doubted(), ruled(challenger=Seat(1), calls=(e.Call(seat=Seat(1), after_us=1),)), NOW
    )

    late = e.LateCall(play=PlayNumber(2), call=e.Call(seat=YOU, after_us=806_000))
    doubt = reduce(beaten, late, NOW).doubt

    assert doubt is not None
    assert (doubt.stage, doubt.margin_us) == (DoubtStage.BEATEN, 806_000)


def test_a_second_caller_who_comes_late_tells_by_how_much_mine_was_first() -> None:
    alone = reduce(doubted(), ruled(calls=(e.Call(seat=YOU, after_us=1_000),)), NOW)

    late = e.LateCall(play=PlayNumber(2), call=e.Call(seat=Seat(5), after_us=700_000))
    doubt = reduce(alone, late, NOW).doubt

    assert doubt is not None
    assert (doubt.stage, doubt.other, doubt.margin_us) == (DoubtStage.FIRST, Seat(5), 700_000)


def test_a_challenge_that_was_too_late_says_by_how_much() -> None:
    refusal = Refused(n=ONE, code=Refusal.TOO_LATE, late_us=40_000)

    doubt = reduce(doubted(), refusal, NOW).doubt

    assert doubt is not None
    assert (doubt.stage, doubt.margin_us) == (DoubtStage.LATE, 40_000)


def test_a_ruling_on_another_play_leaves_my_challenge_alone() -> None:
    state = doubted(play=1)

    assert reduce(state, ruled(), NOW).doubt == state.doubt
