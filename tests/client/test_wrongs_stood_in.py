"""Wrongs that were heard while a computer player had my seat, each with a test named after it."""

from client.plain.reports import hand_line, table_lines
from client.plain.ticks import next_tick
from client.plain.typed import understand
from client.screens.advice import replaced_text
from client.screens.deeds import Act
from client.screens.menu import menu_items
from client.state import Sent
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import CommandNumber, PlayNumber, Seat
from protocol.views import TableSnapshot
from tests.support.heard import lines
from tests.support.screen_states import (
    YOU,
    a_frame,
    dealt,
    folded,
    in_lobby,
    played,
    ruled,
    stands,
)

STOOD_IN = e.ChairChanged(seat=YOU, name="maya", chair=e.Chair.STAND_IN)
GIVEN_UP = e.ChairChanged(seat=YOU, name="maya", chair=e.Chair.COMPUTER)
BO_SAYS = played(1, 1, 1, Rank.ACE, turn=2)


def test_what_a_computer_in_my_seat_believed_was_told_as_mine() -> None:
    stood_in = folded((STOOD_IN, BO_SAYS), dealt(turn=1))

    assert lines(stood_in, e.YouLetGo(play=PlayNumber(1))) == []


def test_the_turn_of_a_computer_in_my_seat_was_told_as_mine() -> None:
    before = folded((STOOD_IN, played(1, 2, 1, Rank.ACE, turn=3)), dealt(turn=2))

    told_it = lines(before, stands(1))

    assert told_it == ["TURN: a computer for you, twos."]
    assert (
        "You are next" not in lines(dealt(turn=2), STOOD_IN, played(1, 2, 1, Rank.ACE, turn=3))[1]
    )


def test_what_a_computer_in_my_seat_passed_or_doubted_was_told_as_mine() -> None:
    stood_in = folded((STOOD_IN, played(2, 4, 1, Rank.KING, turn=5)), dealt(turn=4))

    assert lines(stood_in, e.Passed(seat=YOU, turn=Seat(4)))[0] == "PASS: a computer for you."
    assert lines(stood_in, ruled(calls=()))[0] == "DOUBT: a computer for you doubted dee."


def test_who_was_removed_from_the_lobby_was_told_that_the_seat_could_be_taken_back() -> None:
    giving_up = folded((Sent(command=c.GiveUpSeat(n=CommandNumber(1), deal=1)),), dealt())

    assert lines(dealt(), GIVEN_UP) == ["SEAT: a computer player has your seat now."]
    assert lines(giving_up, GIVEN_UP) == [
        "SEAT: a computer player has your seat now. (return takes it back)"
    ]


def test_who_gave_up_a_seat_and_came_back_could_return_to_it_by_word_only() -> None:
    away = folded(
        (e.ChairChanged(seat=Seat(1), name="bo", chair=e.Chair.COMPUTER), GIVEN_UP), dealt()
    )
    assert away.table is not None
    back = folded((TableSnapshot(table=away.table.table),), in_lobby())
    items = {item.label: item.deed.act for item in menu_items(a_frame(back))}

    assert items.get("take my seat back") is Act.RETURN
    assert Act.SIT not in items.values()  # who has a seat to come back to gets no other (RULES D8)
    assert "A computer has your seat: Esc gives it back." in replaced_text(back)
    assert "return takes it back" in " ".join(table_lines(back))


def test_who_had_given_up_a_seat_was_offered_votes_that_are_refused() -> None:
    labels = {item.label for item in menu_items(a_frame(folded((GIVEN_UP,), dealt())))}

    assert not {label for label in labels if "vote" in label}


def test_who_believed_what_the_computer_had_believed_did_not_get_the_seat_back() -> None:
    let_go = folded((STOOD_IN, BO_SAYS, e.YouLetGo(play=PlayNumber(1))), dealt(turn=1))

    assert isinstance(understand(let_go, "y", 10.0), c.ReturnToSeat)


def test_the_clock_of_a_computer_in_my_seat_was_read_out() -> None:
    clock = e.TurnClock(seat=YOU, left_us=45_000_000)

    assert next_tick(folded((clock, STOOD_IN), dealt(turn=3)), 0.0) is None
    assert lines(folded((STOOD_IN,), dealt(turn=3)), clock) == []


def test_who_gave_a_seat_up_heard_of_the_cards_of_before() -> None:
    gone = folded((GIVEN_UP,), dealt(turn=3))

    said = lines(gone, played(1, 3, 1, Rank.ACE, turn=4))

    assert said == ["SAYS: the computer in your seat 1 ace, 7 left, pile 1."]
    assert hand_line(gone).startswith("HAND: a computer player has your seat")
    assert not any("your ranks" in line for line in table_lines(gone))


def test_who_took_a_seat_back_on_their_turn_was_not_told_that_it_is() -> None:
    back = e.ChairChanged(seat=YOU, name="maya", chair=e.Chair.OWNER)
    table = dealt(turn=3).table
    assert table is not None
    shown = TableSnapshot(table=table.table, you=YOU, hand=table.hand)
    turn = "TURN: you, claim aces, 45 seconds. You hold 1. Example: a"

    assert lines(folded((STOOD_IN,), dealt(turn=3)), back) == ["SEAT: you play again.", turn]
    gave_up = lines(folded((GIVEN_UP,), dealt(turn=3)), back, shown)
    assert [line for line in gave_up if line.startswith("TURN")] == [turn]
    assert gave_up[-1] == turn


def test_who_gave_a_seat_up_and_came_back_to_the_server_heard_of_no_turn() -> None:
    table = folded((GIVEN_UP,), dealt(turn=3)).table
    assert table is not None

    assert lines(in_lobby(), TableSnapshot(table=table.table))[-1] == "TURN: maya, aces."
