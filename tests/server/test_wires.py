"""Reading and writing on sockets and memory streams, and what holds without stamps (RULES C1)."""

import random
import socket
import struct
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair, wait_all_tasks_blocked

from server import arrivals
from server.arrivals import (
    SO_TIMESTAMPNS,
    Arrived,
    WallClock,
    ask_for_stamps,
    now_us,
    settle,
)
from server.sockets import Ears
from tests.support.sockets import a_connection, an_overheard_connection
from tests.support.wires import StreamWire

# --- where the kernel gives no stamp ------------------------------------------------------------


async def test_on_other_systems_nothing_is_asked_of_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with socket.socket() as listening:
        assert not ask_for_stamps(listening)


async def test_a_kernel_that_refuses_is_taken_at_its_word() -> None:
    with socket.socket() as closed:
        closed.close()

        assert not ask_for_stamps(closed)


@pytest.mark.parametrize(
    "ancillary",
    [
        pytest.param([], id="nothing"),
        pytest.param([(socket.SOL_SOCKET, SO_TIMESTAMPNS, bytes(8))], id="too short"),
        pytest.param([(socket.SOL_SOCKET, 1, bytes(16))], id="something else"),
        pytest.param([(socket.IPPROTO_TCP, SO_TIMESTAMPNS, bytes(16))], id="of another layer"),
    ],
)
def test_what_is_no_stamp_is_not_read_as_one(ancillary: list[tuple[int, int, bytes]]) -> None:
    assert arrivals.stamp_in(ancillary) is None


def test_a_stamp_is_seconds_and_nanoseconds() -> None:
    stamp = (socket.SOL_SOCKET, SO_TIMESTAMPNS, struct.pack("@qq", 1_800_000_000, 5))

    assert arrivals.stamp_in([stamp]) == 1_800_000_000_000_000_005


async def test_a_memory_stream_is_timed_after_the_read(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    near, far = memory_stream_pair()
    wire = StreamWire(far, nursery)
    await near.send_all(b"doubt")
    await trio.sleep(3)

    arrived = await wire.receive()

    assert arrived == Arrived(data=b"doubt", at=now_us(), stamped=False)


async def test_a_memory_stream_that_is_closed_gives_no_data(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    near, far = memory_stream_pair()
    wire = StreamWire(far, nursery)
    assert wire.send_nowait(b"never without waiting") == 0
    await wire.send_all(b"bye")
    assert await near.receive_some() == b"bye"
    await near.aclose()

    assert (await wire.receive()).data == b""
    wire.close()
    assert (await wire.receive()).data == b""


# --- the socket itself --------------------------------------------------------------------------


async def test_a_client_that_closes_gives_no_data() -> None:
    async with an_overheard_connection(stamps=False) as (wire, client):
        client.close()

        assert (await wire.receive()).data == b""


async def test_a_client_that_breaks_off_gives_no_data() -> None:
    async with an_overheard_connection(stamps=False) as (wire, client):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()

        assert (await wire.receive()).data == b""


async def test_what_the_kernel_does_not_take_is_not_written_and_the_rest_waits(
    nursery: trio.Nursery,
) -> None:
    async with a_connection(stamps=False) as (wire, client):
        total = 0
        while size := wire.send_nowait(bytes(1 << 20)):
            total += size
        rest = random.Random(7).randbytes(1 << 21)
        nursery.start_soon(wire.send_all, rest)

        got = bytearray()
        while len(got) < total + len(rest):
            got += await trio.to_thread.run_sync(client.recv, 1 << 20)

        assert got[total:] == rest


@asynccontextmanager
async def two_callers(
    nursery: trio.Nursery,
) -> AsyncIterator[tuple[Callable[[bytes], None], trio.MemoryReceiveChannel[bytes]]]:
    """A way to send from two clients at once, and what is heard of both."""
    tell, heard = trio.open_memory_channel[bytes](100)
    ears = Ears(WallClock())

    def hear(arrived: Arrived) -> None:
        if arrived.data:
            tell.send_nowait(arrived.data)

    async with (
        a_connection(stamps=False, ears=ears) as (wire, client),
        a_connection(stamps=False, ears=ears) as (other_wire, other),
    ):

        def send_from_both(data: bytes) -> None:
            client.sendall(data)
            other.sendall(data)

        wire.listen(hear)
        other_wire.listen(hear)
        nursery.start_soon(ears.run)
        await wait_all_tasks_blocked()
        yield send_from_both, heard


def how_many(heard: trio.MemoryReceiveChannel[bytes]) -> int:
    return heard.statistics().current_buffer_used


async def test_after_two_passes_all_is_read_that_had_arrived(nursery: trio.Nursery) -> None:
    async with two_callers(nursery) as (send_from_both, heard):
        for number in range(1, 41):
            send_from_both(b"x")

            await settle(2)

            assert how_many(heard) == 2 * number


async def test_one_pass_is_enough_for_whoever_was_woken_by_what_came_later(
    nursery: trio.Nursery,
) -> None:
    async with two_callers(nursery) as (send_from_both, heard):
        for _ in range(40):
            send_from_both(b"x")
            await heard.receive()  # of one of them, as chance has it

            await settle(1)

            assert how_many(heard) == 1
            await heard.receive()
