"""Ctrl-C while a program of ours is still being loaded: it ends, and says nothing."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import sizes
import starter
from tests.support.homes import environment
from tests.support.processes import PATIENCE_S, ROOT

INTERRUPTED = """
import os, runpy, signal, sys, weakref

program, moment, *arguments = sys.argv[1:]

class Something: pass

def interrupt(_):
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(100): pass  # in here it would be printed, and forgotten

class Finder:
    def find_spec(self, name, *_):
        if name == moment:
            weakref.finalize(something := Something(), interrupt, None)
            del something

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
sys.argv = [program, *arguments]
runpy.run_module(program, run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(
    ("program", "moment", "arguments"),
    [
        pytest.param("server", "trio", ["--in-memory", "--port=0"], id="the server's libraries"),
        pytest.param("server", "server.hall", ["--in-memory", "--port=0"], id="the server"),
        pytest.param("client", "argparse", ["rules"], id="the client's libraries"),
        pytest.param("client", "client.settings", ["rules"], id="the client"),
        pytest.param("scripts.starter", "tomllib", ["set_up", "play"], id="the set-up"),
        pytest.param("scripts.starter", "trio", ["soak"], id="a soak"),
        pytest.param("scripts.starter", "msgspec", ["fuzz", "text"], id="a fuzz"),
        pytest.param("scripts.starter", "protocol", ["race"], id="a race"),
        pytest.param("scripts.starter", "benching", ["bench", "rules"], id="a bench"),
        pytest.param("scripts.starter", "pygments", ["pytest", __file__], id="the tests"),
        pytest.param("scripts.starter", "picture", ["snapshots"], id="the snapshots"),
        pytest.param("scripts.starter", "protocol", ["wire_tables", "--check"], id="the tables"),
    ],
)
def test_ctrl_c_while_this_was_loaded_once_ended_in_a_traceback_or_in_nothing(
    tmp_path: Path, program: str, moment: str, arguments: list[str]
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, program, moment, *arguments],
        cwd=ROOT,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, b"", b"")


def test_ctrl_c_in_the_middle_of_a_script_once_ended_in_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> int:
        signal.raise_signal(signal.SIGINT)
        return 0

    heeded = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(sys, "argv", ["scripts/starter.py", "sizes"])
    monkeypatch.setattr(sizes, "main", interrupted)

    try:
        code = starter.main()
    finally:
        signal.signal(signal.SIGINT, heeded)

    assert code == 130
    assert capsys.readouterr().err == "\ninterrupted\n"


@pytest.mark.parametrize(
    "script", ["environment", "test", "with_arguments.sh", "snapshots", "wire_tables"]
)
def test_a_script_loads_what_it_runs_with_the_starter(script: str) -> None:
    lines = (ROOT / "scripts" / script).read_text(encoding="utf-8").splitlines()

    runs = [line for line in lines if "exec " in line and "scripts/" in line]

    assert runs
    assert all("scripts/starter.py" in line for line in runs)
