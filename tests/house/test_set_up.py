"""What the set-up of a clone says when it cannot go on: a sentence and a next step, never a traceback."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import set_up

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("pyproject.toml", "scripts/constraints.txt", "scripts/set_up.py")


def test_a_clone_that_cannot_be_written_to_once_got_a_traceback(tmp_path: Path) -> None:
    clone = tmp_path / "für uns"
    for name in NEEDED:
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    (clone / ".venv").write_text("in the way, also of somebody who may write everywhere")

    command = [sys.executable, "-I", str(clone / "scripts" / "set_up.py"), "play"]
    path = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}  # no uv, which would say it in its words
    done = subprocess.run(command, env=path, capture_output=True, text=True, check=False)

    *_, what, then = done.stderr.splitlines()
    assert done.returncode == 1
    assert what == f"Setting up .venv failed: File exists: {clone / '.venv'}."
    assert then.startswith("Next step: ")


@pytest.mark.parametrize(
    "log",
    [
        pytest.param("ERROR: [Errno 28] No space left on device\n", id="pip"),
        pytest.param("ERROR: Disk quota exceeded\n", id="a quota"),
        pytest.param("", id="no room for the log either"),
    ],
)
def test_a_full_disk_once_showed_the_last_lines_of_an_empty_log(
    log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_up, "is_full", lambda: True)

    assert "is full" in set_up.explain(log)
    assert "Next step: make room there" in set_up.explain(log)


def test_a_full_disk_is_noticed_before_a_step_begins() -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), ".venv")

    assert "is full" in set_up.explain_refusal(full)


def test_an_empty_log_on_a_disk_with_room_is_not_called_a_full_disk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(set_up, "is_full", lambda: False)

    assert "is full" not in set_up.explain("")
