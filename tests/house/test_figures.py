"""Figures in README that follow from the code are those of the code."""

import runpy
from pathlib import Path

import pytest

from tests.end_to_end.test_killed_server import KILLS
from tests.protocol.test_mutated_frames import EACH_WAY, SEEDS
from tests.simulation.mutants import MUTANTS

ROOT = Path(__file__).resolve().parents[2]
README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
SIZES = runpy.run_path(str(ROOT / "scripts" / "sizes.py"))
BOTH_ENDS = 2


@pytest.mark.parametrize(
    "said",
    [
        f"{len(MUTANTS)} one-line bugs",
        f"killed (`-9`) {KILLS} times",
        f"{BOTH_ENDS * EACH_WAY * len(SEEDS):,} mutated frames at both ends",
        f"modules have at most {SIZES['MOST_LINES']} lines",
        f"functions {SIZES['MOST_LINES_OF_A_FUNCTION']} lines",
    ],
)
def test_a_figure_was_once_that_of_last_week(said: str) -> None:
    assert said in README
