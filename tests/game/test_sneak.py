"""More cards than claimed: the true count is nobody's business (RULES B10)."""

from protocol.events import Played, Ruled
from protocol.numbers import Seat
from protocol.refusals import Refusal
from protocol.rules import TableRules
from server.game.deal import Telling
from server.game.engine import next_deadline
from tests.support.deals import AtTable, a_table, cards

SNEAK = TableRules(sneak=1, passing=True, confess=False)
HANDS = ("AS AH KD QC 9S", "2H 3H 4H", "5C 6C 7C")


def a_table_after(laid: str) -> AtTable:
    """Seat 0 has laid these, called one ace."""
    return a_table(HANDS, SNEAK).play(laid, count=1)


def told_to_others(table: AtTable) -> list[Telling]:
    """What the newest step told anybody but seat 0."""
    return [telling for telling in table.told if telling.to != 0]


def test_e15_nothing_that_others_are_told_depends_on_the_true_count() -> None:
    honest, sneaky = a_table_after("AS"), a_table_after("AS KD")

    for step in (AtTable.passes, AtTable.time_up, AtTable.passes):
        assert told_to_others(honest) == told_to_others(sneaky)
        step(honest)
        step(sneaky)

    assert told_to_others(honest) == told_to_others(sneaky)
    assert honest.kinds() == ["Passed", "Stands", "SetAside"]
    assert next_deadline(honest.deal) == next_deadline(sneaky.deal)
    for who in (Seat(1), Seat(2), None):
        assert honest.views[who] == sneaky.views[who]
    assert honest.views[Seat(0)] != sneaky.views[Seat(0)]


def test_e15_the_play_that_empties_the_hand_is_announced_as_last() -> None:
    table = a_table(["AS AH KD QC", "2H 3H", "5C 6C"], SNEAK)
    table.play("AS AH", count=1).let_go(1, 2).play("2H").let_go(0, 2).play("5C").let_go(0, 1)

    table.play("KD QC", count=1)

    played = table.events[-1]
    assert isinstance(played, Played)
    assert (played.last, played.left, played.count) == (True, 0, 1)


def test_public_sizes_are_sizes_as_claimed() -> None:
    table = a_table_after("AS KD")

    assert table.deal.table.seats[0].cards == 4
    assert table.deal.table.pile_cards == 1
    assert len(table.hand(0)) == 3


def test_a_challenge_catches_a_wrong_count() -> None:
    table = a_table_after("AS AH")

    table.doubt(2)

    ruled = table.deal.log[-1]
    assert isinstance(ruled, Ruled)
    assert ruled.lie
    assert table.hand(0) == cards(HANDS[0])


def test_a_pick_up_makes_the_takers_public_size_true() -> None:
    table = a_table_after("AS KD").let_go(1, 2).play("2H").doubt(2)

    ruled = table.deal.log[-1]
    assert isinstance(ruled, Ruled)
    assert (ruled.taken, ruled.left) == (3, 6)
    assert [seat.cards for seat in table.deal.table.seats] == [4, 2, 6]


def test_more_than_the_option_allows_is_refused() -> None:
    table = a_table(HANDS, SNEAK)

    assert table.refusal(table.a_play("AS AH KD", count=1)) is Refusal.TOO_SNEAKY
    assert table.refusal(table.a_play("AS", count=2)) is Refusal.WRONG_COUNT


def test_places_go_by_true_sizes() -> None:
    table = a_table(["AS AH KD QC", "2H", "5C 6C 7C"], SNEAK)
    table.play("AS AH", count=1).let_go(1, 2).play("2H")

    table.time_up()

    outcome = table.deal.table.outcome
    assert outcome is not None
    assert (outcome.places, outcome.cards) == ((2, 1, 3), (2, 0, 3))
