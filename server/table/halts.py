"""When all clocks of a table stand still: a pause, nobody there, a fault of ours (RULES D5, D9)."""

from dataclasses import dataclass, field

from protocol.events import Paused, PauseReason
from server.person import Person

HOUR_US = 3_600_000_000
COUNT_IN_US = 3_000_000  # before going on after a pause (RULES D9)


@dataclass(slots=True, kw_only=True)
class Halt:
    """One standstill, in microseconds since the table began.

    `ends_at` is when it ends by itself; `missing` are the people it waits for.
    """

    number: int  # of this deal's halts, from 1
    reason: PauseReason
    since: int
    ends_at: int
    by: str = ""
    missing: set[Person] = field(default_factory=set)
    counting_in: bool = False

    @property
    def waits_for_a_word(self) -> bool:
        """Whether it never goes on by itself: a fault of ours, and nobody has asked it to yet."""
        return self.reason is PauseReason.MISTAKE and not self.counting_in

    def event(self, now: int) -> Paused:
        """What everybody is told of it."""
        left_us = max(0, self.ends_at - now)
        return Paused(reason=self.reason, left_us=left_us, pause=self.number)
