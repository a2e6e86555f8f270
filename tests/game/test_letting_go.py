"""Letting go: when nobody is left who could challenge, the window closes at once (RULES C4)."""

from protocol.events import LetGo, Phase, YouLetGo
from protocol.numbers import PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.rules import ChallengeUntil, TableRules
from server.game import actions as a
from tests.support.deals import a_table

THREE_HANDS = ("AS KD QC", "2H 3H 4H", "5C 6C 7C")


def test_others_see_how_many_have_let_go_and_not_who() -> None:
    table = a_table(THREE_HANDS).play("KD")

    table.let_go(2)

    assert table.events == [LetGo(play=PlayNumber(1), count=1)]
    assert (table.told[0].event, table.told[0].to) == (YouLetGo(play=PlayNumber(1)), 2)
    assert "2" not in str(table.events)


def test_the_window_closes_when_everybody_has_let_go() -> None:
    table = a_table(THREE_HANDS).play("KD")

    table.let_go(2, 1)

    assert table.kinds() == ["(YouLetGo)", "LetGo", "Stands"]
    assert table.deal.table.phase is Phase.TO_PLAY
    assert table.refusal(table.a_doubt(1)) is Refusal.TOO_LATE


def test_letting_go_is_not_binding() -> None:
    table = a_table(THREE_HANDS).play("KD").let_go(2)

    assert table.refusal(table.a_doubt(2)) is None


def test_letting_go_twice_changes_nothing() -> None:
    table = a_table(THREE_HANDS).play("KD").let_go(2)
    before = table.deal

    table.let_go(2)

    assert (table.deal, table.told) == (before, ())


def test_held_cards_let_go_for_their_seat_but_nobody_is_told() -> None:
    table = a_table(THREE_HANDS).play("KD").play("2H")
    assert table.deal.table.let_go == 0

    table.let_go(2)

    assert table.kinds() == ["(YouLetGo)", "LetGo", "Stands", "(Laid)", "Played"]
    assert table.events[0] == LetGo(play=PlayNumber(1), count=1)


def test_cards_laid_when_all_others_have_let_go_take_effect_at_once() -> None:
    table = a_table(THREE_HANDS).play("KD").let_go(2)

    table.play("2H")

    assert table.kinds() == ["Stands", "(Laid)", "Played"]


def test_last_cards_go_out_before_the_held_ones_go_down() -> None:
    table = a_table(["KD", *THREE_HANDS[1:]], TableRules(play_on=True)).play("KD").play("2H")

    table.let_go(2)

    assert table.kinds()[2:] == ["Stands", "WentOut", "(Laid)", "Played"]


def test_the_player_cannot_let_their_own_play_go() -> None:
    table = a_table(THREE_HANDS).play("KD")

    own = a.LetGo(seat=Seat(0), play=PlayNumber(1))

    assert table.refusal(own) is Refusal.NOTHING_TO_LET_GO


def test_until_the_pick_up_letting_go_ends_the_protected_time_and_nothing_else() -> None:
    table = a_table(THREE_HANDS, TableRules(challenge_until=ChallengeUntil.PICK_UP)).play("KD")

    table.let_go(1, 2)

    assert table.kinds()[-1] == "Stands"
    assert table.deal.table.phase is Phase.TO_PLAY
    assert table.refusal(table.a_doubt(2)) is None


def test_until_the_pick_up_there_is_nothing_to_close_once_the_protected_time_is_over() -> None:
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP, window_s=0)
    table = a_table(THREE_HANDS, rules).play("KD")

    table.let_go(1, 2)

    assert table.kinds() == ["(YouLetGo)", "LetGo"]


def test_who_has_passed_is_not_counted_until_they_say_so() -> None:
    table = a_table([*THREE_HANDS, "8D 9D"], TableRules(passing=True, window_s=0)).play("KD")
    table.passes()
    assert (sorted(table.deal.let_go), table.deal.table.let_go) == ([1], 0)

    table.let_go(1)

    assert table.events == [LetGo(play=PlayNumber(1), count=1)]
