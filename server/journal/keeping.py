"""Keep changes for as long as it takes: a full disk stops a table, and loses nothing.

Whoever waits here tells nobody anything meanwhile, so nothing is acknowledged that is not kept.
"""

from collections.abc import Callable
from contextlib import suppress

import trio

from server.arrivals import now_us
from server.journal.records import Change
from server.journal.store import JournalFault, Store

RETRY_S = 1.0


async def keep(store: Store, *changes: Change, stalled: Callable[[], None]) -> int:
    """Commit, and try again every second until it succeeds.

    `stalled` is called once, after the first failure. Returns for how many microseconds from then on.
    """
    try:
        await store.commit(*changes)
    except JournalFault:  # the store complains of it, once for all who try
        return await _keep_trying(store, lambda: changes, stalled)
    return 0


async def keep_as_it_is(
    store: Store, changes: Callable[[], tuple[Change, ...]], *, stalled: Callable[[], None]
) -> int:
    """The same for changes that are asked for anew before each try: something else may be kept between."""
    try:
        if wanted := changes():
            await store.commit(*wanted)
    except JournalFault:
        return await _keep_trying(store, changes, stalled)
    return 0


async def _keep_trying(
    store: Store, changes: Callable[[], tuple[Change, ...]], stalled: Callable[[], None]
) -> int:
    failed_at = now_us()
    stalled()
    while True:
        await trio.sleep(RETRY_S)
        with suppress(JournalFault):
            if wanted := changes():
                await store.commit(*wanted)
            return now_us() - failed_at
