"""Both ends of a connection, joined by a wire that is only this test handing over bytes."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import events as e
from protocol.answers import Accepted, Goodbye, Ping, Refused
from protocol.codec import UnknownEvent, encode_event, frame_event
from protocol.commands import Challenge, ClientMessage, CreateLobby, Pong
from protocol.connection import (
    CLIENT_HEARS,
    CLIENT_SAYS,
    SERVER_HEARS,
    SERVER_SAYS,
    ClientConnection,
    ServerConnection,
    State,
    Steps,
)
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.events import Event
from protocol.framing import COMMAND_CAP, EVENT_CAP, HELLO_CAP, frame
from protocol.numbers import CommandNumber, EventNumber, PlayNumber
from protocol.refusals import Refusal
from tests.protocol.examples import HELLO, WELCOME, a_play, both_open

T = TypeVar("T")

A_CHALLENGE = Challenge(n=CommandNumber(1), deal=1, play=PlayNumber(1))
A_LONG_WISH = CreateLobby(n=CommandNumber(2), rules="\U0001f0a1" * 200, password="\U0001f0a1" * 64)
GOODBYE = Goodbye(code=Refusal.CLOSING)
NOT_WELCOME = Refused(code=Refusal.NAME_TAKEN)
PIECES = [1, 2, 3, 7, 100_000]


def in_pieces(receive: Callable[[bytes], list[T]], stream: bytes, size: int) -> list[T]:
    """All that one end hears of a stream that arrives this many bytes at a time."""
    pieces = (stream[at : at + size] for at in range(0, len(stream), size))
    return [message for piece in pieces for message in receive(piece)]


# --- a whole conversation -----------------------------------------------------------------------


def test_hello_and_welcome_open_both_ends() -> None:
    client, server = ClientConnection(), ServerConnection()

    heard_by_server = server.receive(client.send(HELLO))
    heard_by_client = client.receive(server.send(WELCOME))

    assert heard_by_server == [HELLO]
    assert heard_by_client == [(0, WELCOME)]
    assert (client.state, server.state) == (State.OPEN, State.OPEN)


@pytest.mark.parametrize("size", PIECES)
def test_the_server_hears_the_same_in_pieces_of_any_size(size: int) -> None:
    said: list[ClientMessage] = [A_CHALLENGE, Pong(nonce=5), A_LONG_WISH]
    client, _ = both_open()
    stream = ClientConnection().send(HELLO) + b"".join(client.send(word) for word in said)

    server = ServerConnection()
    assert [*in_pieces(server.receive, stream, size), *server.receive(b"")] == [HELLO, *said]


@pytest.mark.parametrize("size", PIECES)
def test_the_client_hears_the_same_in_pieces_of_any_size(size: int) -> None:
    told: list[tuple[int, Event]] = [
        (0, WELCOME),
        (1, a_play(1, seat=1)),
        (0, Ping(nonce=9)),
        (2, e.Said(name="Ben", text="Hm.")),
        (0, Accepted(n=CommandNumber(1))),
    ]
    _, server = both_open()
    stream = b"".join(server.send(event, EventNumber(number)) for number, event in told)

    assert in_pieces(ClientConnection().receive, stream, size) == told


def test_an_event_packed_once_is_heard_under_each_ones_number() -> None:
    (client, _), event = both_open(), a_play(1, seat=1)
    shared = encode_event(event)

    heard = client.receive(frame_event(EventNumber(300), shared))

    assert heard == [(300, event)]


def test_after_hello_the_server_reads_longer_frames_even_in_the_same_bytes() -> None:
    client, _ = both_open()
    longer = client.send(A_LONG_WISH)

    server = ServerConnection()
    heard = [*server.receive(ClientConnection().send(HELLO) + longer), *server.receive(b"")]

    assert len(longer) > HELLO_CAP
    assert heard == [HELLO, A_LONG_WISH]


def test_what_came_behind_a_hello_was_once_read_before_anybody_was_let_in() -> None:
    server = ServerConnection()

    heard = server.receive(ClientConnection().send(HELLO) + frame(b"\xc1", COMMAND_CAP))

    assert heard == [HELLO]
    with pytest.raises(RemoteProtocolError):
        server.receive(b"")


def test_a_refused_hello_leaves_the_client_waiting_for_the_end() -> None:
    client, server = ClientConnection(), ServerConnection()
    server.receive(client.send(HELLO))

    heard = client.receive(server.send(NOT_WELCOME))

    assert heard == [(0, NOT_WELCOME)]
    assert client.state is State.EXPECT_WELCOME


def test_goodbye_closes_both_ends() -> None:
    client, server = both_open()

    client.receive(server.send(GOODBYE))

    assert (client.state, server.state) == (State.CLOSED, State.CLOSED)


def test_a_full_server_may_say_goodbye_before_the_hello() -> None:
    client = ClientConnection()

    heard = client.receive(ServerConnection().send(GOODBYE))

    assert heard == [(0, GOODBYE)]


def test_an_event_of_a_newer_server_is_skipped_but_counted() -> None:
    client, _ = both_open()

    heard = client.receive(frame(b"\x92\x07\x91\xa5rains", EVENT_CAP))

    assert heard == [(7, UnknownEvent(kind="rains"))]
    assert client.state is State.OPEN


# --- the end ------------------------------------------------------------------------------------


def test_a_peer_that_vanishes_closes_either_end() -> None:
    client, server = both_open()

    assert client.receive(None) == []
    assert server.receive(None) == []
    assert (client.state, server.state) == (State.CLOSED, State.CLOSED)


def test_what_comes_after_the_end_is_not_read() -> None:
    client, server = both_open()
    late_command, late_event = client.send(A_CHALLENGE), server.send(Ping(nonce=1))
    client.receive(None)
    server.receive(None)

    assert server.receive(late_command) == []
    assert client.receive(late_event) == []


def test_saying_something_after_the_end_is_our_own_fault() -> None:
    _, server = both_open()
    server.receive(None)

    with pytest.raises(LocalProtocolError):
        server.send(Ping(nonce=1))


def test_a_client_that_speaks_after_the_end_is_at_fault_itself() -> None:
    client, _ = both_open()
    client.receive(None)

    with pytest.raises(LocalProtocolError):
        client.send(A_CHALLENGE)


# --- out of turn ------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", [A_CHALLENGE, Pong(nonce=1)], ids=["command", "pong"])
def test_the_server_wants_a_hello_first(message: ClientMessage) -> None:
    client, _ = both_open()
    server = ServerConnection()

    with pytest.raises(RemoteProtocolError, match="EXPECT_HELLO"):
        server.receive(client.send(message))

    assert server.state is State.CLOSED


def test_a_second_hello_is_refused() -> None:
    _, server = both_open()

    with pytest.raises(RemoteProtocolError, match="Hello"):
        server.receive(ClientConnection().send(HELLO))


def test_the_client_says_hello_first() -> None:
    with pytest.raises(LocalProtocolError):
        ClientConnection().send(A_CHALLENGE)


def test_the_client_says_hello_once_it_is_in_no_more() -> None:
    client, _ = both_open()

    with pytest.raises(LocalProtocolError):
        client.send(HELLO)


def test_the_server_tells_nothing_before_hello() -> None:
    with pytest.raises(LocalProtocolError):
        ServerConnection().send(a_play(1, seat=1))


def test_the_client_wants_a_welcome_first() -> None:
    _, server = both_open()
    client = ClientConnection()

    with pytest.raises(RemoteProtocolError, match="EXPECT_WELCOME"):
        client.receive(server.send(a_play(1, seat=1), EventNumber(1)))

    assert client.state is State.CLOSED


def test_a_second_welcome_is_refused() -> None:
    client, server = both_open()

    with pytest.raises(RemoteProtocolError, match="Welcome"):
        client.receive(server.send(WELCOME))


def test_a_message_that_could_not_be_sent_does_not_move_the_state() -> None:
    _, server = both_open()
    too_long = Goodbye(code=Refusal.CLOSING, text="x" * EVENT_CAP)

    with pytest.raises(LocalProtocolError):
        server.send(too_long)

    assert server.state is State.OPEN


@pytest.mark.parametrize(
    ("says", "hears"), [(CLIENT_SAYS, SERVER_HEARS), (SERVER_SAYS, CLIENT_HEARS)]
)
def test_whatever_one_open_end_says_the_other_hears(says: Steps, hears: Steps) -> None:
    unheard = set(says[State.OPEN]) - set(hears[State.OPEN])

    assert unheard <= {type(WELCOME)}  # it opened the other end


# --- strangers and attackers --------------------------------------------------------------------


@pytest.mark.parametrize(
    "opening",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", id="HTTP"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", id="HTTP/2"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", id="TLS"),
        pytest.param(b"SSH-2.0-OpenSSH_9.2\r\n", id="SSH"),
        pytest.param(b"\xff\xfd\x18\xff\xfd\x20", id="telnet"),
        pytest.param(b"hi\n", id="three letters"),
        pytest.param(b"\n", id="one key"),
    ],
)
@pytest.mark.parametrize("size", [1, 100])
def test_a_stranger_is_told_what_this_port_is(opening: bytes, size: int) -> None:
    server = ServerConnection()

    with pytest.raises(RemoteProtocolError) as caught:
        in_pieces(server.receive, opening, size)

    assert caught.value.parting.decode("ascii").endswith("\r\n")
    assert caught.value.parting.count(b"\n") == 1
    assert b"Facedown" in caught.value.parting
    assert server.state is State.CLOSED


def test_a_broken_hello_is_answered_with_silence() -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        ServerConnection().receive(frame(b"\xc1", HELLO_CAP))

    assert caught.value.parting == b""


def test_a_text_byte_in_the_middle_of_a_hello_is_no_stranger() -> None:
    stream = ClientConnection().send(HELLO)
    server = ServerConnection()
    server.receive(stream[:5])

    assert server.receive(stream[5:]) == [HELLO]


def test_an_empty_read_is_nothing() -> None:
    assert ServerConnection().receive(b"") == []


def test_before_hello_a_frame_may_have_1_kib() -> None:
    with pytest.raises(RemoteProtocolError, match="1025"):
        ServerConnection().receive((HELLO_CAP + 1).to_bytes(4))


def test_after_hello_a_frame_may_have_8_kib() -> None:
    _, server = both_open()

    assert server.receive(COMMAND_CAP.to_bytes(4)) == []
    with pytest.raises(RemoteProtocolError, match="8193"):
        both_open()[1].receive((COMMAND_CAP + 1).to_bytes(4))


def test_to_the_client_a_frame_may_have_64_kib() -> None:
    client, _ = both_open()

    with pytest.raises(RemoteProtocolError, match="65537"):
        client.receive((EVENT_CAP + 1).to_bytes(4))

    assert client.state is State.CLOSED


@given(data=st.binary(min_size=1, max_size=300), size=st.sampled_from(PIECES))
def test_an_open_server_survives_any_bytes(data: bytes, size: int) -> None:
    _, server = both_open()

    try:
        in_pieces(server.receive, data, size)
    except RemoteProtocolError:
        assert server.state is State.CLOSED
    else:
        assert server.state is State.OPEN


@given(data=st.binary(min_size=1, max_size=300), size=st.sampled_from(PIECES))
def test_an_open_client_survives_any_bytes(data: bytes, size: int) -> None:
    client, _ = both_open()

    try:
        in_pieces(client.receive, data, size)
    except RemoteProtocolError:
        assert client.state is State.CLOSED
    else:
        assert client.state is State.OPEN
