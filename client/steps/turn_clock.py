"""The clock of the seat to move: it starts by itself with each turn (RULES D1). Pure.

The server says nothing of a clock that runs for `turn_s` from now on. Any other one, and what is
left of one, comes in `TurnClock` or `WindowState`.
"""

from msgspec.structs import replace

from client import selectors
from client.state import ClientState
from protocol import events as e
from protocol.options import is_waiting, turn_of

TURNS_BEGIN_WITH = (
    e.DealStarted,
    e.Played,
    e.Passed,
    e.ProtectionOver,
    e.Stands,
    e.Ruled,
    e.RevealOver,
    e.SetAside,
    e.WentOut,
    e.ChairChanged,
)


def wound(state: ClientState, event: e.Event) -> ClientState:
    """The state with the clock started, if with this event the table began to wait for somebody."""
    if (
        state.table is None
        or selectors.stands_still(state)
        or not isinstance(event, TURNS_BEGIN_WITH)
    ):
        return state
    table = state.table.table
    turn, turn_s = turn_of(table), table.rules.turn_s
    by_owner = table.seats[table.turn].chair is e.Chair.OWNER
    if state.clocks.turn == turn or not turn_s or not by_owner or not is_waiting(table):
        return state
    ends = state.now + turn_s
    clocks = replace(state.clocks, turn=turn, turn_ends=ends, turn_seat=table.turn)
    return replace(state, clocks=clocks)
