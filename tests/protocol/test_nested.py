"""Values in values in values, in each place of each message: read, or refused by the one typed error."""

from collections.abc import Callable, Iterator

import msgpack
import pytest

from protocol.codec import COMMANDS, EVENTS, decode_command, decode_event
from protocol.errors import RemoteProtocolError

DEEP = 1000  # msgpack reads up to 1,024 values in one another; Python writes out fewer

Read = Callable[[bytes], object]


def commands_with(nest: bytes) -> Iterator[tuple[Read, bytes]]:
    """The value in the place of each field of each command, and in places that no command has."""
    for tag, kind in COMMANDS.items():
        head = b"\x82\xa4type" + msgpack.packb(tag)
        for name in (*kind.__struct_fields__, "unknown"):
            yield decode_command, head + msgpack.packb(name) + nest
    for places in (b"", b"\x81\xa4type"):
        yield decode_command, places + nest


def events_with(nest: bytes) -> Iterator[tuple[Read, bytes]]:
    """The value in the place of each field of each event, behind the last, and of what holds them."""
    for tag, kind in EVENTS.items():
        for before in range(len(kind.__struct_fields__) + 1):
            head = bytes([0x90 + 1 + before + 1]) + msgpack.packb(tag)
            yield decode_event, b"\x92\x07" + head + b"\x01" * before + nest
    for places in (b"", b"\x92\x07", b"\x92\x07\x91"):
        yield decode_event, places + nest
    yield decode_event, b"\x92" + nest + msgpack.packb(["reveal_over"])


@pytest.mark.parametrize(
    "nest",
    [
        pytest.param(b"\x91" * DEEP + b"\xc0", id="lists"),
        pytest.param(b"\x81\xa1a" * DEEP + b"\xc0", id="maps"),
    ],
)
@pytest.mark.parametrize("bodies_with", [commands_with, events_with])
def test_a_thousand_values_in_one_another_once_broke_the_client(
    bodies_with: Callable[[bytes], Iterator[tuple[Read, bytes]]], nest: bytes
) -> None:
    broken = []

    for read, body in bodies_with(nest):
        try:
            read(body)
        except RemoteProtocolError:
            continue
        except RecursionError:
            broken.append(body.replace(nest, b"<nest>"))

    assert not broken
