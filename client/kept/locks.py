"""The locks beside the files of identities: each is one client's at a time."""

import os
from pathlib import Path


def lock_of(path: Path) -> Path:
    """Where the lock of an identity's file is."""
    return path.with_suffix(".lock")


def lock_if_free(path: Path) -> int | None:
    """The lock of an identity's file, taken; None if somebody else has it.

    Raises:
        OSError: there is none, and none can be made.
    """
    lock = _opened(lock_of(path))
    if _locked(lock) and _is_there(lock, lock_of(path)):
        return lock
    os.close(lock)
    return None


def _opened(lock: Path) -> int:
    """The descriptor of a lock, which is made if there is none yet.

    Raises:
        OSError: there is none, and none can be made.
    """
    try:
        return os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        if not lock.exists():
            raise
        return os.open(lock, os.O_RDONLY)  # on a disk that cannot be written, say


def _is_there(lock: int, path: Path) -> bool:
    """Whether this is the lock that others find, and not one that was deleted meanwhile."""
    try:
        return os.path.samestat(os.fstat(lock), path.stat())
    except FileNotFoundError:
        return False


def _locked(descriptor: int) -> bool:
    import fcntl  # noqa: PLC0415 - there is none on Windows

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
