"""The log in a file: bounded, and a crash stands in it; for servers that outlive who started them."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.checkup import check_folder
from server.config import BadSettings
from server.program import LOG_BYTES, REPORT, _log_into
from tests.support.processes import ROOT

CRASHING = """
import sys
import server.program as program
async def serve(*_): raise ZeroDivisionError
program.serve = serve
program.run()
"""
DEAF = """
import server.program as program
from server.sockets import Ears
def deaf(_): raise ZeroDivisionError
Ears.attend = deaf
program.run()
"""
PATIENCE_S = 30


@pytest.fixture(autouse=True)
def own_log() -> Iterator[None]:
    """The log is that of before afterwards."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers.clear()
    yield
    for handler in root.handlers:
        handler.close()
    root.handlers[:] = before
    root.setLevel(level)


def test_the_log_of_a_server_that_was_kept_grew_without_end(tmp_path: Path) -> None:
    _log_into(str(tmp_path / "server.log"))

    for number in range(4):
        logging.getLogger("server.hall").warning("%s%d", "x" * (LOG_BYTES // 2), number)

    kept = list(tmp_path.iterdir())
    assert sum(file.stat().st_size for file in kept) <= 2 * LOG_BYTES
    assert (tmp_path / "server.log").read_text().endswith("x3\n")


def test_a_log_that_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"cannot write the log .*Give another with --log"):
        _log_into(str(tmp_path / "missing" / "server.log"))


def the_end_of(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The server as this program changes it, to its end."""
    return subprocess.run(
        [sys.executable, "-c", program, "--port", "0", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_a_crash_stands_in_the_log_and_on_standard_error(tmp_path: Path) -> None:
    log = tmp_path / "server.log"

    ended = the_end_of(CRASHING, "--in-memory", "--log", str(log))

    assert ended.returncode == 1
    assert "ZeroDivisionError" in ended.stderr
    assert "the server has crashed" in log.read_text()
    assert "ZeroDivisionError" in log.read_text()


def test_a_server_that_could_hear_nobody_any_more_ended_in_a_bare_traceback(tmp_path: Path) -> None:
    data, log = tmp_path / "data", tmp_path / "server.log"

    ended = the_end_of(DEAF, "--data", str(data), "--log", str(log))

    assert ended.returncode == 1
    assert ended.stderr == f"facedown-server: a bug has ended it (ZeroDivisionError). {REPORT}\n"
    assert "ZeroDivisionError" in log.read_text()
    assert check_folder(data).is_sound


def test_a_server_without_the_input_whose_end_it_waits_for_ended_in_a_traceback() -> None:
    program = "import sys; sys.stdin = None; import server.__main__ as it; it.main()"

    ended = the_end_of(program, "--in-memory", "--until-eof")

    assert (ended.returncode, ended.stderr) == (0, "")
