"""Connections over TCP, and the one reader of them all.

A task for each connection that wakes up for every message costs more than the message. So all
connections are read by the `Ears`, which look at all sockets at once and hand on what they hear in
the order of its arrival. That is also what makes a ruling simple (RULES C5):

* They look twice. All that the first look found has been read when the second begins, so whatever
  reached the kernel before any of it, on whatever socket, is found by the second at the latest. What
  is no younger than what the first look found is then complete: it is handed on, *settled*, in the
  order of its arrival, and whoever gets it need not wait for anything earlier.
* What only the second look found may be younger than something unread. It is kept until the next
  pass of the scheduler: the others get their turn.

So each time all is handed on that had come before the first of the two looks. They look when a pass
begins, before any task has its turn: whom they wake goes on in that very pass, and not only after
trio has asked the kernel once more. Whoever waits for two passes, for a deadline say, has everything
that came before it (`server.arrivals.settle`).
"""

import contextlib
import logging
import socket
from operator import itemgetter

import trio

from protocol.framing import COMMAND_CAP
from server.arrivals import (
    ANCILLARY,
    STEP_US,
    TICKS_US,
    Arrived,
    Hear,
    WallClock,
    Wire,
    came_in_pieces,
    now_us,
    stamp_in,
    stay_awake,
)
from server.readable import Polled, Selected, to_be_read

LOG = logging.getLogger(__name__)
READ_SIZE = COMMAND_CAP  # no client has to say more at once, and each read is understood as a whole

Stamped = tuple[int, bool]
"""When something arrived, in microseconds on the loop's clock, and whether the kernel says so."""

Heard = tuple[int, bool, bytes, "SocketWire"]
"""The same, with what it was and on which connection."""


class SocketWire(Wire):
    """A TCP connection whose reads carry the kernel's stamp where the kernel gives one."""

    __slots__ = ("_ears", "_hear", "_not_before", "_socket")

    def __init__(self, sock: socket.socket, ears: "Ears") -> None:
        sock.setblocking(False)  # noqa: FBT003 - the socket's own word
        self._socket, self._ears = sock, ears
        self._not_before = now_us()
        self._hear: Hear | None = None

    def fileno(self) -> int:
        """The number of the socket; -1 once it is closed."""
        return self._socket.fileno()

    # --- reading: the ears do ---------------------------------------------------------------------

    def read(self) -> tuple[bytes, int | None] | None:
        """Read once, without waiting: bytes and their stamp, no bytes at the end, None for nothing."""
        try:
            data, ancillary, _, _ = self._socket.recvmsg(READ_SIZE, ANCILLARY)
        except BlockingIOError:
            return None
        except OSError:
            return b"", None
        return data, stamp_in(ancillary)

    def timed(self, data: bytes, stamp_ns: int | None, looked_at: int, now: int) -> Stamped:
        """When the bytes of a read came; it was made between `looked_at` and `now`."""
        stamped = stamp_ns is not None
        at = now_us() if stamp_ns is None else self._ears.wall.loop_us(stamp_ns)
        if stamped and at > now:
            stamped = at <= now + STEP_US
            at = now
        at = max(at, self._not_before)
        if stamped and now - at > TICKS_US and self.came_in_pieces(now - at):
            at, stamped = now, False
        # What comes while this runs may be as old as the look, unless bytes before it are younger.
        emptied = len(data) < READ_SIZE
        self._not_before = looked_at if emptied and at < looked_at else at
        return at, stamped

    def came_in_pieces(self, age_us: int) -> bool:
        """Whether the kernel took in something after what it stamped so long ago."""
        return came_in_pieces(self._socket, age_us)

    def listen(self, hear: Hear) -> None:
        """Have all that comes heard from now on; no data says that the peer is gone."""
        self._hear = hear
        if self._socket.fileno() != -1:
            self._ears.add(self)

    def hear(self, arrived: Arrived) -> None:
        """Hand on what the ears have heard, unless this end is closed."""
        if self._hear is not None:
            self._hear(arrived)

    # --- writing, and the end -------------------------------------------------------------------

    def send_nowait(self, data: bytes) -> int:
        """Write what the kernel's buffer takes."""
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0

    async def send_all(self, data: bytes) -> None:
        """Write all of it, waiting for the buffer to drain."""
        view = memoryview(data)
        while view:
            await trio.lowlevel.wait_writable(self._socket)
            with contextlib.suppress(BlockingIOError):
                view = view[self._socket.send(view) :]

    def close(self) -> None:
        """Close the socket; a second time does no harm."""
        self._hear = None
        if self._socket.fileno() != -1:
            self._ears.remove(self)
            trio.lowlevel.notify_closing(self._socket)
            self._socket.close()


class Ears(trio.abc.Instrument):
    """The one reader of all sockets on which somebody listens."""

    def __init__(self, wall: WallClock) -> None:
        self.wall = wall
        self._sockets: Polled[SocketWire] | Selected[SocketWire] = to_be_read()
        self._unsettled: list[Heard] = []
        self._listening = trio.CancelScope()
        self._fault: Exception | None = None

    def add(self, wire: SocketWire) -> None:
        """Listen on this connection, too."""
        self._sockets.add(wire)

    def remove(self, wire: SocketWire) -> None:
        """Listen no longer on this connection."""
        self._sockets.remove(wire)

    async def run(self) -> None:
        """Listen until cancelled; a fault of ours is raised here."""
        trio.lowlevel.add_instrument(self)
        any_socket = self._sockets.fileno()
        try:
            with contextlib.closing(self._sockets), self._listening:
                while True:  # the loop sleeps no longer than until there is something to hear
                    await trio.lowlevel.wait_readable(any_socket)
        finally:
            trio.lowlevel.remove_instrument(self)
        if self._fault is not None:
            raise self._fault

    def after_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio's own name
        """A pass begins."""
        if self._fault is not None:
            return
        try:
            self.attend()
        except Exception as fault:  # noqa: BLE001 - trio would log it, and never ask us again
            self._fault = fault
            self._listening.cancel()
        if self._unsettled:  # the loop must not sleep on it
            stay_awake()

    def attend(self) -> None:
        """Hear what there is, and hand on what is settled."""
        self._unsettled += self._look()
        if self._unsettled:
            self._settle()

    def _ready(self) -> list[SocketWire]:
        """The connections on which there is something to read, or that have ended."""
        return self._sockets.ready()

    def _settle(self) -> None:
        """Look once more, and hand on what was known before and all that is no younger."""
        settled, found = self._unsettled, self._look()
        self._unsettled = []
        if found:
            latest = max([at for at, *_ in settled], default=0)
            self._unsettled = [each for each in found if each[0] > latest]
            settled += [each for each in found if each[0] <= latest]
        settled.sort(key=itemgetter(0))
        for at, stamped, data, wire in settled:
            try:
                wire.hear(Arrived(data=data, at=at, stamped=stamped, settled=True))
            except Exception:  # the session could not even be ended: it falls silent
                LOG.exception("what was heard could not be handed on")
                self.remove(wire)

    def _look(self) -> list[Heard]:
        """Read whatever there is."""
        ready = self._ready()
        if not ready:
            return []
        looked_at = now_us()
        reads = [(wire, read) for wire in ready if (read := wire.read()) is not None]
        if not reads:
            return []
        can_tell, now = self.wall.look(), now_us()
        heard = []
        for wire, (data, stamp) in reads:
            at, stamped = wire.timed(data, stamp if can_tell else None, looked_at, now)
            heard.append((at, stamped, data, wire))
            if not data:
                self.remove(wire)
        return heard
