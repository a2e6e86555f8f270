"""The journal's file: tables, transactions and reading back. No tasks, no waiting.

One thread uses it at a time. Who may open it is decided in `server.sqlite_store`.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from server.records import (
    STORED_ANSWERS,
    ActionDone,
    AnswerKept,
    DealBegun,
    LobbyClosed,
    LobbyKept,
    PersonForgotten,
    PersonKept,
)
from server.rows import Row, Written, of_action, of_answer, of_deal, of_lobby, of_person
from server.store import OpenFault, homeless, idle, said_to_run

FILE = "journal.db"
SCHEMA = 1
PRUNE_EVERY = 16  # commands of a person: a few answers too many do no harm
BUSY_S = 1.0  # to wait for somebody who looks into the file from outside

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file can raise; the second even for the text of an error."""

_ROW = "engine INTEGER NOT NULL, body BLOB NOT NULL, checksum INTEGER NOT NULL"
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    f"CREATE TABLE people (digest BLOB PRIMARY KEY, {_ROW}) WITHOUT ROWID",
    f"""CREATE TABLE answers (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        digest BLOB NOT NULL REFERENCES people ON DELETE CASCADE,
        n INTEGER NOT NULL, {_ROW}, UNIQUE (digest, n))""",
    "CREATE INDEX answers_in_order ON answers (digest, place)",
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
)


def opened(folder: Path) -> sqlite3.Connection:
    """The journal of this folder, made if there is none.

    Raises:
        OpenFault: it cannot be used.
    """
    path = folder / FILE
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # hands are in it
        connection = sqlite3.connect(
            path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
        )
    except (OSError, sqlite3.Error) as fault:
        raise _cannot_use(path, fault) from fault
    _or_close(connection, path, _prepare)
    return connection


def opened_to_look(folder: Path) -> sqlite3.Connection:
    """The journal of this folder, to read it and no more, also while a server uses it.

    Raises:
        OpenFault: there is none, or it cannot be used.
    """
    path = folder / FILE
    if not path.is_file():
        message = f"there is no journal in {folder}"
        raise OpenFault(message)
    # Without a log nobody uses the file, and SQLite then leaves no files of its own beside it.
    how = "mode=ro" if path.with_name(f"{FILE}-wal").exists() else "immutable=1"
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
    try:
        step(connection, path)
    except UNREADABLE as fault:
        connection.close()
        raise _cannot_use(path, fault) from fault
    except OpenFault:
        connection.close()
        raise


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        _make(connection)
        _keep_name_of(path)
    _check_schema(connection, path)
    for setting in _SETTINGS:
        connection.execute(setting)


def _make(connection: sqlite3.Connection) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for table in _TABLES:
            connection.execute(table)
        connection.execute("INSERT INTO meta VALUES ('schema', ?), ('openings', 0)", (SCHEMA,))


def _keep_name_of(path: Path) -> None:
    """Make sure that the folder, too, knows of the new file after a power cut."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of some other program, or of another version of this one."""
    ours = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone()
    if ours is None:
        message = f"{path} is no journal of Facedown. Give another folder with --data"
        raise OpenFault(message)
    found = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone() or (0,)
    if found[0] != SCHEMA:
        message = (
            f"{path} is a journal of version {found[0]}, and this server knows version {SCHEMA}. "
            "Use the server that wrote it, or give another folder with --data"
        )
        raise OpenFault(message)


def _cannot_use(path: Path, fault: Exception) -> OpenFault:
    reason = fault.strerror if isinstance(fault, OSError) else fault
    return OpenFault(f"cannot use {path}: {reason}. Give another folder with --data")


# --- writing --------------------------------------------------------------------------------------


def write(
    connection: sqlite3.Connection, commits: Sequence[Sequence[Written]]
) -> list[LookupError | None]:
    """Keep these commits in one transaction: give for each what is wrong with it, if anything.

    Raises:
        sqlite3.Error: it cannot be done, and nothing of it is kept.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        faults = [_write_one(connection, commit) for commit in commits]
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return faults


def _write_one(connection: sqlite3.Connection, commit: Sequence[Written]) -> LookupError | None:
    wrong = None
    connection.execute("SAVEPOINT one")
    try:
        for change, body in commit:
            _WRITERS[type(change)](connection, change, body)
        _check_deals(connection, said_to_run(change for change, _ in commit))
    except LookupError as fault:
        wrong = fault
        connection.execute("ROLLBACK TO one")
    connection.execute("RELEASE one")
    return wrong


def _check_deals(connection: sqlite3.Connection, codes: Iterable[str]) -> None:
    for code in codes:
        if not connection.execute("SELECT 1 FROM deals WHERE code = ?", (code,)).fetchone():
            raise LookupError(idle(code))


def note_opening(connection: sqlite3.Connection) -> None:
    """Write a little, durably: so it is known that one can, and how long that takes."""
    connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'openings'")


_ON_CONFLICT = (
    "UPDATE SET engine = excluded.engine, body = excluded.body, checksum = excluded.checksum"
)


def _keep_person(connection: sqlite3.Connection, change: PersonKept, body: bytes) -> None:
    connection.execute(
        f"INSERT INTO people VALUES (?, ?, ?, ?) ON CONFLICT (digest) DO {_ON_CONFLICT}",  # noqa: S608
        (change.digest, *Row.of(of_person(change.digest), body)),
    )


def _forget_person(connection: sqlite3.Connection, change: PersonForgotten, _: bytes) -> None:
    connection.execute("DELETE FROM people WHERE digest = ?", (change.digest,))


def _keep_answer(connection: sqlite3.Connection, change: AnswerKept, body: bytes) -> None:
    row = Row.of(of_answer(change.digest, change.n), body)
    connection.execute(
        """INSERT OR REPLACE INTO answers (digest, n, engine, body, checksum)
        SELECT digest, ?, ?, ?, ? FROM people WHERE digest = ?""",
        (change.n, *row, change.digest),
    )
    if change.n % PRUNE_EVERY == 0:
        _prune_answers(connection, change.digest)


def _prune_answers(connection: sqlite3.Connection, digest: bytes) -> None:
    """Drop all answers but the newest, and the highest: it is the person's last command."""
    connection.execute(
        """DELETE FROM answers WHERE digest = ?1 AND place <= (
            SELECT place FROM answers WHERE digest = ?1 ORDER BY place DESC LIMIT 1 OFFSET ?2
        ) AND n < (SELECT max(n) FROM answers WHERE digest = ?1)""",
        (digest, STORED_ANSWERS),
    )


def _keep_lobby(connection: sqlite3.Connection, change: LobbyKept, body: bytes) -> None:
    connection.execute(
        f"INSERT INTO lobbies VALUES (?, ?, ?, ?) ON CONFLICT (code) DO {_ON_CONFLICT}",  # noqa: S608
        (change.code, *Row.of(of_lobby(change.code), body)),
    )
    if not change.lobby.deal_runs:
        connection.execute("DELETE FROM deals WHERE code = ?", (change.code,))


def _close_lobby(connection: sqlite3.Connection, change: LobbyClosed, _: bytes) -> None:
    connection.execute("DELETE FROM lobbies WHERE code = ?", (change.code,))


def _begin_deal(connection: sqlite3.Connection, change: DealBegun, body: bytes) -> None:
    connection.execute("DELETE FROM deals WHERE code = ?", (change.code,))
    row = Row.of(of_deal(change.code), body)
    _insert(connection, "INSERT INTO deals VALUES (?, ?, ?, ?)", change.code, row)


def _do_action(connection: sqlite3.Connection, change: ActionDone, body: bytes) -> None:
    newest = connection.execute("SELECT max(number) FROM actions WHERE code = ?", (change.code,))
    number = (newest.fetchone()[0] or 0) + 1
    row = Row.of(of_action(change.code, number), body)
    _insert(connection, "INSERT INTO actions VALUES (?, ?, ?, ?, ?)", change.code, (number, *row))


def _insert(
    connection: sqlite3.Connection, statement: str, code: str, rest: tuple[object, ...]
) -> None:
    try:
        connection.execute(statement, (code, *rest))
    except sqlite3.IntegrityError as fault:
        raise LookupError(homeless(code)) from fault


_WRITERS: dict[type, Callable[..., None]] = {
    PersonKept: _keep_person,
    PersonForgotten: _forget_person,
    AnswerKept: _keep_answer,
    LobbyKept: _keep_lobby,
    LobbyClosed: _close_lobby,
    DealBegun: _begin_deal,
    ActionDone: _do_action,
}
