"""What has become of my challenge (RULES A10, C7, C8)."""

from client import state as s
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
