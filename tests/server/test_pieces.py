"""Whoever sends the end of a call first, and its beginning later, has called later (RULES C1)."""

import socket
from typing import cast

import pytest

from server.arrivals import TICKS_US, came_in_pieces, now_us
from tests.server.test_arrivals import MILLI, FixedWall, needs_stamps
from tests.support.holes import may_write_packets, send_the_end
from tests.support.sockets import an_overheard_connection, keep_the_loop_busy


@pytest.mark.skipif(not may_write_packets(), reason="needs root, and packets of one's own")
async def test_a_call_was_once_dated_back_to_when_its_end_had_been_sent_ahead_of_its_beginning() -> (
    None
):
    async with an_overheard_connection() as (wire, client):
        client.sendall(b"ready")
        await wire.receive()
        send_the_end(client, b"oubt", missing=1)
        keep_the_loop_busy(300)  # to see whether it was a lie
        decided = now_us()
        client.sendall(b"d")

        arrived = await wire.receive()

        assert arrived.data == b"doubt"
        assert arrived.at >= decided - MILLI
        assert not arrived.stamped


@needs_stamps
@pytest.mark.parametrize("late_ms", [0, 30, 200])
async def test_a_call_that_is_read_late_keeps_the_time_of_its_arrival(late_ms: int) -> None:
    async with an_overheard_connection() as (wire, client):
        client.sendall(b"doubt")
        sent = now_us()
        keep_the_loop_busy(late_ms)

        arrived = await wire.receive()

        assert arrived.stamped
        assert arrived.at <= sent + MILLI


@needs_stamps
@pytest.mark.parametrize(
    ("age_us", "stamped"), [(TICKS_US, True), (10 * TICKS_US, False)], ids=["a tick", "more"]
)
async def test_a_stamp_that_is_older_than_what_came_last_says_nothing(
    age_us: int, *, stamped: bool
) -> None:
    async with an_overheard_connection(wall=FixedWall()) as (heard, client):
        heard.wire._not_before = 0
        client.sendall(b"doubt")
        now = now_us()

        timed = heard.wire.timed(b"doubt", 1000 * (now - age_us), now, now)

        assert timed == ((now - age_us, True) if stamped else (now, False))


class NoLongerThere:
    """A socket of which the kernel knows nothing any more."""

    def getsockopt(self, *_: int) -> bytes:
        raise OSError


def test_where_the_kernel_does_not_say_what_came_last_its_stamp_is_believed() -> None:
    gone = cast("socket.socket", NoLongerThere())

    assert not came_in_pieces(gone, 10 * TICKS_US)
