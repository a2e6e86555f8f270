"""What happened, kept before it is acknowledged. Behind one small interface; for now in memory.

A record is an *outcome*: the deal as dealt, then each action with its time, draws and rulings
included, so that reading it back never arbitrates or rolls again. Each deal begins with the lobby
and the whole deal; what came before it is no longer needed.
"""

from dataclasses import dataclass
from typing import Protocol

from protocol.events import LobbyState
from server.game.actions import Action
from server.game.deal import Deal


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """A deal begins: the lobby around it and all its cards."""

    lobby: LobbyState
    deal: Deal


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """An action was carried out, `at` microseconds after the table began."""

    action: Action
    at: int


Record = Dealt | Done


class Journal(Protocol):
    """Where records go. `commit` returns once they are as safe as this journal makes them."""

    async def commit(self, code: str, record: Record) -> None:
        """Keep a record of the lobby with this code. Raises OSError when it cannot."""
        ...

    def forget(self, code: str) -> None:
        """The lobby is closed: its records are no longer needed."""
        ...


class MemoryJournal:
    """Records that last as long as the process does."""

    def __init__(self) -> None:
        self._records: dict[str, list[Record]] = {}

    async def commit(self, code: str, record: Record) -> None:
        """Keep a record; a new deal replaces those of the last one."""
        if isinstance(record, Dealt):
            self._records[code] = [record]
        else:
            self._records[code].append(record)

    def forget(self, code: str) -> None:
        """Drop the records of a lobby."""
        self._records.pop(code, None)

    def records(self, code: str) -> tuple[Record, ...]:
        """The records of the lobby's newest deal, oldest first."""
        return tuple(self._records.get(code, ()))
