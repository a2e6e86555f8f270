"""Cards laid too early are held: nobody else sees that they exist (RULES C3, C4, C10)."""

import pytest

from protocol.events import HeldPlay, Phase, Played
from protocol.numbers import Seat
from protocol.refusals import Refusal
from protocol.rules import Challengers, TableRules
from server.game import actions as a
from server.game.engine import next_deadline
from tests.support.deals import SECOND, a_table, cards

THREE_HANDS = ("AS KD QC", "2H 3H 4H", "5C 6C 7C")
PASSING = TableRules(passing=True)


def test_e09_held_cards_are_back_in_the_hand_after_a_challenge() -> None:
    table = a_table(THREE_HANDS).play("KD").play("2H")

    table.doubt(2)

    assert table.kinds() == ["(HeldBack)", "(Took)", "Ruled"]
    assert table.told[0].to == 1
    assert table.hand(1) == cards("2H 3H 4H")
    assert table.deal.held is None


def test_e21_with_two_players_the_others_play_takes_effect_at_once() -> None:
    table = a_table(["AS KD", "2H 3H"]).play("KD")
    table.at = SECOND

    table.play("2H")

    assert table.kinds() == ["Stands", "(Laid)", "Played"]
    assert table.deal.opened_at == SECOND


def test_cards_in_the_protected_time_are_told_to_their_owner_alone() -> None:
    table = a_table(THREE_HANDS).play("KD")

    table.play("2H")

    assert [telling.to for telling in table.told] == [1]
    held = table.views[Seat(1)].held
    assert held == HeldPlay(cards=table.ids(1, "2H"), count=1, rank=table.deal.table.due[0])


def test_held_cards_go_down_when_the_protected_time_ends() -> None:
    table = a_table(THREE_HANDS).play("KD").play("2H")

    table.time_up()

    assert table.kinds() == ["(Laid)", "Played"]
    assert table.deal.opened_at == 4 * SECOND
    assert next_deadline(table.deal) == 8 * SECOND


def test_the_protected_time_ends_aloud_when_nothing_is_held() -> None:
    table = a_table(THREE_HANDS).play("KD")

    table.time_up()

    assert table.kinds() == ["ProtectionOver"]
    assert table.refusal(table.a_doubt(2)) is None
    assert next_deadline(table.deal) is None


def test_other_cards_take_the_place_of_held_ones() -> None:
    table = a_table(THREE_HANDS).play("KD").play("2H")

    table.play("3H 4H").time_up()

    assert table.hand(1) == cards("2H")


def test_held_cards_can_be_taken_back() -> None:
    table = a_table(THREE_HANDS).play("KD").play("2H")

    table.do(a.TakeBack(seat=Seat(1))).time_up()

    assert table.hand(1) == cards("2H 3H 4H")


@pytest.mark.parametrize("seat", [pytest.param(2, id="another's"), pytest.param(0, id="nothing")])
def test_only_what_you_have_laid_ready_can_be_taken_back(seat: int) -> None:
    table = a_table(THREE_HANDS).play("KD").play("2H")

    assert table.refusal(a.TakeBack(seat=Seat(seat))) is Refusal.NOTHING_HELD


def test_nothing_can_be_taken_back_when_nothing_is_held() -> None:
    assert a_table(THREE_HANDS).refusal(a.TakeBack(seat=Seat(0))) is Refusal.NOTHING_HELD


def test_what_is_against_the_rules_is_refused_at_once_and_not_held() -> None:
    table = a_table(THREE_HANDS).play("KD")

    assert table.refusal(table.a_play("5C", seat=2)) is Refusal.NOT_YOUR_TURN


def test_the_holder_may_challenge_instead() -> None:
    table = a_table(THREE_HANDS).play("KD").play("2H")

    table.doubt(1)

    assert table.kinds()[0] == "(HeldBack)"
    assert table.hand(0) == cards("AS KD QC")


def test_cards_laid_during_the_reveal_go_down_when_it_ends() -> None:
    table = a_table(THREE_HANDS).play("KD").doubt(2)
    table.play("2H")
    assert table.deal.table.phase is Phase.REVEAL
    assert table.kinds() == ["(Held)"]

    table.time_up()

    assert table.at == 3 * SECOND
    assert table.kinds() == ["RevealOver", "(Laid)", "Played"]


def test_a_reveal_ends_with_nothing_held() -> None:
    table = a_table(THREE_HANDS).play("KD").doubt(2)

    table.time_up()

    assert table.kinds() == ["RevealOver"]


def test_a_held_pass_takes_effect_when_the_protected_time_ends() -> None:
    table = a_table(THREE_HANDS, PASSING).play("KD").passes()
    assert table.views[Seat(1)].held == HeldPlay()

    table.time_up()

    assert table.kinds() == ["ProtectionOver", "Passed"]
    assert table.views[Seat(1)].held is None
    assert (table.deal.table.phase, table.deal.table.turn) == (Phase.TO_PLAY, 2)


def test_where_only_the_next_player_may_challenge_their_cards_go_down_at_once() -> None:
    table = a_table(THREE_HANDS, TableRules(challengers=Challengers.NEXT_PLAYER)).play("KD")

    table.play("2H")

    assert isinstance(table.events[-1], Played)


def test_where_only_the_next_player_may_challenge_a_pass_hands_the_right_on() -> None:
    rules = TableRules(challengers=Challengers.NEXT_PLAYER, passing=True)
    table = a_table(THREE_HANDS, rules).play("KD")

    table.passes()

    assert table.kinds() == ["Passed"]
    assert table.deal.table.phase is Phase.PROTECTED
    assert table.refusal(table.a_doubt(1)) is Refusal.NOT_NEXT
    assert table.refusal(table.a_doubt(2)) is None


def test_nothing_is_held_and_no_window_ends_before_the_first_play() -> None:
    table = a_table(THREE_HANDS)

    assert table.refusal(a.EndProtection()) is Refusal.STALE
    assert table.refusal(a.EndReveal()) is Refusal.STALE
