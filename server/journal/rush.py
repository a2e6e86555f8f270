"""Whether commits come so fast that a transaction had better wait for more of them.

What a transaction takes hardly depends on what is in it, so a busy server keeps much more with less
work if some share one. But a table alone is never to wait for others that do not come: it has one
commit at a time, and those of one table, however fast they are, are no reason to wait.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable

from server.journal.records import Change, LobbyChange

MANY = 4  # so many commits, each of another lobby or person, make a rush
SHORTLY_S = 0.006  # in a rush they come within this time


class Rush:
    """The newest commits: whose they are, and when they were written."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._newest: deque[tuple[float, str | bytes]] = deque(maxlen=MANY)

    def note(self, firsts: Iterable[Change]) -> None:
        """A transaction is about to be written; these are the first changes of its commits."""
        now = self._clock()
        self._newest.extend([(now, _owner(change)) for change in firsts])

    def is_on(self) -> bool:
        """Whether more will come soon: the newest came fast, and from as many as there are."""
        newest = self._newest
        if len(newest) < MANY or self._clock() - newest[0][0] > SHORTLY_S:
            return False
        return len({owner for _, owner in newest}) == MANY


def _owner(change: Change) -> str | bytes:
    return change.code if isinstance(change, LobbyChange) else change.digest
