"""Plays and claims: what may be laid, and what makes it true (RULES A6 to A8, B1, B2, B4 to B9)."""

import pytest

from protocol.cards import Rank
from protocol.events import Ruled
from protocol.numbers import CardId, Seat
from protocol.refusals import Refusal
from protocol.rules import RankOrder, TableRules
from server.game import actions as a
from server.game.engine import IllegalAction, apply
from tests.support.deals import AtTable, a_table, cards

THREE_HANDS = ("AS AH KD QC 9S", "2H 3H 4H", "5C 6C 7C")


def the_ruling(table: AtTable) -> Ruled:
    """The ruling that the newest step told."""
    return next(event for event in table.events if isinstance(event, Ruled))


def test_e04_mixed_true_and_false_cards_are_a_lie() -> None:
    table = a_table(THREE_HANDS).play("AS KD")

    table.doubt(2)

    assert the_ruling(table).lie
    assert table.hand(0) == cards("AS AH KD QC 9S")


def test_e05_kings_are_followed_by_aces() -> None:
    table = a_table(THREE_HANDS, due=Rank.KING)

    table.play("KD")

    assert table.deal.table.due == (Rank.ACE,)


def test_e05_the_rank_goes_on_after_a_challenge_as_well() -> None:
    table = a_table(THREE_HANDS, due=Rank.KING).play("KD")

    table.doubt(1)

    assert table.deal.table.due == (Rank.ACE,)


def test_e16_jokers_alone_are_three_kings() -> None:
    table = a_table(["JK JK JK 2S", "3H"], TableRules(jokers=2), due=Rank.KING)

    table.play("JK JK JK").doubt(1)

    assert not the_ruling(table).lie
    assert table.hand(1) == cards("3H JK JK JK")


def test_e17_six_of_one_rank_are_honest_with_two_decks() -> None:
    rules = TableRules(decks=2, max_cards=8)
    table = a_table(["AS AS AH AH AD AC 2S", "3H"], rules)

    table.play("AS AS AH AH AD AC").doubt(1)

    assert not the_ruling(table).lie


@pytest.mark.parametrize(
    ("laid", "count", "refusal"),
    [
        pytest.param((5,), 1, Refusal.NOT_YOUR_CARDS, id="someone else's card"),
        pytest.param((0, 0), 2, Refusal.NOT_YOUR_CARDS, id="the same card twice"),
        pytest.param((99,), 1, Refusal.NOT_YOUR_CARDS, id="no such card"),
        pytest.param((), 0, Refusal.NO_CARDS, id="no cards"),
        pytest.param((), 1, Refusal.NO_CARDS, id="no cards called one"),
        pytest.param((0, 1, 2, 3, 4), 5, Refusal.TOO_MANY, id="five cards"),
        pytest.param((0, 1), 1, Refusal.WRONG_COUNT, id="more than claimed"),
        pytest.param((0,), 2, Refusal.WRONG_COUNT, id="fewer than claimed"),
    ],
)
def test_e18_what_cannot_be_laid_is_refused_and_changes_nothing(
    laid: tuple[int, ...], count: int, refusal: Refusal
) -> None:
    table = a_table(THREE_HANDS)
    play = a.Play(seat=Seat(0), cards=tuple(map(CardId, laid)), count=count, rank=Rank.ACE)

    with pytest.raises(IllegalAction) as refused:
        apply(table.deal, play, 0)

    assert refused.value.refusal is refusal
    assert table.deal == a_table(THREE_HANDS).deal


def test_only_the_seat_to_move_plays() -> None:
    table = a_table(THREE_HANDS)

    assert table.refusal(table.a_play("2H", seat=1)) is Refusal.NOT_YOUR_TURN


def test_another_rank_than_the_one_due_is_refused() -> None:
    table = a_table(THREE_HANDS)

    assert table.refusal(table.a_play("AS", rank=Rank.TWO)) is Refusal.WRONG_RANK


@pytest.mark.parametrize(
    ("order", "then"),
    [
        pytest.param(RankOrder.UP, "4", id="up"),
        pytest.param(RankOrder.DOWN, "2", id="down"),
        pytest.param(RankOrder.UP_OR_DOWN, "4 2", id="up or down"),
        pytest.param(RankOrder.UP_SAME_OR_DOWN, "4 3 2", id="up, same or down"),
        pytest.param(RankOrder.SAME_UNTIL_CHALLENGE, "3", id="the same"),
        pytest.param(RankOrder.FREE, "3", id="the pile's rank"),
    ],
)
def test_each_rank_order_has_its_own_next_rank(order: RankOrder, then: str) -> None:
    table = a_table(THREE_HANDS, TableRules(rank_order=order), due=Rank.THREE)

    table.play("9S")

    assert " ".join(rank.symbol for rank in table.deal.table.due) == then


def test_the_same_rank_moves_up_after_a_challenge() -> None:
    table = a_table(THREE_HANDS, TableRules(rank_order=RankOrder.SAME_UNTIL_CHALLENGE))

    table.play("AS").doubt(1)

    assert table.deal.table.due == (Rank.TWO,)


def test_one_card_a_turn_means_one() -> None:
    table = a_table(THREE_HANDS, TableRules(max_cards=1))

    assert table.refusal(table.a_play("AS AH")) is Refusal.TOO_MANY


def test_without_a_limit_more_may_be_claimed_than_there_are() -> None:
    table = a_table(THREE_HANDS, TableRules(max_cards="none"))

    table.play("AS AH KD QC 9S").doubt(1)

    assert the_ruling(table).lie
