"""Wait for a condition instead of for a time."""

from collections.abc import Callable

import trio

PATIENCE_S = 30.0  # on a busy machine; a test that needs it all has failed


async def until(condition: Callable[[], bool]) -> None:
    """Let everything else run until the condition holds."""
    with trio.fail_after(PATIENCE_S):
        while not condition():
            await trio.lowlevel.checkpoint()
