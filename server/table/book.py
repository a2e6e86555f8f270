"""What a table keeps of its deal, and when: a secret move not before anything else is kept (RULES C3).

That somebody has laid cards ready, or has taken them back, is told to nobody else. If a table kept it
at once, everybody could tell by the time of their own answers, which wait for the disk. And nobody is
told that it is kept: a command whose cards are held is answered once they count or come back, and
comes again after a restart. So it is kept together with the next thing that is, and what was taken
back before that is not kept at all.
"""

from server.company import Company
from server.game import actions as a
from server.game.deal import Deal
from server.journal.records import ActionDone, AnswerKept


class Book:
    """The journal of one deal, as its table writes it."""

    def __init__(self, company: Company, deal: Deal) -> None:
        """`deal` is what is kept of it, or is about to be."""
        self._company = company
        self._has_held = deal.held is not None  # the journal knows of a held move
        self.unwritten: tuple[ActionDone, ...] = ()  # the held move of which it does not

    async def keep(
        self, done: ActionDone, after: Deal, answers: tuple[AnswerKept, ...]
    ) -> int | None:
        """Keep what was done and the answers to it; `after` is the deal then.

        Returns for how many microseconds the disk was full; None if it is put off.
        """
        if self._is_secret(done, after) and not self._has_held:
            self.unwritten = () if after.held is None else (done,)
            return None
        stalled_us = await self._company.keep(*self.unwritten, done, answers=answers)
        self.unwritten, self._has_held = (), after.held is not None
        return stalled_us

    def _is_secret(self, done: ActionDone, after: Deal) -> bool:
        return done.action is after.held or isinstance(done.action, a.TakeBack)
