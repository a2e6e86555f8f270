"""Playing on for places after the first is out (RULES B16)."""

from protocol.events import Phase
from protocol.numbers import CardId, Seat
from protocol.refusals import Refusal
from protocol.rules import RankOrder, TableRules
from server.game import actions as a
from tests.support.deals import AtTable, a_table, cards

PLAY_ON = TableRules(play_on=True, window_s=0, reveal_s=0)


def a_table_where_seat_1_is_out() -> AtTable:
    """Seat 1 has gone out; seat 0 is to move, the pile holds four plays."""
    hands = ["AS KD QC", "2H", "5C 6C", "8D 9D 10D"]
    return a_table(hands, PLAY_ON).play("AS").play("2H").time_up().play("5C").play("8D")


def test_e10_the_next_seat_is_found_across_one_that_is_out() -> None:
    table = a_table_where_seat_1_is_out()

    table.play("KD")

    assert table.deal.table.turn == 2


def test_e10_a_challenge_does_not_bring_a_seat_back_that_is_out() -> None:
    table = a_table_where_seat_1_is_out().play("KD")

    table.doubt(3)

    assert table.deal.table.turn == 2
    assert table.deal.table.seats[1].place == 1


def test_e11_the_deal_goes_on_when_one_of_two_is_caught_with_the_last_cards() -> None:
    table = a_table(["AS", "3H", "9S 5C"], PLAY_ON).play("AS").time_up().play("3H")

    table.doubt(2)

    assert table.deal.table.outcome is None
    assert table.hand(1) == cards("3H AS")
    assert table.deal.table.seats_in == (1, 2)


def test_a_seat_that_is_out_neither_plays_nor_challenges() -> None:
    table = a_table_where_seat_1_is_out()
    rank = table.deal.table.due[0]

    assert (
        table.refusal(a.Play(seat=Seat(1), cards=(CardId(0),), count=1, rank=rank)) is Refusal.OUT
    )
    assert table.refusal(table.a_doubt(1)) is Refusal.OUT


def test_the_last_one_holding_cards_is_last() -> None:
    table = a_table(["AS", "2H", "9S 5C"], PLAY_ON).play("AS").time_up().play("2H")

    table.time_up()

    outcome = table.deal.table.outcome
    assert outcome is not None
    assert outcome.places == (1, 2, 3)
    assert outcome.cards == (0, 0, 2)


def test_after_an_unchallenged_last_play_the_pile_and_its_rank_stay() -> None:
    rules = TableRules(play_on=True, rank_order=RankOrder.FREE)
    table = a_table(["AS", "2H 3H", "9S 5C"], rules).play("AS").time_up()

    assert table.deal.table.pile_cards == 1
    assert (table.deal.table.turn, table.deal.table.due) == (1, (1,))


def test_a_true_last_play_challenged_goes_out_and_the_rest_read_the_ruling() -> None:
    table = a_table(["AS", "2H 3H", "9S 5C"], TableRules(play_on=True)).play("AS")

    table.doubt(2)

    assert table.kinds() == ["(Took)", "Ruled", "WentOut"]
    assert table.deal.table.phase is Phase.REVEAL
    assert table.deal.table.turn == Seat(1)


def test_held_cards_wait_for_somebodys_last_ones() -> None:
    table = a_table(["AS", "2H 3H", "9S 5C"], TableRules(play_on=True)).play("AS").play("2H")

    table.time_up()

    assert table.kinds() == ["Stands", "WentOut", "(Laid)", "Played"]
