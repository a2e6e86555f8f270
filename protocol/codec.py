"""Messages to MessagePack and back: strict for what a server reads, tolerant for a client.

msgpack reads, since it shows us every pair of a map, so that a field that is there twice is noticed.
Commands in which that can be told by counting are read by msgspec, several times as fast. msgspec also
writes: the same bytes as msgpack, straight from a message. Tests hold the two together. No other
module imports msgpack.

A frame to the server holds one map, a frame to the client `[number, event]`, so that the packed list
of a public event can be made once and shared.
"""

from collections.abc import Callable
from itertools import takewhile
from operator import attrgetter
from typing import Any, cast, get_args

import msgpack
import msgspec
from msgspec import NODEFAULT, Struct

from protocol import answers, events, views
from protocol.commands import ClientMessage, Hello
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.events import Event
from protocol.framing import COMMAND_CAP, EVENT_CAP, HELLO_CAP, PREFIX, frame
from protocol.numbers import LARGEST, EventNumber
from protocol.text import clean

Map = dict[str, Any]

_ENCODER = msgspec.msgpack.Encoder()
_PAIR = b"\x92"  # the header of an array of two: [number, event]
_SMALL = 1024
_SIZES = tuple([size.to_bytes(PREFIX) for size in range(_SMALL)])
_HEADS = tuple([_PAIR + _ENCODER.encode(number) for number in range(_SMALL)])
_SHORT_MAP = 0x80  # the header of a map of up to 15 pairs; their number is added to it
_LONG_MAP = 0xDE  # the header of a map of 16 and more
_SHORT_LIST = 0x90  # the header of an array of up to 15, which are added to it
_AS_THEY_ARE = (bytes,)  # else msgspec would take text in base64 for them


class UnknownEvent(Event, frozen=True, kw_only=True):
    """An event that this client is too old to know: its number counts, the rest is skipped."""

    kind: str


def _event_types() -> dict[str, type[Event]]:
    homes = (events, answers, views)
    found = [thing for home in homes for thing in vars(home).values() if isinstance(thing, type)]
    kinds = [kind for kind in found if issubclass(kind, Event) and kind is not Event]
    return {cast("str", kind.__struct_config__.tag): kind for kind in kinds}


EVENTS = _event_types()
"""Each event by its type on the wire."""

COMMANDS: dict[str, type[ClientMessage]] = {
    kind.__struct_config__.tag: kind for kind in get_args(ClientMessage)
}
"""Each message to the server by its type on the wire."""


Tail = tuple[Callable[[Event], object], object, bytes, int]
"""The last fields of an event, all of them optional: a function that reads them, what it gives when
all have their defaults, and then the header of a list without them and how many bytes they take."""


def _tails_of(kind: type[Event]) -> tuple[Tail, ...]:
    """All optional fields at the end of an event, then all but the first of them, and so on."""
    fields = zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False)
    optional = [*takewhile(lambda field: field[1] is not NODEFAULT, fields)]
    length = 1 + len(kind.__struct_fields__)  # the type comes first
    counts = range(len(optional), 0, -1)
    return tuple([_tail(optional[:count], _SHORT_LIST + length - count) for count in counts])


def _tail(fields: list[tuple[str, object]], header: int) -> Tail:
    names, defaults = zip(*fields, strict=True)
    size = sum(len(_ENCODER.encode(default)) for default in defaults)
    values_of = attrgetter(*names)  # gives one value, or a tuple of several
    return values_of, defaults if len(fields) > 1 else defaults[0], bytes([header]), size


# What a reader fills in by itself need not be sent.
_TAILS = {kind: tails for kind in EVENTS.values() if (tails := _tails_of(kind))}


# --- to the server ------------------------------------------------------------------------------


def encode_command(message: ClientMessage) -> bytes:
    """Make a message to the server into a frame.

    Raises:
        LocalProtocolError: it cannot be packed, or is longer than a server reads.
    """
    return frame(_packed(message), HELLO_CAP if isinstance(message, Hello) else COMMAND_CAP)


def decode_command(body: bytes) -> ClientMessage:
    """Read what is in a frame to the server; anything not in the protocol is refused.

    Raises:
        RemoteProtocolError: for every fault of the bytes, whatever it is.
    """
    try:
        message = _WHOLE_READER.decode(body)
    except (ValueError, RecursionError):
        return _read_pair_by_pair(body)
    return message if body[0] == _WHOLE.get(type(message)) else _read_pair_by_pair(body)


def _read_pair_by_pair(body: bytes) -> ClientMessage:
    """Read what is in a frame to the server, with a look at each field."""
    try:
        fields = msgpack.unpackb(body, object_pairs_hook=_no_duplicates, ext_hook=_no_extensions)
        kind = COMMANDS[fields["type"]]
        message = msgspec.convert(fields, kind, builtin_types=_AS_THEY_ARE)
        if kind in _SHARED:
            _refuse_extras(fields, kind)
    except (ValueError, TypeError, LookupError) as fault:
        raise _remote(fault) from fault
    return message


def _no_duplicates(pairs: list[tuple[str, Any]]) -> Map:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        message = "a field is there twice"
        raise ValueError(message)
    return fields


def _no_extensions(code: int, data: bytes) -> object:
    message = f"extension type {code} with {len(data)} bytes"
    raise ValueError(message)


def _shared_parts(kind: type[Struct]) -> dict[str, frozenset[str]]:
    """The fields of a command that hold a struct which events use too, and what is in it."""
    parts = {field.name: field.type for field in msgspec.structs.fields(kind)}
    return {
        name: frozenset(part.__struct_fields__)
        for name, part in parts.items()
        if isinstance(part, type) and issubclass(part, Struct)
    }


# Such structs are tolerant for the clients' sake, so the server looks for extra fields itself.
_SHARED = {kind: parts for kind in COMMANDS.values() if (parts := _shared_parts(kind))}


def _whole(kind: type[Struct]) -> int | None:
    """The header of a map with each field of a message once; None if one of them may be left out."""
    config = kind.__struct_config__
    if kind in _SHARED or kind.__struct_defaults__ or not config.forbid_unknown_fields:
        return None
    return _SHORT_MAP + len(kind.__struct_fields__) + 1  # and its type


# A map with all of these fields, no others, and as many pairs as fields cannot hold a field twice:
# msgpack need not look at it. Nearly everything said in a deal is such a message.
_WHOLE = {kind: header for kind in COMMANDS.values() if (header := _whole(kind)) is not None}
_WHOLE_READER = msgspec.msgpack.Decoder(ClientMessage)


def _refuse_extras(fields: Map, kind: type[ClientMessage]) -> None:
    for name, known in _SHARED[kind].items():
        if not known.issuperset(fields.get(name, ())):
            message = f"unknown field in {name}"
            raise ValueError(message)


# --- to the client ------------------------------------------------------------------------------


def encode_event(event: Event) -> bytes:
    """Pack an event, to be framed once for each recipient.

    Raises:
        LocalProtocolError: it cannot be packed.
    """
    packed = _packed(event)
    tails = _TAILS.get(type(event))
    return packed if tails is None else _shortened(packed, event, tails)


def _shortened(packed: bytes, event: Event, tails: tuple[Tail, ...]) -> bytes:
    """A packed list without those of its last elements that are defaults.

    All events are short enough for a header of one byte; a test holds them to that.
    """
    for values_of, defaults, header, size in tails:
        if values_of(event) == defaults:
            return header + packed[1:-size]
    return packed


def frame_event(number: EventNumber, packed: bytes) -> bytes:
    """Put a recipient's number before a packed event and make a frame of both.

    Raises:
        LocalProtocolError: the frame is longer than a client reads.
    """
    head = _HEADS[number] if number < _SMALL else _PAIR + _ENCODER.encode(number)
    body = head + packed
    size = len(body)
    # As `frame` does it, with the length of nearly every event at hand: this is done for each
    # recipient of each event.
    return _SIZES[size] + body if size < _SMALL else frame(body, EVENT_CAP)


def decode_event(body: bytes) -> tuple[EventNumber, Event]:
    """Read what is in a frame to the client; unknown fields and events do no harm.

    Raises:
        RemoteProtocolError: for every fault of the bytes, whatever it is.
    """
    try:
        number, fields = msgpack.unpackb(body, ext_hook=_no_extensions)
        return _event_number(number), _event(fields)
    except (ValueError, TypeError, LookupError) as fault:
        raise _remote(fault) from fault


def _event(fields: object) -> Event:
    # Named by its type: what is nested deep enough to be read may be too deep to be written out.
    if not isinstance(fields, list):
        message = f"no list: {type(fields).__name__}"
        raise TypeError(message)
    kind = EVENTS.get(fields[0])
    if kind is None:
        return UnknownEvent(kind=msgspec.convert(fields[0], str))
    return msgspec.convert(fields, kind, builtin_types=_AS_THEY_ARE)


def _event_number(number: object) -> EventNumber:
    if type(number) is not int or not 0 <= number <= LARGEST:
        message = f"no event number: {type(number).__name__}"
        raise ValueError(message)
    return EventNumber(number)


# --- both -----------------------------------------------------------------------------------------


def _packed(message: Struct) -> bytes:
    try:
        packed = _ENCODER.encode(message)
        # A map that leaves out defaults gets a long header from msgspec, which nothing else has.
        # Written from plain values it is short, as every other: the same message, the same bytes.
        if _LONG_MAP in packed:  # a number: looked for as bytes it would cost an exception inside
            fields = msgspec.to_builtins(message, builtin_types=_AS_THEY_ARE)
            packed = _ENCODER.encode(fields)
    except (ValueError, TypeError, OverflowError, msgspec.MsgspecError) as fault:
        complaint = f"cannot pack {type(message).__name__}"
        raise LocalProtocolError(complaint) from fault
    return packed


def _remote(fault: Exception) -> RemoteProtocolError:
    told = clean(str(fault))  # it may quote what the peer has written
    return RemoteProtocolError(f"not a message: {type(fault).__name__}: {told}")
