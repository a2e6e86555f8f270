"""Challenges: one for a play, and the pile to the loser (RULES A9 to A13, B8, B13 to B15, C7, C8)."""

import pytest

from protocol.cards import Rank
from protocol.events import Call, DeadHeat, LateCall, Phase, Ruled
from protocol.numbers import PlayNumber, Seat
from protocol.options import options_of
from protocol.refusals import Refusal
from protocol.rules import Challengers, ChallengeUntil, RankOrder, Reveal, TableRules
from protocol.views import TableView
from protocol.views import apply as fold
from server.game import actions as a
from server.game.view import window_state_for
from tests.support.deals import SECOND, a_table, cards
from tests.support.shown import snapshot_for

FOUR_HANDS = ("AS KD QC", "2H 3H 4H", "5C 6C 7C", "8D 9D 10D")
PICK_UP = TableRules(challenge_until=ChallengeUntil.PICK_UP, window_s=0)


@pytest.mark.parametrize(
    ("laid", "taker"), [pytest.param("KD", 0, id="lie"), pytest.param("AS", 2, id="truth")]
)
def test_e06_the_left_of_the_player_goes_on_after_a_challenge(laid: str, taker: int) -> None:
    table = a_table(FOUR_HANDS).play(laid)

    table.doubt(2)

    assert len(table.hand(taker)) == 3 + (taker == 2)
    assert (table.deal.table.turn, table.deal.table.due) == (1, (Rank.TWO,))


def test_e07_two_challenges_for_one_play_move_one_pile() -> None:
    table = a_table(FOUR_HANDS).play("KD")
    second = table.a_doubt(3)
    table.doubt(2)

    assert table.refusal(second) is Refusal.TOO_LATE
    assert [len(table.hand(seat)) for seat in range(4)] == [3, 3, 3, 3]


def test_e08_a_challenge_of_the_play_before_the_newest_is_refused() -> None:
    table = a_table(FOUR_HANDS, play=40).play("KD").time_up().play("2H")

    assert table.deal.table.newest == 42
    assert table.refusal(table.a_doubt(2, play=41)) is Refusal.TOO_LATE
    assert table.refusal(table.a_doubt(2, play=43)) is Refusal.NOT_ANNOUNCED


def test_e14_a_play_three_turns_old_is_challenged_and_the_turn_stays() -> None:
    table = a_table(FOUR_HANDS, PICK_UP).play("KD").play("3H").play("5C").play("8D")

    table.doubt(3, play=1)

    assert table.hand(0) == cards("KD 3H 5C 8D AS QC")
    assert (table.deal.table.turn, table.deal.table.due) == (0, (Rank.FIVE,))
    assert table.refusal(table.a_doubt(3, play=2)) is Refusal.TOO_LATE


def test_e20_who_resumes_in_mid_window_may_still_challenge() -> None:
    table = a_table(FOUR_HANDS).play("KD")
    seat, view = Seat(2), None
    for event in (*snapshot_for(table.deal, seat), window_state_for(table.deal, seat, SECOND)):
        view = fold(view, event)

    assert isinstance(view, TableView)
    assert options_of(view).challenge == (1,)
    assert table.refusal(table.a_doubt(2)) is None


def test_e23_the_challenger_who_takes_the_pile_leads() -> None:
    table = a_table(FOUR_HANDS, TableRules(rank_order=RankOrder.FREE))

    table.play("AS", rank=Rank.ACE).doubt(3)

    assert table.deal.table.turn == 3
    assert len(table.deal.table.due) == 13


def test_e23_a_true_last_play_challenged_makes_the_challenger_lead() -> None:
    rules = TableRules(rank_order=RankOrder.FREE, play_on=True)
    table = a_table(["AS", "2H 3H", "5C 6C"], rules)

    table.play("AS").doubt(2)

    assert table.deal.table.seats[0].place == 1
    assert table.deal.table.turn == 2


def test_e24_a_challenge_ruled_at_the_instant_of_the_closing_comes_before_the_next_cards() -> None:
    table = a_table(FOUR_HANDS).play("KD").play("2H")
    table.at = 4 * SECOND

    table.doubt(3)

    assert table.hand(1) == cards("2H 3H 4H")
    assert table.deal.table.newest == 1


def test_nobody_challenges_their_own_play() -> None:
    table = a_table(FOUR_HANDS).play("KD")

    assert table.refusal(table.a_doubt(0)) is Refusal.OWN_PLAY


def test_only_the_next_player_challenges_where_the_rules_say_so() -> None:
    rules = TableRules(challengers=Challengers.NEXT_PLAYER)
    table = a_table(FOUR_HANDS, rules).play("KD")

    assert table.refusal(table.a_doubt(2)) is Refusal.NOT_NEXT
    assert table.refusal(table.a_doubt(1)) is None


def test_the_whole_pile_is_shown_where_the_rules_say_so() -> None:
    rules = TableRules(reveal=Reveal.WHOLE_PILE, window_s=0)
    table = a_table(FOUR_HANDS, rules).play("KD").play("2H 3H")

    table.doubt(0)

    ruled = table.deal.log[-1]
    assert isinstance(ruled, Ruled)
    assert [" ".join(map(str, play.faces)) for play in ruled.pile] == ["KD", "2H 3H"]


def test_only_the_challenged_play_is_shown_otherwise() -> None:
    table = a_table(FOUR_HANDS, TableRules(window_s=0)).play("KD").play("2H 3H")

    table.doubt(0)

    ruled = table.deal.log[-1]
    assert isinstance(ruled, Ruled)
    assert (ruled.pile, [str(face) for face in ruled.shown.faces]) == ((), ["2H", "3H"])


def test_a_ruling_tells_how_it_was_reached() -> None:
    table = a_table(FOUR_HANDS).play("KD")
    calls = (Call(seat=Seat(2), after_us=900), Call(seat=Seat(3), after_us=0, rtt_us=40))
    rule = a.Rule(
        play=PlayNumber(1),
        challenger=Seat(2),
        calls=calls,
        unstamped=True,
        dead_heat=DeadHeat.EQUAL_ARRIVAL,
    )

    table.do(rule)

    ruled = table.deal.log[-1]
    assert isinstance(ruled, Ruled)
    assert (ruled.calls, ruled.unstamped) == (calls, True)
    assert ruled.dead_heat is DeadHeat.EQUAL_ARRIVAL
    assert (ruled.taken, ruled.left, ruled.reveal_us) == (1, 3, 3 * SECOND)


def test_a_late_challenge_joins_the_call_order_of_the_newest_ruling() -> None:
    table = a_table(FOUR_HANDS).play("KD").doubt(2)
    call = Call(seat=Seat(3), after_us=250_000)

    table.do(a.AddLateCall(play=PlayNumber(1), call=call))

    assert table.events == [LateCall(play=PlayNumber(1), call=call)]


def test_a_late_challenge_with_no_ruling_is_refused() -> None:
    table = a_table(FOUR_HANDS).play("KD")
    late = a.AddLateCall(play=PlayNumber(1), call=Call(seat=Seat(3), after_us=1))

    assert table.refusal(late) is Refusal.TOO_LATE


def test_a_late_challenge_of_another_play_than_the_one_ruled_on_is_refused() -> None:
    table = a_table(FOUR_HANDS).play("KD").doubt(2).time_up().play("2H")
    late = a.AddLateCall(play=PlayNumber(2), call=Call(seat=Seat(3), after_us=1))

    assert table.refusal(late) is Refusal.TOO_LATE


def test_without_a_reveal_pause_the_next_player_goes_on_at_once() -> None:
    table = a_table(FOUR_HANDS, TableRules(reveal_s=0)).play("KD").doubt(2)

    assert table.deal.table.phase is Phase.TO_PLAY
