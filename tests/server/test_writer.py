"""The bounded way out to one client, over a wire that does what the test says."""

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server.arrivals import Hear, Wire
from server.writer import Writer

LIMIT = 100


class FakeWire(Wire):
    """A wire whose kernel buffer has `room` bytes; the client reads when told."""

    def __init__(self, room: int = 0) -> None:
        self.room = room
        self.taken = bytearray()
        self.broken: Exception | None = None
        self._more_room = trio.Event()

    def send_nowait(self, data: bytes) -> int:
        if self.broken is not None:
            raise self.broken
        size = min(self.room, len(data))
        self.room -= size
        self.taken += data[:size]
        return size

    async def send_all(self, data: bytes) -> None:
        while True:
            data = data[self.send_nowait(data) :]
            if not data:
                return
            await self._more_room.wait()

    def client_reads(self, size: int) -> None:
        self.room += size
        self._more_room.set()
        self._more_room = trio.Event()

    def listen(self, hear: Hear) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class Bell:
    """Counts how often it was rung."""

    def __init__(self) -> None:
        self.rings = 0

    def ring(self) -> None:
        self.rings += 1


def a_writer(wire: FakeWire, bell: Bell | None = None) -> Writer:
    """A writer whose `run` the test starts by itself."""
    return Writer(wire, LIMIT, start=lambda: None, too_slow=(bell or Bell()).ring)


def say(writer: Writer, data: bytes) -> None:
    writer.post(data)
    writer.flush()


async def test_what_the_kernel_takes_is_written_at_once_and_in_one_piece() -> None:
    wire = FakeWire(room=1_000)
    writer = a_writer(wire)

    writer.post(b"one ")
    writer.post(b"two")
    assert wire.taken == b""
    writer.flush()

    assert wire.taken == b"one two"
    assert writer.waiting == 0


class Heavy(bytes):
    """Bytes that must not be added to others one by one."""

    def __radd__(self, _: object) -> bytes:
        raise AssertionError("all that was posted before is copied once more")


def test_a_long_catch_up_was_once_copied_again_for_each_event_in_it() -> None:
    wire = FakeWire(room=1_000)
    writer = a_writer(wire)

    for _ in range(100):
        writer.post(Heavy(b"event "))
    writer.flush()

    assert wire.taken == b"event " * 100


async def test_flushing_without_a_word_does_nothing() -> None:
    wire = FakeWire(room=1_000)

    a_writer(wire).flush()

    assert wire.taken == b""


async def test_what_the_kernel_does_not_take_follows_when_the_client_reads(
    nursery: trio.Nursery,
) -> None:
    wire = FakeWire(room=3)
    writer = a_writer(wire)
    nursery.start_soon(writer.run)

    say(writer, b"abcdef")
    await wait_all_tasks_blocked()
    assert wire.taken == b"abc"
    wire.client_reads(100)
    await wait_all_tasks_blocked()

    assert wire.taken == b"abcdef"
    assert writer.waiting == 0


async def test_words_posted_while_others_were_on_their_way_once_got_between_them(
    nursery: trio.Nursery,
) -> None:
    wire = FakeWire(room=2)
    writer = a_writer(wire)
    nursery.start_soon(writer.run)
    say(writer, b"abcdef")
    await wait_all_tasks_blocked()

    wire.room += 2  # the kernel has room again, but whoever waits for it has not run yet
    say(writer, b"123")
    wire.client_reads(100)
    await wait_all_tasks_blocked()

    assert wire.taken == b"abcdef123"


async def test_order_is_kept_through_any_pattern_of_reading(nursery: trio.Nursery) -> None:
    wire = FakeWire()
    writer = a_writer(wire)
    nursery.start_soon(writer.run)
    said = b""

    for number in range(200):
        word = b"%d," % number
        said += word
        say(writer, word)
        if number % 3 == 0:
            wire.client_reads(number % 17)
            await wait_all_tasks_blocked()
        if number % 10 == 9:
            wire.client_reads(200)
            await wait_all_tasks_blocked()
    wire.client_reads(10_000)
    await wait_all_tasks_blocked()

    assert wire.taken == said


# --- a client that does not read ----------------------------------------------------------------


async def test_a_client_that_does_not_read_was_once_kept_for_ever(nursery: trio.Nursery) -> None:
    bell = Bell()
    writer = a_writer(FakeWire(), bell)
    nursery.start_soon(writer.run)

    for _ in range(20):
        say(writer, bytes(10))
        await wait_all_tasks_blocked()

    assert bell.rings == 1


async def test_up_to_the_limit_nobody_is_too_slow(nursery: trio.Nursery) -> None:
    bell = Bell()
    wire = FakeWire()
    writer = a_writer(wire, bell)
    nursery.start_soon(writer.run)

    for _ in range(11):
        say(writer, bytes(10))
        await wait_all_tasks_blocked()
    assert bell.rings == 0
    wire.client_reads(1_000)
    await wait_all_tasks_blocked()

    assert len(wire.taken) == 110
    assert bell.rings == 0


async def test_what_is_on_its_way_counts_as_waiting(nursery: trio.Nursery) -> None:
    wire = FakeWire()
    writer = a_writer(wire)
    nursery.start_soon(writer.run)
    say(writer, bytes(60))
    await wait_all_tasks_blocked()

    say(writer, bytes(30))

    assert writer.waiting == 90


async def test_one_long_message_is_nobodys_fault(nursery: trio.Nursery) -> None:
    bell = Bell()
    wire = FakeWire()
    writer = a_writer(wire, bell)
    nursery.start_soon(writer.run)

    say(writer, bytes(50 * LIMIT))
    await wait_all_tasks_blocked()
    wire.client_reads(50 * LIMIT)
    await wait_all_tasks_blocked()
    say(writer, b"!")

    assert bell.rings == 0
    assert writer.waiting == 1


async def test_whoever_came_back_on_a_slow_line_was_once_dropped_at_the_word_after_the_catch_up(
    nursery: trio.Nursery,
) -> None:
    # They came back, were told all of it again, and dropped again: for ever.
    bell = Bell()
    wire = FakeWire()
    writer = a_writer(wire, bell)
    nursery.start_soon(writer.run)

    say(writer, bytes(50 * LIMIT))
    await wait_all_tasks_blocked()
    for _ in range(LIMIT // 10):
        say(writer, bytes(10))
        await wait_all_tasks_blocked()
    wire.client_reads(100 * LIMIT)
    await wait_all_tasks_blocked()

    assert bell.rings == 0
    assert len(wire.taken) == 51 * LIMIT


async def test_a_long_message_that_has_been_read_leaves_room_for_no_more_than_before(
    nursery: trio.Nursery,
) -> None:
    bell = Bell()
    wire = FakeWire()
    writer = a_writer(wire, bell)
    nursery.start_soon(writer.run)
    say(writer, bytes(50 * LIMIT))
    await wait_all_tasks_blocked()
    wire.client_reads(50 * LIMIT)
    await wait_all_tasks_blocked()

    for _ in range(LIMIT // 10 + 3):
        say(writer, bytes(10))
        await wait_all_tasks_blocked()

    assert bell.rings == 1


async def test_words_for_a_client_that_is_too_slow_once_piled_up(nursery: trio.Nursery) -> None:
    bell = Bell()
    writer = a_writer(FakeWire(), bell)
    nursery.start_soon(writer.run)

    for _ in range(1_000):
        say(writer, bytes(10))
        await wait_all_tasks_blocked()

    assert writer.waiting <= LIMIT + 2 * 10
    assert not writer._posted
    assert bell.rings == 1


# --- the end ------------------------------------------------------------------------------------


async def test_the_last_words_are_sent_before_the_end(nursery: trio.Nursery) -> None:
    wire = FakeWire()
    writer = a_writer(wire)
    ended = trio.Event()

    async def run() -> None:
        await writer.run()
        ended.set()

    nursery.start_soon(run)
    writer.post(b"goodbye")
    writer.finish()
    await wait_all_tasks_blocked()
    assert not ended.is_set()
    wire.client_reads(100)
    await ended.wait()

    assert wire.taken == b"goodbye"


async def test_nothing_is_said_after_the_last_words() -> None:
    wire = FakeWire(room=100)
    writer = a_writer(wire)

    writer.finish()
    say(writer, b"and another thing")
    await writer.run()

    assert wire.taken == b""


@pytest.mark.parametrize("fault", [BrokenPipeError(), ConnectionResetError()], ids=repr)
async def test_a_client_that_is_gone_is_left_to_the_reader(fault: Exception) -> None:
    bell = Bell()
    wire = FakeWire(room=100)
    wire.broken = fault
    writer = a_writer(wire, bell)

    say(writer, b"hello?")

    assert bell.rings == 0
    assert writer.waiting == 0


@pytest.mark.parametrize(
    "fault",
    [ConnectionResetError(), trio.BrokenResourceError(), trio.ClosedResourceError()],
    ids=repr,
)
async def test_a_client_that_goes_while_words_are_on_their_way_ends_the_writing(
    fault: Exception,
) -> None:
    wire = FakeWire()
    writer = a_writer(wire)
    say(writer, b"hello?")
    wire.broken = fault

    with trio.fail_after(1):
        await writer.run()

    assert wire.taken == b""
