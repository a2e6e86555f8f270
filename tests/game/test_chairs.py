"""Who plays a seat: stand-ins, and people who take over a hand (RULES D2, D8)."""

from random import Random

from protocol.events import Chair, ChairChanged, HandDealt
from protocol.numbers import Seat
from protocol.rules import CLASSIC
from server.game import actions as a
from server.game.deal import faced
from server.game.engine import new_deal
from tests.support.deals import a_table, cards, dealt_cards, some_seats

THREE_HANDS = ("AS KD QC", "2H 3H 4H", "5C 6C 7C")


def test_e25_a_late_joiner_gets_exactly_the_hand_of_the_computer_player() -> None:
    table = a_table(THREE_HANDS).play("KD").time_up()

    table.takes_over(0, "Zoe")

    view = table.views[Seat(0)]
    assert sorted(map(str, view.hand)) == cards("AS QC")
    assert (view.you, view.laid) == (0, ())


def test_a_new_owner_learns_what_the_seat_lays_from_now_on() -> None:
    table = a_table(THREE_HANDS[:2]).play("KD").takes_over(0, "Zoe").play("2H")

    table.play("AS")

    assert [laid.play for laid in table.views[Seat(0)].laid] == [3]


def test_a_new_owner_decides_anew_about_held_cards() -> None:
    table = a_table(THREE_HANDS).play("KD").play("2H")

    table.takes_over(1, "Zoe")

    assert table.kinds() == ["ChairChanged", "(HeldBack)", "(HandDealt)"]
    assert table.hand(1) == cards("2H 3H 4H")


def test_cards_held_by_somebody_else_stay_held() -> None:
    table = a_table(THREE_HANDS).play("KD").play("2H")

    table.takes_over(2, "Zoe")

    assert table.deal.held is not None


def test_a_new_owner_is_told_that_the_seat_has_let_the_newest_play_go() -> None:
    table = a_table(THREE_HANDS).play("KD").let_go(2)

    table.takes_over(2, "Zoe")

    assert table.kinds() == ["ChairChanged", "(HandDealt)", "(YouLetGo)"]
    assert table.deal.table.let_go == 1


def test_a_stand_in_is_announced_and_nothing_else_changes() -> None:
    table = a_table(THREE_HANDS)
    before = table.deal
    stand_in = a.Seated(seat=Seat(1), name="Leo", chair=Chair.STAND_IN)

    table.do(stand_in)

    assert table.events == [ChairChanged(seat=Seat(1), name="Leo", chair=Chair.STAND_IN)]
    assert table.deal.hands == before.hands
    assert table.deal.table.seats[1].chair is Chair.STAND_IN


def test_a_new_owner_gets_the_hand_that_was_dealt_to_the_seat() -> None:
    deal, told = new_deal(CLASSIC, some_seats(4), Seat(0), 1, Random(7))

    hand = dealt_cards(told, 2)

    assert hand == faced(deal, deal.hands[2])
    assert Seat(2) in {telling.to for telling in told if isinstance(telling.event, HandDealt)}
