"""How long a line lasts: pings, silence, slow clients, goodbyes, newer connections."""

import pytest
import trio
from trio.testing import MockClock, lockstep_stream_pair, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Goodbye, Ping, Refused, Welcome
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from server.session import PARTING_S
from tests.support.callers import a_call, a_hello, say_command, the_only_person, welcomed
from tests.support.guests import a_hall, a_party
from tests.support.memory_store import HeldStore

SILENCE_S = 15


# --- pings and silence --------------------------------------------------------------------------


async def test_a_ping_comes_at_once_and_then_every_few_seconds(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    caller = a_call(a_hall(nursery), nursery)
    await caller.say(a_hello())

    heard = await caller.events_to_the_end()

    pings = [event for event in heard if isinstance(event, Ping)]
    assert len(pings) in {SILENCE_S // 5, SILENCE_S // 5 + 1}
    assert len({ping.nonce for ping in pings}) == len(pings)


async def test_the_round_trip_is_measured_from_ping_to_pong(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    caller = await welcomed(hall, nursery)
    ping = await caller.wait_for(Ping)

    await trio.sleep(0.2)
    await caller.say(c.Pong(nonce=ping.nonce))
    await wait_all_tasks_blocked()

    assert the_only_person(hall).rtt_us == pytest.approx(200_000, abs=1_000)
    await trio.sleep(5)
    assert (await caller.wait_for(Ping)).rtt_us == the_only_person(hall).rtt_us


async def test_the_round_trip_of_a_former_line_was_told_as_that_of_the_new_one(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (ana,) = await a_party(hall, nursery, "ana")
    the_only_person(hall).rtt_us = 200_000

    newer = a_call(hall, nursery)
    await newer.say(a_hello("ana", secret=ana.secret))
    ping = await newer.wait_for(Ping)

    assert ping.rtt_us is None
    assert the_only_person(hall).rtt_us is None


@pytest.mark.parametrize("off_by", [1, -1])
async def test_a_pong_that_answers_no_ping_measures_nothing(
    off_by: int, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    caller = await welcomed(hall, nursery)
    ping = await caller.wait_for(Ping)

    await caller.say(c.Pong(nonce=ping.nonce + off_by))
    await wait_all_tasks_blocked()

    assert the_only_person(hall).rtt_us is None


async def test_a_second_pong_to_the_same_ping_does_not_change_the_round_trip(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    caller = await welcomed(hall, nursery)
    ping = await caller.wait_for(Ping)
    await trio.sleep(0.1)
    await caller.say(c.Pong(nonce=ping.nonce))

    await trio.sleep(3)
    await caller.say(c.Pong(nonce=ping.nonce))
    await wait_all_tasks_blocked()

    assert the_only_person(hall).rtt_us == pytest.approx(100_000, abs=1_000)


async def test_a_silent_line_was_once_kept_a_ping_longer_than_its_time(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, bo = await a_party(a_hall(nursery), nursery, "ana", "bo")
    ana.answers_pings = False
    await trio.sleep(2)  # between two pings
    await ana.ask(c.Say, text="my last words")

    await bo.wait_for(e.LobbyNews, lambda news: news.news is e.News.LOST)

    assert trio.current_time() == pytest.approx(2 + SILENCE_S, abs=0.1)


async def test_any_word_will_do_instead_of_a_pong(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (ana,) = await a_party(a_hall(nursery), nursery, "ana")
    ana.answers_pings = False

    for _ in range(6):
        await trio.sleep(SILENCE_S - 1)
        assert isinstance(await ana.ask(c.Say, text="hm"), Accepted)


# --- a client that does not read ----------------------------------------------------------------


async def test_a_client_that_never_reads_is_closed_as_slow_and_keeps_its_seat(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(
        nursery, send_queue=4_000, chat_burst=1_000, commands_burst=1_000, silence_s=10_000
    )
    host, other = await a_party(hall, nursery, "ana", "bo")
    slow = a_call(hall, nursery, streams=lockstep_stream_pair)
    await slow.say(a_hello("slow"))
    assert host.lobby is not None
    await slow.wait_for(Welcome)
    await slow.say(c.JoinLobby(n=CommandNumber(1), code=host.lobby.code))
    await host.wait_for(
        e.LobbyNews, lambda news: news.news is e.News.JOINED and news.name == "slow"
    )

    for number in range(100):
        await host.ask(c.Say, text=f"line {number} " + "x" * 100)
    with trio.fail_after(1):
        await slow.closed.wait()
    await host.wait_for(e.LobbyNews, lambda news: news.news is e.News.LOST)

    assert host.lobby is not None
    assert [(seat.name, seat.connected) for seat in host.lobby.seats][2] == ("slow", False)
    assert len(other.all_heard(e.Said)) == 100


# --- goodbye ------------------------------------------------------------------------------------


async def test_everybody_is_told_when_the_server_closes(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_party(hall, nursery, "ana", "bo")
    caller = await welcomed(hall, nursery, "cy")

    hall.close()
    heard = await caller.events_to_the_end()
    await wait_all_tasks_blocked()

    assert isinstance(heard[-1], Goodbye)
    assert heard[-1].code is Refusal.CLOSING
    assert all(guest.said_goodbye() for guest in guests)
    assert hall.people.online == 0


async def test_a_client_that_does_not_hear_the_goodbye_is_not_waited_for_long(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    deaf = a_call(hall, nursery, streams=lockstep_stream_pair)
    await deaf.say(a_hello())
    await wait_all_tasks_blocked()

    hall.close()
    await deaf.closed.wait()

    assert trio.current_time() == pytest.approx(PARTING_S, abs=0.1)


async def test_what_is_sent_after_the_goodbye_is_not_obeyed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    deaf = a_call(hall, nursery, streams=lockstep_stream_pair)
    await deaf.say(a_hello())
    await wait_all_tasks_blocked()

    deaf.session.say_goodbye(Refusal.ELSEWHERE)
    await deaf.say(say_command(1))
    await deaf.closed.wait()

    assert the_only_person(hall).last_command == 0


# --- replaced by a newer connection -------------------------------------------------------------


async def test_a_valid_resume_replaces_the_older_connection(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    ana, bo = await a_party(hall, nursery, "ana", "bo")
    assert ana.secret is not None

    newer = a_call(hall, nursery)
    await newer.say(a_hello("ana", secret=ana.secret))
    welcome = await newer.wait_for(Welcome)
    await wait_all_tasks_blocked()

    assert welcome.secret is None
    assert [goodbye.code for goodbye in ana.all_heard(Goodbye)] == [Refusal.ELSEWHERE]
    assert hall.people.online == 2
    assert not [x for x in bo.all_heard(e.LobbyNews) if x.news is e.News.LOST]


async def test_a_line_accepted_before_the_newest_took_its_place_by_being_let_in_after_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    older = a_call(hall, nursery)
    (ana,) = await a_party(hall, nursery, "ana")

    await older.say(a_hello("ana", secret=ana.secret))
    refused = await older.wait_for(Refused)

    assert refused.code is Refusal.ELSEWHERE
    assert not ana.all_heard(Goodbye)
    assert isinstance(await ana.ask(c.Say, text="still here"), Accepted)


@pytest.mark.parametrize("says", ["before", "after"])
async def test_a_line_that_was_turned_away_had_already_changed_whose_it_was(
    nursery: trio.Nursery, autojump_clock: MockClock, says: str
) -> None:
    """It says hello before or after the newer line that has been let in by the time it is kept."""
    store = HeldStore()
    hall = a_hall(nursery, store=store)
    store.may_keep.set()
    (ana,) = await a_party(hall, nursery, "ana")
    await ana.ask(c.LeaveLobby)
    older = a_call(hall, nursery, address="192.0.2.7")
    newer = a_call(hall, nursery)
    hellos = {
        older: a_hello("anna", secret=ana.secret, ssh=True),
        newer: a_hello("ana", secret=ana.secret),
    }
    store.may_keep = trio.Event()

    for line in (older, newer) if says == "before" else (newer, older):
        await line.say(hellos[line])
        await wait_all_tasks_blocked()
    store.may_keep.set()
    refused = await older.wait_for(Refused)

    person = the_only_person(hall)
    assert refused.code is Refusal.ELSEWHERE
    assert (person.name, person.ssh, person.address) == ("ana", False, "127.0.0.1")
    stranger = await welcomed(hall, nursery, "anna")  # nor is the name taken
    assert (await newer.wait_for(Welcome)).name == "ana"
    assert not stranger.closed.is_set()


async def test_the_older_connections_end_does_not_end_the_newer(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (ana,) = await a_party(hall, nursery, "ana")

    await ana.connect(resume=True)
    await trio.sleep(2 * SILENCE_S)

    assert isinstance(await ana.ask(c.Say, text="here"), Accepted)
    assert the_only_person(hall).connected
