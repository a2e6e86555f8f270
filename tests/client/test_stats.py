"""The confession's arithmetic: lies, doubts, and what one could have known (RULES B24)."""

from msgspec.structs import replace

from client.stats import confessed, false_cards, hands_before
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import PlayNumber, Seat
from protocol.views import TableView
from tests.support.scenes import a_shown, the_result
from tests.support.screen_states import a_hand, dealt, folded, played, ruled, stands


def view_of_result() -> TableView:
    """Maya lied with two aces, dee's king was caught, hal ended with an honest ace."""
    view = the_result().table
    assert view is not None
    return view


def test_lies_and_doubts_are_counted_for_each_seat() -> None:
    told = confessed(view_of_result())

    maya, dee, hal = told.seats[3], told.seats[4], told.seats[5]
    assert (maya.lies, maya.caught, maya.doubts, maya.right) == (1, 0, 1, 1)
    assert (dee.lies, dee.caught, dee.biggest_pile) == (1, 1, 8)
    assert (hal.lies, hal.plays) == (0, 1)
    assert maya.fastest_us == 1_204_000


def test_the_biggest_lie_that_nobody_doubted_is_found() -> None:
    lie = confessed(view_of_result()).biggest_lie

    assert lie is not None
    assert lie.play == 1


def test_a_sneaked_card_makes_the_lie_as_big_as_itself() -> None:
    assert false_cards(a_shown(1, 0, 1, Rank.ACE, "AS AH AD")) == 2
    assert false_cards(a_shown(1, 0, 2, Rank.ACE, "AS KH")) == 1
    assert false_cards(a_shown(1, 0, 2, Rank.ACE, "AS JK")) == 0


def a_deal_with_a_missed_lie() -> TableView:
    """Maya holds two kings; cy says three kings, which nobody doubts; then maya takes the pile."""
    state = dealt(hand="KH KC 2S", turn=2)
    taken = e.Took(cards=a_hand("9D 9S 9H 2S"))
    shown = a_shown(2, 3, 1, Rank.ACE, "2S")
    laid = e.Laid(play=PlayNumber(2), cards=a_hand("KH KC 2S")[2:])
    calls = (e.Call(seat=Seat(0), after_us=5),)
    ruling = ruled(shown=shown, challenger=Seat(0), taker=Seat(3), taken=4, calls=calls)
    plays = (a_shown(1, 2, 3, Rank.KING, "9D 9S 9H"), shown)
    over = e.DealOver(reason=e.StopReason.VOTE, places=(1,) * 6, cards=(9,) * 6)
    events = (
        played(1, 2, 3, Rank.KING, turn=3),
        stands(1),
        laid,
        played(2, 3, 1, Rank.ACE, turn=4, left=2),
        taken,
        ruling,
        over,
        e.Confession(play=PlayNumber(1), faces=tuple(play.faces for play in plays)),
    )
    view = folded(events, state).table
    assert view is not None
    return view


def test_a_lie_that_my_own_hand_disproved_is_held_against_me() -> None:
    missed = confessed(a_deal_with_a_missed_lie()).missed

    assert [play.play for play in missed] == [1]


def test_my_hand_of_then_is_worked_out_backwards() -> None:
    view = a_deal_with_a_missed_lie()
    end = [card.face.rank for card in view.hand]

    hands = hands_before(view)

    assert end.count(Rank.KING) == 2
    assert hands[PlayNumber(1)] == {Rank.KING: 2, Rank.TWO: 1}
    assert hands[PlayNumber(2)] == {Rank.KING: 2, Rank.TWO: 1}


def test_nothing_is_held_against_a_watcher() -> None:
    view = folded((played(1, 0, 1, Rank.ACE, turn=1),), dealt(you=None)).table
    assert view is not None

    assert confessed(view).missed == ()
    assert confessed(view).complete is False


def test_lies_from_before_one_took_the_seat_over_were_said_to_have_been_missed() -> None:
    taken_over = e.ChairChanged(seat=Seat(3), name="maya", chair=e.Chair.OWNER)
    away = e.ChairChanged(seat=Seat(3), name="maya", chair=e.Chair.STAND_IN)
    view = a_deal_with_a_missed_lie()
    lie, *rest = view.log

    assert confessed(replace(view, log=(lie, taken_over, *rest))).missed == ()
    assert confessed(replace(view, log=(away, lie, taken_over, *rest))).missed == ()
    assert confessed(replace(view, log=(taken_over, lie, away, *rest))).missed != ()


def test_lies_met_by_whoever_had_left_the_seat_were_said_to_have_been_missed_by_the_next_owner() -> (
    None
):
    left = e.ChairChanged(seat=Seat(3), name="ana", chair=e.Chair.COMPUTER)
    back = e.ChairChanged(seat=Seat(3), name="ana", chair=e.Chair.OWNER)
    taken_over = e.ChairChanged(seat=Seat(3), name="maya", chair=e.Chair.OWNER)
    view = a_deal_with_a_missed_lie()
    lie, *rest = view.log

    assert confessed(replace(view, log=(lie, left, taken_over, *rest))).missed == ()
    assert confessed(replace(view, log=(lie, left, back, *rest))).missed != ()
