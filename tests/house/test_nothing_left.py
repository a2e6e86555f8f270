"""However a test ends, and however the tests end, no server of theirs stays behind."""

import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import PATIENCE_S, ROOT

HANGS = """
import sys
import trio
from {module} import {of_it}

async def test_it(tmp_path):
    async with {of_it}(tmp_path, "--in-memory") as server:
        sys.stderr.write(f"the server is {{server.pid}}\\n")
        await trio.sleep_forever()
"""
PYTEST = (sys.executable, "-m", "pytest", "-s", "-p", "tests.conftest", "-p", "no:cacheprovider")


def server_of(tests: "subprocess.Popen[str]") -> int:
    """A handle on the server that the test has started."""
    assert tests.stderr is not None
    for line in tests.stderr:
        if found := re.match(r"the server is (\d+)", line):
            return os.pidfd_open(int(found[1]))
    raise AssertionError("it never started")


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only on Linux")
@pytest.mark.parametrize("how", ["its time is up", "the tests are killed"])
@pytest.mark.parametrize(
    ("module", "of_it"),
    [("tests.support.far_guests", "a_live_server"), ("tests.server.test_main", "a_server")],
)
def test_the_server_of_a_test_once_outlived_it(
    tmp_path: Path, how: str, module: str, of_it: str
) -> None:
    hangs = tmp_path / "test_hangs.py"
    hangs.write_text(HANGS.format(module=module, of_it=of_it))
    allowed_s = "4" if how == "its time is up" else "600"
    with subprocess.Popen(
        (*PYTEST, f"--rootdir={ROOT}", f"--timeout={allowed_s}", "-o", "trio_mode=true", hangs),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as tests:
        try:
            server = server_of(tests)
            if how == "the tests are killed":
                tests.send_signal(signal.SIGKILL)
            ended, _, _ = select.select([server], [], [], PATIENCE_S)
        finally:
            tests.kill()

    assert ended
