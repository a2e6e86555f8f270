"""Post what the daybook holds to the tables where it belongs, and empty it: one transaction.

Most of what was entered is no longer needed by then: the actions of deals that are over, all but a
person's newest answers, lobbies as they once looked. Only the rest is written.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import Any

from server.journal.daybook import TAGS, Entry, Page, pages
from server.journal.records import (
    STORED_ANSWERS,
    ActionDone,
    AnswerKept,
    DealBegun,
    LineSaid,
    LobbyClosed,
    LobbyKept,
    PersonForgotten,
    PersonKept,
)
from server.journal.rows import (
    Row,
    as_change,
    of_action,
    of_answer,
    of_deal,
    of_lobby,
    of_page,
    of_person,
    written,
)
from server.journal.store import Complain, Damaged, give_up, one_line

MOST_ROWS = 64  # so many rows are written in one statement

_OF_PEOPLE = {TAGS[PersonKept], TAGS[PersonForgotten], TAGS[AnswerKept]}

_ON_CONFLICT = (
    "UPDATE SET engine = excluded.engine, body = excluded.body, checksum = excluded.checksum"
)
_NEXT_PLACE = "SELECT ifnull(max(place), 0) + 1 FROM answers"

# Drop all answers of a person but the newest ones, and that to the highest command: `last_command`
# is read from it.
_PRUNE = """DELETE FROM answers WHERE digest = ?1 AND place <= (
        SELECT place FROM answers WHERE digest = ?1 ORDER BY place DESC LIMIT 1 OFFSET ?2
    ) AND n < (SELECT max(n) FROM answers WHERE digest = ?1)"""

Pending = tuple[int, bytes, int]
"""An entry that a later one may still make needless: its number, its bytes, the rules engine that
wrote it. Only what is left in the end becomes a row."""

Values = tuple[object, ...]
"""A row as SQLite takes it."""


def is_posted(connection: sqlite3.Connection) -> bool:
    """Whether the daybook is empty."""
    return not connection.execute("SELECT EXISTS (SELECT 1 FROM daybook)").fetchone()[0]


def post(connection: sqlite3.Connection, complain: Complain = give_up) -> None:
    """Bring the tables up to date and empty the daybook.

    `complain` is told of each damaged page; if it returns, that page is left out.

    Raises:
        Damaged: something on a page belongs nowhere.
        sqlite3.Error: it cannot be done, and nothing has changed.
    """
    if is_posted(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        summary = _Summary(connection)
        for page in pages(connection, complain):
            _add(summary, page, complain)
        connection.execute("DELETE FROM daybook")
        summary.write()
        connection.execute("COMMIT")
    except BaseException as fault:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(fault, sqlite3.IntegrityError):
            raise _belongs_nowhere() from fault
        raise


def _add(summary: "_Summary", page: Page, complain: Complain) -> None:
    try:
        for entry in page.entries:
            summary.add(page.engine, entry)
    except (KeyError, ValueError, RecursionError) as fault:
        damage = Damaged(of_page(page.place), f"it is not a page of ours ({one_line(fault)})")
        damage.__cause__ = fault
        complain(damage)


class _Summary:
    """How the tables have to change for all that was entered, and nothing that is needless by now."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._forgotten: set[bytes] = set()
        self._people: dict[bytes, Row] = {}
        self._answers: dict[bytes, dict[int, Pending]] = {}  # by person and number, the newest last
        self._closed: set[str] = set()
        self._lobbies: dict[str, Row] = {}
        self._lines: dict[str, list[LineSaid]] = {}  # said since the lobby was last kept in whole
        self._ended: set[str] = set()  # codes of lobbies whose deal in the table has ended
        self._deals: dict[str, Row] = {}
        self._actions: dict[str, list[Pending]] = {}
        self._adders: dict[str, Callable[[Any, int, Entry], None]] = {
            TAGS[PersonKept]: self._keep_person,
            TAGS[PersonForgotten]: self._forget_person,
            TAGS[AnswerKept]: self._keep_answer,
            TAGS[LobbyKept]: self._keep_lobby,
            TAGS[LineSaid]: self._say_line,
            TAGS[LobbyClosed]: self._close_lobby,
            TAGS[DealBegun]: self._begin_deal,
            TAGS[ActionDone]: self._do_action,
        }

    def add(self, engine: int, entry: Entry) -> None:
        """Add the next entry.

        Raises:
            KeyError, ValueError, RecursionError: it is none that was ever written.
        """
        key = entry.key if entry.kind in _OF_PEOPLE else entry.key.decode()
        self._adders[entry.kind](key, engine, entry)

    # --- people -----------------------------------------------------------------------------------

    def _keep_person(self, digest: bytes, engine: int, entry: Entry) -> None:
        if digest in self._answers and not self._is_kept(digest):
            del self._answers[digest]  # they were given to somebody who was not kept
        self._people[digest] = Row.of(of_person(digest), entry.body, engine)

    def _is_kept(self, digest: bytes) -> bool:
        if digest in self._people or digest in self._forgotten:
            return digest in self._people
        statement = "SELECT EXISTS (SELECT 1 FROM people WHERE digest = ?)"
        return bool(self._connection.execute(statement, (digest,)).fetchone()[0])

    def _forget_person(self, digest: bytes, _engine: int, _entry: Entry) -> None:
        self._forgotten.add(digest)
        self._people.pop(digest, None)
        self._answers.pop(digest, None)

    def _keep_answer(self, digest: bytes, engine: int, entry: Entry) -> None:
        theirs = self._answers.setdefault(digest, {})
        theirs.pop(entry.number, None)
        theirs[entry.number] = entry.number, entry.body, engine
        if len(theirs) > 2 * STORED_ANSWERS:
            self._answers[digest] = _newest(theirs)

    # --- lobbies ----------------------------------------------------------------------------------

    def _keep_lobby(self, code: str, engine: int, entry: Entry) -> None:
        self._lobbies[code] = Row.of(of_lobby(code), entry.body, engine)
        self._lines.pop(code, None)
        if not entry.number:
            self._end_deal(code)

    def _say_line(self, code: str, _engine: int, entry: Entry) -> None:
        self._lines.setdefault(code, []).append(as_change(entry.body, LineSaid))

    def _close_lobby(self, code: str, _engine: int, _entry: Entry) -> None:
        self._closed.add(code)
        self._lobbies.pop(code, None)
        self._lines.pop(code, None)
        self._end_deal(code)

    def _end_deal(self, code: str) -> None:
        self._ended.add(code)
        self._deals.pop(code, None)
        self._actions.pop(code, None)

    def _begin_deal(self, code: str, engine: int, entry: Entry) -> None:
        self._end_deal(code)
        self._deals[code] = Row.of(of_deal(code), entry.body, engine)

    def _do_action(self, code: str, engine: int, entry: Entry) -> None:
        self._actions.setdefault(code, []).append((entry.number, entry.body, engine))

    # --- the tables -------------------------------------------------------------------------------

    def write(self) -> None:
        """Write all of it, what others belong to first."""
        self._delete("people", "digest", self._forgotten)
        self._delete("lobbies", "code", self._closed)
        self._delete("deals", "code", self._ended)
        self._upsert("people", "digest", self._people)
        self._upsert("lobbies", "code", self._lobbies | self._with_lines())
        self._insert("deals", ((code, *row) for code, row in sorted(self._deals.items())))
        self._insert("actions", self._rows_of_actions())
        self._write_answers()

    def _with_lines(self) -> dict[str, Row]:
        """The lobbies in which something was said since, with that in them.

        Raises:
            Damaged: there is no such lobby.
        """
        found = {}
        for code, lines in self._lines.items():
            row = self._lobbies.get(code) or self._row_of_lobby(code)
            with contextlib.suppress(Damaged):  # whoever reads a damaged one will complain of it
                kept = row.read(of_lobby(code), LobbyKept)
                lobby = reduce(lambda lobby, line: line.added_to(lobby), lines, kept.lobby)
                ((_, body),) = written([LobbyKept(code=code, lobby=lobby)])
                found[code] = Row.of(of_lobby(code), body)
        return found

    def _row_of_lobby(self, code: str) -> Row:
        statement = "SELECT engine, body, checksum FROM lobbies WHERE code = ?"
        if row := self._connection.execute(statement, (code,)).fetchone():
            return Row(*row)
        raise _belongs_nowhere()

    def _delete(self, table: str, key: str, values: Iterable[object]) -> None:
        self._connection.executemany(
            f"DELETE FROM {table} WHERE {key} = ?",  # noqa: S608
            [(value,) for value in values],
        )

    def _upsert(self, table: str, key: str, rows: dict[Any, Row]) -> None:
        self._connection.executemany(
            f"INSERT INTO {table} VALUES (?, ?, ?, ?) ON CONFLICT ({key}) DO {_ON_CONFLICT}",  # noqa: S608
            [(value, *row) for value, row in sorted(rows.items())],
        )

    def _insert(self, table: str, rows: Iterable[Values], how: str = "INSERT") -> None:
        for some in _portions(list(rows)):
            statement = f"{how} INTO {table} VALUES {_places(some)}"
            self._connection.execute(statement, [value for row in some for value in row])

    def _rows_of_actions(self) -> Iterator[Values]:
        for code, done in sorted(self._actions.items()):
            for number, body, engine in done:
                yield (code, number, *Row.of(of_action(code, number), body, engine))

    def _write_answers(self) -> None:
        known = sorted(digest for digest in self._answers if self._is_kept(digest))
        (place,) = self._connection.execute(_NEXT_PLACE).fetchone()
        rows: list[Values] = []
        for digest in known:
            for number, body, engine in _newest(self._answers[digest]).values():
                row = Row.of(of_answer(digest, number), body, engine)
                rows.append((digest, number, place + len(rows), *row))
        self._insert("answers", rows, "INSERT OR REPLACE")
        self._connection.executemany(_PRUNE, [(digest, STORED_ANSWERS) for digest in known])


def _belongs_nowhere() -> Damaged:
    return Damaged("the daybook", "something in it belongs nowhere")


def _newest(theirs: dict[int, Pending]) -> dict[int, Pending]:
    """A person's newest answers, and before them that to the highest command."""
    highest, newest = max(theirs), list(theirs)[-STORED_ANSWERS:]
    wanted = newest if highest in newest else [highest, *newest]
    return {n: theirs[n] for n in wanted}


def _portions(rows: Sequence[Values]) -> Iterator[Sequence[Values]]:
    """The rows in portions of few different sizes: each size is a statement to be prepared once."""
    begin = 0
    while begin < len(rows):
        size = min(MOST_ROWS, 1 << ((len(rows) - begin).bit_length() - 1))
        yield rows[begin : begin + size]
        begin += size


def _places(rows: Sequence[Values]) -> str:
    return ",".join(["(" + ",".join("?" * len(rows[0])) + ")"] * len(rows))
