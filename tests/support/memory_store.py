"""The journal's twin without a disk: what a commit does, and what is read back, held to the same tests."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import trio

from server.game.deal import Deal
from server.journal.records import (
    STORED_ANSWERS,
    ActionDone,
    AnswerKept,
    Change,
    DealBegun,
    Kept,
    KeptLobby,
    KeptPerson,
    LineSaid,
    LobbyChange,
    LobbyClosed,
    LobbyKept,
    LobbyRecord,
    PersonForgotten,
    PersonKept,
)
from server.journal.store import Statistics, answered, homeless, idle, said_to_run


class _Stage(IntEnum):
    """How much of a lobby is kept, and so what can be added."""

    NOTHING = 0
    LOBBY = 1
    DEAL = 2


def _stage_after(stage: _Stage, change: LobbyChange) -> _Stage:
    """How much of the change's lobby is kept after it.

    Raises:
        LookupError: what it belongs to is not kept.
    """
    match change:
        case LobbyKept(lobby=LobbyRecord(deal_runs=True)):
            return max(stage, _Stage.LOBBY)
        case LobbyKept():
            return _Stage.LOBBY
        case LineSaid() if stage >= _Stage.LOBBY:
            return stage
        case LobbyClosed():
            return _Stage.NOTHING
        case DealBegun() if stage >= _Stage.LOBBY:
            return _Stage.DEAL
        case ActionDone() if stage is _Stage.DEAL:
            return _Stage.DEAL
    raise LookupError(homeless(change.code))


@dataclass(slots=True)
class _Person:
    person: PersonKept
    answered: int = 0  # the highest number
    answers: OrderedDict[int, AnswerKept] = field(default_factory=OrderedDict)


@dataclass(slots=True)
class _Lobby:
    lobby: LobbyRecord
    deal: Deal | None = None
    actions: list[ActionDone] = field(default_factory=list)


class MemoryStore:
    """Changes kept for as long as the process lasts."""

    def __init__(self) -> None:
        self._people: dict[bytes, _Person] = {}
        self._lobbies: dict[str, _Lobby] = {}
        self._commits = 0

    async def commit(self, *changes: Change) -> None:
        """Keep these changes at once: no other task runs meanwhile."""
        self._check(changes)
        for change in changes:
            self._keep(change)
        self._commits += 1

    def _check(self, changes: Sequence[Change]) -> None:
        stages: dict[str, _Stage] = {}
        for change in changes:
            if isinstance(change, LobbyChange):
                stage = stages.get(change.code, self._stage(change.code))
                stages[change.code] = _stage_after(stage, change)
        for code in said_to_run(changes):
            if stages[code] is not _Stage.DEAL:
                raise LookupError(idle(code))

    def _stage(self, code: str) -> _Stage:
        kept = self._lobbies.get(code)
        if kept is None:
            return _Stage.NOTHING
        return _Stage.LOBBY if kept.deal is None else _Stage.DEAL

    def _keep(self, change: Change) -> None:
        match change:
            case PersonKept():
                self._keep_person(change)
            case PersonForgotten():
                self._people.pop(change.digest, None)
            case AnswerKept():
                self._keep_answer(change)
            case _:
                self._keep_in_lobby(change)

    def _keep_in_lobby(self, change: LobbyChange) -> None:
        match change:
            case LobbyKept():
                self._keep_lobby(change)
            case LineSaid():
                known = self._lobbies[change.code]
                known.lobby = change.added_to(known.lobby)
            case LobbyClosed():
                self._lobbies.pop(change.code, None)
            case DealBegun():
                lobby = self._lobbies[change.code].lobby
                self._lobbies[change.code] = _Lobby(lobby, change.deal)
            case ActionDone():
                self._lobbies[change.code].actions.append(change)

    def _keep_person(self, change: PersonKept) -> None:
        known = self._people.setdefault(change.digest, _Person(change))
        known.person = change

    def _keep_answer(self, change: AnswerKept) -> None:
        known = self._people.get(change.digest)
        if known is None:
            return
        known.answered = max(known.answered, change.n)
        known.answers.pop(change.n, None)
        known.answers[change.n] = change
        while len(known.answers) > STORED_ANSWERS:
            known.answers.popitem(last=False)

    def _keep_lobby(self, change: LobbyKept) -> None:
        known = self._lobbies.get(change.code)
        if known is None or not change.lobby.deal_runs:
            self._lobbies[change.code] = _Lobby(change.lobby)
        else:
            known.lobby = change.lobby

    def read(self) -> Kept:
        """All that is kept."""
        return Kept(
            people=tuple(
                KeptPerson(
                    person=answered(known.person, known.answered),
                    answers=tuple(known.answers.values()),
                )
                for _, known in sorted(self._people.items())
            ),
            lobbies=tuple(
                KeptLobby(code=code, lobby=kept.lobby, deal=kept.deal, actions=tuple(kept.actions))
                for code, kept in sorted(self._lobbies.items())
            ),
        )

    def statistics(self) -> Statistics:
        """A commit takes no time."""
        return Statistics(commits=self._commits, transactions=self._commits, trial_us=0)

    def close(self) -> None:
        """There is nothing to close."""


class HeldStore(MemoryStore):
    """A store that keeps nothing before it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may_keep = trio.Event()

    async def commit(self, *changes: Change) -> None:
        await self.may_keep.wait()
        await super().commit(*changes)
