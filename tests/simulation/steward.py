"""The steward: who does what a host may, and who is host next (RULES D6, D8, D9)."""

from protocol import commands as c
from protocol.answers import Accepted, Refused
from protocol.numbers import Seat
from protocol.refusals import Refusal
from server.game import actions as a
from server.journal.records import LobbyRecord
from tests.simulation.client import Client
from tests.simulation.ledger import Entry, Ledger
from tests.simulation.machine import Machine
from tests.simulation.network import Connection
from tests.simulation.presence import A_WHILE, Presence
from tests.simulation.world import SECOND, World

TOOLS = (
    c.StartDeal,
    c.SetRules,
    c.SetSettings,
    c.AddComputer,
    c.ShuffleSeats,
    c.RemoveSeat,
    c.HandOver,
    c.AnswerSeat,
    c.PauseTable,
    c.ResumeTable,
)


class Steward:
    """Knows who is host of each lobby, and who was."""

    def __init__(self, world: World, ledger: Ledger, machine: Machine, presence: Presence) -> None:
        self._world, self._ledger, self._presence = world, ledger, presence
        self._stand_in_us = int(machine.settings.stand_in_s * SECOND)
        self._asked: dict[tuple[str, int], tuple[str, int]] = {}  # by name and number: where, when
        self._handed: set[tuple[str, str]] = set()  # who has ever wanted to hand over, and to whom
        self._was_host: dict[tuple[str, str], int] = {}  # by lobby and name, until when
        self._had_paused: dict[tuple[str, str], int] = {}
        self._changed_at: dict[str, int] = {}  # when somebody came or went, or was host
        self._wanted: dict[str, set[tuple[int, Seat]]] = {}  # which seats of which deals, by name
        ledger.on_lobby.append(self._kept)
        ledger.on_action.append(self._acted)

    def landed(self, client: Client, message: c.ClientMessage, _line: Connection) -> None:
        """The last byte of a message is in the kernel."""
        wanted = self._wanted.setdefault(client.name, set())
        if isinstance(message, c.SitDown) and message.seat is not None:
            wanted.add((message.deal or 0, message.seat))
        if isinstance(message, TOOLS):
            if (code := self._ledger.code_of(client.digest)) is not None:
                self._asked.setdefault((client.name, message.n), (code, self._world.now))
            if isinstance(message, c.HandOver):
                self._handed.add((client.name, message.name))

    def accepted(self, client: Client, answer: Accepted) -> None:
        """The server has done something, as it says so: for somebody who may ask it?"""
        tool, asked = client.unanswered.get(answer.n), self._asked.get((client.name, answer.n))
        record = None if asked is None else self._ledger.records.get(asked[0])
        if not isinstance(tool, TOOLS) or asked is None or record is None:
            return
        (code, at), name = asked, client.name
        hosts = {record.state.host} | {
            host for (where, host), until in self._was_host.items() if where == code and until >= at
        }
        may = name in hosts
        if isinstance(
            tool, c.HandOver
        ):  # who stands in for a host, and hands over, is none for long
            may |= tool.name in hosts
        if isinstance(tool, c.ResumeTable):
            may |= tool.pause in client.mistakes
            may |= name == record.paused_by or self._had_paused.get((code, name), -1) >= at
        if not may:
            self._wrong(code, f"{name} is no host, and has done {tool}")

    def refused(self, client: Client, answer: Refused) -> None:
        """The server has refused something, as it says so: to somebody who may not ask it?"""
        asked = self._asked.get((client.name, answer.n or 0))
        record = None if asked is None else self._ledger.records.get(asked[0])
        if answer.code is not Refusal.NOT_HOST or asked is None or record is None:
            return
        code, at = asked
        away_us = self._presence.away_us(code, record.state.host, until=at)
        stays_away = away_us is not None and away_us >= self._stand_in_us
        if stays_away and self._changed_at[code] < at and self._stands_in(code, client, record):
            self._wrong(code, f"{record.state.host} stays away, and {client.name} hears {answer}")

    def _stands_in(self, code: str, client: Client, record: LobbyRecord) -> bool:
        """Whether this is certainly the longest seated of those who have a line."""
        for name in _seated(record):
            if name == client.name:
                return True
            if not self._presence.is_away(code, name):
                return False
        return False

    def _acted(self, entry: Entry) -> None:
        """Whoever gets the seat of a computer player has asked for it (RULES D8)."""
        seated, table = entry.done.action, entry.table
        if isinstance(seated, a.Seated) and seated.new_owner:
            wanted = self._wanted.get(seated.name)
            if wanted is not None and (table.deal.table.deal, seated.seat) not in wanted:
                self._wrong(table.code, f"{seated}: {seated.name} has asked for {wanted} (D8)")

    def _kept(self, code: str, before: LobbyRecord | None, now: LobbyRecord) -> None:
        if before is None:
            self._changed_at[code] = self._world.now
            return
        if before.paused_by is not None:
            self._had_paused[code, before.paused_by] = self._world.now
        former, host = before.state.host, now.state.host
        is_asked = before.paused_by is None is not now.paused_by and not now.paused_by_vote
        if is_asked and now.paused_by != host:
            self._wrong(code, f"{now.paused_by} has paused it, and {host} is host")
        if former != host:
            self._was_host[code, former] = self._world.now
            self._check_heir(code, former, now)
        if (before.people, _seated(before), former) != (now.people, _seated(now), host):
            self._changed_at[code] = self._world.now

    def _check_heir(self, code: str, former: str, now: LobbyRecord) -> None:
        """Whoever is host now has sat there longest, or was made host, or the host stays away."""
        host, people = now.state.host, [name for name, _ in now.people]
        heir = next(iter(_seated(now) or people), host)
        if former not in people and host != heir:
            self._wrong(code, f"{former} is gone, {heir} has sat there longest, and {host} is host")
        away_us = self._presence.away_us(code, former, until=self._world.now) or 0
        is_away = former not in _seated(now) or away_us >= self._stand_in_us - A_WHILE
        if not is_away and (former, host) not in self._handed:
            self._wrong(code, f"{host} is host, and {former} was away for {away_us} microseconds")

    def _wrong(self, code: str, what: str) -> None:
        self._world.wrong("RULES D6: what a host may", f"lobby {code}: {what}")


def _seated(record: LobbyRecord) -> list[str]:
    """People with a seat, the longest seated first."""
    seats = {seat.name for seat in record.state.seats}
    return [name for name, _ in record.people if name in seats]
