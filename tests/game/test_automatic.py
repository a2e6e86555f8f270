"""The play that the server makes when time has run out (RULES D1)."""

from random import Random

import pytest

from protocol.cards import Rank
from protocol.events import Played
from protocol.rules import CLASSIC, RankOrder, TableRules
from server.game.automatic import automatic_play
from tests.support.deals import a_deal, a_table

ORDERS = [RankOrder.UP, RankOrder.DOWN, RankOrder.SAME_UNTIL_CHALLENGE]
FREE = TableRules(rank_order=RankOrder.FREE)


def drawn(hand: str, rules: TableRules, due: Rank | None = None) -> set[tuple[str, Rank]]:
    """Every (card, claimed rank) that a hundred draws for this hand give."""
    deal, rng = a_deal([hand, "2H"], rules, due=due), Random(7)
    plays = [automatic_play(deal, rng) for _ in range(100)]
    assert {(play.count, len(play.cards), play.auto) for play in plays} == {(1, 1, True)}
    return {(str(deal.cards[play.cards[0]]), play.rank) for play in plays}


@pytest.mark.parametrize("order", ORDERS)
def test_a_natural_card_of_the_due_rank_is_played(order: RankOrder) -> None:
    natural = drawn("JK 3S 9H 3D", TableRules(rank_order=order), Rank.THREE)

    assert natural == {("3S", Rank.THREE), ("3D", Rank.THREE)}


def test_any_card_is_played_as_the_due_rank_if_there_is_no_natural_one() -> None:
    assert drawn("JK 3S", CLASSIC, Rank.NINE) == {("JK", Rank.NINE), ("3S", Rank.NINE)}


@pytest.mark.parametrize("order", [RankOrder.UP_OR_DOWN, RankOrder.UP_SAME_OR_DOWN])
def test_of_several_ranks_one_up_is_claimed(order: RankOrder) -> None:
    table = a_table(["9S 9H", "5H 3H"], TableRules(rank_order=order, window_s=0), due=Rank.FOUR)
    table.play("9S")

    play = automatic_play(table.deal, Random(7))

    assert (play.seat, play.rank, play.cards) == (1, Rank.FIVE, table.ids(1, "5H"))


def test_leading_freely_names_the_cards_own_rank_and_a_joker_an_ace() -> None:
    assert drawn("JK AH 3S 9H", FREE) == {
        ("JK", Rank.ACE),
        ("AH", Rank.ACE),
        ("3S", Rank.THREE),
        ("9H", Rank.NINE),
    }


def test_following_a_free_lead_plays_its_rank() -> None:
    assert drawn("3S 9H", FREE, Rank.NINE) == {("9H", Rank.NINE)}


def test_everybody_sees_that_a_play_was_automatic() -> None:
    table = a_table(["3S 9H", "2H", "5C"])

    table.do(automatic_play(table.deal, Random(7)))

    played = table.events[0]
    assert isinstance(played, Played)
    assert played.auto
