"""Start the full-screen client and see it to its end: exit codes, crashes, the parting line."""

import asyncio
import contextlib
import errno
import os
import sys
from collections.abc import Callable

from client.exit_codes import CRASHED, HUNG_UP
from client.full_screen.screen_client import ScreenClient
from client.kept import crash
from client.screens.parting import parting_text
from client.settings import Settings
from client.start.visit import Visit


def run(visit: Visit, settings: Settings) -> int:
    """Play on the full screen; the exit code (client/README). The terminal is restored in every case."""
    os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
    client = ScreenClient(visit, settings)
    try:
        code = asyncio.run(client.run())
        _say_goodbye(client, sys.stdout.write)
    except BaseExceptionGroup as group:
        return _after(group, client, visit)
    finally:
        client.close()
        if visit.left:
            visit.left(client.state)
    return code


def _after(group: BaseExceptionGroup[BaseException], client: ScreenClient, visit: Visit) -> int:
    _, faults = group.split(_is_gone)
    if faults is None:
        return HUNG_UP
    back = parting_text(client.state, client.desk)
    with contextlib.suppress(OSError):
        sys.stderr.write(crash.report(group, visit.crashes, back=back) + "\n")
    return CRASHED


def _is_gone(error: BaseException) -> bool:
    """Whether the terminal has vanished: no more keys, or nowhere to draw."""
    return isinstance(error, EOFError) or (isinstance(error, OSError) and error.errno == errno.EIO)


def _say_goodbye(client: ScreenClient, write: Callable[[str], object]) -> None:
    if text := client.parting:
        with contextlib.suppress(OSError):
            write(f"{text}\n")
