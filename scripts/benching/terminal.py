"""A program on a pseudo-terminal of 80x24, and what it writes, when, and at what cost (Linux)."""

import contextlib
import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

from benching.processes import ROOT, SCRIPTS

COLUMNS, ROWS = 80, 24
PATIENCE_S = 30.0
PAUSE_S = 0.01  # two redraws are further apart than this, the pieces of one are not
# A session without a terminal takes the first one it opens.
ON_TTY = ("/bin/sh", "-c", 'exec "$@" <>"$0" >&0 2>&0')


class Program:
    """A running program, and the far end of its terminal."""

    def __init__(self, module: str, *arguments: str, home: Path) -> None:
        """Start `python -m MODULE` at once."""
        self.began = time.perf_counter()
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (ROWS, COLUMNS))
        self._process = subprocess.Popen(
            (*ON_TTY, os.ttyname(slave), sys.executable, "-m", module, *arguments),
            cwd=ROOT,
            env=_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._slave = slave  # kept open, so that the terminal lives as long as this

    @property
    def cpu_s(self) -> float:
        """Processor seconds used so far, to the nanosecond."""
        statistics = Path(f"/proc/{self._process.pid}/schedstat").read_text(encoding="ascii")
        return int(statistics.split()[0]) / 1e9

    def press(self, keys: bytes) -> None:
        """Type at the terminal."""
        os.write(self._master, keys)

    def read_until(self, wanted: bytes) -> float:
        """Read until this has been written; when that was, in seconds since the start.

        Raises:
            RuntimeError: it never was.
        """
        written = b""
        while wanted not in written:
            data = self._read(PATIENCE_S)
            if not data:
                message = f"the program never wrote {wanted!r}, but {written[-300:]!r}"
                raise RuntimeError(message)
            written += data
        return time.perf_counter() - self.began

    def bursts(self, seconds: float) -> list[tuple[float, int]]:
        """What is written within this time, redraw by redraw: when each began, and its bytes."""
        found: list[tuple[float, int]] = []
        newest = 0.0
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if data := self._read(left):
                now = time.perf_counter()
                if found and now - newest < PAUSE_S:
                    found[-1] = (found[-1][0], found[-1][1] + len(data))
                else:
                    found.append((now, len(data)))
                newest = now
        return found

    def next_burst(self) -> float:
        """Wait until something is written; when that was.

        Raises:
            RuntimeError: nothing is.
        """
        if not self._read(PATIENCE_S):
            message = "the program writes nothing"
            raise RuntimeError(message)
        return time.perf_counter()

    def drain(self, quiet_s: float = 0.15) -> None:
        """Read until nothing has been written for a while."""
        while self._read(quiet_s):
            pass

    def _read(self, seconds: float) -> bytes:
        ready, _, _ = select.select([self._master], [], [], seconds)
        return os.read(self._master, 65536) if ready else b""

    def end(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()
        os.close(self._slave)
        os.close(self._master)


@contextlib.contextmanager
def on_a_terminal(module: str, *arguments: str, home: Path) -> Iterator[Program]:
    """Run `python -m MODULE` on a terminal until the end of the block."""
    program = Program(module, *arguments, home=home)
    try:
        yield program
    finally:
        program.end()


def _environment(home: Path) -> dict[str, str]:
    """Nothing of this machine's user is read or written; compiled modules are kept, as usual."""
    others = ("FACEDOWN_", "XDG_", "PYTHONDONTWRITE", "NO_COLOR", "COLORTERM", "TMUX")
    kept = {key: text for key, text in os.environ.items() if not key.startswith(others)}
    mine = {"HOME": str(home), "TERM": "xterm-256color", "PYTHONPATH": str(SCRIPTS)}
    return kept | mine | {"FACEDOWN_NAME": "maya"}
