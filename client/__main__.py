"""`facedown`: the process around the commands, from its first import to its exit code."""

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Iterator

from client.exit_codes import INTERRUPTED


def main() -> None:
    """Run the command line of this process; never returns."""
    gc.disable()  # what is loaded now is no garbage, and looking for some takes its time
    sys.modules["ssl"] = None  # type: ignore[assignment] # asyncio can do without, and it is heavy
    try:
        try:
            with _ended_by_ctrl_c():
                from client.command_line.commands import run  # noqa: PLC0415 - after the lines above
            code = run(sys.argv[1:])
        finally:
            _leave_in_peace()
            _give_up_complaints()
            if sys.stdout is not None:
                sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
        _leave_in_peace()  # if that is where it came
    except OSError as error:
        from client.command_line.unread import code_of, is_unread  # noqa: PLC0415 - seldom used

        if not is_unread(error):
            raise
        _write_nowhere(sys.stdout.fileno())
        code = code_of(error)
        _give_up_complaints()
    sys.exit(code)


@contextlib.contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """As long as nothing is open Ctrl-C just ends us, without a word of what was being loaded."""
    is_heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heeded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    yield
    if is_heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave_in_peace() -> None:
    """One more Ctrl-C changes nothing now: the code has been decided.

    It is ignored, and blocked as well: an ending interpreter gives signals back their defaults.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _give_up_complaints() -> None:
    """What standard error has not taken changes no exit code."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        _write_nowhere(sys.stderr.fileno())


def _write_nowhere(descriptor: int) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


if __name__ == "__main__":
    main()
