"""Figures in README that follow from the code are those of the code, and those that follow from others of these."""

import re
import runpy
from pathlib import Path

import pytest

from server.config import Settings
from tests.client.test_hostile_server import FRAMES
from tests.client.test_hostile_server import SEEDS as HOSTILE
from tests.end_to_end.test_killed_server import KILLS
from tests.protocol.test_mutated_frames import EACH_WAY, SEEDS
from tests.simulation.mutants import MUTANTS

ROOT = Path(__file__).resolve().parents[2]
README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
COSTS = " ".join((ROOT / "server" / "PERFORMANCE.md").read_text(encoding="utf-8").split())
SIZES = runpy.run_path(str(ROOT / "scripts" / "sizes.py"))
BOTH_ENDS = 2


@pytest.mark.parametrize(
    "said",
    [
        f"{len(MUTANTS)} one-line bugs",
        f"killed (`-9`) {KILLS} times",
        f"{BOTH_ENDS * EACH_WAY * len(SEEDS):,} mutated frames at both ends",
        f"{FRAMES * len(HOSTILE):,} more from a hostile server",
        f"modules have at most {SIZES['MOST_LINES']} lines",
        f"functions {SIZES['MOST_LINES_OF_A_FUNCTION']} lines",
    ],
)
def test_a_figure_was_once_that_of_last_week(said: str) -> None:
    assert said in README


def measured(pattern: str, page: str = README) -> float:
    """A figure of a page, by what stands around it."""
    found = re.search(pattern, page)
    assert found is not None, pattern
    return float(found[1])


def test_how_many_tables_a_machine_carries_did_not_follow_from_what_was_measured() -> None:
    cpu_s = measured(r"processor time per 1,000 actions \| ([\d.]+) s")
    on_disk = measured(r"and ([\d.]+) . that of keeping nothing")
    table_kib = measured(r"memory per busy table of four, connections included \| (\d+) KiB")
    alone_mib = measured(r"has just started holds (\d+) MiB", COSTS)
    lobbies = Settings().lobbies

    most = 1_000 / (cpu_s * on_disk) // 100 * 100  # hundreds of actions a second
    mib = alone_mib + lobbies * table_kib / 1_024

    assert f"opens {lobbies} lobbies and takes in {Settings().connections:,} people" in COSTS
    assert f"with the limits as they are, all {lobbies}." in README
    assert f"{most:,.0f} a second are all that one core can do" in COSTS
    assert f"| {table_kib:.0f} KiB | {mib:.0f} MiB, with the server itself |" in COSTS
    assert f"take {cpu_s} s for 1,000 actions, and {on_disk} times that with the journal" in COSTS


def test_the_two_pages_had_different_figures_for_the_same_run() -> None:
    ratio = measured(r"processor time per 1,000 actions \| [^|]* \| [^|]* \| ([\d.]+) .\s")
    let_in_s = measured(r"connections: to let all in \| ([\d.]+) s")

    assert f"In README's run an action at 64 tables takes {ratio} times its processor" in COSTS
    assert f"in {let_in_s} s in README's run" in COSTS
