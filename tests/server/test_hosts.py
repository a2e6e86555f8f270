"""Who is host after the host: whoever has had a seat for the longest (RULES D6)."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.refusals import Refusal
from server.hall import Hall
from tests.support.guests import (
    Guest,
    a_hall,
    a_party,
    a_table,
    a_watcher,
    code_of,
    deal,
    the_lobby,
)
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


async def test_who_handed_the_lobby_over_to_themselves_was_announced_as_its_new_host(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, guest = await a_party(a_hall(nursery), nursery, "ana", "bo")

    handed = await host.ask(c.HandOver, name="ana")
    await guest.ask(c.SetReady)

    assert isinstance(handed, Accepted)
    assert not [news for news in guest.all_heard(e.LobbyNews) if news.news is e.News.NEW_HOST]


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


# --- who is host in the meantime (RULES D6) ---------------------------------------------------------


async def test_a_host_whose_line_blinked_was_once_removed_for_good(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guest = await a_party(hall, nursery, "ana", "bo")
    await host.vanish()
    await guest.wait_for(e.LobbyNews, lambda news: news.news is e.News.LOST)

    refused = await guest.ask(c.RemoveSeat, name="ana")
    await host.connect(resume=True)

    assert code_of(refused) is Refusal.NOT_HOST
    assert isinstance(await host.ask(c.SetRules, rules="bluff"), Accepted)


async def test_who_may_act_for_a_host_who_is_away_was_told_to_nobody(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, _, third = await a_party(a_hall(nursery), nursery, "ana", "bo", "cy")
    here = await third.ask(c.StartDeal)
    await host.vanish()

    early = await third.ask(c.StartDeal)
    await trio.sleep(20)
    late = await third.ask(c.StartDeal)

    told = [answer.text for answer in (here, early, late) if isinstance(answer, Refused)]
    assert told == [
        "Only the host can do that: ask them.",
        "Only the host can do that: ask them. ana is away: bo has sat here longest, and may in 20 s.",
        "Only the host can do that: ask them. ana is away: bo has sat here longest, and may now.",
    ]


async def test_who_only_watches_and_may_soon_act_for_a_host_was_said_to_have_sat_there_longest(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    player, other = await a_table(hall, nursery, "ana", "bo")
    host, watcher = [await a_watcher(hall, nursery, name) for name in ("cy", "dee")]
    await other.ask(c.LeaveLobby)
    await player.ask(c.HandOver, name="cy")
    await player.ask(c.LeaveLobby)
    await host.vanish()

    refused = await watcher.ask(c.SetRules, rules="bluff")

    assert isinstance(refused, Refused)
    assert refused.text.endswith("cy is away: dee has watched here longest, and may in 20 s.")


async def test_a_watcher_once_became_host_while_the_players_were_away(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo")
    watcher = await a_watcher(hall, nursery, "eve")
    for guest in guests:
        await guest.vanish()
    await trio.sleep(60)

    ended = await watcher.ask(c.CallVote, on=e.VoteOn.END_DEAL)
    removed = await watcher.ask(c.RemoveSeat, name="bo")

    assert code_of(ended) is Refusal.NO_VOTE
    assert code_of(removed) is Refusal.NOT_HOST


async def test_who_acts_as_host_was_once_told_in_the_news_only(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guest = await a_party(hall, nursery, "ana", "bo")
    await host.vanish()
    await trio.sleep(20)

    await guest.ask(c.SetRules, rules="bluff")

    assert guest.lobby is not None
    assert guest.lobby.host == "bo"


REFUSED_TO_A_HOST: dict[str, tuple[type[Any], dict[str, object], Refusal]] = {
    "a deal with too few": (c.StartDeal, {"anyway": True}, Refusal.TOO_FEW_PLAYERS),
    "rules that are none": (c.SetRules, {"rules": "no-such"}, Refusal.BAD_RULES),
    "nobody's removal": (c.RemoveSeat, {"name": "eve"}, Refusal.NO_SUCH_PERSON),
    "a pause in a pause": (c.PauseTable, {}, Refusal.PAUSED),
    "a clock in a pause": (c.StartClock, {}, Refusal.PAUSED),
    "a vote on a pause in a pause": (c.CallVote, {"on": e.VoteOn.PAUSE}, Refusal.PAUSED),
}


@pytest.mark.parametrize("asks", REFUSED_TO_A_HOST)
async def test_whoever_was_refused_what_a_host_may_was_host_from_then_on(
    asks: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    kind, fields, refusal = REFUSED_TO_A_HOST[asks]
    hall = a_hall(nursery)
    host, guest = await a_party(hall, nursery, "ana", "bo")
    if refusal is Refusal.PAUSED:
        await deal(host, guest)
        await guest.ask(c.GiveUpSeat)
    await host.vanish()
    await trio.sleep(30)

    refused = await guest.ask(kind, **fields)
    await wait_all_tasks_blocked()

    assert code_of(refused) is refusal
    assert the_lobby(hall).state.host == "ana"
    assert not [news for news in guest.all_heard(e.LobbyNews) if news.news is e.News.NEW_HOST]
