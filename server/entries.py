"""Enter commits into the tables of the journal, in one transaction for all that wait together.

A statement costs the writer thread more than what it does: for each one it lets go of the
interpreter and has to get it back from a busy loop. So nothing is looked up that is known here
already, actions and answers are gathered into statements of many rows, and the commits of a
transaction are only told apart if one of them turns out to be wrong.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence

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
from server.store import homeless, idle, said_to_run

MOST_ROWS = 64  # in one statement
PRUNE_EVERY = 16  # commands of a person: a few answers too many do no harm

_ON_CONFLICT = (
    "UPDATE SET engine = excluded.engine, body = excluded.body, checksum = excluded.checksum"
)


class Entries:
    """The one who writes to a journal's file, and so knows which number comes next where."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._newest: dict[str, int] = {}  # action of a lobby's deal
        self._place: int | None = None  # of the newest answer
        self._actions: list[tuple[object, ...]] = []  # rows that are still to be written
        self._answers: list[tuple[object, ...]] = []
        self._to_prune: list[bytes] = []
        self._writers: dict[type, Callable[..., None]] = {
            PersonKept: self._keep_person,
            PersonForgotten: self._forget_person,
            AnswerKept: self._keep_answer,
            LobbyKept: self._keep_lobby,
            LobbyClosed: self._close_lobby,
            DealBegun: self._begin_deal,
            ActionDone: self._do_action,
        }

    def write(self, commits: Sequence[Sequence[Written]]) -> list[LookupError | None]:
        """Keep these commits in one transaction: give for each what is wrong with it, if anything.

        Raises:
            sqlite3.Error: it cannot be done, and nothing of it is kept.
        """
        try:
            return self._write(commits, apart=False)
        except LookupError:
            return self._write(commits, apart=True)

    def _write(
        self, commits: Sequence[Sequence[Written]], *, apart: bool
    ) -> list[LookupError | None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            enter = self._enter_apart if apart else self._enter
            faults = [enter(commit) for commit in commits]
            self._write_rows()
            self._connection.execute("COMMIT")
        except BaseException:
            self._forget()  # also where SQLite has taken all of it back by itself
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        return faults

    def _enter_apart(self, commit: Sequence[Written]) -> LookupError | None:
        """Enter a commit that may be wrong without harm to the others."""
        wrong = None
        self._connection.execute("SAVEPOINT one")
        try:
            self._enter(commit)
            self._write_rows()
        except LookupError as fault:
            wrong = fault
            self._forget()
            self._connection.execute("ROLLBACK TO one")
        self._connection.execute("RELEASE one")
        return wrong

    def _enter(self, commit: Sequence[Written]) -> None:
        for change, body in commit:
            if not isinstance(change, ActionDone | AnswerKept):
                self._write_rows()
            self._writers[type(change)](change, body)
        self._check_deals(said_to_run(change for change, _ in commit))

    def _forget(self) -> None:
        """Something was taken back: nothing that was known here need be so."""
        self._newest.clear()
        self._actions, self._answers, self._to_prune = [], [], []

    def _write_rows(self) -> None:
        """Write the actions and answers that were gathered."""
        for rows in _portions(self._actions):
            self._insert(f"INSERT INTO actions VALUES {_places(rows)}", rows)  # noqa: S608
        for rows in _portions(self._answers):
            self._insert(
                f"""INSERT OR REPLACE INTO answers (digest, n, place, engine, body, checksum)
                SELECT * FROM (VALUES {_places(rows)})
                WHERE column1 IN (SELECT digest FROM people)""",  # noqa: S608
                rows,
            )
        for digest in self._to_prune:
            self._prune_answers(digest)
        self._actions, self._answers, self._to_prune = [], [], []

    def _check_deals(self, codes: Iterable[str]) -> None:
        for code in codes:
            if not self._value("SELECT count(*) FROM deals WHERE code = ?", code):
                raise LookupError(idle(code))

    def _value(self, statement: str, *keys: object) -> int:
        """The one number that this finds; 0 for none."""
        (found,) = self._connection.execute(statement, keys).fetchone()
        return found or 0

    # --- people -----------------------------------------------------------------------------------

    def _keep_person(self, change: PersonKept, body: bytes) -> None:
        self._connection.execute(
            f"INSERT INTO people VALUES (?, ?, ?, ?) ON CONFLICT (digest) DO {_ON_CONFLICT}",  # noqa: S608
            (change.digest, *Row.of(of_person(change.digest), body)),
        )

    def _forget_person(self, change: PersonForgotten, _: bytes) -> None:
        self._connection.execute("DELETE FROM people WHERE digest = ?", (change.digest,))

    def _keep_answer(self, change: AnswerKept, body: bytes) -> None:
        if self._place is None:
            self._place = self._value("SELECT max(place) FROM answers")
        self._place += 1
        row = Row.of(of_answer(change.digest, change.n), body)
        self._answers.append((change.digest, change.n, self._place, *row))
        if change.n % PRUNE_EVERY == 0:
            self._to_prune.append(change.digest)

    def _prune_answers(self, digest: bytes) -> None:
        """Drop all answers but the newest, and the highest: it is the person's last command."""
        self._connection.execute(
            """DELETE FROM answers WHERE digest = ?1 AND place <= (
                SELECT place FROM answers WHERE digest = ?1 ORDER BY place DESC LIMIT 1 OFFSET ?2
            ) AND n < (SELECT max(n) FROM answers WHERE digest = ?1)""",
            (digest, STORED_ANSWERS),
        )

    # --- lobbies ----------------------------------------------------------------------------------

    def _keep_lobby(self, change: LobbyKept, body: bytes) -> None:
        self._connection.execute(
            f"INSERT INTO lobbies VALUES (?, ?, ?, ?) ON CONFLICT (code) DO {_ON_CONFLICT}",  # noqa: S608
            (change.code, *Row.of(of_lobby(change.code), body)),
        )
        if not change.lobby.deal_runs:
            self._drop_deal(change.code)

    def _close_lobby(self, change: LobbyClosed, _: bytes) -> None:
        self._newest.pop(change.code, None)
        self._connection.execute("DELETE FROM lobbies WHERE code = ?", (change.code,))

    def _begin_deal(self, change: DealBegun, body: bytes) -> None:
        self._drop_deal(change.code)
        row = Row.of(of_deal(change.code), body)
        self._insert("INSERT INTO deals VALUES (?, ?, ?, ?)", [(change.code, *row)])

    def _drop_deal(self, code: str) -> None:
        self._newest.pop(code, None)
        self._connection.execute("DELETE FROM deals WHERE code = ?", (code,))

    def _do_action(self, change: ActionDone, body: bytes) -> None:
        code, number = change.code, self._newest_action(change.code) + 1
        row = Row.of(of_action(code, number), body)
        self._actions.append((code, number, *row))
        self._newest[code] = number

    def _newest_action(self, code: str) -> int:
        known = self._newest.get(code)
        if known is not None:
            return known
        return self._value("SELECT max(number) FROM actions WHERE code = ?", code)

    def _insert(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Insert rows that begin with what they belong to."""
        try:
            self._connection.execute(statement, [value for row in rows for value in row])
        except sqlite3.IntegrityError as fault:
            raise LookupError(homeless(str(rows[0][0]))) from fault


def _portions(rows: Sequence[tuple[object, ...]]) -> Iterator[Sequence[tuple[object, ...]]]:
    """The rows in portions of few different sizes: each size is a statement to be prepared once."""
    begin = 0
    while begin < len(rows):
        size = min(MOST_ROWS, 1 << ((len(rows) - begin).bit_length() - 1))
        yield rows[begin : begin + size]
        begin += size


def _places(rows: Sequence[tuple[object, ...]]) -> str:
    return ",".join(["(" + ",".join("?" * len(rows[0])) + ")"] * len(rows))
