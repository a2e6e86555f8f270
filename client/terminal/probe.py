"""Ask the terminal itself: how wide it draws a suit, and how bright its background is.

Both answers come as if they had been typed; a terminal that gives none within `PATIENCE_S` is one
of which nothing is known.
"""

import contextlib
import os
import re
import select
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn, TextIO

from msgspec import Struct

from client.exit_codes import SIGNALLED
from client.terminal.heeded import heeded

PATIENCE_S = 0.6
SUIT = "♠"
WHERE = "\x1b[6n"  # the cursor's row and column, please
PAPER = "\x1b]11;?\x1b\\"  # the background's colour, please
WIDTH = f"\r{SUIT}{WHERE}\r\x1b[K"
MUTE = ("linux", "vt")  # print what they do not know of colours
PLACE = re.compile(rb"\x1b\[(\d+);(\d+)R")
COLOUR = re.compile(rb"\x1b\]11;rgb:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)")
HALF = 0.5


class Answers(Struct, frozen=True, kw_only=True):
    """What the terminal said; None where it said nothing."""

    suit_cells: int | None = None
    is_light: bool | None = None


def ask(keyboard: TextIO, screen: TextIO, term: str = "") -> Answers:
    """Ask, wait for a moment, and leave the line as it was."""
    if sys.platform == "win32":
        return Answers()
    with _unechoed(keyboard.fileno()):
        screen.write(f"{WIDTH}{'' if term.startswith(MUTE) else PAPER}{WHERE}")
        screen.flush()
        return answers_in(_heard(keyboard.fileno()))


def answers_in(heard: bytes) -> Answers:
    """The answers among what came back."""
    places, paper = PLACE.search(heard), COLOUR.search(heard)
    return Answers(
        suit_cells=int(places[2]) - 1 if places else None,
        is_light=_brightness(paper) > HALF if paper else None,
    )


def _brightness(paper: re.Match[bytes]) -> float:
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in paper.groups())
    return float(0.299 * red + 0.587 * green + 0.114 * blue)


def _heard(descriptor: int) -> bytes:
    """Everything up to the second place, which comes last."""
    heard, ends = b"", time.monotonic() + PATIENCE_S
    while len(PLACE.findall(heard)) < 2:  # noqa: PLR2004 - it was asked twice
        ready, _, _ = select.select([descriptor], [], [], max(0.0, ends - time.monotonic()))
        if not ready:
            break
        more = os.read(descriptor, 4096)
        if not more:
            break
        heard += more
    return heard


@contextlib.contextmanager
def _unechoed(descriptor: int) -> Iterator[None]:
    """Keys come at once and are not shown, until it is over."""
    import termios  # noqa: PLC0415 - there is none on Windows
    import tty  # noqa: PLC0415 - the same

    before = termios.tcgetattr(descriptor)
    with heeded(_leave):
        try:
            tty.setcbreak(descriptor)
            yield
        finally:
            termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)


def _leave(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(SIGNALLED[signal.Signals(number).name])
