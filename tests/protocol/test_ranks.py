"""Which ranks are due, order by order (RULES A6, B4 to B8)."""

import pytest

from protocol.cards import Rank
from protocol.ranks import due_after_claim, due_at_start, due_on_a_new_pile, own_ranks
from protocol.rules import RankOrder, TableRules

ALL = tuple(Rank)
A, Q, K, TWO = Rank.ACE, Rank.QUEEN, Rank.KING, Rank.TWO


@pytest.mark.parametrize(
    ("order", "first", "after_king", "new_pile"),
    [
        (RankOrder.UP, (A,), (A,), (A,)),
        (RankOrder.DOWN, (A,), (Q,), (Q,)),
        (RankOrder.UP_OR_DOWN, (A,), (A, Q), (A, Q)),
        (RankOrder.UP_SAME_OR_DOWN, (A,), (A, K, Q), (A, K, Q)),
        (RankOrder.SAME_UNTIL_CHALLENGE, (A,), (K,), (A,)),
        (RankOrder.FREE, ALL, (K,), ALL),
    ],
)
def test_the_ranks_due_at_first_after_a_king_and_on_a_new_pile(
    order: RankOrder,
    first: tuple[Rank, ...],
    after_king: tuple[Rank, ...],
    new_pile: tuple[Rank, ...],
) -> None:
    rules = TableRules(rank_order=order)

    assert due_at_start(rules) == first
    assert due_after_claim(rules, K) == after_king
    assert due_on_a_new_pile(rules, K) == new_pile


def test_with_four_players_ones_own_ranks_are_four_apart() -> None:
    ranks = own_ranks(TableRules(), due=A, turns_away=0, players=4, how_many=5)

    assert [rank.symbol for rank in ranks] == ["A", "5", "9", "K", "4"]


def test_downhill_ones_own_ranks_go_down() -> None:
    rules = TableRules(rank_order=RankOrder.DOWN)

    assert own_ranks(rules, due=TWO, turns_away=1, players=3, how_many=2) == (A, Rank.JACK)


@pytest.mark.parametrize("order", [RankOrder.FREE, RankOrder.UP_OR_DOWN])
def test_where_ranks_are_a_choice_none_are_foretold(order: RankOrder) -> None:
    assert own_ranks(TableRules(rank_order=order), A, 0, 4, 5) == ()
