"""A task of the whole server that outlives a fault of ours: one lobby's news, say, stops nobody's alarms."""

import logging
from collections.abc import Awaitable, Callable

import trio

BREATHER_S = 10.0  # a fault that comes again and again must not fill the log
LOG = logging.getLogger(__name__)


async def carry_on(task: str, run: Callable[[], Awaitable[None]]) -> None:
    """Run this until cancelled: after a fault, which the log has, it begins again in a while."""
    while True:
        try:
            await run()
        except Exception:
            LOG.exception("%s failed, and will be tried again in %.0f s", task, BREATHER_S)
        await trio.sleep(BREATHER_S)
