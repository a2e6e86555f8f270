"""A process on a pseudo-terminal of its own, and us at the far end: keys, signals, what is seen.

The terminal is the controlling one of the process, as it would be in a window or over SSH: it hangs
up, changes size and stops jobs like any other. `OnPty` is any program, `PtyClient` a client of ours.
"""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pyte

from tests.support.homes import environment

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 30.0  # on a busy machine; a test that needs it all has failed
RUN = "from client.__main__ import main; main()"
LOOKS_S = 0.7  # so often it is seen whether the program has ended
TOO_SOON = ("only just come up", "Held down")  # says the page of a key that it does not take
CLIENT = (sys.executable, "-m", "client")
# A session without a terminal takes the first one it opens.
ON_TTY = ("/bin/sh", "-c", 'exec "$@" <>"$0" >&0 2>&0')

ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07")
GOES_ON_BELOW = re.compile(r"(?<=\S)\n  (?=\S)")
MODE = re.compile(rb"\x1b\[\?([\d;]+)([hl])")
TITLE_KEPT, TITLE_BACK = b"\x1b[22;2t", b"\x1b[23;2t"
AUTOWRAP, CURSOR = b"7", b"25"
AS_FOUND = {AUTOWRAP: True, CURSOR: True}  # every other mode of a terminal is off


class OnPty:
    """A running program, and the far end of its terminal."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], size: tuple[int, int]
    ) -> None:
        """The program starts at once, in a terminal of this size (columns, rows)."""
        self.master, self.slave = pty.openpty()
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self.resize(*size)
        self.before = termios.tcgetattr(self.slave)
        self.written = b""
        self.process = subprocess.Popen(
            (*ON_TTY, os.ttyname(self.slave), *command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=environment,
            start_new_session=True,
        )

    # --- seeing ---------------------------------------------------------------------------------

    @property
    def screen(self) -> str:
        """What can be seen now."""
        return "\n".join(row.rstrip() for row in self._screen.display)

    @property
    def text(self) -> str:
        """All that was printed, without colours and cursor moves, long lines in one again."""
        plain = ESCAPES.sub(b"", self.written).decode(errors="replace").replace("\r\n", "\n")
        return GOES_ON_BELOW.sub(" ", plain)

    def shows(self, text: str) -> None:
        """Wait until a text can be seen."""
        self.waits_for(lambda: text in self.screen, text)

    def prints(self, text: str, after: int = 0) -> int:
        """Wait until a text was printed behind this place in the output; return where it ends."""
        self.waits_for(lambda: text in self.text[after:], text)
        return self.text.index(text, after) + len(text)

    def waits_for(self, holds: Callable[[], object], what: object = "that") -> None:
        """Read what the program writes until something holds."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            ended = self.process.poll() is not None
            if self.reads(0 if ended else LOOKS_S):
                continue
            told = f"{what!r}:\n{self.screen}\n---\n{self.text[-2000:]}"
            assert not ended, f"ended before it came to {told}"
            assert time.monotonic() < end, f"never came to {told}"

    def reads(self, patience_s: float) -> bool:
        """Take what there is, or comes within this time; whether anything did."""
        if not select.select([self.master], [], [], patience_s)[0]:
            return False
        data = os.read(self.master, 65536)
        self.written += data
        self._stream.feed(data)
        return bool(data)

    def read_rest(self) -> None:
        """Read what there is, without waiting for more."""
        while self.reads(0):
            pass

    # --- doing ----------------------------------------------------------------------------------

    def types(self, keys: str | bytes) -> None:
        """Press keys."""
        os.write(self.master, keys.encode() if isinstance(keys, str) else keys)

    def press_until(self, keys: str | bytes, text: str) -> None:
        """Press keys, again where the page says that it was too soon, until a text can be seen."""
        while text not in self.screen:
            self.types(keys)
            self.waits_for(lambda: text in self.screen or self._was_too_soon(), text)
            if self._was_too_soon():
                self.types(b"\x0c")
                self.waits_for(lambda: not self._was_too_soon())

    def _was_too_soon(self) -> bool:
        return any(words in self.screen for words in TOO_SOON)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size; the process is told by the kernel."""
        termios.tcsetwinsize(self.slave, (rows, columns))
        self._screen.resize(rows, columns)

    def hang_up(self) -> None:
        """Close the far end, as a window does that is closed, or a line that breaks."""
        for descriptor in (self.slave, self.master):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.slave = self.master = -1

    def ends(self) -> int:
        """Wait for the end, reading what is written meanwhile; the exit code."""
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < end, f"never ended:\n{self.text[-2000:]}"
            if self.master < 0:
                time.sleep(0.02)
            else:
                self.reads(0.02)
        if self.master >= 0:
            self.read_rest()
        return self.process.returncode

    def kill(self) -> None:
        """End it at once, and all that it started in its session."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.hang_up()


class PtyClient(OnPty):
    """A running client of ours."""

    def __init__(
        self,
        home: Path,
        *command: str,
        size: tuple[int, int] = (80, 24),
        term: str = "xterm-256color",
    ) -> None:
        """The process starts at once, in a terminal of this size (columns, rows)."""
        super().__init__(command, of_maya(home, term), size)

    # --- seeing ---------------------------------------------------------------------------------

    def writes(self, data: bytes) -> None:
        """Wait until these bytes have been written since the beginning, or since `forget`."""
        self.waits_for(lambda: data in self.written, data)

    def forget(self) -> None:
        """Look at an empty screen and an empty tape, whatever was written before."""
        self.read_rest()
        self.written = b""
        self._screen.reset()

    # --- doing ----------------------------------------------------------------------------------

    def send(self, number: int) -> None:
        """Send a signal to the process alone."""
        self.process.send_signal(number)

    def stall(self, asking: bytes = b"\x0c") -> None:
        """Read nothing, and ask for more output (a repaint) until the client is stuck."""
        end = time.monotonic() + PATIENCE_S
        while select.select([], [self.slave], [], 0)[1]:
            assert time.monotonic() < end, "it never wrote enough"
            self.types(asking)
            time.sleep(0.005)

    def stops(self) -> None:
        """Wait until the process has been stopped."""
        end = time.monotonic() + PATIENCE_S
        while self.state() != "T":
            assert time.monotonic() < end, f"not stopped: {self.screen}"
            self.read_rest()
            time.sleep(0.01)

    def state(self) -> str:
        """One letter of the kernel: R running, S waiting, T stopped, Z ended."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        return stat.rpartition(")")[2].split()[0]

    def code_unread(self) -> int:
        """Wait for the end of a client whose terminal takes nothing; the exit code."""
        return self.process.wait(PATIENCE_S)

    # --- afterwards -----------------------------------------------------------------------------

    def left_behind(self) -> list[str]:
        """What of the terminal is not as it was found; nothing after a clean end."""
        return [*self.modes_left(), *self._title_left(), *self._settings_left()]

    def modes_left(self) -> list[str]:
        """Which modes are not as they were found, as far as has been read."""
        return list(self._modes_left())

    def _modes_left(self) -> Iterator[str]:
        modes = dict(AS_FOUND)
        for numbers, how in MODE.findall(self.written):
            for number in numbers.split(b";"):
                modes[number] = how == b"h"
        for number, on in modes.items():
            if on != AS_FOUND.get(number, False):
                yield f"mode {number.decode()} is {'on' if on else 'off'}"

    def _title_left(self) -> Iterator[str]:
        if self.written.count(TITLE_KEPT) != self.written.count(TITLE_BACK):
            yield "the title is another"
        elif (set_at := self.written.rfind(b"\x1b]2;")) > self.written.rfind(TITLE_BACK):
            yield f"the title was set last by {self.written[set_at : set_at + 40]!r}"

    def _settings_left(self) -> Iterator[str]:
        if termios.tcgetattr(self.slave) != self.before:
            yield "the line settings (stty) are others"

    def after_the_end(self) -> str:
        """What stands in the normal screen once the client has left the other one."""
        return self.written[self.written.rfind(b"\x1b[?1049l") :].decode(errors="replace")


def changed(places: Mapping[str, str]) -> tuple[str, ...]:
    """A client in which something is something else: `{"client.selectors:FRESH_S": "0"}`."""
    lines: list[str] = []
    for place, value in places.items():
        module, name = place.split(":")
        lines += [f"import {module}", f"{module}.{name} = {value}"]
    return (sys.executable, "-c", "\n".join([*lines, RUN]))


def of_maya(home: Path, term: str) -> dict[str, str]:
    """The environment of somebody whose home this is, at such a terminal."""
    return environment(home, TERM=term, FACEDOWN_NAME="maya", TMPDIR=str(home))


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


@contextlib.contextmanager
def on_a_terminal(
    home: Path,
    *command: str,
    size: tuple[int, int] = (80, 24),
    term: str = "xterm-256color",
) -> Iterator[PtyClient]:
    """Run a command (the client's start screen if none) on a terminal; killed if it has not ended."""
    client = PtyClient(home, *(command or CLIENT), size=size, term=term)
    try:
        yield client
    finally:
        client.kill()
