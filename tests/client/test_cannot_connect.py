"""A server that cannot be reached is told of in the system's words, not in those of a library."""

import asyncio
import errno
import os
import socket
import threading
from collections.abc import Sequence
from random import Random
from typing import NoReturn

import pytest

from client.kept.identity import Keyring
from client.line import network as module
from client.line.dialling import Stream
from client.line.faults import in_words
from client.line.network import Ending, Network
from client.state import LinkRefused
from client.store import AnyEvent
from client.way_in.address import Address
from protocol.answers import Welcome
from protocol.commands import Hello
from tests.support.fake_server import FakeServer
from tests.support.network_ears import connected, run

TCP = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "")


def test_a_name_of_two_addresses_once_answered_with_a_list_of_exceptions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[AnyEvent] = []
    with socket.create_server(
        ("127.0.0.1", 0)
    ) as taken:  # nobody else listens there once it is closed
        port = taken.getsockname()[1]
    found = [(*TCP, (host, port)) for host in ("127.0.0.1", "127.0.0.2")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_how: found)

    ending = _connect(Address(host="twofold", port=port), heard)

    told = heard[-1]
    assert ending is Ending.UNREACHABLE
    assert isinstance(told, LinkRefused)
    assert told.text.startswith(f"Could not reach twofold:{port}: connection refused. ")


def test_where_the_first_address_of_a_name_was_silent_the_second_was_never_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connect, silent = asyncio.open_connection, "192.0.2.1"

    async def connect_unless_silent(host: str, port: int) -> Stream:
        if host == silent:
            await asyncio.Event().wait()
        return await connect(host, port)

    async def story(server: FakeServer) -> None:
        port = server.address.port
        found = [(*TCP, (host, port)) for host in (silent, "127.0.0.1")]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_how: found)
        async with connected(server, address=Address(host="twofold", port=port)) as (_, ears):
            await ears.hear(Welcome)

    monkeypatch.setattr(asyncio, "open_connection", connect_unless_silent)
    monkeypatch.setattr(module, "CONNECT_S", 0.5)

    run(story)


def test_who_said_localhost_told_their_secret_to_whoever_had_taken_its_other_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connect, called = asyncio.open_connection, []

    async def noted(host: str, port: int) -> Stream:
        called.append(host)
        return await connect(host, port)

    async def story(server: FakeServer) -> None:
        port = server.address.port
        found = [(*TCP, (host, port)) for host in ("::1", "127.0.0.1")]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_how: found)
        async with connected(server, address=Address(host="localhost", port=port)) as (_, ears):
            await ears.hear(Welcome)

    monkeypatch.setattr(asyncio, "open_connection", noted)

    run(story)

    assert called == ["127.0.0.1"]


def test_while_a_server_started_again_who_said_localhost_told_another_program_their_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called: list[str] = []

    async def refused(host: str, _port: int) -> Stream:
        called.append(host)
        raise ConnectionRefusedError

    found = [(*TCP, (host, 5252)) for host in ("::1", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_how: found)
    monkeypatch.setattr(asyncio, "open_connection", refused)

    ending = _connect(Address(host="localhost", port=5252), [])

    assert ending is Ending.UNREACHABLE
    assert called == ["127.0.0.1"]


def test_a_guest_on_a_box_at_its_bounds_crashed_for_want_of_a_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_more_threads(_: threading.Thread) -> NoReturn:
        message = "can't start new thread"
        raise RuntimeError(message)

    async def story(server: FakeServer) -> None:
        here = Address(host="localhost", port=server.address.port)
        async with connected(server, address=here) as (_, ears):
            await ears.hear(Welcome)

    monkeypatch.setattr(threading.Thread, "start", no_more_threads)

    run(story)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        pytest.param(
            OSError(errno.EHOSTUNREACH, "Connect call failed ('192.0.2.9', 5252)"),
            os.strerror(errno.EHOSTUNREACH).lower(),
            id="one address without a way there",
        ),
        pytest.param(
            OSError(
                f"Multiple exceptions: [Errno {errno.ENETUNREACH}] Connect call failed, and so on"
            ),
            os.strerror(errno.ENETUNREACH).lower(),
            id="several of them",
        ),
        pytest.param(ConnectionResetError("Connection lost"), "connection lost", id="no number"),
        pytest.param(OSError(), "the line broke", id="nothing at all"),
    ],
)
def test_a_host_without_a_way_there_was_once_a_connect_call(error: OSError, words: str) -> None:
    assert in_words(error) == words


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (socket.gaierror(socket.EAI_NONAME, "x"), "no machine has that name. Check it, or take"),
        (socket.gaierror(socket.EAI_AGAIN, "x"), "names cannot be looked up just now. Check it"),
    ],
    ids=["a slip", "no network"],
)
def test_whoever_had_mistyped_a_name_was_told_to_start_a_server_there(
    error: OSError, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _told_of(error, "kichen", monkeypatch).startswith(f"Could not reach kichen:5252: {said}")


def test_who_named_a_lobby_and_no_server_was_told_to_check_the_name_of_a_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = _told_of(socket.gaierror(socket.EAI_NONAME, "x"), "fox-42", monkeypatch)

    assert told.endswith("If FOX-42 is a lobby, say where it is: HOST/FOX-42.")


def _told_of(error: OSError, host: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is said where looking this name up fails."""
    heard: list[AnyEvent] = []

    def look_up(*_asked: object, **_how: object) -> NoReturn:
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    _connect(Address(host=host), heard)
    told = heard[-1]
    assert isinstance(told, LinkRefused)
    return told.text


@pytest.mark.parametrize(
    ("hangs_up", "reason"), [(True, "it hangs up"), (False, "no answer")], ids=["hangs up", "mute"]
)
def test_who_had_reached_a_tunnel_without_a_server_was_asked_whether_one_is_running_there(
    reason: str, monkeypatch: pytest.MonkeyPatch, *, hangs_up: bool
) -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (_, ears):
            await server.hears(Hello)
            if hangs_up:
                server.cut()
            told = await ears.hear(LinkRefused)

        assert isinstance(told, LinkRefused)
        assert f": {reason}. Something takes calls there that does not say hello:" in told.text

    monkeypatch.setattr(module, "GREETING_S", 10.0 if hangs_up else 0.1)

    run(story, lambda _: ())


def test_whoever_left_while_a_name_was_looked_up_waited_until_nobody_had_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, answered, over = threading.Event(), threading.Event(), threading.Event()

    def ask_in_vain(*_asked: object, **_how: object) -> NoReturn:
        asked.set()
        over.wait(5)  # as a machine without a way out does
        answered.set()
        raise socket.gaierror

    async def leave_meanwhile() -> None:
        network = _network(Address(host="far"), [])
        async with asyncio.TaskGroup() as group:
            group.create_task(network.run())
            await asyncio.to_thread(asked.wait, 5)
            network.close()

    monkeypatch.setattr(socket, "getaddrinfo", ask_in_vain)

    asyncio.run(leave_meanwhile())

    assert not answered.is_set()
    over.set()


def test_an_address_that_holds_on_one_link_alone_was_dialled_without_naming_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialled: list[str] = []

    async def refuse(host: str, _port: int) -> NoReturn:
        dialled.append(host)
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "open_connection", refuse)

    _connect(Address(host="fe80::1%lo"), [])

    assert dialled == [f"fe80::1%{socket.if_nametoindex('lo')}"]


def _connect(address: Address, heard: list[AnyEvent]) -> Ending | None:
    network = _network(address, heard)
    asyncio.run(network.run())
    return network.ending


def _network(address: Address, heard: list[AnyEvent]) -> Network:
    def tell(events: Sequence[AnyEvent]) -> None:
        heard.extend(events)

    return Network(
        address, name="maya", version="test", keyring=Keyring(None), tell=tell, dice=Random(7)
    )
