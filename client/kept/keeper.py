"""Settings and servers on their way to their files: beside the game, in order, nothing lost on leaving.

Writing waits for the disk, and the first one for an import; a doubt does not wait for either.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from client.kept import config, recents
from client.settings import Settings
from client.state import Hinted
from client.way_in.address import Recent


class Keeper:
    """Keeps things in the background of a group, which ends only when all are kept."""

    def __init__(self, tell: Callable[[Sequence[Hinted]], None]) -> None:
        """`tell` hears a sentence when something could not be kept."""
        self._tell = tell
        self._one_at_a_time = asyncio.Lock()

    async def keep(self, settings: Settings, name: str) -> None:
        """Write one setting into its file."""
        async with self._one_at_a_time:
            trouble = await asyncio.to_thread(config.keep, settings, name)
        if trouble:
            self._tell((Hinted(text=trouble),))

    async def remember(self, folder: Path, servers: Sequence[Recent]) -> None:
        """Write the servers of before; where that cannot be, the next start knows fewer."""
        async with self._one_at_a_time:
            with contextlib.suppress(OSError):
                await asyncio.to_thread(recents.save, folder, servers)
