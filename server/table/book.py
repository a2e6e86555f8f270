"""What a table keeps of its deal, and when: cards that lie ready not before they count (RULES C3).

That somebody has laid cards ready, or others instead, or has taken them back, is told to nobody else.
If a table kept it at once, everybody could tell by the time of their own answers, which wait for the
disk. Nor is it kept with what the others do meanwhile: taking it back would then have to be kept, too.
So it is kept together with what lets the cards go down or come back, and what was taken back before
that is not kept at all. Nobody is told that it is kept: a command whose cards lie ready is answered
once they count or come back, and is said again after a restart.
"""

from server.company import Company
from server.game import actions as a
from server.game.deal import Deal
from server.journal.records import ActionDone, AnswerKept


class Book:
    """The journal of one deal, as its table writes it."""

    def __init__(self, company: Company, held: a.Move | None) -> None:
        """`held` is what lies ready in a recovered deal: older servers kept that."""
        self._company = company
        self._older = held is not None
        self._lies_ready: tuple[ActionDone, ...] = ()  # the move of which the journal knows nothing

    async def keep(
        self, done: ActionDone, after: Deal, answers: tuple[AnswerKept, ...]
    ) -> int | None:
        """Keep what was done and the answers to it; `after` is the deal then.

        Returns for how many microseconds the disk was full; None if it is not kept now.
        """
        if done.action is after.held:
            self._lies_ready = (done,)
            return None
        if isinstance(done.action, a.TakeBack):
            self._lies_ready = ()
            if not self._older:
                return None
        if after.held is not None:  # it lies there still, and what was done does not rest on it
            return await self._company.keep(done, answers=answers)
        stalled_us = await self._company.keep(*self._lies_ready, done, answers=answers)
        self._lies_ready, self._older = (), False
        return stalled_us
