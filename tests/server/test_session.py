"""One connection from the first byte to the last: hello, strangers, pings, replacement, answers."""

import pytest
import trio
from trio.testing import MockClock, lockstep_stream_pair, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import MAJOR, MINOR, Accepted, Goodbye, Ping, Refused, Welcome
from protocol.codec import encode_command
from protocol.connection import PARTING
from protocol.framing import COMMAND_CAP, HELLO_CAP
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from protocol.rules import CLASSIC
from server.hall import Hall
from server.people import STORED_ANSWERS, Person
from server.session import PARTING_S
from tests.support.callers import Caller, a_call, a_hello, an_unserved_call
from tests.support.guests import Guest, a_hall, a_party

HELLO_S, SILENCE_S = 5, 15


def say_command(number: int, text: str = "hi") -> c.Say:
    return c.Say(n=CommandNumber(number), text=text)


def the_only_person(hall: Hall) -> Person:
    (person,) = hall.people
    return person


async def welcomed(hall: Hall, nursery: trio.Nursery, name: str = "ana") -> Caller:
    """Somebody who has said hello and heard the welcome."""
    caller = a_call(hall, nursery)
    await caller.say(a_hello(name))
    await caller.wait_for(Welcome)
    return caller


async def refused_hello(hall: Hall, nursery: trio.Nursery, hello: c.Hello) -> Refused:
    caller = a_call(hall, nursery)
    await caller.say(hello)
    (answer,) = await caller.events_to_the_end()
    assert isinstance(answer, Refused)
    return answer


# --- before the hello ---------------------------------------------------------------------------


async def test_a_connection_that_says_nothing_is_closed_after_the_time_for_hello(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    caller = a_call(a_hall(nursery), nursery)

    assert await caller.hear_to_the_end() == b""

    assert trio.current_time() == pytest.approx(HELLO_S, abs=0.1)


async def test_the_time_for_hello_is_not_stretched_by_dripping_bytes(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    caller = a_call(a_hall(nursery), nursery)
    hello = encode_command(a_hello())

    async def drip() -> None:
        for number in range(len(hello)):
            await trio.sleep(0.9)
            if caller.closed.is_set():
                return
            await caller.send(hello[number : number + 1])

    nursery.start_soon(drip)

    assert await caller.hear_to_the_end() == b""
    assert trio.current_time() == pytest.approx(HELLO_S, abs=0.1)
    assert not caller.session.has_spoken


async def test_a_hello_in_single_bytes_is_a_hello_all_the_same(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    caller = a_call(a_hall(nursery), nursery)

    for byte in encode_command(a_hello()):
        await caller.send(bytes([byte]))
        await wait_all_tasks_blocked()

    assert (await caller.wait_for(Welcome)).name == "ana"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", id="HTTP"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", id="TLS"),
        pytest.param(b"\xff\xfd\x18\xff\xfd\x20", id="telnet"),
        pytest.param(b"SSH-2.0-OpenSSH_9.2\r\n", id="SSH"),
        pytest.param(b"hello?\n", id="somebody typing"),
    ],
)
async def test_a_stranger_is_told_in_one_plain_line_what_this_is(
    data: bytes, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    caller = a_call(hall, nursery)

    await caller.send(data)

    assert await caller.hear_to_the_end() == PARTING
    assert PARTING.count(b"\n") == 1
    assert list(hall.people) == []
    assert trio.current_time() < 1


@pytest.mark.parametrize(
    "data",
    [
        pytest.param((HELLO_CAP + 1).to_bytes(4), id="too long for a hello"),
        pytest.param(bytes(4), id="of no length"),
        pytest.param((3).to_bytes(4) + b"\xc1\xc1\xc1", id="no MessagePack"),
        pytest.param(encode_command(say_command(1)), id="a command"),
        pytest.param(encode_command(c.Pong(nonce=1)), id="a pong"),
    ],
)
async def test_a_frame_that_is_no_hello_closes_the_connection_without_a_word(
    data: bytes, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    caller = a_call(hall, nursery)

    await caller.send(data)

    assert await caller.hear_to_the_end() == b""
    assert trio.current_time() < 1
    assert list(hall.people) == []


async def test_whoever_leaves_before_the_hello_leaves_nothing_behind(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    caller = a_call(hall, nursery)
    await caller.send(encode_command(a_hello())[:10])

    await caller.stream.aclose()
    await caller.closed.wait()

    assert list(hall.people) == []
    assert trio.current_time() < 1


# --- a hello that is refused --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hello", "refusal"),
    [
        pytest.param(a_hello(major=MAJOR - 1), Refusal.OLD_CLIENT, id="an older version"),
        pytest.param(a_hello(major=MAJOR + 1), Refusal.OLD_SERVER, id="a newer version"),
        pytest.param(a_hello("a  b"), Refusal.BAD_NAME, id="a bad name"),
        pytest.param(a_hello("Server"), Refusal.BAD_NAME, id="a reserved name"),
        pytest.param(a_hello("casual"), Refusal.BAD_NAME, id="a computer player's name"),
        pytest.param(a_hello("B0"), Refusal.NAME_TAKEN, id="a name that is taken"),
        pytest.param(a_hello(secret=bytes(32)), Refusal.BAD_SECRET, id="a bad secret"),
    ],
)
async def test_a_hello_is_refused_with_a_reason_and_the_connection_closed(
    hello: c.Hello, refusal: Refusal, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    await welcomed(hall, nursery, "bo")

    answer = await refused_hello(hall, nursery, hello)

    assert (answer.code, answer.n) == (refusal, None)
    assert answer.text
    assert [person.name for person in hall.people] == ["bo"]


async def test_a_newer_minor_version_is_welcome(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    caller = a_call(a_hall(nursery), nursery)

    await caller.say(a_hello(minor=999))

    assert (await caller.wait_for(Welcome)).minor == MINOR


async def test_a_bad_secret_changes_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (ana,) = await a_party(hall, nursery, "ana")

    await refused_hello(hall, nursery, a_hello("ana", secret=bytes(32)))

    assert the_only_person(hall).connected
    assert not ana.said_goodbye()
    assert isinstance(await ana.ask(c.Say, text="still here"), Accepted)


async def test_a_server_that_is_closing_lets_nobody_in(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    hall.close()

    assert (await refused_hello(hall, nursery, a_hello())).code is Refusal.CLOSING


# --- after the hello ----------------------------------------------------------------------------


async def test_a_newcomer_is_welcomed_and_shown_the_hall(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    caller = a_call(a_hall(nursery), nursery)
    await caller.say(a_hello())

    welcome = await caller.wait_for(Welcome)
    hall_changed = await caller.wait_for(e.HallChanged)

    assert (hall_changed.online, hall_changed.lobbies) == (1, ())
    assert (welcome.name, welcome.resumed, welcome.last_command) == ("ana", False, 0)
    assert welcome.secret is not None


async def test_commands_sent_together_with_the_hello_are_obeyed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    caller = a_call(hall, nursery)

    await caller.say(a_hello(), say_command(1), say_command(2))

    assert [(await caller.wait_for(Accepted)).n for _ in range(2)] == [1, 2]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param((COMMAND_CAP + 1).to_bytes(4), id="too long for a command"),
        pytest.param(bytes(4), id="of no length"),
        pytest.param((3).to_bytes(4) + b"\xc1\xc1\xc1", id="no MessagePack"),
        pytest.param(encode_command(a_hello()), id="a second hello"),
        pytest.param((7).to_bytes(4) + b"\x81\xa4type\xc0", id="of no type"),
    ],
)
async def test_a_bad_frame_after_the_hello_closes_the_connection_without_a_word(
    data: bytes, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    caller = await welcomed(hall, nursery)

    await caller.send(data)

    assert await caller.hear_to_the_end() == b""
    assert trio.current_time() < 1
    assert not the_only_person(hall).connected


async def test_a_frame_as_long_as_a_command_may_be_is_waited_for(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    caller = await welcomed(hall, nursery)

    await caller.send(COMMAND_CAP.to_bytes(4) + bytes(COMMAND_CAP - 1))
    await wait_all_tasks_blocked()

    assert the_only_person(hall).connected


async def test_a_bad_frame_costs_the_line_and_not_the_seat(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    ana, bo = await a_party(hall, nursery, "ana", "bo")

    await ana._stream.send_all(bytes(4))
    await bo.wait_for(e.LobbyNews, lambda news: news.news is e.News.LOST)

    assert bo.lobby is not None
    assert [(seat.name, seat.connected) for seat in bo.lobby.seats] == [
        ("ana", False),
        ("bo", True),
    ]


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
    host, other = await a_party(hall, nursery, "host-1", "bo")
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
    other = await welcomed(hall, nursery, "bo")
    deaf = a_call(hall, nursery, streams=lockstep_stream_pair)
    await deaf.say(a_hello())
    await wait_all_tasks_blocked()
    person = next(person for person in hall.people if person.name == "ana")

    deaf.session.end(Refusal.ELSEWHERE)
    await deaf.say(say_command(1))
    await deaf.closed.wait()

    assert person.last_command == 0
    assert other.session.has_spoken


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


async def test_the_older_connections_end_does_not_end_the_newer(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (ana,) = await a_party(hall, nursery, "ana")

    await ana.connect(resume=True)
    await trio.sleep(2 * SILENCE_S)

    assert isinstance(await ana.ask(c.Say, text="here"), Accepted)
    assert the_only_person(hall).connected


# --- commands that come again -------------------------------------------------------------------


async def send_again(guest: Guest, number: int, text: str) -> None:
    await guest.write(say_command(number, text))
    await wait_all_tasks_blocked()


def answers_of(guest: Guest, number: int) -> list[e.Event]:
    return [event for event in guest.all_heard(e.Event) if getattr(event, "n", None) == number]


async def test_a_command_that_comes_again_gets_its_stored_answer_and_is_not_done_twice(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, bo = await a_party(a_hall(nursery), nursery, "ana", "bo")
    number = await ana.send(c.Say, text="once")
    await ana.answer_to(number)
    await ana.vanish()

    await ana.connect(resume=True)
    await send_again(ana, number, "once")

    assert answers_of(ana, number) == [Accepted(n=CommandNumber(number))] * 2
    assert len(bo.all_heard(e.Said)) == 1


async def test_a_refused_command_that_comes_again_is_refused_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (ana,) = await a_party(a_hall(nursery), nursery, "ana")
    number = await ana.send(c.Say, text="\u200b")
    first = await ana.answer_to(number)

    await send_again(ana, number, "this time something")

    assert isinstance(first, Refused)
    assert first.code is Refusal.EMPTY_TEXT
    assert answers_of(ana, number) == [first, first]
    assert not ana.all_heard(e.Said)


async def test_the_last_32_answers_are_kept_and_older_numbers_are_refused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (ana,) = await a_party(a_hall(nursery, commands_burst=1_000), nursery, "ana")
    numbers = [await ana.send(c.SetReady, ready=bool(step % 2)) for step in range(40)]
    await ana.answer_to(numbers[-1])
    newest, oldest_kept, too_old = numbers[-1], numbers[-STORED_ANSWERS], numbers[-33]

    for number in (newest, oldest_kept, too_old):
        await send_again(ana, number, "again")

    assert answers_of(ana, newest)[1:] == [Accepted(n=CommandNumber(newest))]
    assert answers_of(ana, oldest_kept)[1:] == [Accepted(n=CommandNumber(oldest_kept))]
    (refused,) = answers_of(ana, too_old)[1:]
    assert isinstance(refused, Refused)
    assert refused.code is Refusal.OLD_NUMBER


async def test_a_number_that_was_skipped_is_an_old_number(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (ana,) = await a_party(a_hall(nursery), nursery, "ana")
    await send_again(ana, 50, "fifty")

    await send_again(ana, 49, "forty-nine")

    (refused,) = answers_of(ana, 49)
    assert isinstance(refused, Refused)
    assert refused.code is Refusal.OLD_NUMBER


async def test_a_command_still_waiting_is_answered_on_the_newer_connection_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (ana,) = await a_party(hall, nursery, "ana")
    person = the_only_person(hall)
    number = CommandNumber(person.last_command + 1)
    person.last_command = number
    person.pending.add(number)  # as of a play that is held (RULES C3)
    await ana.vanish()

    await ana.connect(resume=True)
    await send_again(ana, number, "again")
    assert answers_of(ana, number) == []
    person.answer(number, Accepted(n=number))
    person.flush()
    await wait_all_tasks_blocked()

    assert answers_of(ana, number) == [Accepted(n=number)]


async def test_the_welcome_says_which_command_was_the_last(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (ana,) = await a_party(a_hall(nursery), nursery, "ana")
    number = await ana.send(c.Say, text="hi")
    await ana.answer_to(number)

    await ana.vanish()
    await ana.connect(resume=True)

    assert ana.welcome is not None
    assert ana.welcome.last_command == number
    assert ana.welcome.resumed


async def test_another_epoch_is_not_resumed_but_shown_afresh(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (ana,) = await a_party(hall, nursery, "ana")
    caller = a_call(hall, nursery)

    await caller.say(a_hello("ana", secret=ana.secret, epoch="of an earlier start"))

    assert not (await caller.wait_for(Welcome)).resumed
    assert (await caller.wait_for(e.LobbyChanged)).lobby.rules == CLASSIC


# --- faults of ours -----------------------------------------------------------------------------


@pytest.mark.parametrize("broken", ["arrived", "obey"])
async def test_a_fault_of_ours_ends_the_session_and_leaves_no_dead_line_behind(
    broken: str,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    hall = a_hall(nursery)
    caller = an_unserved_call(hall)
    await caller.say(a_hello(), say_command(1))

    with monkeypatch.context() as patched:
        patched.setattr(hall, broken, fail)
        with pytest.raises((ZeroDivisionError, ExceptionGroup)):
            await caller.session.run()

    await caller.hear_to_the_end()
    assert not the_only_person(hall).connected
    await welcomed(hall, nursery, "ana")  # the name is free again
