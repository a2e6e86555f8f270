"""The clock of the seat to move (RULES D1). Times are microseconds since the table began."""

from msgspec import Struct

from protocol.numbers import Seat
from protocol.options import Turn

SHORT_CLOCK_US = 10_000_000  # the clock of a seat for which the server has just played
ASKED_CLOCK_US = 30_000_000  # the clock that is started by hand where `turn_s` is off
LAST_REMINDER_US = 10_000_000


class TurnClock(Struct, frozen=True, kw_only=True):
    """A running clock: whose turn, until when, and which reminders are still to come."""

    turn: Turn
    ends_at: int
    reminders: tuple[int, ...]

    @property
    def seat(self) -> Seat:
        """Whose clock it is."""
        return self.turn[0]

    @property
    def next_at(self) -> int:
        """When it next has something to say, or ends."""
        return self.reminders[0] if self.reminders else self.ends_at

    def left_us(self, now: int) -> int:
        """How much time is left."""
        return max(0, self.ends_at - now)


class ClocksWanted:
    """Who wants a clock where `turn_s` is off, for the present turn."""

    def __init__(self) -> None:
        self._turn: Turn | None = None
        self._by: set[Seat] = set()

    def ask(self, turn: Turn, seat: Seat) -> int:
        """Somebody wants one; how many do by now (RULES D1)."""
        if turn != self._turn:
            self._turn, self._by = turn, set()
        self._by.add(seat)
        return len(self._by)


def started(turn: Turn, now: int, length_us: int) -> TurnClock:
    """A clock of this length, with reminders at half time and at 10 s left."""
    half, last = length_us // 2, length_us - LAST_REMINDER_US
    first, second = (half, last) if half <= last else (last, half)
    spans = (half,) if last <= 0 or first == second else (first, second)
    return TurnClock(
        turn=turn, ends_at=now + length_us, reminders=tuple([now + span for span in spans])
    )


def reminded(clock: TurnClock) -> TurnClock:
    """The clock after the next reminder was given."""
    return TurnClock(turn=clock.turn, ends_at=clock.ends_at, reminders=clock.reminders[1:])
