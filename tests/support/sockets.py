"""TCP connections over loopback, and a server that is too busy to look at them."""

import math
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext

import trio

from server.arrivals import (
    ANCILLARY,
    SO_TIMESTAMPNS,
    Arrived,
    WallClock,
    ask_for_stamps,
    stamp_in,
)
from server.sockets import Ears, SocketWire

STAMPED_BY_THEN = 100_000  # reads


@asynccontextmanager
async def a_connection(
    *, stamps: bool = True, ears: Ears | None = None
) -> AsyncIterator[tuple[SocketWire, socket.socket]]:
    """The server's end of a TCP connection, and the client's, which does not wait for the loop."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert not stamps or ask_for_stamps(listening)
        client = socket.create_connection(listening.getsockname())
        accepted, _ = listening.accept()
    wire = SocketWire(accepted, ears or Ears(WallClock()))
    try:
        with client, stamping() if stamps else nullcontext():
            yield wire, client
    finally:
        wire.close()


class Overheard:
    """The server's end of a connection, with ears of its own at work, read piece by piece."""

    def __init__(self, wire: SocketWire) -> None:
        self.wire = wire
        tell, self._heard = trio.open_memory_channel[Arrived](math.inf)
        wire.listen(tell.send_nowait)

    async def receive(self) -> Arrived:
        """What is heard next."""
        return await self._heard.receive()


@asynccontextmanager
async def an_overheard_connection(
    *, stamps: bool = True, wall: WallClock | None = None
) -> AsyncIterator[tuple[Overheard, socket.socket]]:
    """The server's end of a TCP connection, and the client's, which does not wait for the loop."""
    ears = Ears(wall or WallClock())
    async with (
        a_connection(stamps=stamps, ears=ears) as (wire, client),
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(ears.run)
        yield Overheard(wire), client
        nursery.cancel_scope.cancel()


@contextmanager
def stamping() -> Iterator[None]:
    """The kernel stamps what arrives until the end of this.

    It begins a little after the first socket of a machine has asked, and ends after the last has gone.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        with socket.create_connection(listening.getsockname()) as client:
            near, _ = listening.accept()
            with near:
                assert any(_is_stamped(client, near) for _ in range(STAMPED_BY_THEN))
                yield


def _is_stamped(client: socket.socket, near: socket.socket) -> bool:
    client.sendall(b"?")
    _, ancillary, _, _ = near.recvmsg(1, ANCILLARY)
    return stamp_in(ancillary) is not None


def keep_the_loop_busy(milliseconds: int) -> None:
    end = time.perf_counter() + milliseconds / 1_000
    while time.perf_counter() < end:
        pass
