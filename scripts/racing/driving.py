"""Many scripted things at once in one thread: each is a generator that says what it waits for."""

import selectors
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass

from racing.player import Player

PATIENCE_S = 60.0  # far more than a slow machine needs
LOOK_S = 0.5  # at least this often everybody's patience is checked
EARLY_NS = 1_500_000  # whoever waits for a moment is woken this long before it

Until = Callable[[], bool]
Steps = Generator["Until | At", None, None]


class NoAnswer(Exception):
    """Something that must happen has not happened in a minute."""


@dataclass(frozen=True, slots=True)
class At:
    """Wait for a moment, in nanoseconds of the wall clock; the last of it is left to the sender."""

    ns: int


@dataclass(slots=True, kw_only=True)
class Task:
    """One generator, and what it waits for since when."""

    steps: Steps
    wait: Until | At
    since: float

    @property
    def is_due(self) -> bool:
        """Whether it may go on."""
        if isinstance(self.wait, At):
            return time.time_ns() >= self.wait.ns - EARLY_NS
        return self.wait()


def drive(players: Iterable[Player], work: Iterable[Steps]) -> None:
    """Let everybody hear what comes until all the work is done.

    Raises:
        NoAnswer: a task waited for too long.
        LineLost: the server has closed a connection.
    """
    with selectors.DefaultSelector() as selector:
        for player in players:
            selector.register(player, selectors.EVENT_READ, player)
        tasks = [task for steps in work if (task := _begun(steps)) is not None]
        while tasks:
            for key, _ in selector.select(_time_to_wait(tasks)):
                key.data.read()
            tasks = [task for task in tasks if not task.is_due or _goes_on(task)]
            _check_patience(tasks)


def _begun(steps: Steps) -> Task | None:
    task = Task(steps=steps, wait=At(0), since=time.monotonic())
    return task if _goes_on(task) else None


def _goes_on(task: Task) -> bool:
    """Let a task run until it waits for something that is not there yet; False once it has ended."""
    while task.is_due:
        wait = next(task.steps, None)
        if wait is None:
            return False
        task.wait, task.since = wait, time.monotonic()
    return True


def _time_to_wait(tasks: Sequence[Task]) -> float:
    moments = [task.wait.ns for task in tasks if isinstance(task.wait, At)]
    if not moments:
        return LOOK_S
    return min(LOOK_S, max(0, min(moments) - EARLY_NS - time.time_ns()) / 1e9)


def _check_patience(tasks: Sequence[Task]) -> None:
    for task in tasks:
        if time.monotonic() - task.since > PATIENCE_S:
            message = f"{task.steps!r} waited for a minute"
            raise NoAnswer(message)
