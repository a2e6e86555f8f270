"""A program at a terminal of its own: pyte looks at it, and so can a test; keys go in as bytes."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parents[2]
AGAIN_S = 0.7  # a person who sees nothing happen presses again
PATIENCE_S = 30.0  # on a busy machine; a test that needs it all has failed


class OnPty:
    """A running program; it is killed when the block of `on_a_pty` ends."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], size: tuple[int, int]
    ) -> None:
        """Start it as the leader of a session whose terminal is the one that we hold."""
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (size[1], size[0]))
        self.written = b""
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            cwd=ROOT,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - there are no threads here
        )
        os.close(slave)

    @property
    def screen(self) -> str:
        """What can be seen now."""
        return "\n".join(row.rstrip() for row in self._screen.display)

    @property
    def text(self) -> str:
        """All that was printed, without colours and cursor moves."""
        text = re.sub(rb"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07", b"", self.written)
        return text.decode(errors="replace").replace("\r\n", "\n")

    def types(self, keys: str | bytes) -> None:
        """Press keys."""
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def types_until(self, keys: str, text: str) -> None:
        """Press keys, and again if nothing comes of it, until a text can be seen.

        A key pressed too soon after a page has come up is not taken.
        """
        limit = time.monotonic() + PATIENCE_S
        while text not in self.screen:
            assert time.monotonic() < limit, f"it never came to that:\n{self.screen}"
            self.types(keys)
            again_at = time.monotonic() + AGAIN_S
            while text not in self.screen and (left := again_at - time.monotonic()) > 0:
                self.reads(left)

    def waits_for(self, holds: Callable[[], object]) -> None:
        """Read until something holds."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            left = end - time.monotonic()
            assert left > 0, f"it never came to that:\n{self.screen}\n---\n{self.text[-2000:]}"
            if not self.reads(left):
                self.process.wait(PATIENCE_S)
                assert holds(), f"ended before it came to that:\n{self.text[-2000:]}"

    def shows(self, text: str) -> None:
        """Wait until a text can be seen."""
        self.waits_for(lambda: text in self.screen)

    def prints(self, text: str, after: int = 0) -> int:
        """Wait until a text was printed, after so many characters; where it ends."""
        self.waits_for(lambda: text in self.text[after:])
        return self.text.index(text, after) + len(text)

    def ends(self) -> int:
        """Wait for the end of the program; its exit code."""
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it never ended:\n{self.text[-2000:]}"
            self.reads(0.1)
        while self.reads(0):
            pass
        return self.process.returncode

    def hang_up(self) -> None:
        """Take the terminal away."""
        os.close(self.master)
        self.master = -1

    def kill(self) -> None:
        """End it at once, and all that it started in its session."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.master >= 0:
            os.close(self.master)

    def reads(self, patience_s: float) -> bool:
        """Take what there is; false at the end."""
        ready, _, _ = select.select([self.master], [], [], patience_s)
        if not ready:
            return patience_s > 0
        try:
            data = os.read(self.master, 65536)
        except OSError:  # nobody is at the other end any more
            return False
        self.written += data
        self._stream.feed(data)
        return bool(data)


@contextlib.contextmanager
def on_a_pty(
    *command: str,
    environment: Mapping[str, str] = os.environ,
    size: tuple[int, int] = (80, 24),
) -> Iterator[OnPty]:
    """Run a program at a terminal of its own until the block ends."""
    running = OnPty(command, environment, size)
    try:
        yield running
    finally:
        running.kill()


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
