"""Read back all that is kept in the journal's file, and complain of whatever is not as written."""

import contextlib
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from server.journal.database import UNREADABLE
from server.journal.posting import is_posted, post
from server.journal.records import (
    STORED_ANSWERS,
    ActionDone,
    AnswerKept,
    DealBegun,
    Kept,
    KeptLobby,
    KeptPerson,
    LobbyKept,
    PersonKept,
)
from server.journal.rows import C, Row, of_action, of_answer, of_deal, of_lobby, of_person
from server.journal.store import Complain, Damaged, answered, give_up, one_line


def all_kept(connection: sqlite3.Connection, complain: Complain = give_up) -> Kept:
    """All that is kept. `complain` is told of each damaged record; if it returns, that one is left out."""
    _check_pages(connection, complain)
    with _up_to_date(connection, complain) as tables:
        reader = _Reader(tables, complain)
        return Kept(people=tuple(reader.people()), lobbies=tuple(reader.lobbies()))


def _check_pages(connection: sqlite3.Connection, complain: Complain) -> None:
    """Let SQLite itself look for damage in the file."""
    try:
        for (finding,) in connection.execute("PRAGMA quick_check"):
            if finding != "ok":
                complain(Damaged("the file", " ".join(str(finding).split())))
    except UNREADABLE as fault:
        complain(Damaged("the file", one_line(fault)))


@contextlib.contextmanager
def _up_to_date(connection: sqlite3.Connection, complain: Complain) -> Iterator[sqlite3.Connection]:
    """The tables with all that is still in the daybook: a copy, since whoever reads changes nothing."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        try:
            if not is_posted(connection):
                connection.backup(copy)
                copy.execute("PRAGMA foreign_keys = ON")  # what belongs to a deal goes with it
                post(copy, complain)
                connection = copy
        except Damaged as damage:
            complain(damage)
        except UNREADABLE as fault:
            complain(Damaged("the daybook", one_line(fault)))
        yield connection


class _Reader:
    """One reading of all tables."""

    def __init__(self, connection: sqlite3.Connection, complain: Complain) -> None:
        self._connection = connection
        self._complain = complain

    def people(self) -> Iterator[KeptPerson]:
        """Everybody, sorted by digest."""
        answers: dict[bytes, list[AnswerKept]] = defaultdict(list)
        for answer in self._read("answers", "digest, n", "place", of_answer, AnswerKept):
            answers[answer.digest].append(answer)
        for person in self._read("people", "digest", "digest", of_person, PersonKept):
            theirs = answers[person.digest]
            last = max((answer.n for answer in theirs), default=0)
            newest = tuple(theirs[-STORED_ANSWERS:])
            yield KeptPerson(person=answered(person, last), answers=newest)

    def lobbies(self) -> Iterator[KeptLobby]:
        """Every lobby, sorted by code, with what was done in its deal if one runs."""
        lobbies = tuple(self._read("lobbies", "code", "code", of_lobby, LobbyKept))
        deals = {
            deal.code: deal.deal for deal in self._read("deals", "code", "code", of_deal, DealBegun)
        }
        actions = self._actions()
        for kept in lobbies:
            code, deal = kept.code, deals.get(kept.code)
            done = tuple(actions[code])
            yield KeptLobby(code=code, lobby=kept.lobby, deal=deal, actions=done)

    def _actions(self) -> dict[str, list[ActionDone]]:
        """What was done in every deal, in order."""
        actions: dict[str, list[ActionDone]] = defaultdict(list)
        expected: dict[str, int] = defaultdict(lambda: 1)

        def place(code: str, number: int) -> str:
            where = of_action(code, number)
            if number != expected[code]:
                self._complain(Damaged(where, f"record {expected[code]} should come here"))
            expected[code] = number + 1
            return where

        for action in self._read("actions", "code, number", "code, number", place, ActionDone):
            actions[action.code].append(action)
        return actions

    def _read(
        self, table: str, key: str, order: str, place: Callable[..., str], kind: type[C]
    ) -> Iterator[C]:
        """The changes of one table in this order."""
        statement = f"SELECT {key}, engine, body, checksum FROM {table} ORDER BY {order}"  # noqa: S608
        try:
            for *keys, engine, body, checksum in self._connection.execute(statement):
                yield from self._change(place, keys, Row(engine, body, checksum), kind)
        except UNREADABLE as fault:
            self._complain(Damaged(f"the table of {table}", one_line(fault)))

    def _change(
        self, place: Callable[..., str], keys: list[Any], row: Row, kind: type[C]
    ) -> Iterator[C]:
        try:
            yield row.read(place(*keys), kind)
        except (AttributeError, TypeError) as fault:  # a key of another kind
            self._complain(Damaged("a record that belongs nowhere", one_line(fault)))
        except Damaged as damage:
            self._complain(damage)
