"""Processes that a measurement starts and stops, and what the kernel says they have used (Linux)."""

import contextlib
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
LAST_WORDS_S = 10.0
CLOCK_OF_A_PROCESS = 2  # CPUCLOCK_SCHED of the kernel: what clock_getcpuclockid(3) answers
READY = re.compile(r"ready on (\S+):(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A server that is running and ready."""

    host: str
    port: int
    pid: int

    @property
    def cpu_s(self) -> float:
        """Processor seconds used so far, by user and kernel."""
        return time.clock_gettime((~self.pid << 3) | CLOCK_OF_A_PROCESS)

    @property
    def rss_kib(self) -> int:
        """Memory it holds now."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace")
        found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        return int(found[1]) if found else 0


@contextlib.contextmanager
def served(*command: str) -> Iterator[Served]:
    """Run `python -m COMMAND` until the end of the block; it must say where it is ready.

    Raises:
        RuntimeError: it ended instead.
    """
    with _a_process(*command) as process:
        assert process.stdout is not None  # noqa: S101 - asked for
        for line in process.stdout:
            if found := READY.search(line):
                yield Served(host=found[1], port=int(found[2]), pid=process.pid)
                return
        message = f"{command[0]} has not started"
        raise RuntimeError(message)


class Driver:
    """A process that puts load on a server, as it is told."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def tell(self, **order: object) -> dict[str, Any]:
        """Give an order and wait for what comes of it.

        Raises:
            RuntimeError: the driver has failed; its error output says why.
        """
        assert self._process.stdin is not None  # noqa: S101 - asked for
        assert self._process.stdout is not None  # noqa: S101 - asked for
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            message = "the load driver has failed"
            raise RuntimeError(message)
        return cast("dict[str, Any]", json.loads(line))


@contextlib.contextmanager
def a_driver(target: Served, do: str, **order: object) -> Iterator[tuple[Driver, dict[str, Any]]]:
    """Start a driver with its first order; gives it and its first answer."""
    with _a_process("benching.driver") as process:
        driver = Driver(process)
        yield driver, driver.tell(do=do, host=target.host, port=target.port, **order)


@contextlib.contextmanager
def _a_process(*command: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for the bench alone, which then stops them all
    )
    try:
        yield process
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(LAST_WORDS_S)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()  # the rest of what it said, and its pipes closed


def _environment() -> dict[str, str]:
    """The environment without settings for the server, and with this package to be found."""
    kept = {key: text for key, text in os.environ.items() if not key.startswith("FACEDOWN_")}
    return kept | {"PYTHONPATH": str(SCRIPTS)}


def raise_file_limit() -> int:
    """Allow as many open files as the machine lets us, also for processes started later."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return sys.maxsize if hard == resource.RLIM_INFINITY else hard
