"""Calls at the first and the last microsecond of a window, and just beside them (RULES C5)."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.numbers import MICROS, CommandNumber, PlayNumber
from protocol.refusals import Refusal
from server.arrivals import Arrived
from server.hall import Hall
from tests.support.guests import Guest, a_hall, a_table, code_of

A_CALL = c.Challenge(n=CommandNumber(99), deal=1, play=PlayNumber(1))


async def a_play(hall: Hall, nursery: trio.Nursery) -> tuple[Guest, Guest, Guest]:
    """A table at which the first of three has just laid a card, and the others have heard of it."""
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    await first.lay()
    for guest in (second, third):
        await guest.wait_for(e.Played)
    return first, second, third


async def call_at(hall: Hall, guest: Guest, at: int) -> Accepted | Refused:
    """The answer to a call that reached the kernel at this time, and is read now."""
    (lobby,) = hall.lobbies.values()
    arrived = Arrived(data=b"", at=at, stamped=True, settled=True)
    hall.obey(lobby.people[guest.name], A_CALL, arrived)
    return await guest.answer_to(A_CALL.n)


@pytest.mark.parametrize("before_us", [0, 1], ids=["with it", "a microsecond before"])
async def test_a_call_that_came_before_the_play_was_announced_is_none_and_one_with_it_counts(
    nursery: trio.Nursery, autojump_clock: MockClock, before_us: int
) -> None:
    hall = a_hall(nursery)
    first, second, _ = await a_play(hall, nursery)
    (lobby,) = hall.lobbies.values()
    assert lobby.table is not None
    opened = lobby.table.began + lobby.table.deal.opened_at

    answer = await call_at(hall, second, opened - before_us)

    if before_us:
        assert code_of(answer) is Refusal.NOT_ANNOUNCED
    else:
        assert isinstance(answer, Accepted)
        assert (await first.wait_for(e.Ruled)).counted_after_us == 0


@pytest.mark.parametrize("after_us", [0, 1], ids=["at its end", "a microsecond later"])
async def test_of_calls_that_are_read_after_a_window_has_ended_one_at_its_end_counts(
    nursery: trio.Nursery, autojump_clock: MockClock, after_us: int
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_play(hall, nursery)
    await second.lay()  # held: it goes down, and closes the window, when the protected time ends
    await second.wait_for(e.Held)
    (lobby,) = hall.lobbies.values()
    assert lobby.table is not None
    closing = lobby.table.began + (lobby.table.deal.protected_until or 0)

    autojump_clock.jump(closing / MICROS + 0.001 - trio.current_time())  # the server was busy
    answer = await call_at(hall, third, closing + after_us)

    if after_us:
        assert code_of(answer) is Refusal.TOO_LATE
        assert isinstance(answer, Refused)
        assert answer.late_us == after_us
    else:
        assert isinstance(answer, Accepted)
        assert (await first.wait_for(e.Ruled)).challenger == third.seat
