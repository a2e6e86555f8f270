"""Whoever leaves in the middle of a deal and comes back to it (RULES D3)."""

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from server.hall import Hall
from tests.support.guests import Guest, a_hall, a_table, the_lobby


async def left_and_watches(hall: Hall, guest: Guest) -> None:
    """They leave the lobby, a computer player has their seat, and they come back to look on."""
    await guest.ask(c.LeaveLobby)
    await guest.ask(c.JoinLobby, code=the_lobby(hall).code, watch=True)


async def test_whoever_had_left_and_took_the_seat_back_while_watching_was_still_a_watcher(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, _ = await a_table(hall, nursery, "ana", "bo", "cy")
    await left_and_watches(hall, second)

    returned = await second.ask(c.ReturnToSeat)
    await wait_all_tasks_blocked()

    assert isinstance(returned, Accepted)
    assert first.lobby is not None
    assert first.lobby.watching == ()
    assert second.name in [seat.name for seat in first.lobby.seats]


async def test_where_no_seat_of_the_lobby_is_free_they_play_on_and_watch_the_next_deal(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy")
    host = next(guest for guest in guests if guest.name == "ana")
    leaver = next(guest for guest in guests if guest.name == "bo")
    await left_and_watches(hall, leaver)
    await host.ask(c.SetSettings, settings=e.LobbySettings(size=2))

    returned = await leaver.ask(c.ReturnToSeat)
    await wait_all_tasks_blocked()

    assert isinstance(returned, Accepted)
    assert host.lobby is not None
    assert host.lobby.watching == ("bo",)


async def test_a_deal_won_by_whoever_had_come_back_to_it_counted_for_nobody(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, leaver = await a_table(hall, nursery, "ana", "bo", rules="evening")
    await left_and_watches(hall, leaver)
    await leaver.ask(c.ReturnToSeat)

    await host.ask(c.CallVote, on=e.VoteOn.END_DEAL)
    await leaver.ask(c.CastVote, yes=True)
    await host.wait_for(e.StageChanged)

    assert host.lobby is not None
    assert {seat.name: seat.wins for seat in host.lobby.seats} == {"ana": 1, "bo": 1}
