"""The clock of the seat to move as its table winds, stops and starts it again (RULES D1)."""

from typing import TYPE_CHECKING

from protocol import events as e
from protocol.numbers import MICROS
from protocol.options import is_waiting, turn_of
from server.table.turn_clock import ASKED_CLOCK_US, SHORT_CLOCK_US, TurnClock, started

if TYPE_CHECKING:
    from server.table.table import Table

_OWNER = e.Chair.OWNER


def wind(table: "Table", now: int) -> None:
    """Start the clock of the seat to move, or stop it.

    Each turn has one clock: nobody gets a new one by giving the seat up and coming back.
    """
    public, clock = table.deal.table, table.clock
    if not is_waiting(public):
        table.clock = None
    elif clock is None or clock.turn != turn_of(public):
        table.clock = None
        holder, turn_s = table.holders[public.turn], public.rules.turn_s
        if holder.chair is _OWNER and (turn_s or holder.autos):
            start(table, SHORT_CLOCK_US if holder.autos else turn_s * MICROS, now)


def start(table: "Table", length_us: int, now: int) -> None:
    """Start a clock for the seat to move. The usual one is not told."""
    public = table.deal.table
    table.clock = started(turn_of(public), now, length_us)
    if length_us != public.rules.turn_s * MICROS:
        table.tell_all(e.TurnClock(seat=public.turn, left_us=length_us))


def wind_again(table: "Table") -> None:
    """Start the clock of the seat to move in full, also one that others have asked for."""
    if table.clock is not None and _was_asked_for(table, table.clock):
        start(table, ASKED_CLOCK_US, table.now)
    else:
        table.clock = None
        wind(table, table.now)


def ticking(table: "Table") -> TurnClock | None:
    """The clock of the seat to move, while its owner plays it."""
    clock = table.clock
    by_owner = clock is not None and table.holders[clock.seat].chair is _OWNER
    return clock if by_owner else None


def _was_asked_for(table: "Table", clock: TurnClock) -> bool:
    """Whether this is such a clock of the seat to move: none is wound for its owner by itself."""
    holder = table.holders[clock.seat]
    by_itself = table.deal.table.rules.turn_s or holder.autos or holder.chair is not _OWNER
    return clock.turn == turn_of(table.deal.table) and not by_itself
