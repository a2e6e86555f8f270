"""The kernel of the server's machine, simulated: sockets as `server.sockets` uses them.

The server's own `Ears` and `SocketWire` run here, on sockets that are not there. What has arrived
lies in a buffer under the stamp of its last byte until it is read; what is sent goes as far as there
is room. A call to the kernel can take a little while, in which more arrives.
"""

from typing import TYPE_CHECKING, cast
from zlib import crc32

import trio

from server.arrivals import Arrived, Hear, WallClock, now_us
from server.sockets import READ_SIZE, Ears, SocketWire
from tests.simulation.lanes import on_lane
from tests.simulation.world import World

if TYPE_CHECKING:
    from tests.simulation.network import Connection

LONGEST_CALL = 60  # microseconds


class SimWall(WallClock):
    """The server's own look at the wall clock, which somebody may set."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.doubts: list[int] = []  # when it had been set since the last look
        super().__init__(world.steady)

    def look(self) -> bool:
        """Look at both clocks."""
        is_right = super().look()
        self._world.wall_was_looked_at = True
        if not is_right:
            self.doubts.append(self._world.look())
        return is_right

    def _look_at_clocks(self) -> tuple[int, int]:
        wall_ns = 1000 * self._world.wall_us()
        apart = wall_ns - 1000 * self._world.look()
        return apart, apart


class SimEars(Ears):
    """The server's own reader of sockets, on simulated ones.

    It is a task among the others, whose turn comes when it comes: the server's is the first in each
    pass, and nobody may depend on that.
    """

    def __init__(self, world: World, name: str) -> None:
        self.sim_wall = SimWall(world)
        super().__init__(self.sim_wall)
        self.world = world
        self.name = name
        self.dice = world.dice(name)
        self.creeps = 0.0  # how often a call to the kernel takes a while, in which things happen
        self._wires: dict[SimWire, None] = {}
        self._reader: trio.lowlevel.Task | None = None

    def add(self, wire: SocketWire) -> None:
        """Listen on this connection, too."""
        assert isinstance(wire, SimWire)
        self._wires[wire] = None
        if wire.is_readable:
            self.wake()

    def remove(self, wire: SocketWire) -> None:
        """Listen no longer on this connection."""
        self._wires.pop(cast("SimWire", wire), None)

    def wake(self) -> None:
        """There is something to read."""
        if self._reader is not None:
            trio.lowlevel.reschedule(self._reader)
            self._reader = None

    def creep(self) -> None:
        """A call to the kernel takes its time, and meanwhile other things happen."""
        if self.creeps and self.dice.random() < self.creeps:
            self.world.creep(self.dice.randint(1, LONGEST_CALL))

    async def run(self) -> None:
        """Listen until cancelled."""
        while True:
            if self._unsettled:
                await trio.lowlevel.checkpoint()
            else:
                await self._wait()
            self.attend()

    async def _wait(self) -> None:
        if any(wire.is_readable for wire in self._wires):
            await trio.lowlevel.checkpoint()
            return
        self._reader = trio.lowlevel.current_task()

        def abort(_: object) -> trio.lowlevel.Abort:
            self._reader = None
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)

    def _ready(self) -> list[SocketWire]:
        ready: list[SocketWire] = [wire for wire in self._wires if wire.is_readable]
        now = self.world.now
        ready.sort(key=lambda wire: crc32(f"{self.name} {now} {wire}".encode()))
        return ready


class SimWire(SocketWire):
    """The server's end of a connection, with a kernel that is simulated."""

    def __init__(self, connection: "Connection", ears: SimEars) -> None:
        self._connection = connection
        self._ears = self._sim_ears = ears
        self._kernel = bytearray()
        self._stamp = 0  # on the wall clock
        self.heard_at = connection.world.now  # when something came last
        self.reads: list[int] = []  # when there was something to read, and it was read
        self.stamped: list[int] = []  # when the last byte of each of these had come
        self._ended = False  # the peer has closed, or the line is broken
        self._closed = False
        self._writer: trio.lowlevel.Task | None = None
        self._not_before = now_us()
        self._hear = None

    def __str__(self) -> str:
        return self._connection.name

    def fileno(self) -> int:
        """There is no socket."""
        return -1

    def listen(self, hear: Hear) -> None:
        """Have all that comes heard from now on."""
        self._hear = hear
        if not self._closed:
            self._sim_ears.add(self)

    @property
    def connection(self) -> "Connection":
        """Whose end this is."""
        return self._connection

    # --- the outside --------------------------------------------------------------------------------

    @property
    def is_readable(self) -> bool:
        """Whether there are bytes, or no more to come."""
        return bool(self._kernel) or self._ended

    @property
    def is_open(self) -> bool:
        """Whether neither end has closed."""
        return not self._closed and not self._ended

    @property
    def waits_for_room(self) -> bool:
        """Whether the server has more to send than the kernel takes."""
        return self._writer is not None

    def arrive(self, data: bytes) -> None:
        """A segment reaches the server's kernel now."""
        if self._closed or self._ended:
            return
        self._kernel += data
        self._stamp = self._connection.world.wall_us()
        self.heard_at = self._connection.world.now
        self._connection.world.wake(self._wake_ears, str(self))

    def end(self) -> None:
        """Nothing more will come."""
        self._ended = True
        self._connection.world.wake(self._wake_ears, str(self))
        self._connection.world.wake(self.wake_writer, str(self))

    def _wake_ears(self) -> None:
        if self._hear is not None:
            self._sim_ears.wake()

    def wake_writer(self) -> None:
        """There may be room for more."""
        if self._writer is not None:
            trio.lowlevel.reschedule(self._writer)
            self._writer = None

    # --- what the server calls ----------------------------------------------------------------------

    def hear(self, arrived: Arrived) -> None:
        """What is heard here is done on this connection's lane."""
        with on_lane(self._connection.name):
            super().hear(arrived)

    def read(self) -> tuple[bytes, int | None] | None:
        """All bytes that are there, with the stamp of the last of them."""
        self._sim_ears.creep()
        if not self._kernel:
            return (b"", None) if self._ended or self._closed else None
        self.reads.append(self._connection.world.look())
        self.stamped.append(self.heard_at)
        data, self._kernel = bytes(self._kernel[:READ_SIZE]), self._kernel[READ_SIZE:]
        return data, self._stamp * 1000

    def came_in_pieces(self, age_us: int) -> bool:  # noqa: ARG002
        """Nothing comes before its turn here."""
        return False

    def send_nowait(self, data: bytes) -> int:
        """Hand over as much as the kernel takes."""
        self._sim_ears.creep()
        if self._closed or self._ended:
            raise BrokenPipeError
        taken = data[: self._connection.room()]
        if taken:
            self._connection.to_client(taken)
        return len(taken)

    async def send_all(self, data: bytes) -> None:
        """Hand over all of it, as the kernel makes room."""
        while data:
            if not self._connection.room() and not self._ended and not self._closed:
                self._writer = trio.lowlevel.current_task()

                def abort(_: object) -> trio.lowlevel.Abort:
                    self._writer = None
                    return trio.lowlevel.Abort.SUCCEEDED

                await trio.lowlevel.wait_task_rescheduled(abort)
            else:
                await trio.lowlevel.checkpoint()
            data = data[self.send_nowait(data) :]

    def close(self) -> None:
        """Close; whoever waits for room is woken."""
        self._hear = None
        self._sim_ears.remove(self)
        if not self._closed:
            self._closed = True
            self._connection.server_closed()
            self.wake_writer()
