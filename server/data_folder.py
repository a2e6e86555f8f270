"""The folder for what the server keeps: made and looked over before the journal is opened."""

import logging
import os
import re
import secrets
from pathlib import Path

from server.config import BadSettings, Settings
from server.journal.database import FILE, LOG

OTHERS = 0o077  # what a file's mode lets its group and everybody do
HANDS_ARE_IN = (FILE, LOG, f"{FILE}-shm")  # the last is SQLite's as well
LOGGER = logging.getLogger(__name__)
SERVER_ID = re.compile("[0-9a-f]{32}")


def data_folder(settings: Settings) -> Path:
    """The data folder, made if it is missing.

    Raises:
        BadSettings: it cannot be made or written.
    """
    try:
        folder = Path(settings.data).expanduser()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, RuntimeError) as error:  # the second where there is no such home
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"cannot make the data folder {settings.data}: {reason}. Give another with --data"
        raise BadSettings(message) from error
    if not os.access(folder, os.W_OK):
        message = f"the data folder {folder} cannot be written. Give another with --data"
        raise BadSettings(message)
    for name in HANDS_ARE_IN:
        _close_to_others(folder / name)
    return folder


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

    Where nothing is kept nobody is known after one: it is another server each time.

    Raises:
        BadSettings: it cannot be read or written.
    """
    if folder is None:
        return secrets.token_hex(16)
    path = folder / "server-id"
    try:
        known = path.read_text(encoding="ascii", errors="replace").strip() if path.exists() else ""
        if not known:  # new, or the machine stopped while it was written
            known = secrets.token_hex(16)
            path.write_text(known + "\n", encoding="ascii")
    except OSError as fault:
        message = f"cannot use {path}: {fault.strerror}. Give another folder with --data"
        raise BadSettings(message) from fault
    if not SERVER_ID.fullmatch(known):
        message = f"{path} is damaged. Delete it to start afresh: players then join as new ones"
        raise BadSettings(message)
    return known
