"""A client that is told little of the turn clock shows the one that the server keeps (RULES D1)."""

import pytest
import trio
from trio.testing import MockClock

from client.state import ClientState
from client.store import reduce
from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from server.hall import Hall
from server.table.winding import ticking
from tests.support.guests import Guest, a_hall, a_table, host_of


def client_of(guest: Guest) -> ClientState:
    """What the guest's client has made of all that was heard."""
    state = ClientState(name=guest.name)
    for (_, event), at in zip(guest.heard, guest.heard_at, strict=True):
        state = reduce(state, event, at)
    return state


def shown_to(guest: Guest) -> tuple[int | None, float | None]:
    """Whose clock the guest's client shows, and when it ends, in seconds of the mock clock."""
    clocks = client_of(guest).clocks
    return clocks.turn_seat, clocks.turn_ends


def pause_shown_to(guest: Guest) -> bool:
    """Whether the guest's client shows that the table is paused."""
    return client_of(guest).pause is not None


async def all_see_the_servers_clock(hall: Hall, *guests: Guest) -> None:
    """Everybody sees the clock that runs at the only table, or that none does."""
    await trio.testing.wait_all_tasks_blocked()
    (lobby,) = hall.lobbies.values()
    assert lobby.table is not None
    clock = ticking(lobby.table)
    for guest in guests:
        seat, ends = shown_to(guest)
        if clock is None:
            assert ends is None
        else:
            assert seat == clock.seat
            assert ends == pytest.approx((lobby.table.began + clock.ends_at) / 1e6, abs=0.001)


async def test_through_plays_windows_and_rulings(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    await all_see_the_servers_clock(hall, *guests)
    await first.lay()
    await second.wait_for(e.Played)
    await all_see_the_servers_clock(hall, *guests)
    await second.wait_for(e.ProtectionOver)
    await all_see_the_servers_clock(hall, *guests)
    await third.doubt()
    await second.wait_for(e.Ruled)
    await all_see_the_servers_clock(hall, *guests)
    await second.wait_for(e.RevealOver)

    await all_see_the_servers_clock(hall, *guests)

    assert shown_to(third)[0] == second.seat


async def test_through_an_automatic_play_the_short_clock_and_a_stand_in(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = slow, other = await a_table(hall, nursery, "ana", "bo")
    await other.wait_for(e.TurnClock, lambda clock: clock.left_us == 10_000_000)
    await all_see_the_servers_clock(hall, *guests)
    await other.wait_for(e.Played)
    await other.lay()
    await other.wait_for(e.TurnClock, lambda clock: clock.seat == slow.seat)
    await all_see_the_servers_clock(hall, *guests)
    await slow.ask(c.LetGoOf, play=2)

    await all_see_the_servers_clock(hall, *guests)

    assert shown_to(other)[0] == slow.seat


async def test_through_a_pause_and_a_lost_line(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    (lobby,) = hall.lobbies.values()
    host = next(guest for guest in guests if guest.name == lobby.state.host)
    await host.ask(c.PauseTable)
    await trio.sleep(5)
    await host.ask(c.ResumeTable)
    await first.wait_for(e.WindowState)
    await all_see_the_servers_clock(hall, *guests)
    await trio.sleep(4)
    await third.vanish()
    await third.connect(resume=True)
    await third.wait_for(e.WindowState)

    await all_see_the_servers_clock(hall, *guests)

    assert shown_to(third) != (None, None)
    assert shown_to(second)[0] == first.seat


async def test_a_clock_that_players_had_asked_for_was_once_gone_after_a_pause(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules="family")
    for guest in guests[1:]:
        await guest.ask(c.StartClock)
    await host_of(guests).ask(c.PauseTable)
    await host_of(guests).ask(c.ResumeTable)
    await guests[0].wait_for(e.Resumed, lambda resumed: not resumed.in_us)
    went_on = trio.current_time()

    await all_see_the_servers_clock(hall, *guests)
    played = await guests[0].wait_for(e.Played)

    assert played.auto
    assert trio.current_time() - went_on == pytest.approx(30, abs=0.1)


async def test_a_seat_that_came_back_in_a_pause_once_made_everybody_take_it_for_over(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = first, _, _ = await a_table(hall, nursery, "ana", "bo", "cy")
    host = next(guest for guest in guests if guest.name == "ana")
    await host.ask(c.PauseTable)

    await first.ask(c.GiveUpSeat)
    await first.ask(c.ReturnToSeat)
    await trio.testing.wait_all_tasks_blocked()

    assert all(pause_shown_to(guest) for guest in guests)
    assert isinstance(await host.ask(c.ResumeTable), Accepted)
    await host.wait_for(e.WindowState)
    await all_see_the_servers_clock(hall, *guests)


async def test_the_clock_of_a_seat_that_was_given_up_ran_on_before_everybody(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = first, *_ = await a_table(hall, nursery, "ana", "bo", "cy")
    await trio.sleep(1)

    await first.ask(c.GiveUpSeat)
    await all_see_the_servers_clock(hall, *guests)
    await first.ask(c.ReturnToSeat)
    await all_see_the_servers_clock(hall, *guests)

    assert shown_to(guests[1])[0] == first.seat


async def test_whoever_came_back_while_the_table_was_counted_in_was_told_of_a_pause(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    host = host_of(guests)
    await host.ask(c.PauseTable)
    await host.ask(c.ResumeTable)
    await trio.sleep(1)
    await host.vanish()

    await host.connect(resume=True)
    await host.wait_for(e.WindowState)
    await trio.testing.wait_all_tasks_blocked()

    clocks = client_of(host).clocks
    assert not pause_shown_to(host)
    assert clocks.resumes_at == pytest.approx(trio.current_time() + 2, abs=0.01)
    assert clocks.turn_ends is None
