"""The door on real loopback sockets: its limits, and what it survives.

Every test has its own port, waits for what the other side does and not for time, and closes what it
opened; the listening socket is closed by its test or by the end of its nursery.
"""

import contextlib
import errno
import logging
import socket
import sys
from typing import Any

import pytest
import trio

from protocol import commands as c
from protocol.answers import Accepted, Goodbye, Welcome
from protocol.codec import encode_command
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from server import listener as home
from server.config import Settings
from server.listener import open_socket
from tests.support.callers import a_hello
from tests.support.doors import StumblingSocket, a_door

# --- listening ----------------------------------------------------------------------------------


async def test_a_port_that_is_taken_is_an_error_and_leaves_no_socket_open() -> None:
    sock, _ = open_socket(Settings(port=0))
    with sock:
        taken = sock.getsockname()[1]

        with pytest.raises(OSError, match="in use"):
            open_socket(Settings(port=taken))


async def test_only_this_machine_is_listened_to_unless_asked() -> None:
    sock, _ = open_socket(Settings(port=0))
    with sock:
        assert sock.getsockname()[0] == "127.0.0.1"


async def test_lan_listens_on_all_addresses() -> None:
    sock, _ = open_socket(Settings(port=0, lan=True))
    with sock:
        assert sock.getsockname()[0] == "0.0.0.0"  # noqa: S104 - that is what is tested


def a_socket_on(host: str) -> socket.socket:
    try:
        return open_socket(Settings(port=0, host=host))[0]
    except OSError:
        pytest.skip("IPv6 is switched off on this machine")


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
async def test_an_address_with_colons_is_ipv6() -> None:
    with a_socket_on("::1") as sock:
        assert sock.getsockname()[0] == "::1"


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
async def test_all_addresses_of_ipv6_are_those_of_ipv4_as_well(address: str) -> None:
    with a_socket_on("::") as sock:
        socket.create_connection((address, sock.getsockname()[1])).close()


async def test_a_host_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(OSError, match=r".+"):
        open_socket(Settings(port=0, host="no such host"))


async def test_arrivals_are_stamped_where_the_system_can(nursery: trio.Nursery) -> None:
    sock, stamped = open_socket(Settings(port=0))
    sock.close()

    assert stamped == sys.platform.startswith("linux")


async def test_small_messages_leave_without_delay(nursery: trio.Nursery) -> None:
    async with a_door(nursery) as door:
        await door.enter("ana")
        (session,) = door.listener._sessions

        wire: Any = session._wire
        assert wire._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only on Linux")
async def test_what_a_vanished_peer_does_not_acknowledge_is_given_up_by_the_kernel_too(
    nursery: trio.Nursery,
) -> None:
    async with a_door(nursery, silence_s=7) as door:
        sock, _ = open_socket(Settings(port=0))
        with sock, socket.create_connection(sock.getsockname()):
            sock.setblocking(True)  # noqa: FBT003 - the socket's own word
            accepted, _ = sock.accept()
            with accepted:
                home._tune(accepted, door.hall.settings)
                given_up_ms = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)

    assert given_up_ms == 7_000


# --- limits -------------------------------------------------------------------------------------


async def test_at_the_limit_of_strangers_the_oldest_goes(nursery: trio.Nursery) -> None:
    async with a_door(nursery, unauthenticated=3) as door:
        oldest, *others = [await door.call() for _ in range(3)]
        await door.wait_for_sessions(3)

        await door.enter("ana")

        assert await oldest.hear_to_the_end() == b""
        for number, stranger in enumerate(others):
            await stranger.say(a_hello(f"p{number}"))
            await stranger.wait_for(Welcome)


async def test_a_crowd_that_said_hello_at_once_once_pushed_its_own_out(
    nursery: trio.Nursery,
) -> None:
    async with a_door(nursery, unauthenticated=2) as door:
        with contextlib.ExitStack() as stack:
            for number in range(20):  # all of them are here before the door looks at any
                sock = stack.enter_context(socket.create_connection(("127.0.0.1", door.port)))
                sock.sendall(encode_command(a_hello(f"p{number}")))

            while door.hall.people.online < 20:
                await trio.lowlevel.checkpoint()


async def test_a_stranger_that_dripped_a_byte_once_outlived_an_honest_one(
    nursery: trio.Nursery,
) -> None:
    async with a_door(nursery, unauthenticated=2) as door:
        dripper = await door.call()
        await dripper.send(b"\0")
        honest = await door.call()
        await door.wait_for_sessions(2)

        await door.call()

        assert await dripper.hear_to_the_end() == b""
        await honest.say(a_hello())
        await honest.wait_for(Welcome)


async def test_people_who_said_hello_are_no_strangers(nursery: trio.Nursery) -> None:
    async with a_door(nursery, unauthenticated=1) as door:
        ana = await door.enter("ana")

        for name in ("bo", "cy", "dee"):
            await door.enter(name)

        await ana.say(c.Say(n=CommandNumber(1), text="still here"))
        await ana.wait_for(Accepted)


async def test_of_those_who_were_gone_up_to_sixty_four_connections_were_held_for_good(
    nursery: trio.Nursery,
) -> None:
    async with a_door(nursery) as door:
        await door.enter("ana")
        await door.call()  # and says nothing
        await door.wait_for_sessions(2)

        await door.hang_up()
        await door.wait_for_sessions(0)

        assert not door.listener._strangers


# --- what it survives ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", [errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ECONNABORTED, errno.EPROTO]
)
async def test_an_accept_that_fails_stops_neither_those_inside_nor_the_next(
    fault: int, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StumblingSocket, "fault", fault)
    monkeypatch.setattr(home, "BREATHER_S", 0.01)
    async with a_door(nursery, stumbles=1) as door:
        ana = await door.enter("ana")
        door.sock.stumbles = 3

        await door.enter("bo")  # taken by the accept that was waiting
        await ana.say(c.Say(n=CommandNumber(1), text="still here"))
        await ana.wait_for(Accepted)
        await door.enter("cy")

        assert door.sock.stumbles == 0


async def test_running_out_of_descriptors_is_logged(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(home, "BREATHER_S", 0.01)
    async with a_door(nursery, stumbles=1) as door:
        await door.enter("ana")

    assert "running tables go on" in caplog.text


async def test_whoever_held_all_descriptors_once_filled_the_log_ten_times_a_second(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(home, "BREATHER_S", 0.001)
    async with a_door(nursery, stumbles=20) as door:
        await door.enter("ana")

        assert door.sock.stumbles == 0

    assert caplog.text.count("cannot accept") == 1


async def test_a_caller_who_was_gone_before_we_looked_once_stopped_the_server(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    async with a_door(nursery) as door:
        with monkeypatch.context() as patched:
            patched.setattr(home, "_tune", gone)
            caller = await door.call()
            assert await caller.hear_to_the_end() == b""

        await door.enter("ana")


async def test_a_fault_in_one_session_ends_that_session_alone_and_is_logged(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    async with a_door(nursery) as door:
        ana = await door.enter("ana")
        with monkeypatch.context() as patched:
            patched.setattr(door.hall, "admit", fail)
            unlucky = await door.call()
            await unlucky.say(a_hello("bo"))
            assert await unlucky.hear_to_the_end() == b""

        await ana.say(c.Say(n=CommandNumber(1), text="still here"))
        await ana.wait_for(Accepted)
        await door.wait_for_sessions(1)

    failures = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.getMessage() for record in failures] == ["the session with 127.0.0.1 failed"]


async def test_a_fault_in_one_session_once_would_have_made_the_ears_deaf(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    async with a_door(nursery) as door:
        unlucky, ana = await door.enter("bo"), await door.enter("ana")
        with monkeypatch.context() as patched:
            patched.setattr(door.hall, "obey", fail)
            await unlucky.say(c.Say(n=CommandNumber(1), text="crash"))
            await unlucky.hear_to_the_end()

        await ana.say(c.Say(n=CommandNumber(1), text="still here"))
        await ana.wait_for(Accepted)
        await door.wait_for_sessions(1)

    failures = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.getMessage() for record in failures] == ["the session with 127.0.0.1 failed"]


# --- the end ------------------------------------------------------------------------------------


async def test_closing_the_door_once_stopped_everything_with_an_error(
    nursery: trio.Nursery,
) -> None:
    async with a_door(nursery, hello_s=1_000) as door:
        ana = await door.enter("ana")
        stranger = await door.call()
        await door.wait_for_sessions(2)

        door.listener.stop()

        assert await stranger.hear_to_the_end() == b""
        await ana.say(c.Say(n=CommandNumber(1), text="still here"))
        await ana.wait_for(Accepted)
        await ana.stream.aclose()
        await door.listener.wait_until_ended()


async def test_a_goodbye_reaches_everybody_before_the_door_has_ended(
    nursery: trio.Nursery,
) -> None:
    async with a_door(nursery) as door:
        people = [await door.enter(name) for name in ("ana", "bo", "cy")]

        door.listener.stop()
        door.hall.close()
        await door.listener.wait_until_ended()

        for person in people:
            *_, last = await person.events_to_the_end()
            assert isinstance(last, Goodbye)
            assert last.code is Refusal.CLOSING


async def test_a_door_closed_while_it_drew_breath_once_knocked_at_its_own_for_ever(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_door(nursery) as door:
        door.listener.stop()

        await door.listener.wait_until_ended()

    assert "cannot accept" not in caplog.text
