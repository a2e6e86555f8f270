"""One seed decides everything: the same evening twice, byte for byte, also in another process."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
import trio
from trio._core import _run as scheduler

from tests.simulation.evening import simulate
from tests.support.seeded_trio import DICE, SORTED, seeded

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ("one", "two")  # one of them rough, one of them calm
TELL = (
    "import sys; from tests.simulation.evening import simulate; print(simulate(sys.argv[1]).digest)"
)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_gives_the_same_evening_twice(seed: str) -> None:
    first, second = simulate(seed), simulate(seed)

    assert first.digest == second.digest
    assert (first.deals, first.steps) == (second.deals, second.steps)
    assert first.deals > 0


def test_another_seed_gives_another_evening() -> None:
    assert simulate("one").digest != simulate("three").digest


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_what_python_makes_of_hashes_changes_nothing(hash_seed: str) -> None:
    elsewhere = subprocess.run(
        [sys.executable, "-c", TELL, SEEDS[0]],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )

    assert elsewhere.stdout.strip() == simulate(SEEDS[0]).digest


# --- trio's private switches ----------------------------------------------------------------------


def test_trio_still_has_the_switches_for_an_order_of_our_own() -> None:
    assert hasattr(getattr(scheduler, DICE), "shuffle"), "trio's dice are gone"
    assert getattr(scheduler, SORTED) in {True, False}, "trio does not sort its tasks on demand"


def test_the_switches_decide_in_which_order_tasks_run() -> None:
    orders = {seed: [_order_of_tasks(seed) for _ in range(3)] for seed in ("a", "b", "c")}

    assert all(first == second == third for first, second, third in orders.values())
    assert len({tuple(same) for same, *_ in orders.values()}) > 1, "the dice are not thrown"


def test_afterwards_trio_is_as_it_was() -> None:
    before = getattr(scheduler, DICE), getattr(scheduler, SORTED)

    _order_of_tasks("a")

    assert (getattr(scheduler, DICE), getattr(scheduler, SORTED)) == before


def _order_of_tasks(seed: str) -> list[int]:
    """In which order ten tasks run that are ready at the same time."""
    order: list[int] = []

    async def go(number: int) -> None:
        await trio.lowlevel.checkpoint()
        order.append(number)

    async def all_of_them() -> None:
        async with trio.open_nursery() as nursery:
            for number in range(10):
                nursery.start_soon(go, number)

    with seeded(Random(seed)):
        trio.run(all_of_them)
    return order
