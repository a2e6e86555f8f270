"""The processes that another process has started, and whether they have ended (Linux)."""

import os
import select
from pathlib import Path

PATIENCE_S = 20.0


def children_of(pid: int) -> list[int]:
    """Handles on the processes that a process has started, to be given to `has_ended`."""
    return [os.pidfd_open(child) for child in numbers_of_children(pid)]


def numbers_of_children(pid: int) -> list[int]:
    """The processes that a process has started, by number."""
    listing = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in listing.split()]


def has_ended(process: int) -> bool:
    """Wait until a process has ended, given its handle; False if it just goes on."""
    ended, _, _ = select.select([process], [], [], PATIENCE_S)
    os.close(process)
    return bool(ended)
