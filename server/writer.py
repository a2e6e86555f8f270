"""The bounded way out to one client: write at once what the kernel takes, queue the rest."""

from collections.abc import Callable

import trio

from server.arrivals import Wire


class Writer:
    """Bytes for one client, gathered by `post` and sent by `flush`; after the end they are dropped.

    `flush` never waits. A client that does not read fills its kernel buffer, then this queue; only
    then is there a task that waits for it: `start` is asked to run `run`. A single long message,
    such as the snapshot of a long deal, is nobody's fault: it always fits, and so does what follows
    while a slow line is still busy with it. But once more than `limit` bytes are waiting beside the
    longest one and there is still more to say, the client is too slow: what it still had to hear is
    dropped and `too_slow` is called, once, for the session to close (its seat stays). So `limit`
    bytes and twice what one `flush` sends are the most that is ever kept.
    """

    __slots__ = (
        "_is_mute",
        "_is_running",
        "_limit",
        "_longest",
        "_posted",
        "_queued",
        "_start",
        "_too_slow",
        "_under_way",
        "_wire",
        "post",
        "said",
    )

    def __init__(
        self, wire: Wire, limit: int, *, start: Callable[[], None], too_slow: Callable[[], None]
    ) -> None:
        self._wire = wire
        self._limit = limit
        self._start = start
        self._too_slow = too_slow
        self._is_running = False
        self._posted: list[bytes] = []  # to be joined once: a resume posts hundreds of events
        self.post = self._posted.append  # done for each event and recipient: no step in between
        self._queued = bytearray()
        self._under_way = 0  # bytes that `run` is sending now
        self._longest = 0  # the longest message that had to wait since the client fell behind
        self._is_mute = False
        self.said = 0  # how many bytes this client was told so far

    @property
    def waiting(self) -> int:
        """Bytes that the kernel has not taken yet."""
        return len(self._queued) + self._under_way

    @property
    def most(self) -> int:
        """How many bytes may be waiting for there to be more to say."""
        return self._limit + self._longest

    def flush(self) -> None:
        """Send what was posted, as far as the kernel takes it without waiting."""
        if not self._posted:
            return
        data = b"".join(self._posted)
        self._posted.clear()
        if self._is_mute:
            return
        self.said += len(data)
        if self._is_running:
            # What is on its way goes first, or the client would read one message inside another.
            self._queue(data)
            return
        try:
            sent = self._wire.send_nowait(data)
        except OSError:
            return  # the reader sees the broken connection and ends the session
        if sent < len(data):
            self._queue(data[sent:])

    def _queue(self, data: bytes) -> None:
        if self.waiting > self.most:
            self._queued.clear()
            self.mute()
            self._too_slow()
        else:
            self._queued += data
            self._longest = max(self._longest, len(data))
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
        self._longest = 0

    def finish(self) -> None:
        """Send what was posted, and take nothing more."""
        self.flush()
        self.mute()

    def mute(self) -> None:
        """Take nothing more; what is queued may still go out."""
        self._is_mute = True
