"""One task that wakes the lobbies and sessions whose time has come.

A table waits after every action, until its next alarm at the latest, and nearly always something else
wakes it first. A cancel scope for each of these waits would cost more than most of what is waited
for. Here a wait costs one comparison, as long as alarms only move to a later time: an entry that comes
up too early is entered again at the time at which its sleeper now wants to be woken.
"""

import heapq
import logging
import math
from itertools import count
from typing import Protocol

import trio

AGAIN_S = 10.0  # after a fault, which must not fill the log
LOG = logging.getLogger(__name__)


class Sleeper(Protocol):
    """Somebody who wants to be woken at a time. The two times belong to the clock."""

    wakes_at: float  # when it wants to be woken
    listed_at: float  # when its earliest entry is due

    def wake(self) -> None:
        """The time has come; harmless if somebody is awake."""
        ...


class AlarmClock:
    """All sleepers, in seconds on the loop's clock."""

    def __init__(self) -> None:
        self._entries: list[tuple[float, int, Sleeper]] = []
        self._number = count()  # entries of the same time are never compared further
        self._stopped = 0  # how many sleepers were stopped since the entries were looked through
        self._sooner = trio.Event()

    def set(self, sleeper: Sleeper, at: float) -> None:
        """Wake the sleeper at this time, and at no other that was set before."""
        sleeper.wakes_at = at
        if at < sleeper.listed_at:
            self._list(sleeper)

    def stop(self, sleeper: Sleeper) -> None:
        """Wake the sleeper no more, unless a time is set again.

        Entries hold on to sleepers, so those of many who are gone do not stay until they come up.
        """
        sleeper.wakes_at = math.inf
        if sleeper.listed_at < math.inf:
            self._stopped += 1
            if 2 * self._stopped > len(self._entries):
                self._look_through()

    def _look_through(self) -> None:
        """Leave out the entries of all who do not want to be woken."""
        kept = []
        for entry in self._entries:
            at, _, sleeper = entry
            if at != sleeper.listed_at:
                continue
            if sleeper.wakes_at < math.inf:
                kept.append(entry)
            else:
                sleeper.listed_at = math.inf
        heapq.heapify(kept)
        self._entries, self._stopped = kept, 0

    def _list(self, sleeper: Sleeper) -> None:
        at = sleeper.listed_at = sleeper.wakes_at
        heapq.heappush(self._entries, (at, next(self._number), sleeper))
        if self._entries[0][2] is sleeper:
            self._sooner.set()

    async def run(self) -> None:
        """Wake everybody in time, for ever."""
        while True:
            self._sooner = trio.Event()
            with trio.move_on_at(self._entries[0][0] if self._entries else math.inf):
                await self._sooner.wait()
            self._wake_all(trio.current_time())

    def _wake_all(self, now: float) -> None:
        while self._entries and self._entries[0][0] <= now:
            at, _, sleeper = heapq.heappop(self._entries)
            if at != sleeper.listed_at:
                continue  # a later entry of one that was listed again for sooner
            sleeper.listed_at = math.inf
            if sleeper.wakes_at <= now:
                sleeper.wakes_at = math.inf
                if not _woken(sleeper):
                    self.set(sleeper, now + AGAIN_S)
            elif sleeper.wakes_at < math.inf:
                self._list(sleeper)


def _woken(sleeper: Sleeper) -> bool:
    """Wake a sleeper. After a fault of ours it is woken again, and nobody else oversleeps."""
    try:
        sleeper.wake()
    except Exception:
        LOG.exception("somebody whose time had come could not be woken; once more in a while")
        return False
    return True
