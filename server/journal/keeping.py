"""Keep changes for as long as it takes: a full disk stops a table, and loses nothing.

Whoever waits here tells nobody anything meanwhile, so nothing is acknowledged that is not kept.
"""

from collections.abc import Callable

import trio

from server.arrivals import now_us
from server.journal.records import Change
from server.journal.store import JournalFault, Store

RETRY_S = 1.0


async def keep(store: Store, *changes: Change, stalled: Callable[[], None]) -> int:
    """Commit, and try again every second until it succeeds.

    `stalled` is called once, after the first failure. Returns for how many microseconds it failed.
    """
    return await keep_as_it_is(store, lambda: changes, stalled=stalled)


async def keep_as_it_is(
    store: Store, changes: Callable[[], tuple[Change, ...]], *, stalled: Callable[[], None]
) -> int:
    """The same for changes that are asked for anew before each try: something else may be kept between."""
    tries, began = 0, now_us()
    while True:
        try:
            if wanted := changes():
                await store.commit(*wanted)
        except JournalFault:  # the store complains of it, once for all who try
            tries += 1
            if tries == 1:
                stalled()
            await trio.sleep(RETRY_S)
        else:
            return now_us() - began if tries else 0
