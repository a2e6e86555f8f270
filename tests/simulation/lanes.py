"""Whose doing it is: dice and an order of tasks that nobody else's doings disturb.

All that the server does is done on somebody's lane: a connection's, a lobby's, or that of the server
itself. Each lane has dice of its own, and which of two ready tasks runs first depends on these two
alone. So two evenings that differ in one table only can be laid beside each other: at the other
tables the same dice fall, and the same task comes first.
"""

import contextlib
from collections.abc import Iterator, MutableSequence
from contextvars import ContextVar
from random import Random
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

if TYPE_CHECKING:
    import trio

LANE: ContextVar[str] = ContextVar("LANE", default="")


@contextlib.contextmanager
def on_lane(lane: str) -> Iterator[None]:
    """Whatever is done until the block ends, and each task started there, is on this lane."""
    token = LANE.set(lane)
    try:
        yield
    finally:
        LANE.reset(token)


def toss(*what: object) -> bool:
    """A coin that falls as it is asked, and always the same way."""
    return bool(crc32(repr(what).encode()) & 64)


class LaneDice(Random):
    """Dice with a stream of their own for each lane."""

    def __init__(self, seed: str) -> None:
        super().__init__(0)
        self._name = seed
        self._streams: dict[str, Random] = {}

    @property
    def _mine(self) -> Random:
        lane = LANE.get()
        stream = self._streams.get(lane)
        if stream is None:
            stream = self._streams[lane] = Random(f"{self._name}/{lane}")
        return stream

    def random(self) -> float:
        """The next number of this lane."""
        return self._mine.random()

    def getrandbits(self, k: int, /) -> int:
        """The next bits of this lane."""
        return self._mine.getrandbits(k)


class TaskOrder(Random):
    """Trio's dice: a batch of tasks is shuffled by what each of them is, not by who else is in it."""

    def __init__(self, seed: str) -> None:
        super().__init__(0)
        self._seed = crc32(seed.encode())
        self._runs: dict[int, int] = {}  # so often each task has run
        self._words: dict[str, int] = {}

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put tasks into an order that is random, and that tasks of other lanes have no part in."""
        tasks = cast("list[trio.lowlevel.Task]", x)
        place = {task: self._place(task) for task in tasks}
        if len(tasks) > 1:
            tasks.sort(key=place.__getitem__)

    def _place(self, task: "trio.lowlevel.Task") -> int:
        number = task._counter
        runs = self._runs[number] = self._runs.get(number, 0) + 1
        lane = task.context.get(LANE, "")
        return hash((self._seed, runs, self._word(lane), self._word(task.name)))

    def _word(self, text: str) -> int:
        word = self._words.get(text)
        if word is None:
            word = self._words[text] = crc32(text.encode())
        return word
