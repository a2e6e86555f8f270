"""A bell that a thread rings, and the tasks that wait for what it has done.

Trio's own way back from a thread wakes a task of trio's, which wakes the one that waits, in the next
pass of the scheduler. Here one of those who wait listens for the bell itself, and wakes the others.
"""

import contextlib
import os
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import trio

READ_SIZE = 4096  # so many rings are heard at once


class Waiter:
    """One who waits; `ended` once what it waits for is done. No more than one task waits on it."""

    __slots__ = ("ended", "task")

    def __init__(self) -> None:
        self.ended = False
        self.task: trio.lowlevel.Task | None = None  # the task that sleeps, while it does

    def abort(self, _: object) -> trio.lowlevel.Abort:
        """Its task is cancelled, and sleeps no longer."""
        self.task = None
        return trio.lowlevel.Abort.SUCCEEDED


W = TypeVar("W", bound=Waiter)


class Bell(Generic[W]):
    """One bell; all who wait for it do so in one loop at a time, and everything but `ring` is theirs."""

    def __init__(self, heard: Callable[[Sequence[W]], None]) -> None:
        """`heard` is called in the loop with all for whom the bell was rung, before they go on."""
        self._heard = heard
        self._done: deque[Sequence[W]] = deque()
        self._asleep: dict[Waiter, None] = {}  # in the order in which they came
        self._listens = False  # whether somebody listens for rings
        self._closing = False
        self._ear, self._clapper = os.pipe()
        os.set_blocking(self._ear, False)
        os.set_blocking(self._clapper, False)

    def ring(self, done: Sequence[W]) -> None:
        """What these wait for is done. From any thread; never waits."""
        self._done.append(done)
        with contextlib.suppress(BlockingIOError):  # full of rings: they will be heard
            os.write(self._clapper, b"!")

    async def wait(self, waiter: Waiter) -> None:
        """Wait until this one is done."""
        while not waiter.ended:
            if self._listens:
                waiter.task = trio.lowlevel.current_task()
                self._asleep[waiter] = None
                await trio.lowlevel.wait_task_rescheduled(waiter.abort)
            else:
                await self._listen()

    def end(self, waiter: Waiter) -> None:
        """This one need not wait any longer."""
        waiter.ended = True
        self._wake(waiter)

    def hear(self) -> None:
        """Take in what was rung for, also if nobody listens."""
        if not self._listens and self._done:
            self._take_in()

    def close(self) -> None:
        """It will not be rung any more; whoever still listens has something to hear first."""
        self.hear()
        self._closing = True
        if not self._listens:
            self._take_down()

    def _take_down(self) -> None:
        os.close(self._ear)
        os.close(self._clapper)

    async def _listen(self) -> None:
        self._listens = True
        try:
            await trio.lowlevel.wait_readable(self._ear)
            self._take_in()
        finally:
            self._listens = False
            if self._closing:
                self._take_down()
            else:
                self._wake_next()  # somebody else listens now

    def _take_in(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._ear, READ_SIZE)
        while self._done:
            done = self._done.popleft()
            self._heard(done)
            for waiter in done:
                self.end(waiter)

    def _wake_next(self) -> None:
        while self._asleep:
            waiter = next(iter(self._asleep))
            is_there = waiter.task is not None  # else it was cancelled
            self._wake(waiter)
            if is_there:
                return

    def _wake(self, waiter: Waiter) -> None:
        self._asleep.pop(waiter, None)
        if waiter.task is not None:
            trio.lowlevel.reschedule(waiter.task)
            waiter.task = None
