"""One connection at its beginning: hello, strangers, bad frames; and a fault of ours."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import MAJOR, MINOR, Accepted, Refused, Welcome
from protocol.codec import encode_command
from protocol.connection import PARTING
from protocol.framing import COMMAND_CAP, HELLO_CAP
from protocol.refusals import Refusal
from server.hall import Hall
from tests.support.callers import (
    a_call,
    a_hello,
    say_command,
    the_only_person,
    welcomed,
)
from tests.support.guests import a_hall, a_party

HELLO_S, SILENCE_S = 5, 15


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
        pytest.param(a_hello("casual"), Refusal.COMPUTERS_NAME, id="a computer player's name"),
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


# --- faults of ours -----------------------------------------------------------------------------


@pytest.mark.parametrize("broken", ["arrived", "obey"])
async def test_a_fault_of_ours_ends_the_session_and_leaves_no_dead_line_behind(
    broken: str,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    hall = a_hall(nursery)
    caller = a_call(hall, nursery)
    with monkeypatch.context() as patched:
        patched.setattr(hall, broken, fail)
        await caller.say(a_hello(), say_command(1))
        await caller.hear_to_the_end()

    assert caller.closed.is_set()
    assert [record.getMessage() for record in caplog.records] == [
        "the session with 127.0.0.1 failed"
    ]
    assert not the_only_person(hall).connected
    await welcomed(hall, nursery, "ana")  # the name is free again
