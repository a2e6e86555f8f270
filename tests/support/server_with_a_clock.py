"""A server whose wall clock is set an hour forward by SIGUSR1 and back by SIGUSR2. Run by module.

Set for this process alone: its own looks at the clock, and the stamps that the kernel gives it.
"""

import signal
import time
from unittest.mock import patch

from server import arrivals, sockets
from server.__main__ import main

HOUR_NS = 3600 * 1_000_000_000


class SetClock:
    """The system's clocks, the wall clock being so far off."""

    def __init__(self) -> None:
        self.off_ns = 0
        self._stamp_in = arrivals.stamp_in

    def time_ns(self) -> int:
        return time.time_ns() + self.off_ns

    def time(self) -> float:
        return self.time_ns() / 1e9

    def stamp_in(self, ancillary: list[tuple[int, int, bytes]]) -> int | None:
        stamp = self._stamp_in(ancillary)
        return None if stamp is None else stamp + self.off_ns

    def step(self, number: int, _frame: object) -> None:
        self.off_ns += HOUR_NS if number == signal.SIGUSR1 else -HOUR_NS


if __name__ == "__main__":
    clock = SetClock()
    for each in (signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(each, clock.step)
    with (
        patch.object(arrivals, "time", clock),
        patch.object(sockets, "stamp_in", clock.stamp_in),
    ):
        main()
