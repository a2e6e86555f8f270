"""Who plays a seat from now on: people who go and come back, and those who play for them (RULES D2, D3, D8)."""

from typing import TYPE_CHECKING

from protocol import events as e
from protocol.numbers import MICROS
from server.errand import Errand
from server.game import actions as a
from server.person import Person
from server.table.halts import do_without, go_on, park_if_empty
from server.table.reading import end_if_read
from server.table.voting import without_voter
from server.table.winding import ticking

if TYPE_CHECKING:
    from server.table.holders import Holder
    from server.table.table import Table


async def lost(table: "Table", person: Person) -> None:
    """Somebody's line is down: the seat is kept, and the table waits if nobody is left."""
    holder = table.holder_of(person)
    if holder is None or holder.gave_up:
        return
    holder.absent_since = table.now
    await without_voter(table, person)
    park_if_empty(table, person)
    await end_if_read(table, table.now)  # perhaps nobody else had not gone on (RULES C10)


async def back(table: "Table", person: Person) -> None:
    """Somebody's line is up again: the seat is theirs at once (RULES D2)."""
    holder = table.holder_of(person)
    if holder is None or holder.gave_up:
        return
    await take_seat_back(table, holder)
    halt = table.halt
    if halt is None or halt.reason not in {e.PauseReason.PARKED, e.PauseReason.WAITING}:
        return
    halt.missing.discard(person)
    if not halt.missing:
        await go_on(table, halt, table.now)
    elif halt.reason is e.PauseReason.PARKED:
        halt.reason = e.PauseReason.WAITING
        halt.ends_at = table.now + int(table.settings.return_s * MICROS)
        table.tell_all(halt.event(table.now))


async def change_chair(
    table: "Table",
    holder: "Holder",
    chair: e.Chair,
    at: int,
    *,
    new_owner: bool = False,
    asked: Errand | None = None,
) -> None:
    """Somebody else plays the seat from now on (RULES D2, D3, D8); kept with the lobby."""
    holder.chair = chair
    holder.bot.start_again()
    action = a.Seated(seat=holder.seat, name=holder.name, chair=chair, new_owner=new_owner)
    await table.do(action, at, asked=asked)
    clock = ticking(table)
    if table.halt is None and clock is not None and clock.seat == holder.seat:
        table.tell_all(e.TurnClock(seat=clock.seat, left_us=clock.left_us(table.now)))


def note_presence(holder: "Holder") -> None:
    """The owner is there; after an automatic play the clock stays short (RULES D1)."""
    holder.absent_since = None
    if holder.autos:
        holder.autos = 1


async def take_seat_back(table: "Table", holder: "Holder", asked: Errand | None = None) -> None:
    """The owner plays the seat again (RULES D2)."""
    note_presence(holder)
    if holder.chair is not e.Chair.OWNER and not table.over:
        holder.gave_up = False
        await change_chair(table, holder, e.Chair.OWNER, table.now, asked=asked)


async def leave(table: "Table | None", person: Person) -> None:
    """Whoever leaves during a deal leaves the seat to a computer player (RULES D3)."""
    holder = None if table is None else table.holder_of(person)
    if table is not None and holder is not None and not holder.gave_up:
        await give_up(table, holder)


async def give_up(table: "Table", holder: "Holder", asked: Errand | None = None) -> None:
    """The owner hands the seat to a computer player for the rest of the deal, if any (RULES D3)."""
    if table.over:
        return
    person = holder.owner
    holder.gave_up, holder.absent_since = True, None
    await change_chair(table, holder, e.Chair.COMPUTER, table.now, asked=asked)
    if person is not None:
        await without_voter(table, person)
        park_if_empty(table, person)
        await do_without(table, person)
