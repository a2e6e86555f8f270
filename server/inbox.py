"""The inbox of a lobby: errands in, one task that takes them out.

A channel with one reader and no bound of its own: whoever hands in an errand looks first how many wait.
"""

import math

import trio

from server.alarm_clock import AlarmClock
from server.errand import Errand
from server.person import Person


class Inbox:
    """Errands in the order in which they were handed in."""

    def __init__(self, clock: AlarmClock) -> None:
        self._clock = clock
        self.waiting: list[Errand] = []  # mostly none, and few at most: less than a deque takes
        self._reader: trio.lowlevel.Task | None = None
        self.wakes_at = self.listed_at = math.inf

    def put(self, errand: Errand) -> None:
        """Hand in an errand; wakes the reader."""
        self.waiting.append(errand)
        self.wake()

    def wake(self) -> None:
        """Let the reader go on, if it waits."""
        if self._reader is not None:
            trio.lowlevel.reschedule(self._reader)
            self._reader = None

    async def wait(self, until_s: float = math.inf) -> bool:
        """Wait until there is an errand, and no longer than to a time on the loop's clock.

        Gives whether there is one. What was there before has been read in an earlier pass.
        """
        if self.waiting:
            await trio.lowlevel.checkpoint()
            return True
        self._clock.set(self, until_s)
        self._reader = trio.lowlevel.current_task()
        await trio.lowlevel.wait_task_rescheduled(self._abort)
        return bool(self.waiting)

    def _abort(self, _: object) -> trio.lowlevel.Abort:
        self._reader = None
        return trio.lowlevel.Abort.SUCCEEDED

    def take(self) -> Errand:
        """The oldest errand. Raises IndexError if there is none."""
        return self.waiting.pop(0)

    def give_back(self, errands: list[Errand]) -> None:
        """Put errands back that were taken and not seen to: they come first again."""
        self.waiting[:0] = errands

    def count_of(self, person: Person) -> int:
        """How many errands of this person are here."""
        return sum(errand.person is person for errand in self.waiting)

    def take_all(self) -> list[Errand]:
        """Everything that is here, the oldest first."""
        errands = self.waiting.copy()
        self.waiting.clear()
        return errands
