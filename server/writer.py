"""The bounded way out to one client: write at once what the kernel takes, queue the rest."""

from collections.abc import Callable

import trio

from server.arrivals import Wire


class Writer:
    """Bytes for one client, gathered by `post` and sent by `flush`.

    `flush` never waits. A client that does not read fills its kernel buffer, then this queue; only
    then is there a task that waits for it: `start` is asked to run `run`. Once
    more than `limit` bytes are waiting and there is still more to say, it is too slow: what it still
    had to hear is dropped and `too_slow` is called, once, for the session to close (its seat stays).
    So at most `limit` bytes and what one `flush` sends are ever kept; a single long message, such
    as the snapshot of a long deal, is nobody's fault and always fits.
    """

    def __init__(
        self, wire: Wire, limit: int, *, start: Callable[[], None], too_slow: Callable[[], None]
    ) -> None:
        self._wire = wire
        self._limit = limit
        self._start = start
        self._too_slow = too_slow
        self._is_running = False
        self._posted: list[bytes] = []  # joined once: a resume posts hundreds of events
        self._queued = bytearray()
        self._under_way = 0  # bytes that `run` is sending now
        self._closing = False
        self._overflowed = False

    @property
    def waiting(self) -> int:
        """Bytes that the kernel has not taken yet."""
        return len(self._queued) + self._under_way

    def post(self, data: bytes) -> None:
        """Add bytes to what the next `flush` sends; after the end they are dropped."""
        if not self._closing and not self._overflowed:
            self._posted.append(data)

    def flush(self) -> None:
        """Send what was posted, as far as the kernel takes it without waiting."""
        if not self._posted:
            return
        data = b"".join(self._posted)
        self._posted.clear()
        sent = 0
        # What is on its way goes first, or the client would read one message inside another.
        if not self._queued and not self._under_way:
            try:
                sent = self._wire.send_nowait(data)
            except OSError:
                return  # the reader sees the broken connection and ends the session
        if sent < len(data):
            self._queue(data[sent:])

    def _queue(self, data: bytes) -> None:
        if self.waiting > self._limit:
            self._queued.clear()
            self._overflowed = True
            self._too_slow()
        else:
            self._queued += data
            if not self._is_running:
                self._is_running = True
                self._start()

    async def run(self) -> None:
        """Send what had to be queued. Gives up if the client is gone."""
        while self._queued:
            data, self._queued = bytes(self._queued), bytearray()
            self._under_way = len(data)
            try:
                await self._wire.send_all(data)
            except (OSError, trio.BrokenResourceError, trio.ClosedResourceError):
                return
            self._under_way = 0
        self._is_running = False

    def finish(self) -> None:
        """Send what was posted, and take nothing more."""
        self.flush()
        self._closing = True
