"""TCP connections over loopback, and a server that is too busy to look at them."""

import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from server.arrivals import WallClock, ask_for_stamps
from server.sockets import Ears, SocketWire


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
        with client:
            yield wire, client
    finally:
        wire.close()


def keep_the_loop_busy(milliseconds: int) -> None:
    end = time.perf_counter() + milliseconds / 1_000
    while time.perf_counter() < end:
        pass
