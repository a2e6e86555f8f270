"""The deck and the deal (RULES A2 to A5, B1 to B3)."""

from collections import Counter
from random import Random

import pytest

from protocol.cards import standard_faces
from protocol.events import DealStarted
from protocol.numbers import Seat
from protocol.ranks import ALL_RANKS
from protocol.rules import CLASSIC, FirstTurn, RankOrder, TableRules
from server.game.deck import shuffled
from server.game.engine import dealt, new_deal
from tests.support.cards import numbered
from tests.support.deals import a_new_table, dealt_cards, some_seats

SIZES = {  # RULES A3
    1: {
        2: "26 26",
        3: "18 17 17",
        4: "13 13 13 13",
        5: "11 11 10 10 10",
        6: "9 9 9 9 8 8",
        7: "8 8 8 7 7 7 7",
        8: "7 7 7 7 6 6 6 6",
        9: "6 6 6 6 6 6 6 5 5",
        10: "6 6 5 5 5 5 5 5 5 5",
    },
    2: {
        2: "52 52",
        3: "35 35 34",
        4: "26 26 26 26",
        5: "21 21 21 21 20",
        6: "18 18 17 17 17 17",
        7: "15 15 15 15 15 15 14",
        8: "13 13 13 13 13 13 13 13",
        9: "12 12 12 12 12 11 11 11 11",
        10: "11 11 11 11 10 10 10 10 10 10",
    },
}
EACH_TABLE = [
    pytest.param(decks, players, sizes, id=f"{decks} decks, {players} players")
    for decks, tables in SIZES.items()
    for players, sizes in tables.items()
]


@pytest.mark.parametrize(("decks", "players", "sizes"), EACH_TABLE)
def test_the_seats_nearest_the_dealers_left_get_the_extra_cards(
    decks: int, players: int, sizes: str
) -> None:
    rules = TableRules(decks=2 if decks == 2 else 1)
    dealer = players - 1

    deal, _ = new_deal(rules, some_seats(players), Seat(dealer), 1, Random(7))

    assert " ".join(str(len(hand)) for hand in deal.hands) == sizes
    assert [seat.cards for seat in deal.table.seats] == [len(hand) for hand in deal.hands]


def test_every_card_is_dealt_once_with_a_number_of_its_own() -> None:
    deck = shuffled(TableRules(decks=2, jokers=2), 4, Random(7))

    assert Counter(card.face for card in deck) == Counter(standard_faces(2, 2))
    assert sorted(card.id for card in deck) == list(range(108))


def test_five_players_get_two_decks_where_the_rules_say_auto() -> None:
    rules = TableRules(decks="auto")

    assert [len(shuffled(rules, players, Random(7))) for players in (4, 5)] == [52, 104]


def test_a_number_tells_neither_the_face_nor_who_was_dealt_the_card() -> None:
    faces = standard_faces(1, 0)
    rng = Random(7)
    decks = [shuffled(CLASSIC, 4, rng) for _ in range(400)]

    own_place = sum(card.id == place for deck in decks for place, card in enumerate(deck))
    own_face = sum(card.face == faces[card.id] for deck in decks for card in deck)

    # One in each deck is what chance gives: 400, give or take 20.
    assert abs(own_place - 400) < 100
    assert abs(own_face - 400) < 100


def test_cards_go_round_one_at_a_time_from_the_dealers_left() -> None:
    deck = numbered(standard_faces(1, 0)[:5])

    deal, _ = dealt(CLASSIC, some_seats(3), Seat(1), 1, deck=deck, first=Seat(2))

    assert deal.hands == ((1, 4), (2,), (0, 3))


def test_the_dealers_left_plays_first_and_claims_aces() -> None:
    deal, _ = new_deal(CLASSIC, some_seats(4), Seat(3), 1, Random(7))

    assert deal.table.turn == 0
    assert [rank.symbol for rank in deal.table.due] == ["A"]


def test_the_first_turn_can_be_drawn() -> None:
    rules = TableRules(first_turn=FirstTurn.RANDOM)
    rng = Random(7)

    firsts = {new_deal(rules, some_seats(4), Seat(0), 1, rng)[0].table.turn for _ in range(50)}

    assert firsts == {0, 1, 2, 3}


def test_free_ranks_start_with_any_rank() -> None:
    rules = TableRules(rank_order=RankOrder.FREE)

    deal, _ = new_deal(rules, some_seats(4), Seat(0), 1, Random(7))

    assert deal.table.due == ALL_RANKS


def test_everybody_is_told_of_the_deal_and_their_own_cards_alone() -> None:
    deal, told = new_deal(CLASSIC, some_seats(4), Seat(0), 3, Random(7))

    table = a_new_table(deal, told)

    assert isinstance(told[0].event, DealStarted)
    assert [telling.to for telling in told] == [None, 0, 1, 2, 3]
    assert table.views[None].hand == ()
    assert dealt_cards(told, 2) == table.views[Seat(2)].hand
    assert deal.table.deal == 3


def test_the_same_dice_give_the_same_deal() -> None:
    first, second = (new_deal(CLASSIC, some_seats(4), Seat(0), 1, Random(7)) for _ in range(2))

    assert first == second
