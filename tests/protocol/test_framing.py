"""Frames survive any cutting of the stream, and no length talks the reader into much memory."""

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import frame_event
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.framing import COMMAND_CAP, EVENT_CAP, HELLO_CAP, PREFIX, FrameReader, frame
from protocol.numbers import EventNumber

CAPS = [HELLO_CAP, COMMAND_CAP, EVENT_CAP]
MANY_BYTES = 100_000


def read_in_pieces(reader: FrameReader, stream: bytes, size: int) -> list[bytes]:
    """All frames of a stream that arrives this many bytes at a time."""
    pieces = (stream[at : at + size] for at in range(0, len(stream), size))
    return [body for piece in pieces for body in reader.receive(piece)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, MANY_BYTES])
@given(bodies=st.lists(st.binary(min_size=1, max_size=40), max_size=6))
def test_frames_come_out_as_they_went_in(size: int, bodies: list[bytes]) -> None:
    stream = b"".join(frame(body, HELLO_CAP) for body in bodies)
    reader = FrameReader(HELLO_CAP)

    read = read_in_pieces(reader, stream, size)

    assert read == bodies
    assert reader.waiting == 0


def test_a_frame_is_its_length_in_four_bytes_and_its_body() -> None:
    assert frame(b"abc", HELLO_CAP) == b"\x00\x00\x00\x03abc"


@pytest.mark.parametrize("cap", CAPS)
def test_a_frame_as_long_as_the_cap_is_read(cap: int) -> None:
    longest = b"x" * cap

    assert list(FrameReader(cap).receive(frame(longest, cap))) == [longest]


@pytest.mark.parametrize("cap", CAPS)
def test_one_byte_more_than_the_cap_is_refused_by_its_length_alone(cap: int) -> None:
    reader = FrameReader(cap)

    with pytest.raises(RemoteProtocolError, match=f"{cap + 1} bytes"):
        list(reader.receive((cap + 1).to_bytes(PREFIX)))


@pytest.mark.parametrize("length", [0, 2**31, 2**32 - 1])
def test_a_senseless_length_is_refused(length: int) -> None:
    with pytest.raises(RemoteProtocolError):
        list(FrameReader(EVENT_CAP).receive(length.to_bytes(PREFIX)))


def test_no_more_is_kept_than_one_frame() -> None:
    reader = FrameReader(HELLO_CAP)
    body = frame(b"x" * HELLO_CAP, HELLO_CAP)

    read_in_pieces(reader, body * 20 + body[:-1], size=7)

    assert reader.waiting == len(body) - 1


def test_a_cap_changed_between_two_frames_holds_for_the_second() -> None:
    reader = FrameReader(HELLO_CAP)
    longer = b"y" * (HELLO_CAP + 1)
    frames = reader.receive(frame(b"x", HELLO_CAP) + frame(longer, COMMAND_CAP))

    first = next(frames)
    reader.cap = COMMAND_CAP

    assert [first, *frames] == [b"x", longer]


@pytest.mark.parametrize("body", [b"", b"x" * (HELLO_CAP + 1)], ids=["empty", "too long"])
def test_our_own_code_cannot_make_a_frame_that_the_other_end_refuses(body: bytes) -> None:
    with pytest.raises(LocalProtocolError):
        frame(body, HELLO_CAP)


@pytest.mark.parametrize("number", [0, 127, 128, 1023, 1024, 65_536, 2**53])
@pytest.mark.parametrize("size", [16, 255, 1023, 1024, 1025])
def test_a_frame_is_the_same_whether_its_length_and_number_are_at_hand_or_made_anew(
    number: int, size: int
) -> None:
    head = msgpack.packb([number, 0])[:-1]
    event = b"x" * (size - len(head))

    framed = frame_event(EventNumber(number), event)

    assert framed == frame(head + event, EVENT_CAP)
