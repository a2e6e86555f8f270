"""A task of the whole server that outlives a fault of ours: one lobby's news, say, stops nobody's alarms."""

import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import trio

BREATHER_S = 10.0  # a fault that comes again and again must not fill the log
LOG = logging.getLogger(__name__)

G = TypeVar("G")
T = TypeVar("T")


async def carry_on(
    task: str, run: Callable[[], Awaitable[None]], breather_s: float = BREATHER_S
) -> None:
    """Run this until cancelled: after a fault, which the log has, it begins again in a while."""
    while True:
        try:
            await run()
        except Exception:
            LOG.exception("%s failed, and will be tried again in %.1f s", task, breather_s)
        await trio.sleep(breather_s)


@contextlib.contextmanager
def contained(what: str) -> Iterator[None]:
    """A fault of ours in here, which the log has, goes no further: for whoever cleans up after another."""
    try:
        yield
    except Exception:
        LOG.exception("%s failed", what)


def or_nothing(step: Callable[[T], G | None], about: T) -> G | None:
    """What this step gives; None after a fault of ours, which the log has: it costs nobody else."""
    try:
        return step(about)
    except Exception:
        LOG.exception("what concerns %s was left out", about)
        return None
