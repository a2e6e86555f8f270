"""The inbox of a lobby: errands in, one task that takes them out.

A channel with one reader and no bound of its own: who puts an errand in counts what is waiting.
"""

from collections import deque

import trio

from server.errand import Errand


class Inbox:
    """Errands in the order in which they were handed in."""

    def __init__(self) -> None:
        self._errands: deque[Errand] = deque()
        self._reader: trio.lowlevel.Task | None = None

    def __len__(self) -> int:
        return len(self._errands)

    def put(self, errand: Errand) -> None:
        """Hand in an errand; wakes the reader."""
        self._errands.append(errand)
        if self._reader is not None:
            trio.lowlevel.reschedule(self._reader)
            self._reader = None

    async def wait(self) -> None:
        """Wait until there is an errand. What was there before has been read in an earlier pass."""
        if self._errands:
            await trio.lowlevel.checkpoint()
            return
        self._reader = trio.lowlevel.current_task()

        def abort(_: object) -> trio.lowlevel.Abort:
            self._reader = None
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)

    def take(self) -> Errand:
        """The oldest errand. Raises IndexError if there is none."""
        return self._errands.popleft()

    def give_back(self, errands: list[Errand]) -> None:
        """Put errands back that were taken and not seen to: they come first again."""
        self._errands.extendleft(reversed(errands))

    def take_all(self) -> list[Errand]:
        """Everything that is here, the oldest first."""
        errands = list(self._errands)
        self._errands.clear()
        return errands
