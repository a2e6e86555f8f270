"""A command on its way: who asks, what, and when it arrived. Each is answered once."""

from msgspec import Struct

from protocol.answers import Refused
from protocol.commands import AnyCommand
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal, explained
from server.answered import acceptance_of
from server.arrivals import now_us
from server.carry_on import contained
from server.journal.records import AnswerKept
from server.person import Person

UNASKED = CommandNumber(0)


class LineDown(Struct, frozen=True, kw_only=True):
    """Not a command: somebody's connection is lost."""

    n: CommandNumber = UNASKED


class LineUp(Struct, frozen=True, kw_only=True):
    """Not a command: somebody is back. `resumed` if the missed events have been sent already."""

    resumed: bool
    n: CommandNumber = UNASKED


class Errand(Struct, frozen=True, kw_only=True, eq=False):
    """One command; `at` is in microseconds on the loop's clock, `stamped` if the kernel says so.

    `settled` if all errands that arrived earlier have been handed in before it.
    """

    person: Person
    command: AnyCommand | LineDown | LineUp
    at: int
    stamped: bool = False
    settled: bool = False

    def to_keep(self) -> tuple[AnswerKept, ...]:
        """What makes `accept` survive a restart: the answer that is about to be given."""
        if self.command.n == UNASKED:
            return ()
        packed = acceptance_of(self.command.n)
        return (AnswerKept(digest=self.person.digest, n=self.command.n, packed=packed),)

    def accept(self) -> None:
        """Say that it was done."""
        if self.command.n != UNASKED:
            self.person.answer(self.command.n)

    def refuse(self, refusal: Refusal, detail: str = "", late_us: int | None = None) -> None:
        """Say that nothing was done, and why (RULES C7: and by how much it was late)."""
        if self.command.n == UNASKED:
            return
        clause, sentence = explained(refusal)
        text = f"{sentence} {detail}".strip()
        answer = Refused(n=self.command.n, code=refusal, clause=clause, text=text, late_us=late_us)
        self.person.answer(self.command.n, answer)
        if late_us is None:  # a call that came late costs nothing (RULES C7)
            self.person.tire(now_us())

    def answer_after_fault(self, *, is_done: bool) -> None:
        """After a fault of ours: say that it was done, or that it can be asked for again.

        A second fault in here would come on top of the first, past whoever is just handling that.
        """
        with contained("answering a command after a fault"):
            if is_done:
                self.accept()
            else:
                self.refuse(Refusal.TRY_AGAIN)
            self.person.flush()
