"""Standard input and output of the plain client: lines in from a thread, lines out, no editing.

On a terminal what is longer than a line goes on below, a little further in, and never inside a word.

A thread reads because nothing else works the same for a terminal, a pipe, a file and /dev/null. It
reads the descriptor itself: a buffered reader would be locked when the interpreter ends.
"""

import asyncio
import io
import os
import select
import sys
import threading
from collections.abc import Callable, Sequence
from typing import BinaryIO, TextIO

from client.screens.parts.cells import cells, wrapped
from client.start.terminal_here import has_terminal

READ_SIZE = 4096
LONGEST_LINE = 4096
MOST_WAITING = 1000  # so many lines may be typed ahead
FULL_S = 0.1  # so often a reader that must wait looks whether it is still wanted
LET_GO_S = 0.5  # Ctrl-C throws away what was typed, and who was about to read that waits for a key
PROMPT = "> "
INDENT = "  "  # before the second line of an entry: the first begins with its label
NARROWEST = 20  # columns; with fewer the terminal breaks the lines as it can

Post = Callable[[str | None], None]


class Console:
    """What is typed comes out of `next_line`, None at its end; `show` prints."""

    def __init__(
        self,
        source: int | BinaryIO | None,
        out: TextIO,
        *,
        is_terminal: bool,
        columns: Callable[[], int] = lambda: 0,
    ) -> None:
        """Nothing is read before `start`. A source by its number can be let go again by `stop`.

        `columns` is how wide the terminal is now that is written to; 0: it is none.
        """
        self.is_terminal = is_terminal
        self._columns = columns
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()
        # What is typed beyond waits in the terminal.
        self._slots = threading.Semaphore(MOST_WAITING)
        self._is_stopped = False
        self.broken: OSError | None = None  # why nobody takes what is printed
        self.is_gone = False  # the terminal has vanished
        self._source = source
        self._out = out
        self._prompted = False
        self._thread: threading.Thread | None = None
        self._stop_reading, self._stop = os.pipe()

    def start(self) -> None:
        """Begin to read, in a thread that dies with the process."""
        loop = asyncio.get_running_loop()

        def post(line: str | None) -> None:
            while not self._slots.acquire(timeout=FULL_S):
                if self._is_stopped:
                    raise RuntimeError
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._inbox.put_nowait, line)

        self._thread = threading.Thread(target=self._read, args=(post,), daemon=True)
        self._thread.start()

    async def next_line(self) -> str | None:
        """Wait for the next line; None at the end of what is typed, on a terminal at each Ctrl-D."""
        line = await self._inbox.get()
        self._slots.release()
        return line

    def stop(self) -> None:
        """Read no more, so that somebody else can, and leave the cursor on a line of its own."""
        if self._prompted and not self.broken:
            self._write("\n")
        self._is_stopped = True
        os.close(self._stop)
        if self._thread:
            self._thread.join(LET_GO_S)
            if self._thread.is_alive():
                return
        os.close(self._stop_reading)

    def _read(self, post: Post) -> None:
        try:
            self._read_to_the_end(post)
            while self.is_terminal and not self._is_stopped:  # its end is one Ctrl-D, not the last
                self._read_to_the_end(post)
        except (OSError, ValueError):  # the terminal has vanished, or was closed under us
            self.is_gone = self.is_terminal
            post(None)
        except RuntimeError:  # the loop ended while we were posting, or nobody wants more
            return

    def _read_to_the_end(self, post: Post) -> None:
        rest = b""
        while data := self._take():
            *lines, rest = (rest + data).split(b"\n")
            if len(rest) > LONGEST_LINE:
                lines, rest = [*lines, rest], b""
            for line in lines:
                post(_text(line))
        if rest:
            post(_text(rest))
        post(None)

    def _take(self) -> bytes:
        """The next bytes, as soon as there are some; none at the end, or after `stop`."""
        if self._source is None:
            return b""
        if not isinstance(self._source, int):
            return self._source.read(READ_SIZE)
        ready, _, _ = select.select([self._source, self._stop_reading], [], [])
        if self._stop_reading in ready:
            return b""
        return os.read(self._source, READ_SIZE)

    def show(self, lines: Sequence[str]) -> None:
        """Print lines; on a terminal the prompt stands after them."""
        if lines and not self.broken:
            self.say(lines)
            self.prompt()

    def say(self, lines: Sequence[str]) -> None:
        """Print lines after which nothing can be typed."""
        start = self._over_the_prompt if self._prompted else ""
        broken = (part for line in lines for part in broken_at_words(line, self._columns()))
        self._write(start + "\n".join(broken) + "\n")
        self._prompted = False

    @property
    def _over_the_prompt(self) -> str:
        """Back to the start of the line, wiped: the end of what is typed would stand behind a short one."""
        return f"\r{' ' * (self._columns() - 1)}\r"

    def prompt(self) -> None:
        """Print the prompt, on a terminal only."""
        self._prompted = self.is_terminal
        if self.is_terminal:
            self._write(PROMPT)

    def entered(self) -> None:
        """A line was typed: the cursor is at the start of the next."""
        self._prompted = False

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except OSError as error:
            self.broken = error


def broken_at_words(line: str, columns: int) -> tuple[str, ...]:
    """The line in parts that fit; as it is where it fits, and where nobody knows what would."""
    if columns < NARROWEST or cells(line) <= columns:
        return (line,)
    first, *more = wrapped(line, columns - len(INDENT)) or (line,)
    return (first, *(f"{INDENT}{part}" for part in more))


def _columns_of(out: TextIO) -> int:
    """How wide a terminal is now; 0 for what is none."""
    try:
        return os.get_terminal_size(out.fileno()).columns
    except (OSError, ValueError):
        return 0


def _text(line: bytes) -> str:
    return line.decode("utf-8", errors="replace").rstrip("\r")


def standard() -> Console:
    """The console of this process; what cannot be encoded is replaced."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
            # Another program may have left the terminal so that a write which has to wait fails.
            os.set_blocking(stream.fileno(), True)
    source = sys.stdin.fileno() if sys.stdin else None
    return Console(
        source, sys.stdout, is_terminal=has_terminal(), columns=lambda: _columns_of(sys.stdout)
    )
