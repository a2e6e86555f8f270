"""A session's wire over an in-memory stream, for tests without sockets."""

import trio

from server.arrivals import Arrived, Wire, now_us

READ_SIZE = 64 * 1024


class StreamWire(Wire):
    """Any trio stream as a wire. Its reads are timed after the read, and it writes only by waiting."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream

    async def receive(self) -> Arrived:
        """Wait for bytes."""
        try:
            data = await self._stream.receive_some(READ_SIZE)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            data = b""
        return Arrived(data=bytes(data), at=now_us(), stamped=False)

    def send_nowait(self, data: bytes) -> int:
        """Nothing is ever written without waiting."""
        del data
        return 0

    async def send_all(self, data: bytes) -> None:
        """Write all of it."""
        await self._stream.send_all(data)

    async def aclose(self) -> None:
        """Close the stream."""
        await trio.aclose_forcefully(self._stream)
