"""Faults of ours in the tasks that all people and lobbies share: they are logged, and nobody else's."""

import math
from itertools import count

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.refusals import Refusal
from server import listener as door
from server.alarm_clock import AlarmClock
from server.arrivals import now_us
from server.carry_on import BREATHER_S
from server.hall import CENSUS_EVERY_S, SEEN_EVERY_S
from server.journal.records import Change, PersonKept
from server.lobby import records
from server.lobby.lobby import Lobby
from server.lobby.seating import NotAllowed
from server.notices import ONLINE_EVERY_S
from server.pinger import Pinger
from tests.server.test_pinger import PING_S, call
from tests.support.attackers import person_of
from tests.support.callers import a_hello
from tests.support.crowds import HOME
from tests.support.doors import a_door
from tests.support.guests import Guest, a_hall, a_party, a_table, code_of
from tests.support.lives import FullDisk
from tests.support.memory_store import HeldStore, MemoryStore
from tests.support.mishaps import break_once, broken

PATIENCE_S = 10.0


class NoPlayers(MemoryStore):
    """A journal that takes nobody for a player, for a while, by a fault of ours."""

    def __init__(self) -> None:
        super().__init__()
        self.is_broken, self.tries = True, 0

    async def commit(self, *changes: Change) -> None:
        if any(isinstance(change, PersonKept) and change.has_played for change in changes):
            self.tries += 1
            if self.is_broken:
                broken()
        await super().commit(*changes)

    def players(self) -> set[str]:
        return {kept.person.name for kept in self.read().people if kept.person.has_played}


def break_listing_of(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    """From now on this host's lobby cannot be listed."""

    def listing_of(lobby: Lobby) -> e.Listing | None:
        if lobby.state.host == host:
            broken()
        return records.listing_of(lobby)

    monkeypatch.setattr("server.notices.listing_of", listing_of)


async def test_a_fault_of_ours_in_the_census_ended_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    store = NoPlayers()
    hall = a_hall(nursery, store=store)
    ana, _ = await a_table(hall, nursery, "ana", "bo", rules="t600")
    await trio.sleep(3 * (CENSUS_EVERY_S + BREATHER_S) - 1)
    tries, before = store.tries, store.players()

    store.is_broken = False
    await trio.sleep(CENSUS_EVERY_S + BREATHER_S)

    assert tries == 3
    assert before == set()
    assert store.players() == {"ana", "bo"}
    assert "keeping the census failed" in caplog.text
    assert isinstance(await ana.ask(c.Say, text="still here"), Accepted)


async def test_a_fault_of_ours_in_telling_the_hall_its_news_ended_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall = a_hall(nursery)
    ana = Guest(hall, nursery, "ana")
    await ana.connect()
    break_once(hall.notices, "_tell_news")

    await ana.ask(c.Say, text="lost")
    await trio.sleep(BREATHER_S)
    await ana.ask(c.Say, text="heard")
    said = await ana.wait_for(e.Said, lambda event: event.text == "heard")

    assert said.name == "ana"
    assert "telling the hall its news failed" in caplog.text


async def test_a_lobby_that_could_not_be_listed_kept_the_hall_from_hearing_of_another(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    hall = a_hall(nursery)
    bo, cy = Guest(hall, nursery, "bo"), Guest(hall, nursery, "cy")
    listens = Guest(hall, nursery, "ana")
    for guest in (listens, bo, cy):
        await guest.connect()

    break_listing_of(monkeypatch, "bo")

    for guest in (bo, cy):
        await guest.ask(c.CreateLobby, rules="classic")
    listed = await listens.wait_for(e.Listed)

    assert listed.lobby.host == "cy"
    assert "was left out" in caplog.text


async def test_while_a_lobby_could_not_be_listed_nobody_got_into_the_hall(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(nursery)
    ana, bo, cy = (Guest(hall, nursery, name) for name in ("ana", "bo", "cy"))
    for guest in (bo, cy):
        await guest.connect()
        await guest.ask(c.CreateLobby, rules="classic")
    break_listing_of(monkeypatch, "bo")

    await ana.connect()
    shown = await ana.wait_for(e.HallChanged)

    assert [listing.host for listing in shown.lobbies] == ["cy"]


async def test_a_fault_of_ours_in_telling_how_many_are_here_ended_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall = a_hall(nursery)
    ana = Guest(hall, nursery, "ana")
    await ana.connect()
    break_once(hall.notices, "_tell")
    await trio.sleep(ONLINE_EVERY_S + BREATHER_S)

    await Guest(hall, nursery, "bo").connect()
    online = await ana.wait_for(e.Online)

    assert online.count == 2
    assert "telling the hall how many are here failed" in caplog.text


async def test_on_a_full_disk_the_hall_was_not_told_how_many_are_there(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    people = [Guest(hall, nursery, name) for name in ("ana", "bo")]
    for guest in people:
        await guest.connect()
    players = await a_table(hall, nursery, "cy", "dee", rules="t600")
    store.is_full = True
    await trio.sleep(CENSUS_EVERY_S)  # who has become a player cannot be kept

    await people[1].vanish()
    with trio.fail_after(2 * ONLINE_EVERY_S):
        online = await people[0].wait_for(e.Online, lambda event: event.count == 3)

    assert online.count == len(people) - 1 + len(players)


class Dreamer:
    """A sleeper that cannot be woken."""

    wakes_at = listed_at = math.inf

    def wake(self) -> None:
        broken()


class Waking:
    """A sleeper that can."""

    wakes_at = listed_at = math.inf
    is_awake = False

    def wake(self) -> None:
        self.is_awake = True


async def test_a_fault_of_ours_in_waking_one_sleeper_ended_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    clock, waking = AlarmClock(), Waking()
    nursery.start_soon(clock.run)
    clock.set(Dreamer(), 1)
    clock.set(waking, 1)

    await trio.sleep(2)

    assert waking.is_awake
    assert "could not be woken" in caplog.text


async def test_a_fault_of_ours_in_one_ping_ended_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    pinger = Pinger(PING_S)
    nursery.start_soon(pinger.run)
    (ana, bo) = (call(pinger), call(pinger))
    break_once(ana.line, "ping")

    await trio.sleep(3 * PING_S - 1)

    assert (ana.line.pings, bo.line.pings) == (1, 3)
    assert caplog.text.count("a line could not be pinged") == 1


@pytest.mark.parametrize("where", ["_wait_for", "_ping_due"])
async def test_a_fault_of_ours_between_two_pings_ended_the_server(
    where: str,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    pinger = a_hall(nursery)._pinger
    break_once(pinger, where)
    ana, bo = call(pinger), call(pinger)

    await trio.sleep(PING_S + BREATHER_S + PING_S + 1)

    assert ana.line.pings == bo.line.pings > 2
    assert caplog.text.count("pinging failed") == 1


async def test_a_fault_of_ours_between_two_alarms_ended_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall, waking = a_hall(nursery), Waking()
    break_once(hall.alarm_clock, "_wake_all")
    await wait_all_tasks_blocked()

    hall.alarm_clock.set(waking, 1)
    await trio.sleep(1 + BREATHER_S)

    assert waking.is_awake
    assert caplog.text.count("waking whose time has come failed") == 1


async def test_a_fault_of_ours_in_taking_in_one_caller_ended_the_server(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_door(nursery) as house:
        break_once(door, "_tune")
        await (await house.call()).hear_to_the_end()

        await house.enter("bo")

    assert "could not be taken in" in caplog.text


async def test_a_fault_of_ours_in_telling_somebody_what_came_of_a_password_ended_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall = a_hall(nursery)
    ana = Guest(hall, nursery, "ana")
    await ana.connect()

    async def refuse(*_: object) -> None:
        break_once(person_of(hall, ana).line, "flush")
        raise NotAllowed(Refusal.TOO_MANY_LOBBIES)

    vars(hall._entrance)["_create_with_password"] = refuse
    refused = await ana.ask(c.CreateLobby, password="w")  # noqa: S106

    assert code_of(refused) is Refusal.TOO_MANY_LOBBIES  # heard with the next ping
    assert "somebody could not be let into a lobby" in caplog.text


async def test_a_fault_of_ours_in_seeing_somebody_off_stays_there(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_door(nursery) as house:
        await house.enter("ana")
        break_once(house.hall, "lost")
        await house.hang_up()
        await house.wait_for_sessions(0)

        await house.enter("bo")

    assert "the session with" in caplog.text


async def test_a_fault_of_ours_in_closing_a_lobby_left_its_people_in_it_for_good(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall = a_hall(nursery, lobbies_per_person=1)
    ana, bo = await a_party(hall, nursery, "ana", "bo")
    (lobby,) = hall.lobbies.values()
    break_once(lobby, "_close")
    lobby.give_way()

    with trio.fail_after(1):
        left = await bo.wait_for(e.LobbyLeft)
        created = await ana.ask(c.CreateLobby)

    assert left.reason == "The lobby is closed."
    assert isinstance(created, Accepted)
    assert lobby not in hall.lobbies.values()
    assert "could not be closed" in caplog.text


async def test_of_a_lobby_that_could_not_be_closed_its_people_were_told_once_more_in_the_next(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    ana, bo = await a_party(hall, nursery, "ana", "bo")
    (lobby,) = hall.lobbies.values()
    await bo.ask(c.Say, text="of the first lobby")
    break_once(lobby, "_close")
    lobby.give_way()
    await ana.wait_for(e.LobbyLeft)
    await ana.ask(c.CreateLobby)

    await ana.vanish()
    heard = len(ana.heard)
    await ana.connect(resume=True, last_event=1)  # it came no further on the line that was lost
    await ana.wait_for(e.LobbyChanged)

    assert not [event for _, event in ana.heard[heard:] if isinstance(event, e.Said)]


async def test_a_name_was_taken_for_good_after_a_fault_of_ours_in_keeping_that_its_owner_was_here(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store, wall = MemoryStore(), count(0, SEEN_EVERY_S)
    hall = a_hall(nursery, store=store, wall=lambda: next(wall))
    ana, welcome = await hall.admit(a_hello("ana"), HOME, 0)
    hall.people.leave(ana, now_us())
    break_once(store, "commit")

    with pytest.raises(ValueError, match="a fault of ours"):
        await hall.admit(a_hello("ana", secret=welcome.secret), HOME, 1)

    another, _ = await hall.admit(a_hello("ana"), HOME, 2)
    assert another is not ana


async def test_who_asked_for_something_in_a_lobby_that_we_failed_to_close_was_never_answered(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = HeldStore()
    store.may_keep.set()
    hall = a_hall(nursery, store=store)
    _, bo = await a_party(hall, nursery, "ana", "bo")
    (lobby,) = hall.lobbies.values()
    break_once(lobby, "_close")
    store.may_keep = trio.Event()
    lobby.give_way()
    await wait_all_tasks_blocked()
    number = await bo.send(c.SetReady)
    await wait_all_tasks_blocked()

    store.may_keep.set()

    assert code_of(await bo.answer_to(number)) is Refusal.NO_SUCH_LOBBY


@pytest.mark.parametrize("step", ["_refuse_if_too_fast", "_pass_on"])
async def test_a_command_with_which_the_hall_failed_was_never_answered_however_often_it_came(
    step: str, nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall = a_hall(nursery)
    ana = Guest(hall, nursery, "ana")
    await ana.connect()
    break_once(hall, step)

    refused = await ana.ask(c.CreateLobby)

    assert code_of(refused) is Refusal.TRY_AGAIN
    assert isinstance(await ana.ask(c.CreateLobby), Accepted)
    assert [record.getMessage() for record in caplog.records] == [
        "a command could not be passed on"
    ]
