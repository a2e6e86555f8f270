"""Whoever asks a script what it does is told at once, in a clone in which nothing is set up yet."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fuzzing.arguments import ABOUT
from fuzzing.targets import TARGETS

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted(
    path for path in (ROOT / "scripts").iterdir() if path.is_file() and not path.suffix
)
BARE_PYTHON = """#!/bin/sh
exec {python} -S -s "$@"
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The scripts alone, and beside them a Python that has no packages."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.write_text(BARE_PYTHON.format(python=Path(sys.executable).resolve()))
    python.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("word", ["--help", "-h"])
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_help_of_a_script_was_told_only_once_all_packages_were_installed(
    script: Path, word: str, clone: Path
) -> None:
    asked = subprocess.run(
        [clone / "scripts" / script.name, word],
        env={"PATH": f"{clone}/bin:/usr/bin:/bin", "HOME": str(clone)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (asked.returncode, asked.stderr) == (0, "")
    assert len(asked.stdout.split()) > 5
    assert sorted(path.name for path in clone.iterdir()) == ["bin", "scripts"]


def test_the_help_of_one_kind_of_measurement_needs_nothing_either(clone: Path) -> None:
    asked = subprocess.run(
        [clone / "scripts" / "bench", "server", "--help"],
        env={"PATH": f"{clone}/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "--hot-spots" in asked.stdout


def test_what_the_help_says_of_a_target_is_what_it_says_of_itself() -> None:
    said = {name: (target.__doc__ or "").splitlines()[0] for name, target in TARGETS.items()}

    assert said == ABOUT
