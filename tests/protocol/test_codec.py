"""Strict towards the server, tolerant towards the client, and never any fault but the typed one."""

import math
from itertools import takewhile
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import events as e
from protocol.answers import Welcome
from protocol.cards import Rank
from protocol.codec import (
    COMMANDS,
    EVENTS,
    UnknownEvent,
    decode_command,
    decode_event,
    encode_command,
    encode_event,
    frame_event,
)
from protocol.commands import Challenge, ClientMessage, CreateLobby, PlayCards, Say
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.events import Event
from protocol.framing import COMMAND_CAP, EVENT_CAP, HELLO_CAP, PREFIX
from protocol.numbers import CommandNumber, EventNumber, PileNumber, PlayNumber
from protocol.text import MAX_CHAT
from tests.protocol.examples import HELLO, WELCOME, a_play
from tests.protocol.strategies import ANY_COMMAND, ANY_EVENT

A_PLAY = {
    "type": "play",
    "n": 1,
    "deal": 1,
    "after": 0,
    "pile": 0,
    "cards": [3],
    "count": 1,
    "rank": 1,
}
SEVEN = EventNumber(7)
LONGEST_SHORT_LIST = 15  # elements, by the specification of msgpack


def packed(**fields: object) -> bytes:
    """A play with some fields changed or added, as an attacker would pack it."""
    return msgpack.packb({**A_PLAY, **fields})


def to_client(number: object, fields: object) -> bytes:
    """What is in a frame to the client."""
    return msgpack.packb([number, fields])


# --- both ways ----------------------------------------------------------------------------------


@given(message=ANY_COMMAND)
def test_every_command_is_read_as_it_was_meant(message: ClientMessage) -> None:
    assert decode_command(encode_command(message)[PREFIX:]) == message


@given(event=ANY_EVENT, number=st.integers(0, 2**53))
def test_every_event_is_read_as_it_was_meant(event: Event, number: int) -> None:
    body = frame_event(EventNumber(number), encode_event(event))[PREFIX:]

    assert decode_event(body) == (number, event)


@given(event=ANY_EVENT)
def test_both_packers_write_the_same_bytes_of_an_event(event: Event) -> None:
    fields = msgspec.to_builtins(event, builtin_types=(bytes,))
    fields_with_defaults = zip(
        reversed(fields), reversed(type(event).__struct_defaults__), strict=False
    )
    spare = takewhile(
        lambda pair: pair[1] is not msgspec.NODEFAULT and pair[0] == msgspec.to_builtins(pair[1]),
        fields_with_defaults,
    )
    sent = fields[: len(fields) - len(tuple(spare))]

    assert encode_event(event) == msgpack.packb(sent)


@given(message=ANY_COMMAND)
def test_both_packers_write_the_same_bytes_of_a_command(message: ClientMessage) -> None:
    fields = msgspec.to_builtins(message, builtin_types=(bytes,))

    assert encode_command(message)[4:] == msgpack.packb(fields)


def test_all_types_have_a_name_of_their_own() -> None:
    assert len(set(COMMANDS)) == len(set(COMMANDS.values()))
    assert set(EVENTS.values()) == set(Event.__subclasses__()) - {UnknownEvent}


def test_a_public_event_is_packed_once_for_all_numbers() -> None:
    shared = encode_event(a_play(3, seat=1))

    first, second = frame_event(EventNumber(1), shared), frame_event(EventNumber(70_000), shared)

    assert first.endswith(shared)
    assert second.endswith(shared)


# --- to the server ------------------------------------------------------------------------------


def test_a_play_is_read() -> None:
    assert decode_command(packed()) == PlayCards(
        n=CommandNumber(1),
        deal=1,
        after=PlayNumber(0),
        pile=PileNumber(0),
        cards=(3,),  # type: ignore[arg-type]
        count=1,
        rank=Rank.ACE,
    )


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"type": "steal"}, id="unknown type"),
        pytest.param({"type": 7}, id="type is a number"),
        pytest.param({"type": ["play"]}, id="type is a list"),
        pytest.param({"peek": True}, id="unknown field"),
        pytest.param({"n": None}, id="field without a value"),
        pytest.param({"n": True}, id="yes for a number"),
        pytest.param({"n": 1.0}, id="float for a number"),
        pytest.param({"n": math.nan}, id="not a number"),
        pytest.param({"n": math.inf}, id="infinity"),
        pytest.param({"n": "1"}, id="text for a number"),
        pytest.param({"n": 0}, id="below the range"),
        pytest.param({"n": 2**53 + 1}, id="above the range"),
        pytest.param({"n": 2**64 - 1}, id="huge number"),
        pytest.param({"cards": []}, id="no cards"),
        pytest.param({"cards": [216]}, id="card out of range"),
        pytest.param({"cards": [-1]}, id="negative card"),
        pytest.param({"cards": [1] * 217}, id="more cards than there are"),
        pytest.param({"cards": {1: 1}}, id="map for a list"),
        pytest.param({"cards": b"\x01"}, id="bytes for a list"),
        pytest.param({"rank": 14}, id="no such rank"),
        pytest.param({"rank": [[[[1]]]]}, id="lists in lists"),
        pytest.param({"rank": msgpack.ExtType(5, b"x")}, id="extension type"),
        pytest.param({"rank": msgpack.Timestamp(1)}, id="timestamp"),
    ],
)
def test_a_play_with_one_thing_wrong_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(RemoteProtocolError):
        decode_command(packed(**fields))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xc1", id="the byte MessagePack never uses"),
        pytest.param(b"\xc0", id="nil"),
        pytest.param(b"\x07", id="a number"),
        pytest.param(b"\x90", id="a list"),
        pytest.param(b"\x80", id="an empty map"),
        pytest.param(packed()[:-1], id="cut short"),
        pytest.param(packed() + b"\xc0", id="something behind it"),
        pytest.param(b"\x91" * COMMAND_CAP, id="8,192 lists in one another"),
        pytest.param(b"\x81\xa1a" * 2000, id="2,000 maps in one another"),
        pytest.param(b"\xdd\xff\xff\xff\xff", id="a list of four thousand million"),
        pytest.param(b"\xdf\xff\xff\xff\xff", id="a map of four thousand million"),
        pytest.param(b"\xdb\xff\xff\xff\xff", id="a text of four thousand million"),
        pytest.param(b"\xc9\xff\xff\xff\xff\x05", id="an extension of four thousand million"),
        pytest.param(b"\x81\x90\x01", id="a list for a key"),
        pytest.param(b"\x81\xc0\x01", id="nil for a key"),
        pytest.param(b"\x81\xc4\x04type\xa4play", id="bytes for a key"),
        pytest.param(b"\x81\xa2\xc3\x28\x01", id="bad UTF-8 in a key"),
        pytest.param(b"\x81\xa4type\xa2\xc3\x28", id="bad UTF-8 in a value"),
        pytest.param(b"\x81\xa4type\xa3\xed\xa0\x80", id="half a surrogate pair"),
        pytest.param(b"\xd7\xff" + b"\xff" * 8, id="a timestamp out of range"),
        pytest.param(b"\xc7\x00\xff", id="a timestamp without bytes"),
    ],
)
def test_bytes_that_are_no_message_are_refused(body: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        decode_command(body)


def test_a_field_that_is_there_twice_is_refused() -> None:
    once = msgpack.packb({"type": "challenge", "n": 1, "deal": 1, "play": 2})
    twice = b"\x85" + once[1:] + msgpack.packb("play") + msgpack.packb(3)

    with pytest.raises(RemoteProtocolError, match="twice"):
        decode_command(twice)


def test_a_field_that_is_there_twice_in_place_of_another_is_refused() -> None:
    short = msgpack.packb({"type": "challenge", "n": 1, "deal": 1})
    twice = b"\x84" + short[1:] + msgpack.packb("deal") + msgpack.packb(2)

    with pytest.raises(RemoteProtocolError, match="twice"):
        decode_command(twice)


@given(message=ANY_COMMAND, data=st.data())
def test_a_field_that_is_there_twice_is_refused_of_every_command(
    message: ClientMessage, data: st.DataObject
) -> None:
    fields = msgpack.unpackb(encode_command(message)[PREFIX:])
    again = data.draw(st.sampled_from(sorted(fields)))

    pairs = msgpack.packb(fields)[1:] + msgpack.packb(again) + msgpack.packb(fields[again])

    with pytest.raises(RemoteProtocolError):
        decode_command(bytes([0x80 + len(fields) + 1]) + pairs)


def test_an_unknown_field_inside_a_field_is_refused() -> None:
    body = msgpack.packb({"type": "create_lobby", "n": 1, "settings": {"size": 4, "peek": True}})

    with pytest.raises(RemoteProtocolError, match="settings"):
        decode_command(body)


def test_known_fields_inside_a_field_are_read() -> None:
    body = msgpack.packb({"type": "create_lobby", "n": 1, "settings": {"size": 4}})

    assert decode_command(body) == CreateLobby(n=CommandNumber(1), settings=e.LobbySettings(size=4))


@pytest.mark.parametrize(
    "secret", [b"x" * 31, b"x" * 33, "eHh4" * 11], ids=["short", "long", "text"]
)
def test_a_secret_is_32_bytes_and_nothing_else(secret: bytes | str) -> None:
    hello = {"type": "hello", "major": 1, "minor": 0, "client": "", "name": "Ann"}

    with pytest.raises(RemoteProtocolError):
        decode_command(msgpack.packb({**hello, "resume": {"secret": secret}}))


@given(message=ANY_COMMAND, data=st.data())
def test_a_mutated_command_is_a_message_or_one_typed_error(
    message: ClientMessage, data: st.DataObject
) -> None:
    body = mutated(encode_command(message)[PREFIX:], data)

    try:
        read = decode_command(body)
    except RemoteProtocolError:
        return
    assert type(read) in COMMANDS.values()


@given(body=st.binary(max_size=200))
def test_noise_is_a_message_or_one_typed_error(body: bytes) -> None:
    for decode in (decode_command, decode_event):
        with pytest.raises(RemoteProtocolError):
            decode(body)


def test_the_longest_things_to_say_fit_into_a_frame() -> None:
    widest = "\U0001f0a1" * MAX_CHAT

    assert len(encode_command(Say(n=CommandNumber(2**53), text=widest))) < COMMAND_CAP


def test_a_hello_longer_than_the_server_reads_is_our_own_fault() -> None:
    with pytest.raises(LocalProtocolError):
        encode_command(type(HELLO)(major=1, minor=0, client="x" * HELLO_CAP, name="Ann"))


def test_what_cannot_be_packed_is_our_own_fault() -> None:
    with pytest.raises(LocalProtocolError):
        encode_command(Challenge(n=CommandNumber(2**64), deal=1, play=PlayNumber(1)))


# --- to the client ------------------------------------------------------------------------------


def test_an_unknown_event_keeps_its_number() -> None:
    assert decode_event(to_client(7, ["confetti", "red"])) == (
        SEVEN,
        UnknownEvent(kind="confetti"),
    )


def test_the_name_of_our_own_stand_in_is_an_unknown_event_too() -> None:
    assert decode_event(to_client(7, ["UnknownEvent"])) == (
        SEVEN,
        UnknownEvent(kind="UnknownEvent"),
    )


def test_unknown_fields_of_an_event_are_skipped() -> None:
    fields = ["listed", LISTING | {"mood": "good"}, "since noon"]

    _, event = decode_event(to_client(0, fields))

    assert isinstance(event, e.Listed)
    assert event.lobby.rules.jokers == 1


LISTING = {
    "code": "FOX-42",
    "host": "Ann",
    "stage": "gathering",
    "rules": {"jokers": 1, "wild_twos": True},
    "size": 6,
    "seated": ["Ann"],
}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(to_client(-1, ["online", 1]), id="negative number"),
        pytest.param(to_client(2**53 + 1, ["online", 1]), id="number too high"),
        pytest.param(to_client(True, ["online", 1]), id="yes for a number"),  # noqa: FBT003
        pytest.param(to_client(1.0, ["online", 1]), id="float for a number"),
        pytest.param(to_client(0, ["online"]), id="field missing"),
        pytest.param(to_client(0, ["online", "1"]), id="wrong type"),
        pytest.param(to_client(0, [3]), id="type is a number"),
        pytest.param(to_client(0, []), id="no type"),
        pytest.param(to_client(0, {"type": "online", "count": 1}), id="map for a list"),
        pytest.param(to_client(0, "online"), id="text for a list"),
        pytest.param(to_client(0, None), id="nil for a list"),
        pytest.param(msgpack.packb(["online", 1]), id="map alone"),
        pytest.param(msgpack.packb([1, ["reveal_over"], 3]), id="three things"),
        pytest.param(to_client(0, msgpack.ExtType(5, b"x")), id="extension type"),
        pytest.param(b"\x92\x00\x91\xa2\xc3\x28", id="bad UTF-8"),
    ],
)
def test_a_server_that_breaks_the_protocol_is_one_typed_error(body: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        decode_event(body)


@given(event=ANY_EVENT, data=st.data())
def test_a_mutated_event_is_an_event_or_one_typed_error(event: Event, data: st.DataObject) -> None:
    body = mutated(frame_event(SEVEN, encode_event(event))[PREFIX:], data)

    try:
        number, read = decode_event(body)
    except RemoteProtocolError:
        return
    assert isinstance(read, Event)
    assert number >= 0


@pytest.mark.parametrize(
    ("event", "on_the_wire"),
    [
        pytest.param(e.RevealOver(), ["reveal_over"], id="no fields"),
        pytest.param(e.Stands(play=PlayNumber(3)), ["stands", 3], id="a default at the end"),
        pytest.param(
            e.Stands(play=PlayNumber(3), protected_only=True), ["stands", 3, True], id="no default"
        ),
        pytest.param(
            e.WindowState(phase=e.Phase.REVEAL, reveal_us=5),
            ["window_state", "reveal", 0, False, None, 0, 5],
            id="defaults before another value",
        ),
    ],
)
def test_defaults_at_the_end_of_an_event_are_not_sent(event: Event, on_the_wire: object) -> None:
    assert encode_event(event) == msgpack.packb(on_the_wire)


@pytest.mark.parametrize("kind", EVENTS.values(), ids=lambda kind: kind.__name__)
def test_an_event_has_a_header_of_one_byte(kind: type[Event]) -> None:
    tag_and_fields = 1 + len(msgspec.structs.fields(kind))

    assert tag_and_fields <= LONGEST_SHORT_LIST


def test_a_secret_travels_as_bytes() -> None:
    _, event = decode_event(frame_event(EventNumber(0), encode_event(WELCOME))[PREFIX:])

    assert isinstance(event, Welcome)
    assert event.secret == bytes(range(32))
    assert bytes(range(32)) in encode_event(WELCOME)


def test_an_event_longer_than_a_client_reads_is_our_own_fault() -> None:
    with pytest.raises(LocalProtocolError):
        frame_event(SEVEN, b"x" * EVENT_CAP)


def mutated(body: bytes, data: st.DataObject) -> bytes:
    """The same bytes with some changed, left out or put in."""
    start = data.draw(st.integers(0, len(body)))
    end = data.draw(st.integers(start, min(len(body), start + 4)))
    return body[:start] + data.draw(st.binary(max_size=4)) + body[end:]
