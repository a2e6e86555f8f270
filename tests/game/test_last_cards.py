"""Going out: last cards are pending until their window has closed (RULES A15, A16, C2)."""

from protocol.events import Phase, StopReason, WentOut
from protocol.refusals import Refusal
from protocol.rules import ChallengeUntil, TableRules
from server.game import actions as a
from tests.support.deals import SECOND, a_table, cards


def test_e01_a_liars_last_card_challenged_takes_the_pile_and_wins_nothing() -> None:
    table = a_table(["KD", "2H 3H", "5C"]).play("KD")

    table.doubt(1)

    assert table.hand(0) == cards("KD")
    assert table.deal.table.outcome is None
    assert not any(isinstance(entry, WentOut) for entry in table.deal.log)
    assert all(seat.place is None for seat in table.deal.table.seats)


def test_e02_a_true_last_play_challenged_wins_and_the_challenger_holds_the_pile() -> None:
    table = a_table(["AS", "2H 3H", "5C"]).play("AS")

    table.doubt(2)

    outcome = table.deal.table.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.places) == (StopReason.OUT, (1, 2, 2))
    assert table.hand(2) == cards("5C AS")
    assert table.kinds() == ["(Took)", "Ruled", "WentOut", "DealOver", "Confession"]


def test_e03_a_last_play_that_nobody_doubts_wins_when_its_window_ends() -> None:
    table = a_table(["KD", "2H 3H", "5C"]).play("KD")

    table.time_up()

    outcome = table.deal.table.outcome
    assert table.at == 8 * SECOND
    assert outcome is not None
    assert outcome.places == (1, 3, 2)
    assert table.kinds() == ["Stands", "WentOut", "DealOver", "Confession"]


def test_e22_an_older_play_is_safe_while_last_cards_are_pending() -> None:
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP, window_s=0)
    table = a_table(["KD 9S", "2H", "5C"], rules).play("KD").play("2H")

    assert table.refusal(table.a_doubt(2, play=1)) is Refusal.SAFE_PLAY
    assert table.refusal(table.a_doubt(2, play=2)) is None


def test_nobody_plays_while_last_cards_would_end_the_deal() -> None:
    table = a_table(["KD", "2H 3H", "5C"]).play("KD")

    assert table.refusal(table.a_play("2H")) is Refusal.LAST_PLAY_PENDING


def test_a_ruling_that_ends_the_deal_has_no_pause_to_read() -> None:
    table = a_table(["AS", "2H 3H"]).play("AS")

    table.doubt(1)

    assert table.deal.table.phase is Phase.OVER
    assert table.refusal(a.EndReveal()) is Refusal.STALE


def test_last_cards_stand_for_good_even_where_plays_stay_open_until_the_pick_up() -> None:
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP, play_on=True, window_s=0)
    table = a_table(["KD", "2H 3H", "5C 6C"], rules).play("KD").time_up()

    assert table.deal.table.closed
    assert table.refusal(table.a_doubt(1, play=1)) is Refusal.TOO_LATE
    assert table.refusal(table.a_play("2H")) is None


def test_a_play_of_a_seat_that_is_out_is_safe_in_the_pile() -> None:
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP, play_on=True, window_s=0)
    table = a_table(["KD", "2H 3H", "5C 6C"], rules).play("KD").time_up().play("2H")

    assert table.refusal(table.a_doubt(2, play=1)) is Refusal.SAFE_PLAY


def test_nothing_can_be_done_once_the_deal_is_over() -> None:
    table = a_table(["AS", "2H 3H"]).play("AS").time_up()

    assert table.refusal(table.a_play("2H", seat=1)) is Refusal.NO_DEAL
    assert table.refusal(table.a_doubt(1)) is Refusal.TOO_LATE
    assert table.refusal(a.Stop(reason=StopReason.VOTE)) is Refusal.NO_DEAL
