"""Enter commits in the daybook: one page, and one statement, for all that wait together.

Each statement costs the writer thread more than the work that it does: the thread lets go of the
interpreter, and has to get it back from a busy loop. So a transaction is a single statement, and
whether what it belongs to (a lobby, a deal) is kept is known here, without asking the file.
"""

import sqlite3
from collections.abc import Sequence

from server.journal.daybook import TAGS, Packed, page_of
from server.journal.records import (
    ActionDone,
    AnswerKept,
    DealBegun,
    LineSaid,
    LobbyChange,
    LobbyClosed,
    LobbyKept,
    PersonForgotten,
    PersonKept,
)
from server.journal.rows import Written
from server.journal.store import homeless, idle, said_to_run

_OF_A_PERSON = (AnswerKept, PersonKept, PersonForgotten)
_OFTEN = frozenset((ActionDone, AnswerKept, LineSaid))  # after them nothing is to be checked

NO_LOBBY, NO_DEAL = -2, -1  # stand in `_known` in place of a number of actions


class Entries:
    """Writes the daybook of a journal, which must be empty at the start."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[str, int] = {}  # by code of a lobby: how many actions its deal has
        self._page = 0  # the number of the newest page
        self.written = 0  # bytes on all pages

    def write(self, commits: Sequence[Sequence[Written]]) -> list[LookupError | None]:
        """Keep these commits in one transaction: give for each what is wrong with it, if anything.

        Raises:
            sqlite3.Error: it cannot be done, and nothing of it is kept.
        """
        changed: dict[str, int] = {}
        entries: list[Packed] = []
        faults: list[LookupError | None] = []
        for commit in commits:
            try:
                entries += self._entered(commit, changed)
            except LookupError as fault:
                faults.append(fault)
            else:
                faults.append(None)
        if entries:
            self._turn_page(entries)
        self._known.update(changed)
        return faults

    def begin_again(self) -> None:
        """All that was in the daybook is posted, and it is empty."""
        self._page = self.written = 0
        self._known = {code: done for code, done in self._known.items() if done != NO_LOBBY}

    def _turn_page(self, entries: Sequence[Packed]) -> None:
        row = page_of(self._page + 1, entries)
        # A transaction of its own: nothing else is open on this connection.
        self._connection.execute("INSERT INTO daybook VALUES (?, ?, ?, ?)", (self._page + 1, *row))
        self._page += 1
        self.written += len(row.body)

    def _entered(self, commit: Sequence[Written], changed: dict[str, int]) -> list[Packed]:
        """The entries of a commit; the actions of its lobbies after it are noted in `changed`.

        Raises:
            LookupError: what something in it belongs to is not kept, and nothing has changed.
        """
        now: dict[str, int] = {}
        entries = []
        for change, body in commit:
            tag = TAGS[type(change)]
            if isinstance(change, _OF_A_PERSON):
                number = change.n if isinstance(change, AnswerKept) else 0
                entries.append((tag, change.digest, number, body))
            else:
                number = self._placed(change, now, changed)
                entries.append((tag, change.code.encode(), number, body))
        if not _OFTEN.issuperset([type(change) for change, _ in commit]):
            _check_deals(commit, now)
        changed.update(now)
        return entries

    def _placed(self, change: LobbyChange, now: dict[str, int], changed: dict[str, int]) -> int:
        """The number of an entry; the actions of its lobby after it are noted in `now`.

        Raises:
            LookupError: what it belongs to is not kept.
        """
        code = change.code
        if (done := now.get(code)) is None and (done := changed.get(code)) is None:
            done = self._actions_of(code)
        done = now[code] = _actions_after(done, change)
        if isinstance(change, LobbyKept):
            return int(change.lobby.deal_runs)
        return change.said.line if isinstance(change, LineSaid) else max(done, 0)

    def _actions_of(self, code: str) -> int:
        """How many actions are kept of the lobby's deal; `NO_DEAL` or `NO_LOBBY` if it has none."""
        if (done := self._known.get(code)) is None:
            done = self._known[code] = self._looked_up(code)
        return done

    def _looked_up(self, code: str) -> int:
        """The same for a lobby about which nothing is in the daybook."""
        (done,) = self._connection.execute(
            """SELECT CASE
                WHEN NOT EXISTS (SELECT 1 FROM lobbies WHERE code = ?1) THEN ?2
                WHEN NOT EXISTS (SELECT 1 FROM deals WHERE code = ?1) THEN ?3
                ELSE (SELECT ifnull(max(number), 0) FROM actions WHERE code = ?1) END""",
            (code, NO_LOBBY, NO_DEAL),
        ).fetchone()
        return int(done)


def _check_deals(commit: Sequence[Written], now: dict[str, int]) -> None:
    """Check that a deal runs wherever a commit says so.

    Raises:
        LookupError: none does.
    """
    for code in said_to_run(change for change, _ in commit):
        if now[code] < 0:
            raise LookupError(idle(code))


def _actions_after(done: int, change: LobbyChange) -> int:
    """How many actions are done in the lobby's deal after this change to it.

    Raises:
        LookupError: what it belongs to is not kept.
    """
    match change:
        case ActionDone() if done >= 0:
            return done + 1
        case LineSaid() if done != NO_LOBBY:
            return done
        case LobbyKept():
            return max(done, NO_DEAL) if change.lobby.deal_runs else NO_DEAL
        case LobbyClosed():
            return NO_LOBBY
        case DealBegun() if done != NO_LOBBY:
            return 0
    raise LookupError(homeless(change.code))
