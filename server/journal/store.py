"""The journal's interface, what can go wrong with it, and the one that keeps nothing.

A commit is all or nothing. Whoever waits for one may be cancelled; what was handed over is kept
all the same.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NoReturn, Protocol

from msgspec.structs import replace

from protocol.text import clean
from server.journal.records import (
    Change,
    Kept,
    LobbyClosed,
    LobbyKept,
    PersonKept,
)


class JournalFault(OSError):
    """Nothing of this commit is kept, and the sentence says why. Try again in a while."""


class OpenFault(Exception):
    """The journal cannot be used; the message is one sentence for whoever started the server."""


LONGEST_REASON = 300  # characters of what is wrong with a record


def one_line(text: object) -> str:
    """What a library says of a fault, on one line of bounded length, to be part of a sentence."""
    return clean(str(text), limit=LONGEST_REASON)


class Damaged(OpenFault):
    """A record is not what was written: `where` names it, `why` says what is wrong."""

    word = "damaged"

    def __init__(self, where: str, why: str) -> None:
        super().__init__(
            f"the journal is damaged at {one_line(where)}: {why}. "
            "facedown-server --check DATA lists all that is in it"
        )
        self.where, self.why = where, why


class OtherRules(Damaged):
    """A deal that runs rests on another rules engine than ours: we cannot use it, though it is whole."""

    word = "of other rules"

    def __init__(self, where: str, engine: int, ours: int) -> None:
        why = f"it rests on rules engine {engine}, and this server has {ours}"
        super().__init__(where, why)
        remedy = "Start the server that wrote it, let its deals end, and upgrade then"
        self.args = (f"{one_line(where)}, cannot be continued: {why}. {remedy}",)


Complain = Callable[[Damaged], None]
"""Is told of damage: if it returns, what is damaged is left out."""


def give_up(damage: Damaged) -> NoReturn:
    """The complaint of whoever can use no damaged journal."""
    raise damage


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """How a journal is doing; times are in microseconds."""

    commits: int = 0  # how many were kept so far
    faults: int = 0  # how many commits could not be kept
    transactions: int = 0  # how many transactions the kept commits shared
    waiting: int = 0
    trial_us: int | None = None  # what a small write took when it was opened, in the median


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
        """How it has done so far."""
        ...

    def close(self) -> None:
        """Keep what was handed over, and nothing more."""
        ...


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
