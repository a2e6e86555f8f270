"""A session's wire over an in-memory stream, for tests without sockets."""

from typing import Any

import trio

from server.arrivals import Arrived, Hear, Wire, now_us

READ_SIZE = 64 * 1024


class StreamWire(Wire):
    """An in-memory stream as a wire. Reads are timed after the read, and it writes only by waiting."""

    def __init__(self, stream: trio.StapledStream[Any, Any], nursery: trio.Nursery) -> None:
        self._stream = stream
        self._nursery = nursery
        self._is_closed = False

    async def receive(self) -> Arrived:
        """Wait for bytes."""
        try:
            data = await self._stream.receive_some(READ_SIZE)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            data = b""
        return Arrived(data=bytes(data), at=now_us(), stamped=False)

    def listen(self, hear: Hear) -> None:
        """Listen in a task of its own."""
        self._nursery.start_soon(self._listen, hear)

    async def _listen(self, hear: Hear) -> None:
        goes_on = True
        while goes_on:
            arrived = await self.receive()
            goes_on = bool(arrived.data)
            if not self._is_closed:
                hear(arrived)

    def send_nowait(self, data: bytes) -> int:
        """Nothing is ever written without waiting."""
        del data
        return 0

    async def send_all(self, data: bytes) -> None:
        """Write all of it."""
        await self._stream.send_all(data)

    def close(self) -> None:
        """Close both halves of the stream."""
        self._is_closed = True
        self._stream.send_stream.close()
        self._stream.receive_stream.close()
