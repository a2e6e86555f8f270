"""The loop's clock, on which hardly any time passes while the server is not running.

A process can be stopped (SIGSTOP, Ctrl-Z, a debugger, a frozen container, a disk or a machine that
hangs). On the clock of the system all deadlines are over when it goes on: everybody would be gone
for their silence, every window closed, and every turn played by the server. Here a stop counts as
`LATE_S` at most, however long it was, so that what was about to happen still has its time.
"""

import math
import time
from collections.abc import Callable

import trio

from protocol.numbers import MICROS

LATE_S = 1.0  # the loop is never later than this, unless it was kept from running
NAP_S = 0.5  # it looks at the clock at least this often, and so much more of a stop may count


class SteadyClock(trio.abc.Clock):
    """The system's monotonic clock without the time in which nothing ran."""

    def __init__(self, source: Callable[[], float] = time.perf_counter) -> None:
        self._source = source
        self._due = math.inf  # when it should be looked at next, at the latest
        self._hidden = 0.0  # how much of the source's time was left out since the start
        self._hidden_us = 0
        self._hidden_before = 0.0  # the newest stop
        self._stop = (0.0, 0.0)  # the newest one, on the source's clock

    def start_clock(self) -> None:
        """Begin: what was before was no stop."""
        self._due = self._source()

    def current_time(self) -> float:
        """Seconds in which the loop could run."""
        now = self._source()
        if now - self._due > LATE_S:
            self._hide(self._due, now)
        self._due = now
        return now - self._hidden

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """How long the loop may sleep now; it is woken more often than deadlines ask for."""
        sleep_s = min(deadline - self.current_time(), NAP_S)
        self._due += max(0.0, sleep_s)
        return sleep_s

    def true_now_us(self) -> int:
        """The time of the source, in microseconds."""
        self.current_time()
        return round(self._due * MICROS)

    def loop_us(self, true_us: int) -> int:
        """When that was, in the loop's time: during the newest stop all went slowly."""
        began, ended = self._stop
        true = true_us / MICROS
        if true >= ended:
            return true_us - self._hidden_us
        if true <= began:
            return true_us - round(self._hidden_before * MICROS)
        slowly = LATE_S * (true - began) / (ended - began)
        return round((began + slowly - self._hidden_before) * MICROS)

    def _hide(self, began: float, ended: float) -> None:
        self._hidden_before = self._hidden
        self._hidden += ended - began - LATE_S
        self._hidden_us = round(self._hidden * MICROS)
        self._stop = (began, ended)


def steady_clock() -> SteadyClock | None:
    """The clock of the running loop, if it is one of these."""
    clock = trio.lowlevel.current_clock()
    return clock if isinstance(clock, SteadyClock) else None
