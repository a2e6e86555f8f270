"""Passing, and piles that go out of play (RULES B11, B12)."""

from protocol.cards import Rank
from protocol.events import Passed, SetAside
from protocol.numbers import Seat
from protocol.refusals import Refusal
from protocol.rules import Challengers, ChallengeUntil, RankOrder, TableRules
from server.game import actions as a
from tests.support.deals import AtTable, a_table, cards

THREE_HANDS = ("AS KD QC", "2H 3H 4H", "5C 6C 7C")
PASSING = TableRules(passing=True, window_s=0)


def cards_everywhere(table: AtTable) -> int:
    """How many cards there are in hands, in the pile and set aside."""
    deal = table.deal
    pile = sum(len(deal.laid[play.play - 1].cards) for play in deal.table.pile)
    return sum(map(len, deal.hands)) + pile + len(deal.aside)


def test_e12_the_play_before_a_pass_can_still_be_challenged() -> None:
    table = a_table(THREE_HANDS, PASSING).play("KD").passes()

    table.doubt(2)

    assert table.hand(0) == cards("AS KD QC")
    assert table.deal.table.turn == 2


def test_e13_when_all_others_pass_the_pile_is_set_aside() -> None:
    table = a_table(THREE_HANDS, PASSING).play("KD QC").passes()

    table.passes()

    assert table.events[-1] == SetAside(cards=2, turn=Seat(0))
    assert (len(table.deal.aside), cards_everywhere(table)) == (2, 9)
    assert table.deal.table.due == (Rank.TWO,)
    assert table.refusal(table.a_doubt(1)) is Refusal.TOO_LATE


def test_a_pass_keeps_the_rank_and_hands_the_turn_on() -> None:
    table = a_table(THREE_HANDS, PASSING).play("KD")

    table.passes()

    assert table.events == [Passed(seat=Seat(1), turn=Seat(2))]
    assert table.deal.table.due == (Rank.TWO,)


def test_without_the_option_there_is_no_passing() -> None:
    table = a_table(THREE_HANDS).play("KD")

    assert table.refusal(a.Pass(seat=Seat(1))) is Refusal.NO_PASSING


def test_nobody_passes_on_an_empty_pile() -> None:
    table = a_table(THREE_HANDS, PASSING)

    assert table.refusal(a.Pass(seat=Seat(0))) is Refusal.PASS_ON_EMPTY_PILE


def test_a_play_between_passes_begins_the_count_again() -> None:
    table = a_table(THREE_HANDS, PASSING).play("KD").passes().play("5C")

    table.passes()

    assert table.kinds() == ["Passed"]


def test_with_two_players_a_pass_sets_the_pile_aside_at_once() -> None:
    table = a_table(THREE_HANDS[:2], TableRules(passing=True)).play("KD")

    table.passes()

    assert table.kinds() == ["Stands", "Passed", "SetAside"]


def test_where_all_have_let_go_a_pass_closes_the_window() -> None:
    table = a_table([*THREE_HANDS, "8D 9D"], PASSING).play("KD").let_go(2, 3)

    table.passes()

    assert table.kinds() == ["Passed", "Stands"]


def test_if_the_player_is_out_all_others_must_pass_and_the_next_one_in_starts() -> None:
    rules = TableRules(passing=True, play_on=True)
    table = a_table(["KD", *THREE_HANDS[1:]], rules).play("KD").time_up().passes()
    assert table.kinds() == ["Passed"]

    table.passes()

    assert table.events[-1] == SetAside(cards=1, turn=Seat(1))


def test_last_cards_stand_before_the_pile_under_them_is_set_aside() -> None:
    rules = TableRules(passing=True, play_on=True, challengers=Challengers.NEXT_PLAYER)
    table = a_table(["KD", *THREE_HANDS[1:]], rules).play("KD").passes()

    table.passes()

    assert table.kinds() == ["Passed", "Stands", "WentOut", "SetAside"]
    assert table.deal.table.turn == 1


def test_a_new_pile_is_free_for_any_rank_where_ranks_are_free() -> None:
    rules = TableRules(passing=True, window_s=0, rank_order=RankOrder.FREE)
    table = a_table(THREE_HANDS, rules).play("KD", rank=Rank.SIX).passes().passes()

    assert len(table.deal.table.due) == 13


def test_who_was_next_keeps_the_right_to_challenge_until_the_pick_up() -> None:
    rules = TableRules(
        passing=True,
        window_s=0,
        challengers=Challengers.NEXT_PLAYER,
        challenge_until=ChallengeUntil.PICK_UP,
    )
    table = a_table(THREE_HANDS, rules).play("KD").passes()

    assert table.refusal(table.a_doubt(1)) is None
    assert table.refusal(table.a_doubt(2)) is Refusal.NOT_NEXT
