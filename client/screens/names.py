"""Who sits where: everybody's full name, who plays for them, and who watches."""

from collections.abc import Iterator

from client import selectors
from client.screens.frame import Frame
from client.screens.lobby import seat_state
from client.screens.parts.cells import BLANK, Line, Page, pad, plain, wrapped
from client.screens.titled import titled
from client.words import cards, place
from protocol.events import Chair, SeatState
from protocol.numbers import Seat
from protocol.text import MAX_NAME, clean

HELD_CELLS = 9  # "224 cards"
CHAIRS = {
    Chair.OWNER: "",
    Chair.STAND_IN: "a computer plays on",
    Chair.COMPUTER: "computer",
}


def names_page(frame: Frame) -> Page:
    """The seats in order, then the watchers."""
    lines = _seats_of_the_deal if selectors.dealing(frame.state) else _seats_of_the_lobby
    return titled(frame, "who sits where", (BLANK, *lines(frame), *_watchers(frame)))


def _seats_of_the_deal(frame: Frame) -> Iterator[Line]:
    table = selectors.public(frame.state)
    for number, seat in enumerate(table.seats if table else ()):
        you = "you" if number == selectors.my_seat(frame.state) else ""
        away = "away" if selectors.is_away(frame.state, Seat(number)) else ""
        notes = ", ".join(note for note in (you, CHAIRS[seat.chair], away) if note)
        yield plain(
            f"   {number + 1:>2}  {pad(clean(seat.name), MAX_NAME)}  {pad(_held(seat), HELD_CELLS)} {notes}"
        )


def _seats_of_the_lobby(frame: Frame) -> Iterator[Line]:
    """Between deals, when others may have come and gone since the last one."""
    for number, person in enumerate(selectors.lobby_seats(frame.state)):
        name, won = pad(clean(person.name), MAX_NAME), f", won {person.wins}" if person.wins else ""
        yield plain(f"   {number + 1:>2}  {name}  {seat_state(person)}{won}")


def _watchers(frame: Frame) -> Iterator[Line]:
    lobby = frame.state.lobby
    if lobby and lobby.watching:
        yield BLANK
        watching = f"watching: {', '.join(clean(name) for name in lobby.watching)}"
        yield from (plain(f"   {line}") for line in wrapped(watching, frame.columns - 4))


def _held(seat: SeatState) -> str:
    return f"out, {place(seat.place)}" if seat.place else cards(seat.cards)
