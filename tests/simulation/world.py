"""The world of one simulation: its time, its dice, and everything that is going to happen in it.

One heap holds what happens outside the server: bytes that arrive, a disk that has written, people
who have made up their minds. The world is trio's clock. Trio asks a clock how long to sleep exactly
when no task can go on; then the world goes on to what comes next, in the heap or among trio's
deadlines, and trio never sleeps at all.

A busy server is simulated, too: for a while the outside goes on and the server does not run. What
arrives meanwhile lies in its kernel, with the stamp of its arrival, and is read in any order later.
"""

import hashlib
import math
from collections.abc import Callable
from heapq import heappop, heappush
from random import Random

import trio

from server.steady_clock import LATE_S, SteadyClock
from tests.simulation.lanes import toss

Deed = Callable[[], None]
NEVER_S = 1e9
WALL_S = 1_700_000_000  # of the wall clock when a simulation begins
SECOND = 1_000_000  # microseconds, which is what all times here are


class World(trio.abc.Clock):
    """Time, dice and the heap of what is to come."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.now = 0  # microseconds; ahead of the loop's own time while the server is busy
        self.steps = 0
        self.at_rest: list[Deed] = []  # looked at whenever nothing in the server can go on
        self.wrongs: list[str] = []
        self.notes: list[str] | None = None  # the trace, for people who want to read it
        self.over = trio.Event()
        self.fault: Exception | None = None  # of the simulation itself
        self._loop_s = 0.0
        self.steady = SteadyClock(self._true_s)  # the server's own: it hides stops
        self._hidden = 0  # of the time here, from the loop
        self._stops: list[tuple[int, int]] = []
        self._wall_ahead = 0  # microseconds by which somebody has set the wall clock
        self.wall_set_at: list[int] = []
        self.wall_was_looked_at = True  # since then
        self._heap: list[tuple[int, int, Deed]] = []
        self._numbers = 0
        self.busy_until = 0
        self._is_busy = False
        self._is_tie = False
        self._has_stirred = False
        self._to_wake: list[Deed] = []
        self._trace = hashlib.blake2b(digest_size=16)

    def dice(self, name: str) -> Random:
        """Dice for one purpose, which no other purpose disturbs."""
        return Random(f"{self.seed}/{name}")

    # --- the clock, as trio uses it ---------------------------------------------------------------

    def start_clock(self) -> None:
        """It stands at nought."""

    def current_time(self) -> float:
        """The loop's time in seconds."""
        return self._loop_s

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """No task can go on: let happen what comes next, and sleep not at all."""
        if not self.over.is_set():
            try:
                self._go_on_to(deadline)
            except Exception as fault:  # noqa: BLE001 - it would stop trio; `run_plan` raises it
                self.fault = fault
                self.over.set()
        return 0

    def _go_on_to(self, deadline: float) -> None:
        self.steps += 1
        self._has_stirred = False
        for look in self.at_rest:
            look()
        due = round(min(deadline, NEVER_S) * SECOND) + self._hidden
        while not self._has_stirred and not self.over.is_set():
            if self._heap and self._heap[0][0] <= due:
                self.now = self._heap[0][0]
                self._loop_s = min(deadline, (self.now - self._hidden) / SECOND)
                # The loop may look at its sockets just before, and at its clocks just after.
                self._is_tie = self.now == due
                self._work_off(self.now)
                self._is_tie = False
                if self._is_busy:
                    self._end_business()
            elif deadline < math.inf:
                self._loop_s = deadline
                self.look()
                return
            else:
                self.wrong("simulation", "nothing will ever happen again")

    def stir(self) -> None:
        """Some task of the server can go on."""
        self._has_stirred = True

    def look(self) -> int:
        """What time it is, for something that the server does."""
        self.now = max(self.now, round(self._loop_s * SECOND) + self._hidden)
        return self.now

    # --- what happens when ------------------------------------------------------------------------

    def at(self, when: int, deed: Deed) -> None:
        """Let something happen outside the server at this time, or now if that is past."""
        self._numbers += 1
        heappush(self._heap, (max(when, self.now), self._numbers, deed))

    def after(self, wait: int, deed: Deed) -> None:
        """Let something happen outside the server in so many microseconds."""
        self.at(self.now + wait, deed)

    def wake(self, deed: Deed, who: str) -> None:
        """Something in the server can go on, for somebody: now, or once it is no longer busy."""
        if self._is_busy:
            self._to_wake.append(deed)
        elif self._is_tie and toss(self.seed, self.now, who):
            self.stir()
            trio.lowlevel.spawn_system_task(_in_a_pass, deed)
        else:
            self.stir()
            deed()

    def _work_off(self, until: int) -> None:
        heap = self._heap
        while heap and heap[0][0] <= until and not self.over.is_set():
            when, _, deed = heappop(heap)
            self.now = when
            deed()

    def be_busy(self, length: int) -> None:
        """Let the server stand still for so long while everything else goes on."""
        if self._is_busy:
            return
        self._is_busy = True
        until = self.busy_until = self.now + length
        self._work_off(until)
        self.now = until
        self._loop_s = (until - self._hidden) / SECOND

    def stop(self, length: int) -> None:
        """Keep the server from running, as SIGSTOP does: its own clock hides nearly all of it."""
        if self._is_busy:
            return
        began, loop_s = self.look(), self._loop_s
        self.steady.start_clock()  # it has just been looked at
        self.be_busy(length)
        self._loop_s = self.steady.current_time()
        passed = self._loop_s - loop_s
        if passed > LATE_S + 0.001:
            self.wrong("no mass time-outs after a stop", f"{passed:.3f} s of it have passed")
        self._hidden = self.now - round(self._loop_s * SECOND)
        self._loop_s = (self.now - self._hidden) / SECOND
        self._stops.append((began, self.now))

    @property
    def is_busy(self) -> bool:
        """Whether the server does not run just now."""
        return self._is_busy

    def loop_us(self, when: int) -> int:
        """A time here on the loop's clock; during a stop that one goes slowly."""
        hidden = 0
        for began, ended in self._stops:
            late = round(LATE_S * SECOND)
            if began < when < ended:
                return began - hidden + round(late * (when - began) / (ended - began))
            if when >= ended:
                hidden += ended - began - late
        return when - hidden

    @property
    def was_ever_stopped(self) -> bool:
        """Whether the server was stopped at any time."""
        return bool(self._stops)

    def _true_s(self) -> float:
        return self.now / SECOND

    # --- the wall clock -----------------------------------------------------------------------------

    def set_wall(self, step: int) -> None:
        """Somebody sets the wall clock by so much.

        Not twice before the server has looked: there and back again nobody could notice.
        """
        if self.wall_was_looked_at:
            self.wall_was_looked_at = False
            self._wall_ahead += step
            self.wall_set_at.append(self.now)

    def wall_us(self) -> int:
        """What it shows."""
        return WALL_S * SECOND + self.look() + self._wall_ahead

    def creep(self, length: int) -> None:
        """Let a little time go by while a task of the server runs."""
        until = self.look() + length
        self._work_off(until)
        self.now = max(self.now, until)  # or later: the server may have stood still meanwhile
        self._loop_s = (self.now - self._hidden) / SECOND

    def _end_business(self) -> None:
        """The server runs again: it may look at its sockets just before or after its clocks."""
        deeds, self._to_wake = self._to_wake, []
        self.stir()

        def wake() -> None:
            self._is_busy = False
            for deed in deeds:
                deed()

        if toss(self.seed, self.now):
            trio.lowlevel.spawn_system_task(_in_a_pass, wake)
        else:
            wake()

    def wrong(self, clause: str, what: str) -> None:
        """Something must not be as it is. The simulation ends; nothing is raised into the server."""
        self.wrongs.append(f"[{clause}] at {self.now / SECOND:.6f} s: {what}")
        self.over.set()

    # --- the trace --------------------------------------------------------------------------------

    def note(self, what: str, data: bytes = b"") -> None:
        """Write something into the trace: two runs are the same if their traces are."""
        line = f"{self.now} {what} "
        self._trace.update(line.encode())
        self._trace.update(data)
        if self.notes is not None:
            self.notes.append(line + data.hex())

    @property
    def digest(self) -> str:
        """The trace in short."""
        return self._trace.hexdigest()


async def _in_a_pass(wake: Deed) -> None:
    """A task that was just started runs together with those whose deadlines have passed."""
    wake()
