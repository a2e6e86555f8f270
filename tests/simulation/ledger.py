"""The books: what is on the platter, folded once more, deal by deal.

They are kept from the journal's commits alone, at the moment at which these are on the disk, and
know nothing of the tables in the server's memory. Whoever checks the server compares with them:
what is told must be in the books before, and after a crash the tables must be what the books say.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from protocol import events as e
from protocol.numbers import Seat
from server.game.deal import Deal, Telling
from server.game.engine import IllegalAction, apply, restart_window
from server.journal.records import (
    ActionDone,
    AnswerKept,
    Change,
    DealBegun,
    LineSaid,
    LobbyClosed,
    LobbyKept,
    LobbyRecord,
    PersonKept,
)
from tests.simulation.world import World


@dataclass(slots=True, eq=False)
class Booked:
    """One deal in the books."""

    code: str
    record: LobbyRecord
    deal: Deal
    told: list[e.Event] = field(default_factory=list)  # public and numbered, in order
    actions: int = 0

    def owner(self, seat: Seat) -> bytes | None:
        """The digest of the person whose seat it is."""
        return self.record.holders[seat].owner

    def listener(self, seat: Seat) -> bytes | None:
        """The digest of the person who is told what is private to a seat."""
        holder = self.record.holders[seat]
        return None if holder.gave_up else holder.owner


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One action as it is booked."""

    table: Booked
    done: ActionDone
    before: Deal
    tellings: tuple[Telling, ...]


class Ledger:
    """All that is kept, as it is kept."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.names: dict[bytes, str] = {}  # by digest
        self.answers: set[tuple[str, int]] = set()  # of whom, to which command
        self.lines: set[e.Said] = set()  # that were ever said in a lobby
        self.records: dict[str, LobbyRecord] = {}
        self.tables: dict[str, Booked] = {}  # in which a deal runs
        self.deals: dict[tuple[str, int], Booked] = {}  # all there ever were, by code and number
        self.states: dict[
            str, list[e.LobbyState]
        ] = {}  # of each lobby, as kept one after the other
        self.deals_over = 0
        self.plays = 0
        self.on_deal: list[Callable[[Booked], None]] = []
        self.on_lobby: list[Callable[[str, LobbyRecord | None, LobbyRecord], None]] = []
        self.on_record: list[Callable[[Booked], None]] = []
        self.on_action: list[Callable[[Entry], None]] = []

    def code_of(self, digest: bytes | None) -> str | None:
        """Where somebody is; None if they are in no lobby."""
        for code, record in self.records.items():
            if any(digest == other for _, other in record.people):
                return code
        return None

    def book(self, commit: tuple[Change, ...]) -> None:
        """A commit has reached the platter."""
        for change in commit:
            step = _STEPS.get(type(change))
            if step is not None:
                step(self, change)
        for change in commit:
            if isinstance(change, LobbyKept) and change.code in self.tables:
                for look in self.on_record:
                    look(self.tables[change.code])

    def _keep_person(self, change: PersonKept) -> None:
        self.names[change.digest] = change.name

    def _keep_answer(self, change: AnswerKept) -> None:
        self.answers.add((self.names.get(change.digest, "?"), change.n))

    def _keep_lobby(self, change: LobbyKept) -> None:
        before, self.records[change.code] = self.records.get(change.code), change.lobby
        for look in self.on_lobby:
            look(change.code, before, change.lobby)
        self.lines.update(change.lobby.chat)
        states = self.states.setdefault(change.code, [])
        if not states or states[-1] != change.lobby.state:
            states.append(change.lobby.state)
        if not change.lobby.deal_runs:
            self.tables.pop(change.code, None)
        elif change.code in self.tables:
            self.tables[change.code].record = change.lobby

    def _say(self, change: LineSaid) -> None:
        self.records[change.code] = change.added_to(self.records[change.code])
        self.lines.add(change.said)

    def _close(self, change: LobbyClosed) -> None:
        self.records.pop(change.code, None)
        self.tables.pop(change.code, None)

    def _begin(self, change: DealBegun) -> None:
        table = Booked(change.code, self.records[change.code], change.deal)
        self.tables[change.code] = self.deals[change.code, change.deal.table.deal] = table
        for look in self.on_deal:
            look(table)

    def _act(self, done: ActionDone) -> None:
        table = self.tables[done.code]
        before = table.deal
        try:
            deal, tellings = _after(before, done)
        except (IllegalAction, LookupError, ValueError, StopIteration) as fault:
            what = f"the rules do not allow what lobby {done.code} has kept: {done} ({fault!r})"
            self._world.wrong("DESIGN 5: fold(journal)", what)
            return
        table.deal = deal
        table.actions += 1
        for telling in tellings:
            if telling.to is None and not telling.event.passing:
                table.told.append(telling.event)
                self.deals_over += isinstance(telling.event, e.DealOver)
                self.plays += isinstance(telling.event, e.Played)
        entry = Entry(table=table, done=done, before=before, tellings=tellings)
        for look in self.on_action:
            look(entry)


_STEPS: dict[type, Callable[..., None]] = {
    PersonKept: Ledger._keep_person,
    AnswerKept: Ledger._keep_answer,
    LobbyKept: Ledger._keep_lobby,
    LineSaid: Ledger._say,
    LobbyClosed: Ledger._close,
    DealBegun: Ledger._begin,
    ActionDone: Ledger._act,
}


def _after(deal: Deal, done: ActionDone) -> tuple[Deal, tuple[Telling, ...]]:
    """The deal after a recorded action, and what was told because of it."""
    if done.opened_at is not None:
        deal = restart_window(deal, done.opened_at)
    deal, tellings = apply(deal, done.action, done.at)
    return (
        deal if done.announced_at is None else restart_window(deal, done.announced_at)
    ), tellings
