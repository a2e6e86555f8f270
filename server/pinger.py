"""One task that asks all connections for signs of life, each once in `ping_s` seconds."""

import logging
from collections import deque

import trio

from server.arrivals import settle
from server.person import Line, Person

MOST_AT_ONCE = 100  # so many pings are sent before others get their turn
LOG = logging.getLogger(__name__)


class Pinger:
    """Everybody's next ping, the soonest first: all wait equally long, so a queue keeps the order."""

    def __init__(self, ping_s: float) -> None:
        self._ping_s = ping_s
        self._next: deque[tuple[float, Person, Line]] = deque()
        self._first = trio.Event()

    def add(self, person: Person, line: Line) -> None:
        """Ping a new connection now, and from now on until the line is another one."""
        line.ping(person.rtt_us)
        self._next.append((trio.current_time() + self._ping_s, person, line))
        self._first.set()

    async def run(self) -> None:
        """Ping whoever is due, for ever."""
        while True:
            while self._next:
                await self._wait_for(self._next[0][0])
                self._ping_due()
            self._first = trio.Event()
            await self._first.wait()

    async def _wait_for(self, due: float) -> None:
        """Wait until then, and until all is read that had come by then.

        A pong behind a challenge that is still unread would lend it its own, later stamp (RULES C1): when
        a server that was stopped goes on, pings are long due and challenges lie in the kernel.
        """
        is_early = due > trio.current_time()
        await trio.sleep_until(due)
        if is_early:
            await settle(2)

    def _ping_due(self) -> None:
        """Ping many at once: the scheduler has fewer passes in a second than there may be lines."""
        now = trio.current_time()
        for _ in range(min(MOST_AT_ONCE, len(self._next))):
            due, person, line = self._next[0]
            if due > now:
                return
            self._next.popleft()
            if person.line is line and _pinged(person, line):
                self._next.append((now + self._ping_s, person, line))


def _pinged(person: Person, line: Line) -> bool:
    """Ping a line. After a fault of ours it is left alone: it falls silent, and its client comes again."""
    try:
        line.ping(person.rtt_us)
    except Exception:
        LOG.exception("a line could not be pinged")
        return False
    return True
