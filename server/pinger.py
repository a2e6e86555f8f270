"""One task that asks all connections for signs of life, each once in `ping_s` seconds."""

from collections import deque

import trio

from server.people import Line, Person


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
            await self._first.wait()
            self._first = trio.Event()
            while self._next:
                due, person, line = self._next.popleft()
                if person.line is line:
                    await trio.sleep_until(due)
                    self._ping_again(person, line)

    def _ping_again(self, person: Person, line: Line) -> None:
        if person.line is line:
            line.ping(person.rtt_us)
            self._next.append((trio.current_time() + self._ping_s, person, line))
