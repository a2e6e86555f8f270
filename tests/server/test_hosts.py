"""Who is host after the host: whoever has had a seat for the longest (RULES D6)."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from server.hall import Hall
from tests.support.guests import Guest, a_hall, a_party
from tests.support.lives import come_back, restarted
from tests.support.memory_store import MemoryStore


async def a_lobby_with_a_latecomer(
    hall: Hall, nursery: trio.Nursery, sits_down: str
) -> tuple[Guest, Guest, Guest]:
    """The host; who came next and watched until everybody else had a seat; who had one before that."""
    (host,) = await a_party(hall, nursery, "ana", rules="t-off")
    watcher, seated = Guest(hall, nursery, "bo"), Guest(hall, nursery, "cy")
    assert host.lobby is not None
    for guest in (watcher, seated):
        await guest.connect()
        await guest.ask(c.JoinLobby, code=host.lobby.code, watch=guest is watcher)
    if sits_down == "between deals":
        await watcher.ask(c.SitDown)
        return host, watcher, seated
    await seated.ask(c.SetReady)
    await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StartDeal)
    await watcher.ask(c.SitDown, deal=1, seat=2)
    await host.ask(c.AnswerSeat, name="bo", yes=True)
    return host, watcher, seated


@pytest.mark.parametrize("sits_down", ["between deals", "in a deal"])
async def test_who_had_watched_was_once_host_before_those_who_had_a_seat_for_longer(
    sits_down: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, watcher, seated = await a_lobby_with_a_latecomer(hall, nursery, sits_down)

    await host.ask(c.LeaveLobby)
    news = await watcher.wait_for(e.LobbyNews, lambda line: line.news is e.News.NEW_HOST)

    assert watcher.lobby is not None
    assert {"bo", "cy"} <= {seat.name for seat in watcher.lobby.seats}
    assert news.name == seated.name == "cy"


async def test_after_a_restart_it_is_known_who_has_had_a_seat_for_longer(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_lobby_with_a_latecomer(a_hall(nursery, store=store), nursery, "between deals")
    host, watcher, _ = guests
    await come_back(restarted(store, nursery), *guests)
    await wait_all_tasks_blocked()

    await host.ask(c.LeaveLobby)
    news = await watcher.wait_for(e.LobbyNews, lambda line: line.news is e.News.NEW_HOST)

    assert news.name == "cy"
