"""Bytes together with the time at which the kernel received them (RULES C1).

Why not simply read the clock after `recv`? Trio runs ready tasks in random order, on purpose. Two
challenges that reached this machine a millisecond apart, while the loop was busy, are both ready
when it looks again, and whichever reader happens to run first would "win": measured, that is wrong
in up to half of the close races. The kernel, however, stamps every packet as it comes in
(`SO_TIMESTAMPNS`; set on the listening socket, accepted ones inherit it), and `recvmsg` hands the
stamp over with the bytes. So the order of reading no longer matters, as long as whoever decides waits
until everything that came earlier has been read: that half is in `server.sockets` and `server.table.intake`.

Four things about the stamp need care:

* It is wall-clock time, and turned into the loop's monotonic time at once. If the two clocks have
  moved apart by more than 10 ms since anybody last looked, somebody set the wall clock: then this
  read is timed by the read itself and says that it is unstamped.
* It belongs to the *last* byte that a read returns, and the kernel may merge segments and keep the
  later stamp. A client that sends nothing after a challenge until it is answered (protocol/README)
  is therefore never made late by its own chatter.
* The last byte of a read is the last one of the stream, and not always the last to come. Somebody
  who writes their own packets can send the end of a challenge, look at the table for a while, and
  then decide to send its beginning: the stamp would be that of the end. So a stamp that is older
  than what the kernel took in last says nothing: that read is timed by the read itself, too.
* It cannot be trusted blindly: it is clamped between this connection's last read that emptied the
  socket (what comes now came later) and now. One that lies more than 10 ms ahead was made while the
  wall clock was wrong, and set right before anybody looked: that read, too, is unstamped.
"""

import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Protocol

import trio
from msgspec import Struct

from protocol.numbers import MICROS
from server.steady_clock import SteadyClock

SO_TIMESTAMPNS = 35  # Linux; the socket module does not name it
_TCP_INFO = 11  # of Linux as well, like the place of `tcpi_last_data_recv` in what it gives
_LAST_DATA_RECV = struct.Struct("@52xI")
TICKS_US = 20_000  # two ticks of a kernel that counts a hundred a second: no closer does it tell
_TIMESPEC = struct.Struct("@qq")
_TIMESPEC_SIZE, _SOL_SOCKET = _TIMESPEC.size, socket.SOL_SOCKET
ANCILLARY = socket.CMSG_SPACE(_TIMESPEC_SIZE) if hasattr(socket, "CMSG_SPACE") else 0
STEP_US = 10_000  # more apart than this, and the wall clock was set
_KEPT_NS = 3_000  # no more apart, and it may be rounding to microseconds: nothing has moved
_LOOKS = 10  # so many looks at the clocks at the start; the best one counts


class Arrived(Struct, frozen=True, kw_only=True):
    """What one read returned, and when its last byte reached this machine.

    `at` is in microseconds on the loop's clock (`now_us`); `stamped` is false where the time is
    that of the read. `settled` says that all that came earlier, on whatever connection, has been
    handed on before. No data means that the peer has closed.
    """

    data: bytes
    at: int
    stamped: bool
    settled: bool = False


Hear = Callable[[Arrived], None]


class Wire(Protocol):
    """One connection, as a session uses it."""

    __slots__ = ()

    def listen(self, hear: Hear) -> None:
        """Have all that comes heard from now on, at the end that the peer is gone: no data."""
        ...

    def send_nowait(self, data: bytes) -> int:
        """Write as much as fits without waiting; how many bytes that was. Raises OSError."""
        ...

    async def send_all(self, data: bytes) -> None:
        """Write all of it. Raises OSError or trio's stream errors when the peer is gone."""
        ...

    def close(self) -> None:
        """Close at once; wakes whoever is sending. Nothing more is heard."""
        ...


def now_us() -> int:
    """The loop's monotonic clock in microseconds."""
    return round(trio.current_time() * MICROS)


def wall_s() -> int:
    """Seconds of the wall clock, for what is kept over a restart; nothing is decided by it."""
    return int(time.time())


async def settle(passes: int) -> None:
    """Let this many passes of the scheduler go by, so that all that has arrived is read.

    In each pass the loop looks at the sockets, what has come is read, and then everybody runs who is
    ready, in random order. So after two passes everything is read and handed on that had reached the
    kernel before this call. One will do for a caller that was woken
    by what a reader handed on, and asks only for what came earlier: that was there when the loop
    looked. A caller woken by a deadline needs two, since the loop may have looked at the sockets just
    before the deadline and at the deadlines just after it.
    """
    for _ in range(passes):
        await trio.lowlevel.checkpoint()


def stay_awake() -> None:
    """Let the loop go through one more pass before it sleeps."""
    trio.lowlevel.current_trio_token().run_sync_soon(_nothing, idempotent=True)


def _nothing() -> None:
    """Having come to this, the loop looks at the sockets, and at who is ready."""


class WallClock:
    """Turns the kernel's wall-clock stamps into the loop's time, and notices when the clock is set.

    How far the two clocks are apart is kept for as long as what is seen of them allows it: then the
    order of two stamps is the order of the times made from them, whatever came between two looks at
    the clocks. Taken anew for each stamp it let the later of two calls win, if an interrupt of a few
    microseconds fell between two looks.
    """

    def __init__(self, steady: SteadyClock | None = None) -> None:
        """`steady` is the loop's clock, if that one hides time in which nothing ran."""
        self._steady = steady
        self._true_now_us = now_us if steady is None else steady.true_now_us
        least, most = min((self._look_at_clocks() for _ in range(_LOOKS)), key=_width)
        self._apart_ns = (least + most) // 2

    def look(self) -> bool:
        """Look at both clocks, after a read and before its stamps are turned into times.

        False if the wall clock has been set since the last look: those stamps say nothing then.
        """
        least, most = self._look_at_clocks()
        moved = max(least - self._apart_ns, self._apart_ns - most)
        if moved > _KEPT_NS:
            self._apart_ns = (least + most) // 2
        return moved <= 1000 * STEP_US

    def loop_us(self, stamp_ns: int) -> int:
        """When the stamp was taken, on the loop's clock."""
        taken_us = (stamp_ns - self._apart_ns + 500) // 1000
        return taken_us if self._steady is None else self._steady.loop_us(taken_us)

    def _look_at_clocks(self) -> tuple[int, int]:
        """How far the wall clock is ahead of the monotonic one, in nanoseconds: at least and at most."""
        before, wall, after = self._true_now_us(), time.time_ns(), self._true_now_us()
        return wall - 1000 * after, wall - 1000 * before


def _width(apart: tuple[int, int]) -> int:
    least, most = apart
    return most - least


def ask_for_stamps(listening: socket.socket) -> bool:
    """Ask the kernel to stamp what arrives on sockets accepted here; whether it agreed."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        listening.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    except OSError:
        return False
    return True


def came_in_pieces(sock: socket.socket, age_us: int) -> bool:
    """Whether bytes that became readable since are no older than a stamp of this age.

    What lay there unreadable, behind bytes that were still missing, has the stamp of its own arrival.
    """
    try:
        info = sock.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, _LAST_DATA_RECV.size)
    except OSError:
        return False
    (quiet_ms,) = _LAST_DATA_RECV.unpack(info)
    return age_us - 1000 * int(quiet_ms) > TICKS_US


def stamp_in(ancillary: list[tuple[int, int, bytes]]) -> int | None:
    """The stamp in nanoseconds, if the kernel gave one."""
    for level, kind, data in ancillary:
        if kind == SO_TIMESTAMPNS and level == _SOL_SOCKET and len(data) >= _TIMESPEC_SIZE:
            seconds, nanoseconds = _TIMESPEC.unpack_from(data)
            stamp: int = seconds * 1_000_000_000 + nanoseconds
            return stamp
    return None
