"""For whom a table waits after everybody had gone (RULES D5)."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from tests.support.guests import (
    Guest,
    a_hall,
    a_party,
    a_table,
    a_watcher,
    deal,
    gather,
    host_of,
)
from tests.support.lives import Lives, come_back, restarted
from tests.support.memory_store import MemoryStore

HOUR_S = 3600


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


async def a_server_that_ended_in_mid_deal(nursery: trio.Nursery) -> tuple[Lives, Guest, Guest]:
    """A deal of two, which is let go after four hours without them."""
    lives = Lives(nursery, MemoryStore(), park_h=4.0)
    await lives.start()
    host, guest = lives.guest("ana"), lives.guest("bo")
    await gather(host, guest)
    await deal(host, guest)
    await lives.kill()
    return lives, host, guest


async def test_a_server_started_again_each_day_never_let_go_of_a_table_to_which_nobody_came_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    lives, _, _ = await a_server_that_ended_in_mid_deal(nursery)

    were_there = []
    for _ in range(3):
        hall = await lives.start()
        await trio.sleep(1.5 * HOUR_S)
        were_there.append(len(hall.lobbies))
        await lives.kill()
    hall = await lives.start()
    await trio.sleep(1.5 * HOUR_S)

    assert were_there == [1, 1, 1]
    assert not hall.lobbies


async def test_a_table_to_which_somebody_came_back_is_kept_for_as_long_as_ever(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    lives, host, guest = await a_server_that_ended_in_mid_deal(nursery)
    await lives.start()
    await trio.sleep(3.5 * HOUR_S)
    await lives.kill()

    hall = await lives.start(host, guest)
    await host.connect(resume=True)
    await host.wait_for(e.Paused, lambda halt: halt.reason is e.PauseReason.WAITING)
    await host.vanish()
    await trio.sleep(3.5 * HOUR_S)

    assert len(hall.lobbies) == 1


async def test_after_an_end_in_good_order_whoever_only_watched_belongs_to_the_lobby_still(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store)
    await a_party(hall, nursery, "ana")
    watcher = await a_watcher(hall, nursery, "bo")

    hall.close()
    await wait_all_tasks_blocked()
    await come_back(restarted(store, nursery), watcher)
    back = await watcher.wait_for(e.LobbyChanged)

    assert back.lobby.watching == ("bo",)
