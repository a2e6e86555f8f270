"""The journal's interface, what can go wrong with it, and the one that lasts as long as the process.

A commit is all or nothing. Whoever waits for one may be cancelled; what was handed over is kept
all the same.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

from msgspec.structs import replace

from server.game.deal import Deal
from server.records import (
    STORED_ANSWERS,
    ActionDone,
    AnswerKept,
    Change,
    DealBegun,
    Kept,
    KeptLobby,
    KeptPerson,
    LobbyChange,
    LobbyClosed,
    LobbyKept,
    LobbyRecord,
    PersonForgotten,
    PersonKept,
)


class JournalFault(OSError):
    """Nothing of this commit is kept, and the sentence says why. Try again in a while."""


class OpenFault(Exception):
    """The journal cannot be used; the message is one sentence for whoever started the server."""


class Damaged(OpenFault):
    """A record is not what was written: `where` names it, `why` says what is wrong."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(
            f"the journal is damaged at {where}: {why}. "
            "facedown-server --check DATA lists all that is in it"
        )
        self.where, self.why = where, why


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """How a journal fares; times are in microseconds."""

    commits: int = 0  # kept so far
    faults: int = 0  # commits that could not be kept
    transactions: int = 0  # that the kept commits shared
    waiting: int = 0
    median_us: int | None = None  # from handing over to kept, of the newest commits


class Store(Protocol):
    """Where changes are kept. `commit` returns once they are as safe as this store makes them."""

    async def commit(self, *changes: Change) -> None:
        """Keep these changes, all of them or none.

        Raises:
            JournalFault: they cannot be kept now.
            LookupError: a deal without its lobby, an action without a deal, or a lobby that says
                a deal runs when none does (a fault of ours).
            ValueError: a change that could not be read back (a fault of ours).
        """
        ...

    def read(self) -> Kept:
        """All that is kept.

        Raises:
            OpenFault: it cannot be read.
        """
        ...

    def statistics(self) -> Statistics:
        """How it went so far."""
        ...

    def close(self) -> None:
        """Keep what was handed over, and nothing more."""
        ...


class Stage(IntEnum):
    """How much of a lobby is kept, and so what can be added."""

    NOTHING = 0
    LOBBY = 1
    DEAL = 2


def stage_after(stage: Stage, change: LobbyChange) -> Stage:
    """How much of the change's lobby is kept after it.

    Raises:
        LookupError: what it belongs to is not kept.
    """
    match change:
        case LobbyKept(lobby=LobbyRecord(deal_runs=True)):
            return max(stage, Stage.LOBBY)
        case LobbyKept():
            return Stage.LOBBY
        case LobbyClosed():
            return Stage.NOTHING
        case DealBegun() if stage >= Stage.LOBBY:
            return Stage.DEAL
        case ActionDone() if stage is Stage.DEAL:
            return Stage.DEAL
    raise LookupError(homeless(change.code))


def said_to_run(changes: Iterable[Change]) -> frozenset[str]:
    """The lobbies of which a commit says, in the end, that a deal runs there."""
    runs = {
        change.code: isinstance(change, LobbyKept) and change.lobby.deal_runs
        for change in changes
        if isinstance(change, LobbyKept | LobbyClosed)
    }
    return frozenset(code for code in runs if runs[code])


def homeless(code: str) -> str:
    """What to say of a deal without its lobby, or of an action without its deal."""
    return f"nothing is kept of lobby {code} that this change could belong to"


def idle(code: str) -> str:
    """What to say of a lobby in which a deal is said to run and does not."""
    return f"lobby {code} cannot be kept as one where a deal runs: none was kept"


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
        stages: dict[str, Stage] = {}
        for change in changes:
            if isinstance(change, LobbyChange):
                stage = stages.get(change.code, self._stage(change.code))
                stages[change.code] = stage_after(stage, change)
        for code in said_to_run(changes):
            if stages[code] is not Stage.DEAL:
                raise LookupError(idle(code))

    def _stage(self, code: str) -> Stage:
        kept = self._lobbies.get(code)
        if kept is None:
            return Stage.NOTHING
        return Stage.LOBBY if kept.deal is None else Stage.DEAL

    def _keep(self, change: Change) -> None:
        match change:
            case PersonKept():
                self._keep_person(change)
            case PersonForgotten():
                self._people.pop(change.digest, None)
            case AnswerKept():
                self._keep_answer(change)
            case LobbyKept():
                self._keep_lobby(change)
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
        return Statistics(commits=self._commits, transactions=self._commits, median_us=0)

    def close(self) -> None:
        """There is nothing to close."""


def answered(person: PersonKept, n: int) -> PersonKept:
    """The person, of whom command `n` was answered."""
    return person if person.last_command >= n else replace(person, last_command=n)


class NoStore:
    """Nothing is kept at all: for a server whose tables may end with it."""

    async def commit(self, *changes: Change) -> None:
        """Keep nothing, at once."""

    def read(self) -> Kept:
        """There is nothing."""
        return Kept()

    def statistics(self) -> Statistics:
        """Nothing was done."""
        return Statistics()

    def close(self) -> None:
        """There is nothing to close."""
