"""Who doubted first is who wins the call: raced over real TCP by scripts/race (RULES C).

Policy of these tests: loopback only; the truth is the kernel's, so that a slow machine makes the
races longer and never wrong.
"""

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.children import PATIENCE_S, children_of, has_ended

ROOT = Path(__file__).resolve().parents[2]
LONGEST_S = 150  # on a busy machine; all of a quick race takes under 45 on an idle one
ENOUGH_PAIRS = 670  # under each of three loads: 2,000 in all
needs_stamps = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux stamps what is sent and what arrives"
)


def race(*arguments: str) -> tuple[int, dict[str, Any], str]:
    """Run scripts/race in this environment: exit code, figures, all that it said."""
    command = [sys.executable, "scripts/race.py", "--quick", "--json", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    said = done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines, said
    assert lines[-1].startswith("{"), said
    return done.returncode, json.loads(lines[-1]), said


@needs_stamps
@pytest.mark.timeout(LONGEST_S + 10)
@pytest.mark.parametrize("load", ["idle", "chatty", "busy"])
def test_the_first_call_to_reach_the_server_wins_at_every_distance(load: str) -> None:
    code, figures, said = race("--loads", load)

    cells = figures["cells"]
    assert [cell for cell in cells if cell["wrong"]] == [], said
    assert code == 0
    assert sum(judged(cell) for cell in cells if cell["kind"] == "pair") >= ENOUGH_PAIRS
    assert {cell["kind"] for cell in cells} == {"pair", "group", "cards", "edge"}
    assert {cell["load"] for cell in cells} == {load}
    assert figures["edge"]["timely"] + figures["edge"]["too_late"] > 0
    assert figures["edge"]["lost"] == 0


def judged(cell: dict[str, int]) -> int:
    """All trials of a cell whose truth was known, those that went another way included."""
    return cell["trials"] + cell["late"] + cell["together"]


@needs_stamps
@pytest.mark.timeout(LONGEST_S + 10)
def test_a_server_that_times_calls_after_reading_them_is_caught() -> None:
    plainer = shlex.join([sys.executable, "-m", "tests.support.server_without_stamps"])

    code, figures, said = race("--loads", "idle", "--server", plainer)

    assert code == 1, said
    assert sum(cell["wrong"] for cell in figures["cells"]) > 0
    assert sum(cell["unstamped"] for cell in figures["cells"]) > 0
    assert "wrong rulings are to be expected" in said


@needs_stamps
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL], ids=lambda sent: sent.name)
def test_a_race_that_was_ended_hard_once_left_its_server_and_its_load_running(
    sent: signal.Signals, tmp_path: Path
) -> None:
    command = [sys.executable, "scripts/race.py", "--quick", "--loads", "chatty"]
    apart = os.environ | {"TMPDIR": str(tmp_path)}  # whoever is killed cannot tidy up
    far_end, bar = pty.openpty()
    with subprocess.Popen(
        command, cwd=ROOT, env=apart, stdout=subprocess.DEVNULL, stderr=bar
    ) as racing:
        os.close(bar)
        try:
            shown = b""
            while b"chatty" not in shown:  # on the progress bar, once the load has come up
                shown += os.read(far_end, 4096)
            started = children_of(racing.pid)
            racing.send_signal(sent)
            racing.wait(PATIENCE_S)
        finally:
            racing.kill()
            os.close(far_end)

    assert len(started) > 1  # the server and the load
    assert all(has_ended(child) for child in started)
