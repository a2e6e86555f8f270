"""Questions about my hand: its order, what I shall have to say, and what it proves."""

import pytest

from client import my_hand
from client import state as s
from client.store import reduce
from protocol.cards import Rank
from protocol.numbers import CardId
from protocol.rules import RankOrder, TableRules
from tests.support.screen_states import dealt, online, played


def test_my_next_ranks_go_up_by_the_number_of_players() -> None:
    # Six players, ana to claim aces, maya three turns on: 4, 10, 3, 9 (RULES A6).
    assert my_hand.next_ranks(dealt()) == (Rank.FOUR, Rank.TEN, Rank.THREE, Rank.NINE)


def test_where_the_rank_is_a_choice_there_are_no_next_ranks() -> None:
    assert my_hand.next_ranks(dealt(rules=TableRules(rank_order=RankOrder.FREE))) == ()


def test_the_hand_is_shown_by_rank_with_jokers_last() -> None:
    state = dealt("JK KS AH 2C")

    assert [str(card) for card in my_hand.cards(state)] == ["AH", "2C", "KS", "JK"]


def test_jokers_count_for_every_rank_i_hold() -> None:
    assert my_hand.held_of(dealt("JK KS KH 2C"), Rank.KING) == 3


@pytest.mark.parametrize(
    ("count", "sure"), [(2, False), (3, True)], ids=["two may be out there", "three may not"]
)
def test_holding_two_kings_proves_three_more_a_lie(count: int, sure: bool) -> None:  # noqa: FBT001
    state = dealt("KS KH 2C")

    assert my_hand.sure_lie(state, played(1, 0, count, Rank.KING, turn=1)) is sure


def test_a_play_of_my_own_is_no_sure_lie_to_me() -> None:
    assert not my_hand.sure_lie(dealt("KS KH"), played(1, 3, 4, Rank.KING, turn=4))


def test_the_claim_follows_the_cards_where_several_ranks_are_due() -> None:
    rules = TableRules(rank_order=RankOrder.FREE)
    state = reduce(dealt("KS KH 2C", rules=rules, turn=3), s.Picked(cards=(CardId(0),)), 0.0)

    assert my_hand.claimed_rank(state) is Rank.KING


def test_jokers_alone_leave_a_free_claim_open() -> None:
    state = dealt("JK 2C", rules=TableRules(rank_order=RankOrder.FREE), turn=3)

    assert my_hand.claimed_rank(state) is None


def test_without_a_table_i_hold_nothing_and_have_nothing_to_say() -> None:
    assert my_hand.cards(online()) == ()
    assert my_hand.next_ranks(online()) == ()
    assert my_hand.due(online()) == ()
