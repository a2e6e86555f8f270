"""The clocks of the turns of one deal, as one line hears of them (RULES D1).

Whoever has heard all along knows how long a clock is: it is short after an automatic play, until its
owner moves by hand. Who plays a seat by then, after it was anybody else, is not looked at closely.
"""

from protocol import events as e
from protocol.numbers import Seat
from protocol.rules import TableRules
from tests.simulation.world import SECOND

SHORT_US, ASKED_US, LAST_US = 10 * SECOND, 30 * SECOND, 10 * SECOND  # RULES D1

Wrong = str | None


class Reminders:
    """What one line has heard of the clock of this turn, and what it must hear."""

    def __init__(self) -> None:
        self._rules: TableRules | None = None
        self._left: set[int] | None = None  # what was told in this turn; None: not all of it
        self._is_late: dict[Seat, bool] = {}  # whether the clock of a seat is short
        self._changed: set[Seat] = set()  # who plays them has changed

    def start(self, rules: TableRules | None = None, seats: int = 0) -> None:
        """Hear of another deal, perhaps from its beginning."""
        self._rules, self._left = rules, None
        self._is_late = {Seat(seat): False for seat in range(seats)}
        self._changed.clear()

    def sit_down(self, seat: Seat) -> None:
        """Somebody else plays a seat from now on."""
        self._changed.add(seat)
        self._is_late.pop(seat, None)

    def remind(self, left_us: int) -> None:
        """A clock is told."""
        if self._left is not None:
            self._left.add(left_us)

    def move(self, event: e.Event, *, is_live: bool) -> Wrong:
        """A turn is over; what the line should have heard of its clock before."""
        left, self._left = self._left, set() if is_live else None
        match event:
            case e.Played(auto=True):
                wrong = None if left is None else self._missed(event.seat, left)
                self._is_late[event.seat] = True
                return wrong
            case e.Played() | e.Passed() if event.seat in self._changed:
                self._is_late.pop(event.seat, None)
            case e.Played() | e.Passed():
                self._is_late[event.seat] = False
            case _:
                pass
        return None

    def _missed(self, seat: Seat, left: set[int]) -> Wrong:
        if not left:
            return "they heard of no clock before (D1)"
        is_late = self._is_late.get(seat)
        if self._rules is None or is_late is None:
            return None
        missed = _reminders(self._rules, is_late=is_late) - left
        return f"of its clock they heard {sorted(left)}, and not {missed} (D1)" if missed else None


def _reminders(rules: TableRules, *, is_late: bool) -> set[int]:
    """What is left of a clock whenever it is told: at half, at 10 s, and if it is not the usual one."""
    usual = rules.turn_s * SECOND
    length = SHORT_US if is_late else usual or ASKED_US
    told = {length - length // 2}
    if length > LAST_US:
        told.add(LAST_US)
    if length != usual:
        told.add(length)
    return told
