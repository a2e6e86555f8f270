"""A command on its way: who asks, what, and when it arrived. Each is answered once."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from protocol.answers import Accepted, Refused
from protocol.commands import AnyCommand, Resume
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal, explained
from server.arrivals import now_us
from server.people import Person

UNASKED = CommandNumber(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineDown:
    """Not a command: somebody's connection is lost."""

    n: CommandNumber = UNASKED


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUp:
    """Not a command: somebody is back. `resumed` if the missed events have been sent already."""

    resume: Resume | None
    resumed: bool
    n: CommandNumber = UNASKED


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """One command; `at` is in microseconds on the loop's clock, `stamped` if the kernel says so."""

    person: Person
    command: AnyCommand | LineDown | LineUp
    at: int
    stamped: bool = False

    def accept(self) -> None:
        """Say that it was done."""
        if self.command.n != UNASKED:
            self.person.answer(self.command.n, Accepted(n=self.command.n))

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

    @contextmanager
    def answered(self) -> Iterator[None]:
        """A fault of ours rises, but leaves no command without an answer."""
        try:
            yield
        except Exception:
            self.refuse(Refusal.TRY_AGAIN)
            raise
