"""A server at which nothing happens: it sleeps, and still tells in time what does happen."""

import trio
from trio.testing import MockClock

from protocol import events as e
from server.hall import CENSUS_EVERY_S
from server.notices import ONLINE_EVERY_S
from tests.support.guests import Guest, a_hall

MINUTE_S = 60.0


class Wakings(trio.abc.Instrument):
    """How often any task was given a turn."""

    count = 0

    def task_scheduled(self, task: trio.lowlevel.Task) -> None:  # noqa: ARG002
        """One more."""
        self.count += 1


async def test_a_server_at_which_nothing_happened_woke_up_every_other_second_to_count_who_is_there(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, ping_s=10 * MINUTE_S, silence_s=30 * MINUTE_S)
    await Guest(hall, nursery, "ana").connect()
    await trio.sleep(MINUTE_S)
    wakings = Wakings()
    trio.lowlevel.add_instrument(wakings)

    await trio.sleep(10 * MINUTE_S - 1)

    trio.lowlevel.remove_instrument(wakings)
    censuses = 10 * MINUTE_S / CENSUS_EVERY_S
    assert wakings.count <= 2 * censuses


async def test_the_hall_is_told_in_time_how_many_are_there(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    ana, bo = Guest(hall, nursery, "ana"), Guest(hall, nursery, "bo")
    await ana.connect()
    await ana.wait_for(e.Online)
    for count in (2, 1, 2):
        await trio.sleep(MINUTE_S)
        await (bo.vanish() if count == 1 else bo.connect())
        with trio.fail_after(ONLINE_EVERY_S + 0.1):
            online = await ana.wait_for(e.Online)
        assert online.count == count
