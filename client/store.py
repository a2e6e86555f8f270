"""The client is a fold: `reduce(state, event, now)` is the state after an event. Pure.

An event comes from the server (`protocol.events`, `protocol.answers`) or from the client itself
(`state.LocalEvent`). `now` is the local monotonic clock in seconds when it arrived. Questions
about a state are answered by `selectors`.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from client.state import MAX_DEALS, ClientState, LocalEvent
from client.steps import deal, link, lobby
from client.steps.shared import put_by
from client.steps.turn_clock import wound
from protocol import events as e
from protocol.errors import RemoteProtocolError
from protocol.fitting import misfit
from protocol.numbers import CardId
from protocol.views import TableSnapshot, TableView, apply

if TYPE_CHECKING:
    from client.stats import DealTally

__all__ = ["AnyEvent", "ClientState", "LocalEvent", "reduce"]

AnyEvent = e.Event | LocalEvent
_STEPS = {**link.STEPS, **deal.STEPS, **lobby.STEPS}


def reduce(state: ClientState, event: AnyEvent, now: float) -> ClientState:
    """The state after an event that arrived at `now`; an unknown event changes only the time.

    Raises:
        RemoteProtocolError: the server tells what cannot be, and the state stays as it is.
    """
    if isinstance(event, e.Event) and (why := misfit(state.table, event)):
        complaint = f"{type(event).__name__} cannot be: {why}"
        raise RemoteProtocolError(complaint)
    after = replace(state, now=now)
    if isinstance(event, e.Event):
        after = _at_the_table(replace(after, heard_at=now), event)
    step = _STEPS.get(type(event))
    after = step(after, event) if step else after
    return wound(after, event) if isinstance(event, e.Event) else after


def _at_the_table(state: ClientState, event: e.Event) -> ClientState:
    table = apply(state.table, event)
    if table is None:
        return state
    if isinstance(event, TableSnapshot):
        state = put_by(state)
    picks, evening = _picks_after(state, table, event), _evening_after(state, table)
    return replace(state, table=table, picks=picks, evening=evening)


def _evening_after(state: ClientState, table: TableView) -> "tuple[DealTally, ...]":
    """A finished deal goes into the evening's table when the next one begins (RULES D7)."""
    before = state.table
    if before is None or before.table.outcome is None or before.table.deal == table.table.deal:
        return state.evening
    from client.stats import tally_of  # noqa: PLC0415 - not before a first deal is over

    return (*state.evening, tally_of(before))[-MAX_DEALS:]


def _picks_after(state: ClientState, table: TableView, event: e.Event) -> tuple[CardId, ...]:
    """What lies ready is no longer picked; what comes back from there is (RULES C3)."""
    match event:
        case e.Held():
            return ()
        case e.HeldBack() if state.table and state.table.held and not state.picks:
            wanted = state.table.held.cards
        case _:
            wanted = state.picks
    hand = {card.id for card in table.hand}
    return tuple(card for card in wanted if card in hand)
