"""Whether an event fits what was told before it. A client asks first: a server may be broken, or hostile.

The types of an event are checked when it is decoded; here it is checked against the table: seats
that are there, a pile that can be taken, no more cards and no longer a log than a deal can have.
`views.apply` may then be trusted with it.
"""

from collections.abc import Iterator

from msgspec import Struct

from protocol import events as e
from protocol.numbers import MAX_CARDS
from protocol.views import PublicTable, TableSnapshot, TableView

_SEATS = frozenset({"seat", "turn", "dealer", "challenger", "taker", "you"})
"""Fields that hold the number of a seat, in whatever message."""

MOST_LOGGED = 2000 * 22
"""Entries of a log, plays of one's own, plays confessed.

A deal has 2,000 plays at most (RULES B21). What belongs to each: itself, that it stands, a ruling, a
pile set aside, and of nine others a pass and a late call.
"""


def misfit(view: TableView | None, event: e.Event) -> str | None:
    """What is wrong with an event about a deal, in a few words; None if nothing is, or it is about none."""
    match event:
        case e.DealStarted():
            return _strange_seat(event, len(event.seats))
        case TableSnapshot():
            return _strange_seat(event, len(event.table.seats)) or _unsound(event.table)
        case _ if view is None:
            return None
        case _:
            strange = _strange_seat(event, len(view.table.seats))
            return strange or _out_of_place(view.table, event) or _too_much(view, event)


def _strange_seat(event: e.Event, seats: int) -> str | None:
    return next((f"there is no seat {seat}" for seat in _seats_in(event) if seat >= seats), None)


def _seats_in(part: Struct) -> Iterator[int]:
    """Every number of a seat in a message, and in the parts of it."""
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if name in _SEATS and isinstance(value, int):
            yield value
        elif isinstance(value, Struct):
            yield from _seats_in(value)
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, Struct):
                    yield from _seats_in(item)


def _unsound(table: PublicTable) -> str | None:
    if not table.due:
        return "no rank is due"
    return None if table.outcome is None else _wrong_outcome(table, table.outcome)


def _wrong_outcome(table: PublicTable, outcome: e.DealOver) -> str | None:
    seats = len(table.seats)
    if len(outcome.places) == len(outcome.cards) == seats:
        return None
    return f"the outcome is not one of {seats} seats"


def _out_of_place(table: PublicTable, event: e.Event) -> str | None:
    match event:
        case e.Ruled() | e.SetAside():
            return None if table.pile else "there is no pile"
        case e.DealOver():
            return _wrong_outcome(table, event)
        case _:
            return None


def _too_much(view: TableView, event: e.Event) -> str | None:
    if isinstance(event, e.Took) and len(view.hand) + len(event.cards) > MAX_CARDS:
        return "more cards in a hand than there are"
    if isinstance(event, e.Played) and len(view.table.pile) >= MAX_CARDS:
        return "more plays in a pile than there are cards"
    longest = max(len(view.log), len(view.laid), len(view.confession))
    return "a log without an end" if longest > MOST_LOGGED else None
