"""What has arrived at a table, and up to which moment it is sure that nothing is still unread.

A call may sit in the kernel while a later one has been read already. Each errand carries the time
at which it reached the kernel, so it is enough to know a moment before which everything has been
read, and to decide nothing beyond it.

* Woken by errands that are settled (`server.sockets` says how that is known): everything that came
  before them is here as well. This is the common case, and costs nothing.
* Woken by a deadline: two passes of the scheduler, since the loop may have looked at the sockets just
  before the deadline and at the deadlines just after it. (A bare time-out lost calls that were in
  time.)
* Errands that are not settled, as of somebody who was only just let in, come when the tasks that hand
  them in happen to run: in each pass what has come is read, then all run who are ready. A lone errand
  was read in an earlier pass, so after one more, everything that came before it is here. If more turn
  up meanwhile, they may have been read in this very pass, while somebody else's earlier one was not:
  two more passes make it sure for all of them, and what turns up later still is carried over.
"""

from collections.abc import Iterable

from protocol import commands as c
from server.arrivals import now_us, settle
from server.errand import Errand
from server.inbox import Inbox

Gathered = tuple[list[Errand], int | None]
"""Errands by arrival, and the moment up to which nothing is unread (see `Intake.gather`)."""


class Intake:
    """The way in to one table."""

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox
        self._carried: list[Errand] = []

    async def gather(self, until_s: float) -> Gathered:
        """Wait for errands, until a time on the loop's clock at the latest; sort them by arrival.

        With them comes the moment (microseconds on the loop's clock) up to which nothing is unread:
        all of them came before it. It is None if none of them is about the deal.
        """
        if self._carried:
            return await self._make_sure()
        if not await self.inbox.wait(until_s):
            return await self._at_deadline()
        errands = self.inbox.take_all()
        if len(errands) == 1 and errands[0].settled:
            return errands, errands[0].at
        if all(errand.settled for errand in errands):
            return sorted(errands, key=_by_arrival), errands[-1].at
        self._carried = errands  # until they are given out: a fault of ours loses none
        if len(errands) == 1 and _about_the_deal(errands):
            await settle(1)
            self._take_in()
            if len(self._carried) == 1:
                return self.left_over(), errands[0].at
        return await self._make_sure()

    def left_over(self) -> list[Errand]:
        """What was carried over when the deal ended."""
        errands, self._carried = self._carried, []
        return errands

    async def _at_deadline(self) -> Gathered:
        reached = now_us()
        await settle(2)
        return self._up_to(reached)

    async def _make_sure(self) -> Gathered:
        if not _about_the_deal(self._carried):
            return self.left_over(), None
        latest = max(errand.at for errand in self._carried)
        await settle(2)
        return self._up_to(latest)

    def _up_to(self, moment: int) -> Gathered:
        self._take_in()
        known = sorted([each for each in self._carried if each.at <= moment], key=_by_arrival)
        self._carried = [errand for errand in self._carried if errand.at > moment]
        return known, moment

    def _take_in(self) -> None:
        self._carried = [*self._carried, *self.inbox.take_all()]


def _by_arrival(errand: Errand) -> tuple[int, bool]:
    """At the same instant a challenge comes before the cards that would close it (RULES C5)."""
    return errand.at, not isinstance(errand.command, c.Challenge)


def _about_the_deal(errands: Iterable[Errand]) -> bool:
    return any(isinstance(errand.command, c.AtTheTable) for errand in errands)
