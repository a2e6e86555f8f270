"""For whom a table waits after everybody had gone (RULES D5)."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from tests.support.guests import a_hall, a_table, host_of
from tests.support.lives import come_back, restarted
from tests.support.memory_store import MemoryStore


async def test_whoever_had_given_up_their_seat_was_once_waited_for(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second = await a_table(a_hall(nursery), nursery, "ana", "bo")
    await second.vanish()
    await first.ask(c.GiveUpSeat)
    await first.vanish()
    began = trio.current_time()

    await second.connect(resume=True)
    await second.wait_for(e.Resumed)

    assert trio.current_time() - began < 1


async def test_whoever_had_been_played_for_once_had_the_whole_clock_again_after_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    slow, other = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo")
    await other.wait_for(e.Played, lambda play: play.auto)
    await other.lay()
    await other.wait_for(e.Played, lambda play: play.seat == other.seat)
    await come_back(restarted(store, nursery), slow, other)
    await other.wait_for(e.ProtectionOver)
    turn_came = trio.current_time()

    await other.wait_for(e.Played, lambda play: play.seat == slow.seat)

    assert trio.current_time() - turn_came == pytest.approx(10, abs=0.1)


async def test_whoever_was_removed_was_once_waited_for_all_the_same(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo")
    host = host_of(guests)
    other = next(guest for guest in guests if guest is not host)
    await host.vanish()
    await other.vanish()
    began = trio.current_time()

    await host.connect(resume=True)
    await host.wait_for(e.Paused, lambda halt: halt.reason is e.PauseReason.WAITING)
    await host.ask(c.RemoveSeat, name="bo")
    await host.wait_for(e.Resumed)

    assert trio.current_time() - began < 1


async def test_after_two_restarts_in_a_row_whoever_was_back_first_went_on_without_the_others(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    first, *others = guests
    restarted(store, nursery)
    await wait_all_tasks_blocked()
    again = restarted(store, nursery)

    await come_back(again, first)
    await trio.sleep(10)
    went_on = first.all_heard(e.Resumed)
    await come_back(again, *others)
    await first.wait_for(e.Resumed)

    assert not went_on


async def test_who_had_yet_to_come_back_was_not_waited_for_after_one_restart_more(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    first, second, third = guests
    await come_back(restarted(store, nursery), first, second)
    await wait_all_tasks_blocked()
    again = restarted(store, nursery)

    await come_back(again, first, second)
    await trio.sleep(10)
    went_on = first.all_heard(e.Resumed)
    await come_back(again, third)
    await first.wait_for(e.Resumed)

    assert not went_on
