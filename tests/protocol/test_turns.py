"""Whose turn comes when, and with which ranks, as far as that is known before (RULES A6, B7, B8, B11)."""

import pytest

from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import Seat
from protocol.rules import CLASSIC, RankOrder, TableRules
from protocol.turns import foretold, next_ranks, turns_away
from protocol.views import PublicTable, follow
from tests.protocol.examples import a_play, a_table

ANN, BEN, CLEO = Seat(0), Seat(1), Seat(2)


def after_a_play(rules: TableRules = CLASSIC) -> PublicTable:
    """Ben has said fives, and it is Cleo's turn."""
    return follow(a_table(rules), a_play(1, BEN))


def test_turns_are_counted_from_the_seat_to_move() -> None:
    assert [turns_away(after_a_play(), seat) for seat in (ANN, BEN, CLEO)] == [1, 2, 0]


@pytest.mark.parametrize("turn", [BEN, CLEO], ids=["somebody else's turn", "its own"])
def test_a_seat_that_is_out_has_no_turn_any_more(turn: Seat) -> None:
    out = e.WentOut(seat=CLEO, place=1, turn=turn)
    table = follow(a_table(TableRules(play_on=True)), out)

    assert turns_away(table, CLEO) is None
    assert next_ranks(table, CLEO, 4) == ()


def test_the_next_ranks_of_a_seat_are_as_far_apart_as_there_are_players() -> None:
    assert next_ranks(after_a_play(), ANN, 3) == (Rank.SEVEN, Rank.TEN, Rank.KING)


def test_where_nobody_may_pass_the_rank_is_known() -> None:
    assert foretold(after_a_play(), BEN) == (Rank.EIGHT,)


def test_a_rank_that_a_pass_may_change_is_not_known() -> None:
    passing = TableRules(passing=True)

    assert foretold(after_a_play(passing), CLEO) == (Rank.SIX,)
    assert foretold(after_a_play(passing), ANN) == ()


def test_who_starts_a_pile_lays_so_the_next_rank_is_known_where_one_may_pass() -> None:
    table = a_table(TableRules(passing=True))

    assert foretold(table, CLEO) == (Rank.TWO,)
    assert foretold(table, ANN) == ()


@pytest.mark.parametrize("order", [RankOrder.FREE, RankOrder.SAME_UNTIL_CHALLENGE])
def test_where_all_follow_the_rank_that_was_named_it_is_known(order: RankOrder) -> None:
    rules = TableRules(rank_order=order, passing=True)

    assert foretold(after_a_play(rules), BEN) == (Rank.FIVE,)


@pytest.mark.parametrize("order", [RankOrder.FREE, RankOrder.UP_OR_DOWN])
def test_a_rank_that_is_to_be_chosen_is_not_known(order: RankOrder) -> None:
    assert foretold(a_table(TableRules(rank_order=order)), CLEO) == ()
