"""Reads the clocks out at the few times that `ticks` names, each of them once."""

import asyncio
from collections.abc import Callable
from math import inf, nextafter

from client.plain.ticks import next_tick
from client.state import ClientState


class ClockReader:
    """Says the next of these times when it has come, of the state that it was told of last."""

    def __init__(self, clock: Callable[[], float], say: Callable[[str], None]) -> None:
        """The clock gives seconds, as the deadlines of a state are; `say` is given a line."""
        self._clock = clock
        self._say = say
        self._state = ClientState()
        self._timer: asyncio.TimerHandle | None = None
        self._due = inf
        self._said = 0.0  # when the last one was due

    def follow(self, state: ClientState) -> None:
        """Wait for the next of its times.

        What comes at the very moment of a tick, as pings like to, does not take it away.
        """
        self.stop()
        self._state, now = state, self._clock()
        until = min(now, nextafter(self._due, 0.0))
        tick, self._due = next_tick(state, max(until, self._said)), inf
        if tick:
            self._due, line = tick
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(
                max(0.0, self._due - now), self._read_out, self._due, line
            )

    def stop(self) -> None:
        """Say nothing more."""
        if self._timer:
            self._timer.cancel()

    def _read_out(self, due: float, line: str) -> None:
        self._said = due
        self._say(line)
        self.follow(self._state)
