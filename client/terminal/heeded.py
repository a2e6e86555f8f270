"""Who hears of TERM and HUP for a while, without all that a terminal needs besides."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType

from client.exit_codes import SIGNALLED


@contextlib.contextmanager
def heeded(heed: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Have `heed` called for TERM and HUP; afterwards they are as they were before."""
    numbers = [signal.Signals[name] for name in SIGNALLED]
    before = [(number, signal.signal(number, heed)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:  # None: it was not set from Python
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
