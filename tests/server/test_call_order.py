"""The order in which calls are told is the order in which they came (RULES C5, C8)."""

from random import Random

import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.numbers import CommandNumber, PlayNumber
from server.errand import Errand
from tests.support.guests import a_hall, a_table


async def test_of_calls_read_in_one_go_the_second_was_once_told_last(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, *others = await a_table(hall, nursery, "ana", "bo", "cy", "dee", "eve")
    await first.lay()
    for guest in others:
        await guest.wait_for(e.Played)
    await trio.sleep(0.001)
    lobby = next(iter(hall.lobbies.values()))
    assert lobby.table is not None
    now = lobby.table.began + lobby.table.now
    Random(3).shuffle(others)
    errands = [
        Errand(
            person=lobby.people[guest.name],
            command=c.Challenge(n=CommandNumber(99), deal=1, play=PlayNumber(1)),
            at=now - 100 + 10 * place,
        )
        for place, guest in enumerate(others)
    ]

    for errand in reversed(errands):  # read in the wrong order, as chance may have it
        lobby.take(errand)
    ruled = await first.wait_for(e.Ruled)

    assert [call.seat for call in ruled.calls] == [guest.seat for guest in others]
    assert [call.after_us for call in ruled.calls[1:]] == [10, 20, 30]
    assert not first.all_heard(e.LateCall)
