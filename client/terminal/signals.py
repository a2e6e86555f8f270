"""Signals at the full screen: TERM and HUP leave, TSTP stops with the terminal restored, CONT draws again."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Iterator

from prompt_toolkit.application import Application
from prompt_toolkit.application.run_in_terminal import run_in_terminal

from client.terminal.leaving import told_to_leave

# Normal screen, cursor, line wrap, no colours; no paste marks and no mouse reports; title as it was.
RESTORED = b"\x1b[?1049l\x1b[?25h\x1b[?7h\x1b[0m\x1b[?2004l\x1b[?1000;1003;1006;1015l\x1b[23;2t"


class Signals:
    """What this process does about signals while an application runs."""

    def __init__(
        self, app: Application[int], leave: Callable[[int], None], *, may_stop: bool
    ) -> None:
        """`leave` is called with the exit code when somebody asks the client to go."""
        self._app = app
        self._leave = leave
        self._may_stop = may_stop
        self._loop = asyncio.get_running_loop()
        self._stopping = False  # we stop by our own hand, and see to what follows

    @contextlib.contextmanager
    def heeded(self) -> Iterator[None]:
        """Heed signals until the end of the block."""
        handlers = {signal.SIGTSTP: self.stop, signal.SIGCONT: self._continued}
        for number, handler in handlers.items():
            self._loop.add_signal_handler(number, handler)
        try:
            with told_to_leave(self._leave, RESTORED):
                yield
        finally:
            for number in handlers:
                self._loop.remove_signal_handler(number)

    @contextlib.contextmanager
    def interrupting(self, press: Callable[[], None]) -> Iterator[None]:
        """An INT from outside is as good as the key; afterwards it is what it was.

        prompt_toolkit would see to it as well, but loads all of ctypes for it.
        """
        before = signal.getsignal(signal.SIGINT)
        self._loop.add_signal_handler(signal.SIGINT, press)
        try:
            yield
        finally:
            self._loop.remove_signal_handler(signal.SIGINT)
            signal.signal(signal.SIGINT, before)

    def stop(self) -> None:
        """Stop like any other job, with the terminal restored meanwhile."""
        if self._may_stop and can_stop() and self._app.is_running and not self._stopping:
            self._stopping = True
            run_in_terminal(self._stop_here)

    def _stop_here(self) -> None:
        self._loop.remove_signal_handler(signal.SIGTSTP)
        os.kill(0, signal.SIGTSTP)  # the whole job, as the terminal itself does it
        self._loop.add_signal_handler(signal.SIGTSTP, self.stop)

    def _continued(self) -> None:
        """After a stop of which we had no notice the terminal is as the shell likes it."""
        if self._stopping:
            self._stopping = False
        elif self._app.is_running:
            self._app.input.raw_mode().__enter__()  # the first one entered is left at the end
            self._app.renderer.erase()
            self._app.invalidate()


def can_stop() -> bool:
    """Whether there is a shell that could let us go on again."""
    return os.getpgrp() != os.getsid(0)
