"""The checker is checked: bugs of kinds that card servers really have are noticed, each of them.

Each mutant is a copy of the tree with one line changed, in a process of its own, two at a time.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.simulation.mutant import Mutant
from tests.simulation.mutants import MUTANTS

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 2
CPU_S = 40.0  # to notice one of them; most take one or two
PATIENCE_S = 900  # of a machine that is busy with other things
PARTS = ("server", "protocol")

Hunt = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def hunts(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Future[Hunt]]:
    """The hunts for all mutants that are asked for, under way."""
    folder = tmp_path_factory.mktemp("mutants")
    pool = ThreadPoolExecutor(AT_ONCE)
    asked: set[object] = {
        item.callspec.params["mutant"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.function is test_the_simulation_notices
    }
    started = {
        mutant.name: pool.submit(hunt, mutant, folder / str(number))
        for number, mutant in enumerate(MUTANTS)
        if mutant in asked
    }
    pool.shutdown(wait=False)
    return started


def hunt(mutant: Mutant, folder: Path) -> Hunt:
    """Make a tree with the bug in it, and simulate evenings on it until one goes wrong."""
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part)
    (folder / "tests").symlink_to(ROOT / "tests")
    path = folder / mutant.file
    path.write_text(mutated(mutant, path.read_text(encoding="utf-8")), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "tests.simulation.hunt", mutant.tilt, str(CPU_S)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def mutated(mutant: Mutant, text: str) -> str:
    """The text with the bug in it; it must be there to be replaced, and only once."""
    found = text.count(mutant.old)
    if found != 1:
        message = f"{mutant.file} has {found} times what “{mutant.name}” replaces: mend the entry"
        raise LookupError(message)
    return text.replace(mutant.old, mutant.new)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_text_that_a_bug_replaces_is_there(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")

    assert mutated(mutant, text) != text


@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_simulation_notices(mutant: Mutant, hunts: dict[str, Future[Hunt]]) -> None:
    found = hunts[mutant.name].result()

    assert found.returncode == 0, found.stderr
    assert found.stdout, "nothing was noticed"
    assert json.loads(found.stdout)["wrong"]


def test_all_hunts_were_started_for_the_one_that_was_asked_for(tmp_path: Path) -> None:
    one = f"{__file__}::test_the_simulation_notices[one player alone starts a clock]"
    command = [sys.executable, "-m", "pytest", "-q", one, "--basetemp", str(tmp_path / "base")]

    asked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert asked.returncode == 0, asked.stdout
    assert len([*tmp_path.glob("base/mutants0/*")]) == 1


def test_a_text_that_has_moved_is_complained_of() -> None:
    moved = Mutant(name="a bug", file="server/table/table.py", old="what is not there", new="")

    with pytest.raises(LookupError, match="mend the entry"):
        mutated(moved, "class Table: ...")


def test_there_are_enough_of_them() -> None:
    assert len(MUTANTS) >= 20
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
