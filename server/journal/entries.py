"""Enter commits in the daybook: one page, and one statement, for all that wait together.

A statement costs the writer thread more than what it does: for each one it lets go of the
interpreter, and has to get it back from a busy loop. So a transaction is a single one, and what it may
rest on (a lobby, a deal) is known here instead of being looked up by the file.
"""

import sqlite3
from collections.abc import Sequence

from server.journal.daybook import TAGS, Packed, page_of
from server.journal.records import (
    ActionDone,
    AnswerKept,
    DealBegun,
    LobbyChange,
    LobbyClosed,
    LobbyKept,
    PersonForgotten,
    PersonKept,
)
from server.journal.rows import Written
from server.journal.store import homeless, idle, said_to_run

_OF_A_PERSON = (AnswerKept, PersonKept, PersonForgotten)
_OFTEN = frozenset((ActionDone, AnswerKept))  # and nothing is to be checked after them

NO_LOBBY, NO_DEAL = -2, -1  # of a lobby with a deal: how many actions were done in it


class Entries:
    """The one who writes in a journal's daybook. It is empty when this begins."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[str, int] = {}  # by code: how far each lobby is
        self._page = 0  # the newest
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
        self._known = {code: far for code, far in self._known.items() if far != NO_LOBBY}

    def _turn_page(self, entries: Sequence[Packed]) -> None:
        row = page_of(self._page + 1, entries)
        # A transaction of its own: nothing else is open on this connection.
        self._connection.execute("INSERT INTO daybook VALUES (?, ?, ?, ?)", (self._page + 1, *row))
        self._page += 1
        self.written += len(row.body)

    def _entered(self, commit: Sequence[Written], changed: dict[str, int]) -> list[Packed]:
        """The entries of a commit; `changed` learns how far its lobbies are after it.

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
        """The number of an entry; `now` learns how far its lobby is after it.

        Raises:
            LookupError: what it belongs to is not kept.
        """
        code = change.code
        if (far := now.get(code)) is None and (far := changed.get(code)) is None:
            far = self._far(code)
        far = now[code] = _far_after(far, change)
        if isinstance(change, LobbyKept):
            return int(change.lobby.deal_runs)
        return max(far, 0)

    def _far(self, code: str) -> int:
        """How far a lobby is, as far as anything is kept."""
        if (far := self._known.get(code)) is None:
            far = self._known[code] = self._looked_up(code)
        return far

    def _looked_up(self, code: str) -> int:
        """The same of a lobby about which nothing is in the daybook."""
        (far,) = self._connection.execute(
            """SELECT CASE
                WHEN NOT EXISTS (SELECT 1 FROM lobbies WHERE code = ?1) THEN ?2
                WHEN NOT EXISTS (SELECT 1 FROM deals WHERE code = ?1) THEN ?3
                ELSE (SELECT ifnull(max(number), 0) FROM actions WHERE code = ?1) END""",
            (code, NO_LOBBY, NO_DEAL),
        ).fetchone()
        return int(far)


def _check_deals(commit: Sequence[Written], now: dict[str, int]) -> None:
    """See that a deal runs where a commit says so.

    Raises:
        LookupError: none does.
    """
    for code in said_to_run(change for change, _ in commit):
        if now[code] < 0:
            raise LookupError(idle(code))


def _far_after(far: int, change: LobbyChange) -> int:
    """How far a lobby is after this change.

    Raises:
        LookupError: what it belongs to is not kept.
    """
    match change:
        case ActionDone() if far >= 0:
            return far + 1
        case LobbyKept():
            return max(far, NO_DEAL) if change.lobby.deal_runs else NO_DEAL
        case LobbyClosed():
            return NO_LOBBY
        case DealBegun() if far != NO_LOBBY:
            return 0
    raise LookupError(homeless(change.code))
