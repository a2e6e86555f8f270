"""The bounded way out to one client: write at once what the kernel takes, queue the rest."""

import trio

from server.arrivals import Wire


class Writer:
    """Bytes for one client, gathered by `post` and sent by `flush`.

    `flush` never waits. A client that does not read fills its kernel buffer, then this queue; past
    `limit` bytes it is too slow: `overflowed` is set, what it still had to hear is dropped, and the
    session closes (its seat stays).
    """

    def __init__(self, wire: Wire, limit: int) -> None:
        self._wire = wire
        self._limit = limit
        self._posted = bytearray()
        self._queued = bytearray()
        self._wanted = trio.Event()
        self._closing = False
        self.overflowed = trio.Event()

    def post(self, data: bytes) -> None:
        """Add bytes to what the next `flush` sends."""
        self._posted += data

    def flush(self) -> None:
        """Send what was posted, as far as the kernel takes it without waiting."""
        if not self._posted or self._closing or self.overflowed.is_set():
            return
        data, self._posted = self._posted, bytearray()
        sent = 0 if self._queued else self._send_nowait(data)
        if sent < len(data):
            self._queue(data[sent:])

    def _send_nowait(self, data: bytearray) -> int:
        try:
            return self._wire.send_nowait(bytes(data))
        except OSError:
            return len(data)  # the reader sees the broken connection and ends the session

    def _queue(self, data: bytearray) -> None:
        if len(self._queued) + len(data) > self._limit:
            self._queued.clear()
            self.overflowed.set()
        else:
            self._queued += data
        self._wanted.set()

    async def run(self) -> None:
        """Send what had to be queued, until `finish`. Ends early if the client is gone or slow."""
        while not self.overflowed.is_set():
            await self._wanted.wait()
            self._wanted = trio.Event()
            while self._queued:
                data, self._queued = bytes(self._queued), bytearray()
                try:
                    await self._wire.send_all(data)
                except (OSError, trio.BrokenResourceError, trio.ClosedResourceError):
                    return
            if self._closing:
                return

    def finish(self) -> None:
        """Send what is queued, then let `run` end."""
        self.flush()
        self._closing = True
        self._wanted.set()
