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


def test_without_an_output_the_client_once_ended_in_a_traceback() -> None:
    silent = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "client", "rules"]

    ended = subprocess.run(silent, cwd=ROOT, stderr=subprocess.PIPE, check=False)

    assert ended.stderr == b"facedown: standard output is closed: start it in a terminal\n"
    assert ended.returncode == 2
