"""What hosting has besides the game: whether the server stays, and that it never does so unasked."""

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from client.exit_codes import SIGNALLED
from client.kept.files import make_folder, may_be_there
from client.line.child import Child
from client.selectors import others_are_here
from client.state import ClientState
from client.terminal.heeded import heeded
from client.way_in.own_server import host_again, start_again

NOWHERE = Path(os.devnull)


class ToldToGo:
    """TERM and HUP around the game, where nothing else heeds them: they end it in order.

    By themselves they end a process on the spot, and a server that it has started stays behind.
    """

    def __init__(self) -> None:
        """Nobody has said anything yet."""
        self._code: int | None = None
        self._ends = False

    @contextlib.contextmanager
    def heeded(self) -> Iterator[None]:
        """Wait with what they say until `ending`, so that it cannot come between two steps."""
        with heeded(self._heed):
            yield

    @contextlib.contextmanager
    def ending(self) -> Iterator[None]:
        """In this block they end the program, also if they have come before it.

        Raises:
            SystemExit: one has come.
        """
        self._ends = True
        try:
            self._end()
            yield
        finally:
            self._ends = False

    def _heed(self, number: int, _: FrameType | None) -> None:
        self._code = SIGNALLED[signal.Signals(number).name]
        if self._ends:
            self._end()

    def _end(self) -> None:
        if self._code is not None:
            self._ends = False  # a second one changes nothing
            raise SystemExit(self._code)


@contextlib.contextmanager
def hosted(start: Callable[[], Child], log: Path) -> Iterator["Hosted"]:
    """A server that is started here, and ends here, however that comes, unless it is to stay.

    Raises:
        NoServer: it did not start.
        SystemExit: TERM or HUP has come.
    """
    told = ToldToGo()
    with told.heeded():
        server = Hosted(start(), log)
        try:
            from client.terminal import leaving  # noqa: PLC0415 - loaded while the server started

            with told.ending(), leaving.not_without(server.end_at_once):
                yield server
        finally:
            if not server.stays:
                server.child.stop()


class Hosted:
    """A server that was started here."""

    def __init__(self, child: Child, log: Path) -> None:
        """It ends with this client until somebody says otherwise."""
        self.child = child
        self._its_log = "" if log == NOWHERE else f"Its log: {log}\n"
        self.stays = False
        self._with_others = False

    def leave(self, state: ClientState) -> None:
        """Note who is here as the one who hosts it leaves."""
        self._with_others = others_are_here(state)

    def end_at_once(self) -> None:
        """Tell it to end, and wait for nothing."""
        self.child.process.terminate()

    @property
    def _question(self) -> str:
        return f"Keep the server running{' for the others' * self._with_others}? [y/N] "

    def part(self, code: int) -> str:
        """Ask whether it is to stay, now that the game has ended with this code; what to say."""
        told_to_go = code in SIGNALLED.values()  # whoever is answers nothing
        self.stays = self.child.is_running and not told_to_go and _keep_running(self._question)
        if self.stays and self.child.is_running:
            pid = self.child.process.pid
            return f"The server keeps running. To stop it: kill {pid}\n{self._its_log}"
        if self.child.is_running:
            again = host_again(self.child.address.port)
            return "" if told_to_go else f"The server ends. To go on from where it is:\n  {again}\n"
        again = start_again(self.child.address, for_friends=bool(self.child.friends))
        return (
            "The server that was started here has ended. To go on from where it was:\n"
            f"  {again}\n{self._its_log}"
        )


def log_file(folder: Path) -> Path:
    """Where a server that is hosted from here writes its log, for its host alone; else nowhere."""
    log = folder.absolute() / "host" / "server.log"
    with contextlib.suppress(OSError):
        make_folder(log.parent, mode=0o700)
    return log if os.access(log if may_be_there(log) else log.parent, os.W_OK) else NOWHERE


def _keep_running(question: str) -> bool:
    """Whether the server is to outlive this client; without a terminal it is not."""
    if not (sys.stdin and sys.stdin.isatty()):
        return False
    try:
        said = input(question).strip().casefold()
    except (EOFError, KeyboardInterrupt):
        return False
    return said in {"y", "yes"}
