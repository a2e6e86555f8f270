"""The folder for what the server keeps: made and looked over before the journal is opened."""

import contextlib
import logging
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from server.config import BadSettings, Settings, reason_of
from server.journal.database import FILE, LOG, keep_name_of

OTHERS_LOOK = 0o755  # where others write, they could put a folder of theirs in the place of ours
OTHERS = 0o077  # what a file's mode lets its group and everybody do
HANDS_ARE_IN = (FILE, LOG, f"{FILE}-shm")  # the last is SQLite's as well
LOGGER = logging.getLogger(__name__)
ID_FILE = "server-id"
ID_LENGTH = 32  # characters
SERVER_ID = re.compile(f"[0-9a-f]{{{ID_LENGTH}}}")


def data_folder(settings: Settings) -> Path:
    """The data folder, made if it is missing.

    Raises:
        BadSettings: it cannot be made or written.
    """
    try:
        folder = Path(settings.data).expanduser()
        new = [each for each in (folder, *folder.parents) if not each.exists()]
        for around in reversed(new[1:]):
            around.mkdir(exist_ok=True, mode=OTHERS_LOOK)
        folder.mkdir(exist_ok=True, mode=0o700)
        for each in new:
            with contextlib.suppress(OSError):  # the folder cannot be looked into, say
                keep_name_of(each)
    except (OSError, RuntimeError) as error:  # the second where there is no such home
        message = (
            f"cannot make the data folder {settings.data}: {reason_of(error)}. "
            "Give another with --data"
        )
        raise BadSettings(message) from error
    if not os.access(folder, os.W_OK):
        message = f"the data folder {folder} cannot be written. Give another with --data"
        raise BadSettings(message)
    _refuse_a_lost_journal(folder)
    for name in HANDS_ARE_IN:
        _close_to_others(folder / name)
    return folder


def _refuse_a_lost_journal(folder: Path) -> None:
    """Begin no new journal in silence where there was one: SQLite would throw its log away.

    By itself a journal is empty only before it has a log and the server an id.
    """
    journal, log = folder / FILE, folder / LOG
    with _using(journal):
        is_there, has_log = journal.exists(), log.exists() and log.stat().st_size > 0
        is_empty = is_there and not journal.stat().st_size
        was_kept = has_log or (is_empty and (folder / ID_FILE).exists())
    if was_kept and (is_empty or not is_there):
        message = (
            f"{journal} is {'empty' if is_empty else 'gone'}, and a server has kept things there. "
            f"Put a copy of the folder back, or delete {FILE} and {LOG} to start afresh"
        )
        raise BadSettings(message)


def _close_to_others(path: Path) -> None:
    """Leave a file to its owner alone: a copy that was put back is often open to all."""
    try:
        mode = path.stat().st_mode & 0o777
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)
            LOGGER.warning("others could read %s: now its owner alone can", path)
    except FileNotFoundError:
        return
    except OSError as fault:
        LOGGER.warning("others can perhaps read %s, and that stays: %s", path, fault.strerror)


def server_id(folder: Path | None) -> str:
    """The same after each restart, so that clients find the secret they keep for this server.

    Where nothing is kept nobody is known after one: it is another server each time. Whoever asks holds
    the folder's lock: of two who make an id at once, one would be known by what the other replaces.

    Raises:
        BadSettings: it cannot be read or written.
    """
    if folder is None:
        return secrets.token_hex(16)
    if known := known_id(folder):
        return known
    path, new = folder / ID_FILE, secrets.token_hex(16)
    with _using(path):
        _write_to_last(path, new + "\n")
    return new


def known_id(folder: Path) -> str:
    """The id that is kept in this folder; empty in a new one.

    Raises:
        BadSettings: it cannot be read.
    """
    path = folder / ID_FILE
    with _using(path):
        try:
            known = _beginning_of(path).decode("ascii", errors="replace").strip()
        except FileNotFoundError:
            return ""
    # It is empty where the machine stopped while an older server wrote it.
    if known and not SERVER_ID.fullmatch(known):
        message = f"{path} is damaged. Delete it to start afresh: players then join as new ones"
        raise BadSettings(message)
    return known


def _beginning_of(path: Path) -> bytes:
    """What a file begins with, more than an id has; nothing that never ends is waited for."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        return os.read(file, 2 * ID_LENGTH)
    finally:
        os.close(file)


@contextlib.contextmanager
def _using(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        message = f"cannot use {path}: {fault.strerror}. Give another folder with --data"
        raise BadSettings(message) from fault


def _write_to_last(path: Path, text: str) -> None:
    """Write a file, all of it or nothing, that is there after a power cut as well."""
    draft = path.with_name(f".{path.name}-draft")
    try:
        draft.unlink(missing_ok=True)
        with draft.open("w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
    keep_name_of(path)
