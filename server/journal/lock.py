"""Whose a data folder is: one server at a time may use it, and tells others where it is found."""

import contextlib
import fcntl
import os
from pathlib import Path

from server.journal.store import LONGEST_REASON, OpenFault, one_line

LOCK = "journal.lock"


def locked(folder: Path) -> contextlib.ExitStack:
    """Lock the folder until what this gives is closed, or this process is gone.

    There are two locks: one on a file that says whose they are, and one on the folder itself, which
    stays if somebody takes the file for a leftover and deletes it.

    Raises:
        OpenFault: somebody has locked it, or the folder cannot be written.
    """
    path = folder / LOCK
    with contextlib.ExitStack() as locks:
        try:
            lock = _open_until(locks, path, os.O_RDWR | os.O_CREAT)
        except OSError as fault:
            message = f"cannot write in {folder}: {fault.strerror}. Give another folder with --data"
            raise OpenFault(message) from fault
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _lock_folder(locks, folder)
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        except OSError as fault:
            said = b""
            with contextlib.suppress(OSError):  # it is a pipe, say
                said = os.pread(lock, LONGEST_REASON, 0)
            raise _not_locked(folder, said.decode(errors="replace"), fault) from fault
        return locks.pop_all()


def _open_until(end: contextlib.ExitStack, path: Path, how: int) -> int:
    file = os.open(path, how, 0o600)
    end.callback(os.close, file)
    return file


def _lock_folder(locks: contextlib.ExitStack, folder: Path) -> None:
    """Lock the folder itself, where that can be done: some file systems know no locks of folders."""
    try:
        fcntl.flock(_open_until(locks, folder, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        if isinstance(fault, BlockingIOError):
            raise


def note_address(folder: Path, address: str) -> None:
    """Tell whoever else wants to use this folder where its server is found; only that server may."""
    with contextlib.suppress(OSError), (folder / LOCK).open("a") as lock:
        lock.write(f"{address}\n")


def _not_locked(folder: Path, said: str, fault: OSError) -> OpenFault:
    if not isinstance(fault, BlockingIOError):
        return OpenFault(f"cannot lock {folder}: {fault.strerror}. Give another with --data")
    owner, _, address = said.partition("\n")
    who = f"the server with process id {owner}" if owner.isdigit() else "another server"
    join = f"facedown join {one_line(address.strip()) or 'localhost'}"
    ways = f"Join it ({join}), stop it, or give another folder with --data"
    return OpenFault(f"{who} is using {folder}. {ways}")
