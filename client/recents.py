"""The servers this person has been to, newest first, kept in the state directory."""

import json
from collections.abc import Sequence
from pathlib import Path

from client.identity import write_whole
from client.screens.desk import Recent

FILE = "recent.json"
MOST = 8


def load(folder: Path | None) -> tuple[Recent, ...]:
    """What is remembered; nothing where there is no folder or the file is damaged."""
    if folder is None:
        return ()
    try:
        entries = json.loads((folder / FILE).read_text("utf-8"))
        return tuple(
            Recent(address=str(entry["address"]), note=str(entry["note"])) for entry in entries
        )[:MOST]
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def visited(recents: Sequence[Recent], here: Recent) -> tuple[Recent, ...]:
    """The list with this server at its head."""
    others = (recent for recent in recents if recent.address != here.address)
    return (here, *others)[:MOST]


def save(folder: Path, recents: Sequence[Recent]) -> None:
    """Write the list.

    Raises:
        OSError: it cannot be written.
    """
    entries = [{"address": recent.address, "note": recent.note} for recent in recents]
    write_whole(folder / FILE, json.dumps(entries, indent=1))
