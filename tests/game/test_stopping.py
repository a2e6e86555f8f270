"""A deal that ends by plays, by time or by vote (RULES B21)."""

import pytest

from protocol.events import DealOver, Ruled, StopReason
from protocol.numbers import Seat
from protocol.refusals import Refusal
from protocol.rules import ChallengeUntil, TableRules
from server.game import actions as a
from server.game.engine import next_deadline
from tests.support.deals import SECOND, AtTable, a_table, cards

THREE_HANDS = ("AS KD QC", "2H 3H 4H", "5C 6C 7C 8C")
TWO_PLAYS = TableRules(stop_after_plays=2, window_s=0)


def the_end(table: AtTable) -> DealOver:
    """How the deal ended."""
    assert table.deal.table.outcome is not None
    return table.deal.table.outcome


def test_e19_a_challenge_of_the_last_counted_play_is_resolved_first() -> None:
    table = a_table(THREE_HANDS, TWO_PLAYS).play("AS").play("3H")
    assert table.kinds() == ["(Laid)", "Played", "Stopping"]

    table.doubt(2)

    assert [type(event) for event in table.events[:2]] == [Ruled, DealOver]
    assert table.hand(1) == cards("2H 3H 4H AS")
    assert (the_end(table).reason, the_end(table).places) == (StopReason.PLAYS, (1, 2, 2))


def test_the_last_counted_play_has_a_last_plays_window() -> None:
    table = a_table(THREE_HANDS, TWO_PLAYS).play("AS").play("2H")

    table.time_up()

    assert table.at == 8 * SECOND
    assert table.kinds() == ["Stands", "DealOver", "Confession"]


def test_letting_go_ends_the_last_window_even_where_plays_stay_open_until_the_pick_up() -> None:
    rules = TableRules(stop_after_plays=1, challenge_until=ChallengeUntil.PICK_UP)
    table = a_table(THREE_HANDS, rules).play("AS")

    table.let_go(1, 2)

    assert the_end(table).reason is StopReason.PLAYS


def test_further_plays_are_refused_and_older_ones_are_safe() -> None:
    rules = TableRules(
        stop_after_plays=2, window_s=0, challenge_until=ChallengeUntil.PICK_UP, passing=True
    )
    table = a_table(THREE_HANDS, rules).play("AS").play("2H")

    assert table.refusal(table.a_play("5C")) is Refusal.STOPPING
    assert table.refusal(a.Pass(seat=Seat(2))) is Refusal.STOPPING
    assert table.refusal(table.a_doubt(2, play=1)) is Refusal.SAFE_PLAY
    assert table.refusal(a.Stop(reason=StopReason.VOTE)) is Refusal.STOPPING


def test_without_a_limit_the_cap_ends_the_deal() -> None:
    table = a_table(THREE_HANDS, TableRules(window_s=0), cap=1).play("AS")

    table.time_up()

    assert the_end(table).reason is StopReason.CAP


def test_a_limit_of_the_rules_replaces_the_cap() -> None:
    table = a_table(THREE_HANDS, TWO_PLAYS, cap=1)

    table.play("AS")

    assert table.deal.table.stopping is None


@pytest.mark.parametrize("reason", [StopReason.TIME, StopReason.VOTE])
def test_a_stop_waits_for_the_open_window_counted_from_its_opening(reason: StopReason) -> None:
    table = a_table(THREE_HANDS).play("AS")
    table.at = 3 * SECOND

    table.stop(reason)

    assert table.kinds() == ["Stopping"]
    assert next_deadline(table.deal) == 8 * SECOND
    table.time_up()
    assert the_end(table).reason is reason


def test_a_stop_ends_the_deal_at_once_when_the_last_window_would_be_over() -> None:
    table = a_table(THREE_HANDS).play("AS").time_up()
    table.at = 8 * SECOND + 1

    table.stop()

    assert table.kinds() == ["Stopping", "Stands", "DealOver", "Confession"]


def test_a_stop_at_the_last_instant_of_a_window_leaves_it_open_to_a_call_of_that_instant() -> None:
    table = a_table(THREE_HANDS).play("AS").time_up()
    table.at = 8 * SECOND

    table.stop()

    assert table.kinds() == ["Stopping"]
    assert table.refusal(table.a_doubt(1)) is None


def test_a_stop_ends_the_deal_at_once_when_nothing_is_open() -> None:
    table = a_table(THREE_HANDS).play("AS").let_go(1, 2)

    table.stop()

    assert table.kinds() == ["DealOver", "Confession"]


def test_a_stop_before_the_first_play_ends_the_deal_with_nothing_to_confess() -> None:
    table = a_table(THREE_HANDS)

    table.stop()

    assert table.kinds() == ["DealOver"]
    assert the_end(table).places == (1, 1, 3)


def test_a_stop_ends_at_once_what_all_have_let_go_until_the_pick_up() -> None:
    table = a_table(THREE_HANDS, TableRules(challenge_until=ChallengeUntil.PICK_UP)).play("AS")
    table.let_go(1, 2)

    table.stop()

    assert table.kinds() == ["Stopping", "Stands", "DealOver", "Confession"]


def test_held_cards_go_back_when_the_deal_is_stopped() -> None:
    table = a_table(THREE_HANDS).play("AS").play("2H")

    table.stop()

    assert table.kinds() == ["(HeldBack)", "Stopping"]
    assert table.hand(1) == cards("2H 3H 4H")


def test_last_cards_that_are_also_the_last_counted_play_go_out() -> None:
    rules = TableRules(stop_after_plays=1, play_on=True)
    table = a_table(["AS", *THREE_HANDS[1:]], rules).play("AS")

    table.time_up()

    assert table.kinds() == ["Stands", "WentOut", "DealOver", "Confession"]
    assert (the_end(table).reason, the_end(table).places) == (StopReason.PLAYS, (1, 2, 3))


def test_last_cards_that_end_the_deal_by_themselves_are_what_ended_it() -> None:
    table = a_table(["AS", *THREE_HANDS[1:]], TableRules(stop_after_plays=1)).play("AS")

    table.doubt(1)

    assert the_end(table).reason is StopReason.OUT


def test_true_last_cards_challenged_while_the_deal_stops_go_out_first() -> None:
    rules = TableRules(stop_after_plays=1, play_on=True)
    table = a_table(["AS", *THREE_HANDS[1:]], rules).play("AS")

    table.doubt(1)

    assert table.kinds()[1:4] == ["Ruled", "WentOut", "DealOver"]
    assert the_end(table).reason is StopReason.PLAYS
