"""TERM and HUP: leave with the terminal as it was found, even if it takes nothing any more.

A terminal that stalls (a dead line, Ctrl-S) blocks the client inside a write, where it cannot be
asked to leave. So whoever is told to leave has `GRACE_S` seconds for it; then an alarm gives back
the terminal without waiting for it, and the process ends. A job that was stopped has given it back
already: the shell's is not touched, which would only stop the job once more.
"""

import asyncio
import contextlib
import os
import signal
import sys
import termios
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NoReturn

from client.exit_codes import SIGNALLED
from client.terminal.heeded import heeded

GRACE_S = 2.0
_last_deeds: list[Callable[[], None]] = []


@contextlib.contextmanager
def told_to_leave(leave: Callable[[int], None], farewell: bytes = b"") -> Iterator[None]:
    """Call `leave` with the exit code when a signal says so.

    The farewell is what a terminal is sent that was drawn upon.
    """
    loop, lines = asyncio.get_running_loop(), _line_settings()

    def heed(number: int, _: FrameType | None) -> None:
        code = SIGNALLED[signal.Signals(number).name]
        if farewell and _is_in_the_background():
            _end_at_once(code)
        signal.signal(signal.SIGALRM, lambda *_: _go_at_once(code, farewell, lines))
        signal.setitimer(signal.ITIMER_REAL, GRACE_S)
        loop.call_soon_threadsafe(leave, code)

    # Python's own handlers and not the loop's: they are called inside a write that blocks.
    with heeded(heed):
        yield


@contextlib.contextmanager
def not_without(deed: Callable[[], None]) -> Iterator[None]:
    """Do this even where the process ends at once; it waits for nothing."""
    _last_deeds.append(deed)
    try:
        yield
    finally:
        _last_deeds.remove(deed)


def disarm() -> None:
    """Leaving has gone well: no alarm is needed any more."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def _go_at_once(code: int, farewell: bytes, lines: list[Any] | None) -> NoReturn:
    """Give back the terminal as well as can be done without waiting, and end."""
    with contextlib.suppress(OSError, ValueError, termios.error):
        descriptor = sys.stdout.fileno()
        if farewell and lines:
            termios.tcflush(descriptor, termios.TCOFLUSH)  # what it has not taken, it never will
        os.set_blocking(descriptor, False)
        with contextlib.suppress(BlockingIOError):
            os.write(descriptor, farewell)
        os.set_blocking(descriptor, True)  # it is the shell's as well
    if lines:
        with contextlib.suppress(OSError, ValueError, termios.error):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, lines)
    _end_at_once(code)


def _end_at_once(code: int) -> NoReturn:
    for deed in _last_deeds:
        with contextlib.suppress(OSError):
            deed()
    os._exit(code)


def _is_in_the_background() -> bool:
    """Whether another job, the shell itself as a rule, has the terminal now."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp()
    except (OSError, ValueError, AttributeError):  # it is gone, or there was none
        return False


def _line_settings() -> list[Any] | None:
    """The line settings of this terminal; None where there is none."""
    try:
        return termios.tcgetattr(sys.stdin.fileno())
    except (OSError, ValueError, AttributeError, termios.error):
        return None
