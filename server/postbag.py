"""What many tables send in one pass of the loop goes out together, at its end.

Between two writes of one table and those of the next the interpreter works through the rules, the
table and the packing, and by then what the kernel needs for a write is no longer at hand: it takes
nearly twice as long as right after another write. So only the first table of a pass sends at once,
since it may well be the only one; the others do so when all have had their turn.
"""

import logging
from collections.abc import Callable

import trio

from server.arrivals import stay_awake

LOG = logging.getLogger(__name__)

Send = Callable[[], None]


class Postbag(trio.abc.Instrument):
    """All that is to be sent at the end of this pass; without `run` everything is sent at once."""

    def __init__(self) -> None:
        self._is_carried = False
        self._is_open = False  # somebody has sent in this pass, and who comes now waits
        self._waiting: list[Send] = []  # in the order in which they came

    def put(self, send: Send) -> None:
        """Send at once, or at the end of this pass if somebody else has sent in it."""
        if self._is_open:
            self._waiting.append(send)
        else:
            self._is_open = self._is_carried
            send()

    async def run(self) -> None:
        """Empty the bag at the end of each pass until cancelled."""
        trio.lowlevel.add_instrument(self)
        self._is_carried = True
        try:
            await trio.sleep_forever()
        finally:
            self._is_carried = False
            trio.lowlevel.remove_instrument(self)
            self._empty()

    def before_io_wait(self, timeout: float) -> None:
        """A pass is over: trio is about to look at the sockets, for so many seconds at most."""
        self._is_open = False
        if self._waiting:
            self._empty()
            if timeout and trio.lowlevel.current_statistics().tasks_runnable:
                # A slow line has been given a task to write, and the loop was about to sleep.
                stay_awake()

    def _empty(self) -> None:
        waiting, self._waiting = self._waiting, []
        self._is_open = False
        for send in waiting:
            try:
                send()
            except Exception:  # one table's fault keeps nobody else's post
                LOG.exception("what a table had to say could not be sent")
