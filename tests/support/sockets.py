"""TCP connections over loopback, and a server that is too busy to look at them."""

import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext

import trio

from server.arrivals import ANCILLARY, SO_TIMESTAMPNS, WallClock, ask_for_stamps, stamp_in
from server.sockets import Ears, SocketWire

STAMPED_BY_THEN = 100_000  # reads


@asynccontextmanager
async def a_connection(
    *, stamps: bool = True, wall: WallClock | None = None, ears: Ears | None = None
) -> AsyncIterator[tuple[SocketWire, socket.socket]]:
    """The server's end of a TCP connection, and the client's, which does not wait for the loop."""
    with trio.socket.socket() as listening:
        await listening.bind(("127.0.0.1", 0))
        assert not stamps or ask_for_stamps(listening)
        listening.listen()
        client = socket.create_connection(listening.getsockname())
        accepted, _ = await listening.accept()
    wire = SocketWire(accepted, ears or Ears(wall or WallClock()))
    try:
        with client, stamping() if stamps else nullcontext():
            yield wire, client
    finally:
        wire.close()


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
