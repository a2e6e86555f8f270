"""A start without a network and without writing: whether a server can take up what is kept."""

from pathlib import Path
from random import Random

import trio

from protocol.answers import Stamps
from server.config import BadSettings, Settings
from server.data_folder import known_id
from server.hall import Hall
from server.journal.records import Kept
from server.journal.store import Complain, Damaged, NoStore


def rehearse(folder: Path, kept: Kept, complain: Complain) -> None:
    """Complain of whatever would keep a server from starting on this folder, where this is kept."""
    try:
        known_id(folder)
    except BadSettings as fault:
        complain(Damaged("the server's id", str(fault)))
    trio.run(_take_up, kept, complain)


async def _take_up(kept: Kept, complain: Complain) -> None:
    async with trio.open_nursery() as nursery:
        hall = Hall(
            Settings(),
            NoStore(),
            nursery=nursery,
            server_id="",
            epoch="",
            stamps=Stamps.AFTER_READ,
            rng=Random(0),  # noqa: S311 - nothing is dealt
        )
        hall.understood(kept, complain)
