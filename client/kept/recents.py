"""The servers this person has been to, newest first, kept in the state directory."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from client.kept.files import in_lines, write_whole
from client.way_in.address import Recent

FILE = "recent.json"
MOST = 8


def load(folder: Path | None) -> tuple[Recent, ...]:
    """What is remembered; nothing where there is no folder or the file is damaged."""
    if folder is None:
        return ()
    try:
        known = msgspec.json.decode((folder / FILE).read_bytes(), type=tuple[Recent, ...])
    except (OSError, msgspec.DecodeError):
        return ()
    return known[:MOST]


def visited(recents: Sequence[Recent], here: Recent) -> tuple[Recent, ...]:
    """The list with this server at its head."""
    others = (recent for recent in recents if recent.address != here.address)
    return (here, *others)[:MOST]


def save(folder: Path, recents: Sequence[Recent]) -> None:
    """Write the list.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(folder / FILE, in_lines(recents))
