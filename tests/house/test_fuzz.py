"""`scripts/fuzz`: what it says without Atheris, and that every target takes its own seeds."""

import subprocess
import sys
from pathlib import Path

import pytest

from fuzz import seeds
from fuzzing.targets import TARGETS

ROOT = Path(__file__).resolve().parents[2]
HIDING_ATHERIS = (
    "import sys; sys.modules['atheris'] = None; sys.argv = ['fuzz', 'text']; import fuzz; "
)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """The output of Python, run from the top folder."""
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("target", list(TARGETS))
def test_every_target_takes_its_own_seeds(target: str) -> None:
    assert seeds(target)

    for seed in seeds(target):
        TARGETS[target](seed)


def test_without_atheris_it_is_said_what_to_install() -> None:
    code = f"import sys; sys.path.insert(0, 'scripts'); {HIDING_ATHERIS} sys.exit(fuzz.main())"

    ended = run("-c", code)

    assert ended.returncode == 2
    assert "-m pip install atheris\n" in ended.stderr
    assert "uv pip install --python .venv/bin/python atheris\n" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_file_that_broke_something_once_is_thrown_again(tmp_path: Path) -> None:
    file = tmp_path / "crash-1"
    file.write_bytes(b"\xc1\xff\xc1")

    ended = run("scripts/fuzz.py", "client", "--replay", str(file))

    assert ended.stdout == f"{file}: client takes it\n"
    assert ended.returncode == 0


def test_a_file_that_is_not_there_once_ended_in_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "crash-1"

    ended = run("scripts/fuzz.py", "client", "--replay", str(file))

    assert ended.stderr == f"scripts/fuzz: {file}: No such file or directory\n"
    assert ended.returncode == 2


def test_a_corpus_that_is_no_folder_once_ended_in_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "corpus"
    file.touch()
    atheris = "import sys; sys.modules['atheris'] = sys; sys.path.insert(0, 'scripts'); "
    words = f"sys.argv = ['fuzz', 'text', '--corpus', {str(file)!r}]; "

    ended = run("-c", f"{atheris}{words}import fuzz; sys.exit(fuzz.main())")

    assert ended.stderr == f"scripts/fuzz: {file}: File exists\n"
    assert ended.returncode == 2


def test_the_help_names_every_target() -> None:
    ended = run("scripts/fuzz.py", "--help")

    assert all(f"  {target}: " in ended.stdout for target in TARGETS)
