"""When bytes arrived: by the kernel's stamp, over real loopback sockets (RULES C1)."""

import socket
import sys
from collections.abc import Callable

import pytest

from server import arrivals, sockets
from server.arrivals import (
    STEP_US,
    WallClock,
    ask_for_stamps,
    now_us,
)
from server.sockets import Ears, SocketWire
from tests.support.sockets import an_overheard_connection, keep_the_loop_busy

MILLI = 1_000  # microseconds
needs_stamps = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux stamps what arrives"
)


# --- the stamp ----------------------------------------------------------------------------------


@needs_stamps
async def test_a_read_carries_the_stamp_of_the_kernel_and_not_the_time_of_the_read() -> None:
    async with an_overheard_connection() as (wire, client):
        before = now_us()
        client.sendall(b"doubt")
        after = now_us()
        keep_the_loop_busy(50)

        arrived = await wire.receive()

        assert (arrived.data, arrived.stamped) == (b"doubt", True)
        assert before - MILLI <= arrived.at <= after + MILLI
        assert now_us() - arrived.at >= 49 * MILLI


@needs_stamps
async def test_the_order_of_arrival_is_known_whoever_is_read_first() -> None:
    async with (
        an_overheard_connection() as (wire, client),
        an_overheard_connection() as (other_wire, other),
    ):
        client.sendall(b"first")
        keep_the_loop_busy(1)
        other.sendall(b"second")
        keep_the_loop_busy(20)

        second = await other_wire.receive()
        first = await wire.receive()

        assert second.at - first.at >= MILLI * 0.9
        assert first.stamped
        assert second.stamped


@needs_stamps
async def test_bytes_that_came_before_the_accept_are_stamped_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ask_for_stamps(listening)
        with socket.create_connection(listening.getsockname()) as client:
            client.sendall(b"early")
            keep_the_loop_busy(20)
            accepted, _ = listening.accept()
            ears = Ears(WallClock())
            wire = SocketWire(accepted, ears)
            wire.listen(lambda _: None)

            [(_, stamped, data, _)] = ears._look()

            assert (data, stamped) == (b"early", True)
            wire.close()


async def test_without_asking_there_is_no_stamp_and_the_read_says_so() -> None:
    async with an_overheard_connection(stamps=False) as (wire, client):
        client.sendall(b"doubt")
        keep_the_loop_busy(20)
        before_read = now_us()

        arrived = await wire.receive()

        assert not arrived.stamped
        assert before_read <= arrived.at <= now_us()


@needs_stamps
async def test_each_read_has_a_stamp_of_its_own() -> None:
    async with an_overheard_connection() as (wire, client):
        client.sendall(b"one")
        one = await wire.receive()
        keep_the_loop_busy(5)
        client.sendall(b"two")
        two = await wire.receive()

        assert two.at - one.at >= 5 * MILLI


# --- clamping -----------------------------------------------------------------------------------


class FakeWall(WallClock):
    """A wall clock by which every stamp has the age that the test says; None: just set."""

    def __init__(self, age_us: int | None) -> None:
        super().__init__()
        self.age_us = age_us

    def look(self) -> bool:
        return self.age_us is not None

    def loop_us(self, stamp_ns: int) -> int:
        del stamp_ns
        return now_us() - (self.age_us or 0)


class FixedWall(WallClock):
    """A wall clock that shows what the loop's clock shows."""

    def loop_us(self, stamp_ns: int) -> int:
        return stamp_ns // 1000


@needs_stamps
async def test_a_stamp_from_before_the_last_read_is_moved_up_to_it() -> None:
    wall = FakeWall(0)
    async with an_overheard_connection(wall=wall) as (wire, client):
        full_since = now_us()
        client.sendall(b"one")
        await wire.receive()
        emptied_by = now_us()
        wall.age_us = 3_600_000_000
        client.sendall(b"two")

        arrived = await wire.receive()

        assert arrived.stamped
        assert full_since <= arrived.at <= emptied_by


@needs_stamps
@pytest.mark.parametrize(("ahead_us", "stamped"), [(STEP_US, True), (STEP_US + 1, False)])
async def test_a_stamp_from_the_future_is_moved_back_to_now_and_counts_only_if_it_is_near(
    ahead_us: int, *, stamped: bool
) -> None:
    async with an_overheard_connection(wall=FixedWall()) as (heard, _):
        now = now_us()

        timed = heard.wire.timed(b"one", 1000 * (now + ahead_us), now, now)

        assert timed == (now, stamped)


@needs_stamps
async def test_when_the_wall_clock_was_set_the_time_is_that_of_the_read() -> None:
    async with an_overheard_connection(wall=FakeWall(None)) as (wire, client):
        client.sendall(b"one")
        keep_the_loop_busy(10)
        before_read = now_us()

        arrived = await wire.receive()

        assert not arrived.stamped
        assert before_read <= arrived.at <= now_us()


class SocketOfABusyServer:
    """A socket after whose first read something happens before anybody looks at the clock."""

    def __init__(self, sock: socket.socket, meanwhile: Callable[[], None]) -> None:
        self._socket = sock
        self._meanwhile: Callable[[], None] | None = meanwhile

    def fileno(self) -> int:
        return self._socket.fileno()

    def getsockopt(self, *names: int) -> bytes | int:
        return self._socket.getsockopt(*names)

    def recvmsg(self, *sizes: int) -> tuple[bytes, list[tuple[int, int, bytes]], int, object]:
        read = self._socket.recvmsg(*sizes)
        if self._meanwhile is not None:
            self._meanwhile()
            self._meanwhile = None
        return read


@needs_stamps
async def test_what_came_between_a_read_and_a_look_at_the_clock_was_once_dated_too_late() -> None:
    async with an_overheard_connection() as (wire, client):
        sent: list[int] = []

        def meanwhile() -> None:
            client.sendall(b"two")
            sent.append(now_us())
            keep_the_loop_busy(20)

        real = wire.wire._socket
        wire.wire._socket = SocketOfABusyServer(real, meanwhile)  # type: ignore[assignment]
        client.sendall(b"one")
        await wire.receive()
        arrived = await wire.receive()
        wire.wire._socket = real

        assert arrived.data == b"two"
        assert arrived.at <= sent[0] + MILLI


@needs_stamps
async def test_a_read_that_left_bytes_behind_moves_nothing_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sockets, "READ_SIZE", 4)
    async with an_overheard_connection() as (wire, client):
        client.sendall(b"onetwo")
        sent = now_us()
        keep_the_loop_busy(20)

        first, second = await wire.receive(), await wire.receive()

        assert (first.data, second.data) == (b"onet", b"wo")
        assert second.at <= sent + MILLI


# --- the wall clock -----------------------------------------------------------------------------


class FakeTime:
    """Wall clock and monotonic clock in nanoseconds, moved by hand; the loop goes by the second."""

    def __init__(self) -> None:
        self.wall = 1_800_000_000_000_000_000
        self.monotonic = 5_000_000_000
        self.interruptions = 0

    def now_us(self) -> int:
        return self.monotonic // 1_000

    def time_ns(self) -> int:
        wall = self.wall
        if self.interruptions:
            self.interruptions -= 1
            self.run_for(30)  # somebody else had the processor
        return wall

    def perf_counter_ns(self) -> int:
        return self.monotonic

    def run_for(self, milliseconds: float, *, wall_gains: float = 0) -> None:
        self.monotonic += round(milliseconds * 1_000_000)
        self.wall += round((milliseconds + wall_gains) * 1_000_000)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr(arrivals, "time", fake)
    monkeypatch.setattr(arrivals, "now_us", fake.now_us)
    return fake


def test_a_stamp_is_turned_into_the_loops_time(clocks: FakeTime) -> None:
    wall = WallClock()
    stamp, taken_at = clocks.wall, clocks.now_us()
    clocks.run_for(7.5)

    assert wall.look()
    assert wall.loop_us(stamp) == taken_at


@pytest.mark.parametrize("step_ms", [11, -11, 3_600_000, -3_600_000])
def test_a_step_of_the_wall_clock_is_noticed_once(clocks: FakeTime, step_ms: int) -> None:
    wall = WallClock()
    clocks.run_for(1_000, wall_gains=step_ms)

    assert not wall.look()

    stamp, taken_at = clocks.wall, clocks.now_us()
    clocks.run_for(2)
    assert wall.look()
    assert wall.loop_us(stamp) == taken_at


@pytest.mark.parametrize("drift_ms", [9, -9, 0])
def test_a_clock_that_is_slowly_corrected_is_no_step(clocks: FakeTime, drift_ms: int) -> None:
    wall = WallClock()
    for _ in range(10):
        clocks.run_for(1_000, wall_gains=drift_ms)

        assert wall.look()
        assert wall.loop_us(clocks.wall) == clocks.now_us()


def test_another_thread_between_two_looks_at_the_clocks_once_made_calls_early(
    clocks: FakeTime,
) -> None:
    wall = WallClock()
    stamp, taken_at = clocks.wall, clocks.now_us()
    clocks.interruptions = 1

    assert wall.look()
    assert wall.loop_us(stamp) == taken_at


def test_a_machine_that_never_lets_go_is_not_waited_for(clocks: FakeTime) -> None:
    wall = WallClock()
    clocks.interruptions = 1_000

    wall.look()

    assert clocks.interruptions >= 990
