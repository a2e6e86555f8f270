"""A view is the fold of the events that its owner was told."""

from functools import reduce

import pytest

from protocol import events as e
from protocol.cards import Rank, read_faces
from protocol.numbers import CardId, PlayNumber, Seat
from protocol.rules import RankOrder, TableRules
from protocol.views import (
    LogPage,
    PublicTable,
    TableSnapshot,
    TableView,
    apply,
    follow,
    opened,
    sorted_by_id,
)
from tests.protocol.examples import a_deal, a_play, a_ruling, a_table, cards, shown

ANN, BEN, CLEO = Seat(0), Seat(1), Seat(2)
ONE = PlayNumber(1)
FIVE_CARDS = cards("5H 9C AS KD JK")
DEALT = e.HandDealt(seat=BEN, cards=FIVE_CARDS)
LAID = e.Laid(play=ONE, cards=FIVE_CARDS[:2])
HELD = e.HeldPlay(cards=(CardId(2),), count=1, rank=Rank.SIX)


def told(*events: e.Event) -> TableView:
    """The view of somebody who was told the start of a deal and then these events."""
    start: TableView | None = None
    view = reduce(apply, (a_deal(), *events), start)
    assert view is not None
    return view


# --- the public table -----------------------------------------------------------------------------


def test_a_deal_begins_with_aces_on_an_empty_table() -> None:
    table = opened(a_deal())

    assert table.due == (Rank.ACE,)
    assert (table.turn, table.newest, table.pile_cards, table.newest_play) == (BEN, 0, 0, None)
    assert table.seats_in == (ANN, BEN, CLEO)


def test_a_play_lies_on_the_pile_and_the_turn_moves_on() -> None:
    play = a_play(1, seat=1)

    table = follow(a_table(passes=1, let_go=2, closed=True), play)

    assert table.newest_play == play
    assert (table.pile_cards, table.newest, table.turn) == (2, 1, CLEO)
    assert (table.passes, table.let_go, table.closed) == (0, 0, False)
    assert (table.due, table.seats[BEN].cards) == ((Rank.SIX,), 3)


@pytest.mark.parametrize(("protected_us", "phase"), [(1, e.Phase.PROTECTED), (0, e.Phase.TO_PLAY)])
def test_a_play_is_protected_if_it_says_so(protected_us: int, phase: e.Phase) -> None:
    assert follow(a_table(), a_play(1, seat=1, protected_us=protected_us)).phase is phase


def test_when_protection_ends_the_next_may_play() -> None:
    table = follow(a_table(), a_play(1, seat=1))

    assert follow(table, e.ProtectionOver(play=ONE)).phase is e.Phase.TO_PLAY


def test_a_pass_is_counted_and_moves_the_turn() -> None:
    table = follow(a_table(), e.Passed(seat=BEN, turn=CLEO))

    assert (table.passes, table.turn) == (1, CLEO)


@pytest.mark.parametrize(("protected_only", "closed"), [(False, True), (True, False)])
def test_a_play_that_stands_is_closed_for_good_unless_only_its_protection_ended(
    protected_only: bool,  # noqa: FBT001
    closed: bool,  # noqa: FBT001
) -> None:
    table = follow(a_table(), a_play(1, seat=1))

    table = follow(table, e.Stands(play=ONE, protected_only=protected_only))

    assert (table.phase, table.closed) == (e.Phase.TO_PLAY, closed)


def test_a_ruling_empties_the_middle_and_fills_the_takers_hand() -> None:
    table = follow(follow(a_table(), a_play(1, seat=1)), a_ruling())

    assert (table.pile, table.pile_number, table.turn) == ((), 1, CLEO)
    assert (table.seats[BEN].cards, table.phase) == (5, e.Phase.REVEAL)
    assert table.due == (Rank.SIX,)
    assert follow(table, e.RevealOver()).phase is e.Phase.TO_PLAY


def test_a_ruling_without_a_pause_lets_the_next_play_at_once() -> None:
    table = follow(follow(a_table(), a_play(1, seat=1)), a_ruling(reveal_us=0))

    assert table.phase is e.Phase.TO_PLAY


def test_after_a_ruling_in_free_order_any_rank_may_start() -> None:
    table = follow(a_table(TableRules(rank_order=RankOrder.FREE)), a_play(1, seat=1))

    assert table.due == (Rank.FIVE,)
    assert follow(table, a_ruling()).due == tuple(Rank)


def test_a_pile_set_aside_is_out_of_play() -> None:
    table = follow(follow(a_table(aside=3), a_play(1, seat=1)), e.SetAside(cards=2, turn=BEN))

    assert (table.aside, table.pile, table.pile_number, table.turn) == (5, (), 1, BEN)


def test_a_seat_that_is_out_has_its_place() -> None:
    table = follow(a_table(), e.WentOut(seat=BEN, place=1, turn=CLEO))

    assert table.seats_in == (ANN, CLEO)
    assert (table.is_in(BEN), table.is_in(ANN), table.turn) == (False, True, CLEO)


def test_an_ending_deal_waits_for_its_last_window() -> None:
    table = follow(a_table(), e.Stopping(reason=e.StopReason.PLAYS))

    assert (table.stopping, table.phase) == (e.StopReason.PLAYS, e.Phase.PROTECTED)


def test_a_deal_that_is_over_shows_true_sizes() -> None:
    over = e.DealOver(reason=e.StopReason.OUT, places=(2, 1, 2), cards=(4, 0, 4))

    table = follow(a_table(), over)

    assert [seat.cards for seat in table.seats] == [4, 0, 4]
    assert (table.phase, table.outcome, table.closed) == (e.Phase.OVER, over, True)


def test_a_stand_in_takes_a_chair() -> None:
    changed = e.ChairChanged(seat=CLEO, name="Cleo", chair=e.Chair.STAND_IN)

    assert follow(a_table(), changed).seats[CLEO].chair is e.Chair.STAND_IN


def test_letting_go_is_counted() -> None:
    assert follow(a_table(), e.LetGo(play=ONE, count=2)).let_go == 2


def test_a_window_state_sets_what_passing_events_said() -> None:
    state = e.WindowState(phase=e.Phase.PROTECTED, let_go=1)

    table = follow(a_table(), state)

    assert (table.phase, table.let_go) == (e.Phase.PROTECTED, 1)


@pytest.mark.parametrize("event", [DEALT, e.Said(name="Ann", text="Hi"), e.Online(count=3)])
def test_other_events_leave_the_table_as_it_is(event: e.Event) -> None:
    table: PublicTable = a_table()

    assert follow(table, event) is table


# --- one seat's view --------------------------------------------------------------------------------


def test_before_the_first_deal_there_is_no_view() -> None:
    assert apply(None, e.Said(name="Ann", text="Hi")) is None


def test_a_hand_is_dealt_to_its_seat() -> None:
    view = told(DEALT)

    assert (view.you, view.hand) == (BEN, FIVE_CARDS)


def test_what_is_laid_leaves_the_hand_and_is_remembered() -> None:
    view = told(DEALT, e.Held(held=HELD), LAID, a_play(1, seat=1))

    assert view.hand == FIVE_CARDS[2:]
    assert (view.laid, view.held) == ((LAID,), None)


def test_what_is_picked_up_is_sorted_in_by_id() -> None:
    view = told(DEALT, LAID, a_play(1, seat=1), e.Took(cards=FIVE_CARDS[:2]), a_ruling())

    assert view.hand == FIVE_CARDS


def test_a_held_play_is_known_until_it_comes_back() -> None:
    held = told(DEALT, e.Held(held=HELD))

    assert held.held == HELD
    assert told(DEALT, e.Held(held=HELD), e.HeldBack()).held is None


@pytest.mark.parametrize(("seat", "held"), [(BEN, None), (CLEO, HELD)], ids=["mine", "another's"])
def test_a_held_pass_is_over_with_ones_own_pass(seat: Seat, held: e.HeldPlay | None) -> None:
    view = told(DEALT, e.Held(held=HELD), e.Passed(seat=seat, turn=ANN))

    assert view.held == held


@pytest.mark.parametrize(
    "event",
    [a_play(2, seat=2), a_ruling(), e.SetAside(cards=2, turn=BEN)],
    ids=["a play", "a ruling", "set aside"],
)
def test_letting_go_is_for_one_play(event: e.Event) -> None:
    believed = told(DEALT, a_play(1, seat=1), e.YouLetGo(play=ONE))

    after = apply(believed, event)

    assert believed.you_let_go
    assert after is not None
    assert not after.you_let_go


def test_a_window_state_brings_back_what_is_ones_own() -> None:
    view = told(DEALT, e.WindowState(phase=e.Phase.PROTECTED, held=HELD, you_let_go=True))

    assert (view.held, view.you_let_go) == (HELD, True)


def test_public_events_of_the_deal_are_kept_in_the_log_and_others_are_not() -> None:
    events = (a_play(1, seat=1), e.LetGo(play=ONE, count=1), a_ruling())

    assert told(*events).log == (events[0], events[2])


def test_a_confession_comes_in_pages() -> None:
    plays = a_play(1, seat=1), a_play(2, seat=2)
    pages = (
        e.Confession(play=ONE, faces=(read_faces("5H 9C"),), more=True),
        e.Confession(play=PlayNumber(2), faces=(read_faces("5H 5D"),)),
    )

    view = told(*plays, *pages)

    assert [(play.play, play.seat, play.is_lie) for play in view.confession] == [
        (1, BEN, True),
        (2, CLEO, False),
    ]


def test_faces_of_a_play_that_was_not_heard_of_are_passed_over() -> None:
    faces = read_faces("5H 9C"), read_faces("5H 5D")

    view = told(a_play(1, seat=1), e.Confession(play=ONE, faces=faces))

    assert view.confession == (shown("5H 9C"),)


def test_a_snapshot_and_its_pages_make_the_same_view() -> None:
    events = (DEALT, LAID, a_play(1, seat=1), e.Took(cards=FIVE_CARDS[:2]), a_ruling())
    lived_through = told(*events)
    snapshot = TableSnapshot(table=lived_through.table, you=BEN, hand=lived_through.hand, entries=2)
    pages = (
        LogPage(log=lived_through.log[:1], laid=lived_through.laid),
        LogPage(log=lived_through.log[1:]),
    )

    assert reduce(apply, (snapshot, *pages), None) == lived_through


def test_a_new_deal_begins_a_new_view() -> None:
    old = told(DEALT, LAID, a_play(1, seat=1))

    assert apply(old, a_deal()) == TableView(table=opened(a_deal()))


@pytest.mark.parametrize(
    ("play", "is_lie"),
    [
        pytest.param(shown("5H 5D"), False, id="true"),
        pytest.param(shown("5H JK"), False, id="true with a joker"),
        pytest.param(shown("5H 9C"), True, id="one wrong card"),
        pytest.param(shown("5H 5D 5S"), True, id="one card more than claimed"),
    ],
)
def test_a_wrong_card_or_a_wrong_count_is_a_lie(play: e.ShownPlay, is_lie: bool) -> None:  # noqa: FBT001
    assert play.is_lie == is_lie


def test_sorting_by_id_hides_the_order_in_which_cards_came() -> None:
    assert sorted_by_id(tuple(reversed(FIVE_CARDS))) == FIVE_CARDS
