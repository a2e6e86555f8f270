"""Files as they are kept: readable by their owner only, written in one step, and plain to a person."""

import contextlib
import os
import tempfile
from pathlib import Path

import msgspec

OTHERS_LOOK = 0o755  # where others write, they could put a folder of theirs in the place of ours


def in_lines(value: object) -> str:
    """A value as JSON that a person can read, too."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()


def may_be_there(path: Path) -> bool:
    """Whether there is such a file or folder; what cannot be looked at may be one."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:  # its folder may not be looked into, say
        return True
    return True


def make_folder(folder: Path, mode: int = OTHERS_LOOK) -> None:
    """Make a folder, and those around it, where they are missing; they outlast a power cut."""
    new = [each for each in (folder, *folder.parents) if not may_be_there(each)]
    for around in reversed(new[1:]):
        around.mkdir(exist_ok=True, mode=OTHERS_LOOK)
    folder.mkdir(exist_ok=True, mode=mode)
    for each in new:
        _keep_name_of(each)


def write_whole(path: Path, text: str) -> None:
    """Write a file that only its owner can read, all of it or nothing; it outlasts a power cut."""
    make_folder(path.parent)
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
    _keep_name_of(path)


def _keep_name_of(path: Path) -> None:
    """Make sure that a new file or folder is still in the folder around it after a power cut."""
    with contextlib.suppress(OSError):  # not every file system can: the file itself is written
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
