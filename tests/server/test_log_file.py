"""The log in a file: bounded, and a crash stands in it; for servers that outlive who started them."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.__main__ import LOG_BYTES, _log_into
from server.config import BadSettings
from tests.support.processes import ROOT

CRASHING = """
import sys
import server.__main__ as program
async def serve(*_): raise ZeroDivisionError
program.serve = serve
program.main()
"""


@pytest.fixture(autouse=True)
def own_log(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The log and the hook for crashes are those of before afterwards."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
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


def test_a_crash_stands_in_the_log_and_on_standard_error(tmp_path: Path) -> None:
    log = tmp_path / "server.log"

    ended = subprocess.run(
        [sys.executable, "-c", CRASHING, "--in-memory", "--log", str(log)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 1
    assert "ZeroDivisionError" in ended.stderr
    assert "the server has crashed" in log.read_text()
    assert "ZeroDivisionError" in log.read_text()
