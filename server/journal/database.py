"""The journal's file: opening it, its tables, its settings. No tasks, no waiting.

One thread uses it at a time. Who may open it is decided in `lock`.
"""

import contextlib
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

from server.journal.store import OpenFault, one_line

FILE = "journal.db"
LOG = f"{FILE}-wal"  # SQLite's name for it
LOG_BYTES = 8 * 1024 * 1024  # allocated in advance
SPARE = 32  # the log is allocated only where so many times its size is free
SCHEMA = 3
OLDEST = 2  # the oldest version taken up: its changes can still be read, and 3 has one kind more
BUSY_S = 1.0  # so long somebody who looks into the file from outside is waited for

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file can raise; the second even for the text of an error."""

_ROW = "engine INTEGER NOT NULL, body BLOB NOT NULL, checksum INTEGER NOT NULL"
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    # All that is kept comes here first, and from here into the other tables (`daybook`).
    f"CREATE TABLE daybook (place INTEGER PRIMARY KEY, {_ROW})",
    f"CREATE TABLE people (digest BLOB PRIMARY KEY, {_ROW}) WITHOUT ROWID",
    f"""CREATE TABLE answers (
        digest BLOB NOT NULL REFERENCES people ON DELETE CASCADE,
        n INTEGER NOT NULL, place INTEGER NOT NULL, {_ROW},
        PRIMARY KEY (digest, n)) WITHOUT ROWID""",
    f"CREATE TABLE lobbies (code TEXT PRIMARY KEY, {_ROW}) WITHOUT ROWID",
    f"""CREATE TABLE deals (
        code TEXT PRIMARY KEY REFERENCES lobbies ON DELETE CASCADE, {_ROW}) WITHOUT ROWID""",
    f"""CREATE TABLE actions (
        code TEXT NOT NULL REFERENCES deals ON DELETE CASCADE,
        number INTEGER NOT NULL, {_ROW}, PRIMARY KEY (code, number)) WITHOUT ROWID""",
)
_SETTINGS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",  # macOS: down to the disk itself
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA foreign_keys = ON",
    # Pages are copied out of the log each time it has this many of them (7.8 MiB), and not more
    # often, since the newest page of the daybook changes with every commit.
    "PRAGMA wal_autocheckpoint = 1900",
    # Zeros over what is deleted, but not by writing pages that are free anyway (Debian's default).
    "PRAGMA secure_delete = FAST",
)


def opened(folder: Path) -> sqlite3.Connection:
    """The journal of this folder, made if there is none.

    Raises:
        OpenFault: it cannot be used.
    """
    path = folder / FILE
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # hands are in it
        _connected(path).close()  # all that is in the log goes where it belongs, and the log goes
        _lay_out_log(folder / LOG)
    except OSError as fault:
        raise _cannot_use(path, fault) from fault
    return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(
            path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as fault:
        raise _cannot_use(path, fault) from fault
    _or_close(connection, path, _prepare)
    return connection


def _lay_out_log(path: Path) -> None:
    """Allocate the log at its full length, filled with zeros, if there is none and the disk has room.

    A commit that makes the file longer waits for the file system's own journal, too, which makes it
    half as long again (measured). SQLite takes a log without a header for an empty one, and writes over it.
    """
    if path.exists() or shutil.disk_usage(path.parent).free < SPARE * LOG_BYTES:
        return
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(log, bytes(LOG_BYTES))
        os.fsync(log)
    finally:
        os.close(log)


def opened_to_look(folder: Path) -> sqlite3.Connection:
    """The journal of this folder, to read it and no more, also while a server uses it.

    Raises:
        OpenFault: there is none, or it cannot be used.
    """
    path = folder / FILE
    try:
        is_there = stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        is_there = False
    except OSError as fault:  # the folder of another account may not be looked into, say
        message = f"cannot look into {folder}: {fault.strerror}"
        raise OpenFault(message) from fault
    if not is_there:
        message = f"there is no journal in {folder}"
        raise OpenFault(message)
    # Without a log nobody uses the file, and SQLite then leaves no files of its own beside it.
    how = "mode=ro" if path.with_name(LOG).exists() else "immutable=1"
    where = f"{path.resolve().as_uri()}?{how}"
    try:
        connection = sqlite3.connect(where, uri=True, timeout=BUSY_S, isolation_level=None)
    except sqlite3.Error as fault:
        raise _cannot_use(path, fault) from fault
    _or_close(connection, path, _check_schema)
    connection.execute("BEGIN")  # one reading, even while a server writes
    return connection


def _or_close(
    connection: sqlite3.Connection, path: Path, step: Callable[[sqlite3.Connection, Path], None]
) -> None:
    with contextlib.ExitStack() as if_it_fails:
        if_it_fails.callback(connection.close)
        try:
            step(connection, path)
        except UNREADABLE as fault:
            raise _cannot_use(path, fault) from fault
        if_it_fails.pop_all()


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        _make(connection)
        keep_name_of(path)
    _check_schema(connection, path)
    for setting in _SETTINGS:
        connection.execute(setting)


def make_ours(connection: sqlite3.Connection) -> None:
    """Keep an older server from taking what is written from now on for damage."""
    connection.execute("UPDATE meta SET value = ?1 WHERE name = 'schema' AND value < ?1", (SCHEMA,))


def _make(connection: sqlite3.Connection) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for table in _TABLES:
            connection.execute(table)
        connection.execute("INSERT INTO meta VALUES ('schema', ?), ('openings', 0)", (SCHEMA,))


def keep_name_of(path: Path) -> None:
    """Make sure that a new file or folder is still in the folder around it after a power cut."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of some other program, or of another version of this one."""
    ours = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone()
    if ours is None:
        message = f"{path} is not a journal of Facedown. Give another folder with --data"
        raise OpenFault(message)
    found = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone() or (0,)
    if found[0] not in range(OLDEST, SCHEMA + 1):
        message = (
            f"{path} is a journal of version {found[0]}, and this server knows {OLDEST} to {SCHEMA}. "
            "Use the server that wrote it, or give another folder with --data"
        )
        raise OpenFault(message)


def _cannot_use(path: Path, fault: Exception) -> OpenFault:
    reason = fault.strerror if isinstance(fault, OSError) else one_line(fault)
    return OpenFault(f"cannot use {path}: {reason}. Give another folder with --data")


def note_opening(connection: sqlite3.Connection) -> None:
    """Write a little, durably, to know that it works and how long it takes."""
    connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'openings'")


def empty_log(connection: sqlite3.Connection) -> None:
    """Copy all pages out of the log: a large transaction then begins at its front."""
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
