"""Files as they are kept: readable by their owner only, written in one step, and plain to a person."""

import contextlib
import os
import tempfile
from pathlib import Path

import msgspec


def in_lines(value: object) -> str:
    """A value as JSON that a person can read, too."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()


def may_be_there(path: Path) -> bool:
    """Whether there is such a file or folder; what cannot be looked at may be one."""
    try:
        return path.exists()
    except OSError:  # its folder may not be looked into, say
        return True


def write_whole(path: Path, text: str) -> None:
    """Write a file that only its owner can read, all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            Path(draft).unlink()
        raise
