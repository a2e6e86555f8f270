"""`scripts/soak` simulates evenings, says how far it is, and how to see again what went wrong."""

import subprocess
import sys
from pathlib import Path

import pytest

import soak
from tests.simulation.evening import Report, run_plan
from tests.simulation.plan import Plan, plan_for, planned, tilted

ROOT = Path(__file__).resolve().parents[2]


def run_soak(*flags: str) -> subprocess.CompletedProcess[str]:
    """Run it, and wait for its end."""
    return subprocess.run(
        [sys.executable, "scripts/soak.py", *flags],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_teaches_how_to_see_an_evening_again() -> None:
    shown = run_soak("--help")

    assert shown.returncode == 0
    assert "scripts/soak --replay" in shown.stdout


def test_it_simulates_for_as_long_as_it_was_told() -> None:
    shown = run_soak("--minutes", "0.02", "--seed", "short")

    assert shown.returncode == 0, shown.stderr
    assert "evenings short-0, short-1" in shown.stdout
    assert "nothing went wrong" in shown.stdout


def test_a_replay_shows_the_same_evening(tmp_path: Path) -> None:
    trace = tmp_path / "trace"

    shown = run_soak("--replay", "two", "--trace", str(trace))

    assert shown.returncode == 0, shown.stderr
    assert f"trace {run_plan(plan_for('two')).digest}" in shown.stdout
    assert " > " in trace.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        pytest.param(["--trace", "t"], "--trace is for the one evening", id="a trace of all"),
        pytest.param(["--replay", "two", "--minutes", "3"], "without --minutes", id="minutes"),
        pytest.param(["--replay", "two", "--seed", "two"], "without --minutes", id="a seed"),
    ],
)
def test_what_had_no_effect_was_once_taken_without_a_word(flags: list[str], why: str) -> None:
    shown = run_soak(*flags)

    assert shown.returncode == 2
    assert why in shown.stderr


def test_a_trace_that_cannot_be_written_once_ended_in_a_traceback(tmp_path: Path) -> None:
    trace = tmp_path / "missing" / "trace"

    shown = run_soak("--replay", "two", "--trace", str(trace))

    assert (shown.returncode, shown.stderr) == (
        2,
        f"scripts/soak: {trace}: No such file or directory\n",
    )


def test_a_line_of_the_seeds_file_with_a_tilt_once_showed_another_evening() -> None:
    shown = run_soak("--replay", "matches:two")

    assert f"trace {run_plan(tilted(plan_for('two'), 'matches')).digest}" in shown.stdout


def test_a_seed_with_a_colon_is_no_tilt() -> None:
    assert planned("7:30-1") == plan_for("7:30-1")


def test_an_evening_that_goes_wrong_ends_it_with_the_command_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def goes_wrong(plan: Plan) -> Report:
        wrongs = ("[A12] the pile is gone",) if plan.seed == "bad-2" else ()
        return Report(
            seed=plan.seed,
            digest="",
            deals=1,
            plays=1,
            steps=1,
            simulated_s=1,
            cpu_s=1,
            wrongs=wrongs,
        )

    monkeypatch.setattr(soak, "run_plan", goes_wrong)

    code = soak.soak(minutes=1, seed="bad")

    assert code == 1
    shown = capsys.readouterr()
    assert "3 evenings, 3 deals" in shown.out
    assert "[A12] the pile is gone" in shown.err
    assert "scripts/soak --replay bad-2" in shown.err
