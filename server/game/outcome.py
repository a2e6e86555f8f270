"""How a deal ends: going out, places, and the plays turned up afterwards."""

from collections.abc import Iterator

from protocol.events import (
    Confession,
    DealOver,
    Faces,
    Played,
    SeatState,
    ShownPlay,
    StopReason,
    WentOut,
)
from protocol.numbers import PlayNumber, Seat
from protocol.views import face_up
from server.game.deal import Deal, Telling, Told, faces_of, next_in, tell
from server.game.pages import paged


def places(seats: tuple[SeatState, ...], sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The place of each seat, from the true sizes of the hands (RULES A16, B16, B21).

    Seats already out keep theirs; the others follow, fewest cards first, equal counts sharing.
    """
    inside = [size for seat, size in zip(seats, sizes, strict=True) if seat.place is None]
    first = len(seats) - len(inside) + 1
    return tuple(
        seat.place or first + sum(other < size for other in inside)
        for seat, size in zip(seats, sizes, strict=True)
    )


def go_out(deal: Deal, seat: Seat) -> Told:
    """A last play stood: its seat is out, which may end the deal (RULES A15, A16, B16)."""
    table = deal.table
    place = 1 + len(table.seats) - len(table.seats_in)
    turn = table.turn if table.turn != seat else next_in(table, seat)
    deal, told = tell(deal, Telling(WentOut(seat=seat, place=place, turn=turn)))
    if table.rules.play_on and len(deal.table.seats_in) > 1:
        return deal, told
    deal, over = finish(deal, StopReason.OUT)
    return deal, told + over


def finish(deal: Deal, reason: StopReason) -> Told:
    """End the deal and, with `confess`, turn every play up (RULES A16, B21, B24)."""
    sizes = tuple(map(len, deal.hands))
    over = DealOver(reason=reason, places=places(deal.table.seats, sizes), cards=sizes)
    deal, told = tell(deal, Telling(over))
    return deal, (*told, *map(Telling, confessions(deal)))


def confessions(deal: Deal) -> Iterator[Confession]:
    """The faces of every play of the deal, in pages, where it confesses."""
    pages = paged(_turned_up(deal))
    first = 1
    for number, page in enumerate(pages, start=1):
        yield Confession(play=PlayNumber(first), faces=page, more=number < len(pages))
        first += len(page)


def confessed(deal: Deal) -> tuple[ShownPlay, ...]:
    """Every play of the deal face up once it is over; before, and without `confess`, none."""
    plays = [entry for entry in deal.log if isinstance(entry, Played)]
    # Without `confess` no faces are there.
    return tuple([face_up(*play) for play in zip(plays, _turned_up(deal), strict=False)])


def _turned_up(deal: Deal) -> list[Faces]:
    """The faces of each play, from the first one, once the deal is over and with `confess`."""
    if deal.table.outcome is None or not deal.table.rules.confess:
        return []
    return [faces_of(deal, laid) for laid in deal.laid]
