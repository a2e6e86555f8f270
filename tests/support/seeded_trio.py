"""Trio with dice of our own: which ready task runs first is decided by a seed.

Trio runs ready tasks in random order on purpose. For tests that want to see the same run twice it
has two private switches, and this is the only module that touches them: `_r`, the dice, and
`_ALLOW_DETERMINISTIC_SCHEDULING`, which sorts the ready tasks before they are shuffled (they come
out of sets, whose order is different in every process). The version of trio is pinned in
scripts/constraints.txt; a test notices when the switches have gone.
"""

import contextlib
from collections.abc import Awaitable, Callable, Iterator
from random import Random
from typing import Any, TypeVar, cast

import trio
from trio._core import _run as scheduler  # the private part
from trio.abc import Clock

Result = TypeVar("Result")

DICE, SORTED = "_r", "_ALLOW_DETERMINISTIC_SCHEDULING"


@contextlib.contextmanager
def seeded(dice: Random) -> Iterator[None]:
    """Let trio's scheduler throw these dice until the block ends."""
    switches = cast("Any", scheduler)
    before = getattr(switches, DICE), getattr(switches, SORTED)
    setattr(switches, DICE, dice)
    setattr(switches, SORTED, True)
    try:
        yield
    finally:
        setattr(switches, DICE, before[0])
        setattr(switches, SORTED, before[1])


def run_seeded(dice: Random, clock: Clock, main: Callable[..., Awaitable[Result]]) -> Result:
    """Run trio on this clock; what runs when depends on the dice and on nothing else."""
    with seeded(dice):
        return trio.run(main, clock=clock)
