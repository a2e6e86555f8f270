"""Who is certainly there, and who certainly is not, as far as that can be told from the lines.

And at which tables all send what a client sends: of others nobody knows what they have asked for.

The server hears a little later of a line that comes or is lost. So there is always somebody of whom
neither can be said.
"""

from protocol import commands as c
from protocol import events as e
from protocol.answers import Welcome
from protocol.numbers import EventNumber
from server.journal.records import LobbyRecord
from tests.simulation.client import Client
from tests.simulation.ledger import Ledger
from tests.simulation.machine import Machine
from tests.simulation.network import Connection
from tests.simulation.world import SECOND, World

A_WHILE = 10 * SECOND  # in which the server hears of a line, and the books of that


class Presence:
    """The lines of all people."""

    def __init__(self, world: World, ledger: Ledger, machine: Machine) -> None:
        self._world, self._machine = world, machine
        self._lines: dict[str, tuple[Connection, int]] = {}  # by name, and since when
        self._away_since: dict[tuple[str, str], int] = {}  # by lobby and name, as it is kept
        self._friends: set[str] = set()  # who sends what a client sends
        self._people: dict[tuple[str, int], set[str]] = {}  # who was ever there, by lobby and deal
        machine.on_accept.append(self._listen)
        machine.on_start.append(self._all_are_away)
        ledger.on_lobby.append(self._kept)

    def was_there(self, name: str, since: int) -> bool:
        """Whether somebody has certainly had a line all the time since then."""
        line, welcome_at = self._lines.get(name, (None, 0))
        if line is None or not line.is_heard or welcome_at >= since:
            return False
        hall = self._machine.hall  # which knows who is about to be hung up on
        return hall is not None and any(
            person.name == name and person.connected for person in hall.people
        )

    def is_away(self, code: str, name: str) -> bool:
        """Whether somebody has certainly had no line for a while."""
        line, welcome_at = self._lines.get(name, (None, 0))
        now, since = self._world.now, self._away_since.get((code, name))
        may_be_up = line is not None and (line.is_heard or now < welcome_at + A_WHILE)
        return since is not None and since + A_WHILE <= now and not may_be_up

    def away_us(self, code: str, name: str, until: int) -> int | None:
        """For how long it is kept by then that somebody has no line, on the loop's clock."""
        since = self._away_since.get((code, name))
        loop_us = self._world.loop_us
        return None if since is None else loop_us(until) - loop_us(since)

    def are_friends(self, code: str, record: LobbyRecord) -> bool:
        """Whether nobody who sends anything was in this deal's lobby, or asked for something there and left."""
        return self._people[code, record.dealt] <= self._friends

    def landed(self, client: Client, _message: c.ClientMessage, _line: Connection) -> None:
        """The last byte of a message is in the kernel."""
        self._friends.add(client.name)

    def _listen(self, connection: Connection) -> None:
        end = connection.end
        if not isinstance(end, Client):
            return
        name = end.name

        def hear(_: EventNumber, event: e.Event) -> None:
            if isinstance(event, Welcome):
                self._lines[name] = connection, self._world.now

        connection.on_told.append(hear)

    def _kept(self, code: str, _before: LobbyRecord | None, now: LobbyRecord) -> None:
        self._people.setdefault((code, now.dealt), set()).update(name for name, _ in now.people)
        for seat in now.state.seats:
            if seat.connected:
                self._away_since.pop((code, seat.name), None)
            else:
                self._away_since.setdefault((code, seat.name), self._world.now)

    def _all_are_away(self) -> None:
        """After a restart the server counts from then on."""
        for key in self._away_since:
            self._away_since[key] = self._world.now
