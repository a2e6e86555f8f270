"""Simulated evenings: seeds that nobody has seen before, and all that have ever gone wrong."""

import os
import secrets
import time
from pathlib import Path

import pytest

from tests.simulation.evening import checked, run_plan, simulate
from tests.simulation.plan import planned

SEEDS = Path(__file__).with_name("seeds.txt")
PARTS = 6
CPU_S = 8.0  # of each part
PATIENCE_S = 600  # of a machine that is busy with other things

# In CI the same evenings on every run, so that a change is judged by what it changed.
FRESH = "ci" if os.environ.get("CI") else secrets.token_hex(4)


def known_seeds() -> list[str]:
    """The seeds that have once gone wrong."""
    lines = SEEDS.read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]


@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_goes_wrong_on_evenings_that_nobody_has_seen_before(part: int) -> None:
    began, deals, number = time.process_time(), 0, 0

    while time.process_time() - began < CPU_S:
        deals += checked(simulate(f"{FRESH}-{part}-{number}")).deals
        number += 1

    assert deals > 0


@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("seed", ["the first one", *known_seeds()])
def test_what_has_once_gone_wrong_goes_well(seed: str) -> None:
    checked(run_plan(planned(seed)), again=f"scripts/soak --replay {seed}")
