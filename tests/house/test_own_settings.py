"""Whoever runs the tests may have settings of their own for the game: no test reads or writes them."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.processes import ROOT

LOOKS = """
import os
from client.kept.config import config_file, load

def test_it():
    assert load(config_file(), os.environ).name == ""
    assert os.environ["FACEDOWN_TEST_SSHD"] == "1"
"""
PYTEST = (sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider")


def test_the_tests_once_ran_with_the_settings_of_whoever_ran_them(tmp_path: Path) -> None:
    looks = tmp_path / "test_looks.py"
    looks.write_text(LOOKS)
    kept = tmp_path / "config" / "facedown" / "config.toml"
    kept.parent.mkdir(parents=True)
    kept.write_text('name = "somebody"\n')
    theirs = {
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "FACEDOWN_NAME": "somebody",
        "FACEDOWN_TEST_SSHD": "1",  # is no setting
    }

    ended = subprocess.run(
        (*PYTEST, f"--rootdir={ROOT}", looks),
        cwd=ROOT,
        env=os.environ | theirs,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 0, ended.stdout
