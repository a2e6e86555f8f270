"""What a table shows to whoever comes to it: the deal as they may know it, and where the clocks stand."""

from typing import TYPE_CHECKING

from protocol import events as e
from server.game.view import secrets_for, state_for, window_state_for
from server.person import Person
from server.table.winding import ticking

if TYPE_CHECKING:
    from server.table.table import Table


def show(table: "Table", person: Person) -> None:
    """Show somebody the whole deal as they may know it."""
    holder = table.holder_of(person)
    seat = holder.seat if holder is not None and holder.listener is person else None
    person.mailbox.clear()  # what was told before is worth nothing beside this
    table.company.tell(person, state_for(table.deal, seat))
    for page in table.public_log.pages(table.deal.log):
        table.company.tell_packed(person, page)
    for event in secrets_for(table.deal, seat):
        table.company.tell(person, event)
    show_clocks(table, person)


def show_clocks(table: "Table", person: Person) -> None:
    """Show somebody where the clocks stand, and what passing events have told the others."""
    table.company.tell(person, window_state(table, person))
    if table.halt is not None:
        table.company.tell(person, table.halt.event(table.now))
    if table.vote is not None:
        table.company.tell(person, table.vote.state(table.now, passed=None))


def window_state(table: "Table", person: Person) -> e.WindowState:
    """Where the clocks stand, as this person may know it."""
    holder = table.holder_of(person)
    seat = holder.seat if holder is not None and holder.listener is person else None
    clock = ticking(table)
    turn_us = None if clock is None else clock.left_us(table.now)
    return window_state_for(table.deal, seat, table.now, turn_us)
