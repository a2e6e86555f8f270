"""Guests whose clients show pauses, votes and clocks, beside what the table says of them."""

from collections.abc import Iterator

import pytest
import trio

from client.state import ClientState
from client.store import reduce
from protocol import events as e
from protocol.numbers import MICROS, EventNumber
from protocol.options import is_waiting
from server.table.halts import Halt
from server.table.table import Table
from server.table.winding import ticking
from tests.support.guests import Guest

Shown = tuple[object, ...]


class ClockWatcher(Guest):
    """A guest who looks at nothing but the clocks of their client."""

    state = ClientState()

    def _hear(self, number: EventNumber, event: e.Event) -> None:
        super()._hear(number, event)
        self.state = reduce(self.state, event, trio.current_time())


def shown_to(guest: ClockWatcher) -> Shown:
    """What the guest's client shows: the halt and its end, the vote and its end, the clocks' ends."""
    clocks, pause, vote = guest.state.clocks, guest.state.pause, guest.state.vote
    return (
        pause and (pause.reason, pause.number, pause.ends),
        clocks.resumes_at,
        vote and (vote.state.vote, vote.ends),
        clocks.window_ends,
        clocks.reveal_ends,
        clocks.turn_ends,
    )


def told_by(table: Table) -> Shown:
    """The same as the table has it."""
    halt, vote = table.halt, table.vote
    counts_in = halt is not None and halt.counting_in
    paused = halt if halt is not None and not counts_in else None
    return (
        paused and (paused.reason, paused.number, _end(table, paused.ends_at)),
        _end(table, halt.ends_at) if counts_in and halt is not None else None,
        vote and (vote.number, _end(table, vote.ends_at)),
        *_clocks(table, halt),
    )


def _clocks(table: Table, halt: Halt | None) -> Iterator[object]:
    for phase in (e.Phase.PROTECTED, e.Phase.REVEAL):
        runs = halt is None and table.deal.table.phase is phase
        yield _end(table, table.deal.ends_at) if runs else None
    clock = ticking(table) if halt is None and is_waiting(table.deal.table) else None
    yield None if clock is None else _end(table, clock.ends_at)


def _end(table: Table, at: int) -> object:
    return pytest.approx((table.began + at) / MICROS, abs=0.02)
