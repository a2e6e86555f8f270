"""Many people who say hello and then only answer pings."""

import itertools
import select
import time
from dataclasses import dataclass

from benching.frames import kind_of
from benching.tables import PATIENCE_S, RARE, Address, Line, answer_rare

MOST_AT_THE_DOOR = 200  # connected, but not yet let in


@dataclass(slots=True, kw_only=True)
class Held:
    """How a stretch of idling went."""

    connections: int  # still there at its end
    pings: int
    seconds: float


class Crowd:
    """Idle connections to one server."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lines: dict[int, Line] = {}
        self._names = (f"w{number}" for number in itertools.count())
        self._poll = select.epoll()
        self._let_in = 0
        self._pings = 0

    def connect(self, count: int) -> float:
        """Connect this many people; return the seconds until the last of them has been let in.

        Raises:
            TimeoutError: nobody was let in for as long as one may wait for it.
        """
        began = moved_at = time.perf_counter()
        while (let_in := self._let_in) < count:
            at_the_door = len(self._lines) - let_in
            if len(self._lines) < count and at_the_door < MOST_AT_THE_DOOR:
                self._add()
                self._attend(0)
            else:
                self._attend(PATIENCE_S)
            now = time.perf_counter()
            moved_at = now if self._let_in > let_in else moved_at
            if now - moved_at > PATIENCE_S:
                message = f"nobody was let in for {PATIENCE_S:.0f} s"
                raise TimeoutError(message)
        return time.perf_counter() - began

    def hold(self, seconds: float) -> Held:
        """Stay connected for this long."""
        pings, began = self._pings, time.perf_counter()
        while (left_s := began + seconds - time.perf_counter()) > 0:
            self._attend(left_s)
        return Held(
            connections=len(self._lines),
            pings=self._pings - pings,
            seconds=time.perf_counter() - began,
        )

    def _add(self) -> None:
        line = Line(self._address, next(self._names))
        line.socket.setblocking(False)  # noqa: FBT003 - the socket's own word
        self._lines[line.socket.fileno()] = line
        self._poll.register(line.socket, select.EPOLLIN)

    def _attend(self, wait_s: float) -> None:
        for file, _ in self._poll.poll(wait_s):
            try:
                self._hear(self._lines[file])
            except ConnectionError:
                self._poll.unregister(file)
                self._lines.pop(file).socket.close()

    def _hear(self, line: Line) -> None:
        for body in line.receive():
            kind = kind_of(body)
            self._let_in += kind == b"hall_changed"
            if kind in RARE:
                self._pings += 1
                answer_rare(line, kind, body)
