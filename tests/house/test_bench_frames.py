"""The bench knows a message by its first bytes, without reading it."""

import pytest

from benching.frames import cut, framed, kind_of
from protocol import events as e
from protocol.answers import Welcome
from protocol.codec import encode_event, frame_event
from protocol.events import Event
from protocol.numbers import EventNumber
from tests.protocol.examples import WELCOME, a_play, a_ruling

LONGEST = Welcome(
    server=WELCOME.server,
    title=WELCOME.title,
    version=WELCOME.version,
    minor=WELCOME.minor,
    epoch=WELCOME.epoch,
    name=WELCOME.name,
    stamps=WELCOME.stamps,
    silence_us=1,  # its last field: nothing is left out
)


@pytest.mark.parametrize("number", [0, 127, 128, 300, 70_000, 2**40])
@pytest.mark.parametrize(
    ("event", "kind"),
    [
        pytest.param(e.RevealOver(), b"reveal_over", id="no fields"),
        pytest.param(a_play(1, seat=1), b"played", id="a play"),
        pytest.param(a_ruling(), b"ruled", id="a ruling"),
        pytest.param(LONGEST, b"welcome", id="16 values"),
    ],
)
def test_a_message_is_known_whatever_its_number(event: Event, kind: bytes, number: int) -> None:
    (body,), _ = cut(frame_event(EventNumber(number), encode_event(event)))

    assert kind_of(body) == kind


def test_an_incomplete_frame_waits_for_its_rest() -> None:
    whole = framed(b"abc") + framed(b"de")

    assert cut(whole[:-1]) == ([b"abc"], framed(b"de")[:-1])
