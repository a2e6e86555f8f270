"""Output that nobody reads to its end."""

import subprocess
import sys

from tests.support.processes import ROOT


def test_rules_piped_into_head_once_ended_in_a_traceback() -> None:
    program = [sys.executable, "-m", "client", "rules"]
    with subprocess.Popen(
        program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as rules:
        assert rules.stdout is not None
        assert rules.stderr is not None
        rules.stdout.close()  # before a word is written
        complaints = rules.stderr.read()

    assert complaints == b""
    assert rules.returncode == 141
