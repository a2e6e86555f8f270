"""The bench measures what it says, in numbers too small to mean anything, and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from tests.support.children import children_of, has_ended, numbers_of_children

ROOT = Path(__file__).resolve().parents[2]
BENCH = (sys.executable, "scripts/bench.py")
QUICK = ("server", "--quick", "--seconds", "0.2", "--json")

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the bench asks Linux's /proc what was used"
)


@pytest.mark.parametrize(
    ("flags", "connections"),
    [
        pytest.param(("--mode", "one"), 4, id="one table"),
        pytest.param(("--mode", "saturated", "--tables", "3"), 12, id="some tables saturated"),
        pytest.param(("--mode", "paced", "--tables", "3", "--rate", "200"), 12, id="at a pace"),
    ],
)
def test_tables_are_measured_beside_the_baseline(flags: tuple[str, ...], connections: int) -> None:
    figures = measured(*QUICK, *flags)[flags[1]]

    for side in ("server", "baseline", "in_memory", "on_disk", "baseline_on_disk"):
        assert figures[side]["cpu_s_per_1000"] > 0
        assert figures[side]["p99_us"] >= figures[side]["p50_us"] > 0
        assert figures[side]["connections"] == connections
    assert figures["ratio"]["cpu_s_per_1000"] == pytest.approx(
        figures["server"]["cpu_s_per_1000"] / figures["baseline"]["cpu_s_per_1000"]
    )
    assert figures["disk_ratio"]["cpu_s_per_1000"] == pytest.approx(
        figures["on_disk"]["cpu_s_per_1000"] / figures["server"]["cpu_s_per_1000"]
    )
    assert figures["memory_ratio"]["cpu_s_per_1000"] == pytest.approx(
        figures["on_disk"]["cpu_s_per_1000"] / figures["in_memory"]["cpu_s_per_1000"]
    )
    assert figures["p50_bound_us"] == pytest.approx(
        figures["commit_us"] + 2 * figures["baseline"]["p50_us"]
    )


def test_the_baseline_writes_the_frames_that_the_server_writes() -> None:
    # Slices of several deals, so that where in a deal they end does not matter much.
    flags = ("--mode", "one", "--seconds", "1")

    figures = measured(*QUICK, *flags)["one"]

    assert figures["ratio"]["bytes_per_recipient"] == pytest.approx(1, abs=0.2)


def test_a_pace_is_kept_and_not_outrun() -> None:
    flags = ("--mode", "paced", "--tables", "8", "--rate", "100", "--seconds", "2")

    figures = measured(*QUICK, *flags)["paced"]

    for side in ("server", "baseline"):
        assert figures[side]["actions_per_s"] == pytest.approx(100, rel=0.3)


def test_a_crowd_is_let_in_and_kept() -> None:
    figures = measured(*QUICK, "--mode", "idle", "--crowd", "30")["idle-30"]

    for side in ("server", "baseline"):
        assert figures[side]["connections"] == 30
        assert figures[side]["accept_s"] > 0
        assert figures[side]["rss_mib"] > 0


def test_hot_spots_name_the_functions_of_the_server() -> None:
    flags = ("--mode", "saturated", "--tables", "2", "--hot-spots")

    shown = run_bench(*QUICK, *flags)

    assert "server/table/table.py:Table.run" in shown


def test_the_client_keeps_its_budgets_that_no_machine_can_change() -> None:
    figures = measured("client", "--starts", "1", "--keys", "3", "--watch", "3", "--json")

    assert 0 < figures["client"]["tick_bytes"] < 100
    assert figures["client"]["idle_bytes"] == 0
    assert 0 < figures["client"]["storm_redraws_per_s"] <= 35  # 30, and what was drawn just before
    for side in ("client", "empty"):
        assert figures[side]["first_paint_ms"] > 0
        assert figures[side]["key_ms"] > 0
    assert figures["ratio"]["first_paint_cpu_ms"] > 1


def test_the_rules_engine_is_measured_beside_plain_lists() -> None:
    figures = measured("rules", "--plays", "300", "--runs", "1", "--json")

    assert figures["ratio"] == pytest.approx(figures["engine"] / figures["baseline"])


@pytest.mark.parametrize(
    ("sent", "exit_code"),
    [
        pytest.param(signal.SIGINT, 130, id="by Ctrl-C"),
        pytest.param(signal.SIGTERM, 130, id="by SIGTERM"),
        pytest.param(signal.SIGKILL, -signal.SIGKILL, id="by force"),
    ],
)
def test_nothing_is_left_running_when_it_is_ended(
    sent: signal.Signals, exit_code: int, tmp_path: Path
) -> None:
    command = (*BENCH, "server", "--mode", "one", "--seconds", "40")
    apart = os.environ | {"TMPDIR": str(tmp_path)}  # whoever is killed cannot tidy up
    with subprocess.Popen(command, cwd=ROOT, env=apart, stderr=subprocess.PIPE, text=True) as bench:
        try:
            assert bench.stderr is not None
            bench.stderr.readline()  # the first step of the progress bar
            started = children_of(bench.pid)
            bench.send_signal(sent)
            bench.wait()
        finally:
            bench.kill()

    assert bench.returncode == exit_code
    assert len(started) == 10  # three servers, two baselines, a driver of each
    for child in started:
        assert has_ended(child)


def test_the_load_never_takes_a_processor_away_from_the_server(tmp_path: Path) -> None:
    command = (*BENCH, "server", "--mode", "one", "--seconds", "40")
    apart = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=ROOT, env=apart, stderr=subprocess.PIPE, text=True) as bench:
        try:
            assert bench.stderr is not None
            bench.stderr.readline()  # the first step of the progress bar: all of them run
            policies = sorted(map(os.sched_getscheduler, numbers_of_children(bench.pid)))
        finally:
            bench.terminate()

    assert policies == [os.SCHED_OTHER] * 5 + [os.SCHED_BATCH] * 5  # servers, and their drivers


def test_a_crowd_that_the_machine_cannot_hold_is_left_out_and_named() -> None:
    command = (*BENCH, *QUICK, "--mode", "idle", "--crowd", "5000")
    limited = ("sh", "-c", 'ulimit -n 300 && exec "$@"', "sh", *command)

    done = subprocess.run(limited, cwd=ROOT, capture_output=True, text=True, check=True)

    assert "5,000 idle connections are left out" in done.stderr
    assert "idle-5000" not in done.stdout


def measured(*arguments: str) -> dict[str, Any]:
    """The figures in the last line that the bench prints."""
    return cast("dict[str, Any]", json.loads(run_bench(*arguments).splitlines()[-1]))


def run_bench(*arguments: str) -> str:
    """Run the bench and return what it prints."""
    done = subprocess.run(
        (*BENCH, *arguments), cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout
