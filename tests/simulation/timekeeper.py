"""The timekeeper: how long anything waits, as people are told and as it comes about.

It knows the lengths from the rules and the settings, and times by the loop's clock. What a full disk
puts off is no wrong: so a wait may be longer by a while, and never shorter.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from protocol import commands as c
from protocol import events as e
from protocol.answers import Refused, Welcome
from protocol.numbers import EventNumber, PlayNumber, Seat
from protocol.rules import Challengers, TableRules
from protocol.views import TableSnapshot
from server.game import actions as a
from server.journal.records import LobbyRecord
from tests.simulation.client import Client
from tests.simulation.ledger import Booked, Entry, Ledger
from tests.simulation.machine import Machine
from tests.simulation.network import Connection
from tests.simulation.presence import Presence
from tests.simulation.reminders import ASKED_US, SHORT_US, Reminders
from tests.simulation.wiretap import Wiretap
from tests.simulation.world import SECOND

A_FULL_DISK = 10 * SECOND  # by so much later it may happen
COUNT_US = 3 * SECOND  # before going on after a pause (RULES D9)

Wrong = str | None
Halted = tuple[Booked, int, e.PauseReason | None]  # its number, and why; None: it is counted in

Turn = tuple[str, int, Seat, PlayNumber, int]  # lobby, deal, seat, newest play, pile


@dataclass(slots=True, eq=False)
class Heard:
    """What somebody has heard on one line of the clocks of their table."""

    code: str = ""  # of the lobby they were told of last
    deal: Booked | None = None  # and the deal, if all of it was told on this line
    paused: e.Paused | None = None  # unless they run since, or are counted in
    is_voted: bool = False  # to its end: it goes on at once
    is_live: bool = False  # and not what they had missed
    reminders: Reminders = field(default_factory=Reminders)


class Timekeeper:
    """All that waits at all tables."""

    def __init__(
        self, wiretap: Wiretap, ledger: Ledger, machine: Machine, presence: Presence
    ) -> None:
        self._world, self._ledger, self._machine = machine.world, ledger, machine
        self._wiretap, self._presence = wiretap, presence
        settings = machine.settings
        parked_us = int(settings.park_h * 3600 * SECOND)
        self._longest = {
            e.PauseReason.ASKED: int(settings.pause_min * 60 * SECOND),
            e.PauseReason.WAITING: int(settings.return_s * SECOND),
            e.PauseReason.PARKED: parked_us,
            e.PauseReason.MISTAKE: parked_us,
        }
        self._awaited: set[Halted] = set()
        self._since: dict[
            Booked, tuple[int, int]
        ] = {}  # the newest window or reveal, here and there
        self._let_go: dict[Booked, set[Seat]] = {}  # of the newest play, and who has moved since
        self._gone_on: dict[tuple[str, int, PlayNumber], set[str]] = {}
        self._clocks: dict[Turn, dict[str, set[int]]] = {}  # who wants one, and by which commands
        self._hosts: dict[str, set[str]] = {}  # all there ever were
        machine.on_accept.append(self._listen)
        ledger.on_lobby.append(self._kept)
        ledger.on_action.append(self._acted)

    # --- what is told -------------------------------------------------------------------------------

    def _listen(self, connection: Connection) -> None:
        end = connection.end
        if not isinstance(end, Client):
            return
        client, heard = end, Heard()

        def hear(_: EventNumber, event: e.Event) -> None:
            check = _CHECKS.get(type(event))
            if check is not None and (wrong := check(self, client, heard, event)):
                self._wrong(f"{client.name} is told {event}: {wrong}")

        connection.on_told.append(hear)

    def _paused(self, client: Client, heard: Heard, event: e.Paused) -> Wrong:
        if event.reason is e.PauseReason.STALLED:
            return None  # what it was before it is again
        heard.paused = event
        most = self._longest[event.reason]
        if event.reason in {e.PauseReason.ASKED, e.PauseReason.WAITING}:
            self._await_end(client, event.pause, event.reason, most)
        return self._too_long(event.left_us or 0, most)

    def _resumed(self, client: Client, heard: Heard, event: e.Resumed) -> Wrong:
        paused, heard.paused = heard.paused, None
        was_asked = paused is not None and paused.reason is e.PauseReason.ASKED
        if paused is not None and event.in_us:
            self._await_end(client, paused.pause, None, event.in_us)
        if was_asked and not heard.is_voted and event.in_us != COUNT_US:
            return f"before that comes a count of {COUNT_US} (D9)"
        return self._too_long(event.in_us, COUNT_US)

    def _voted(self, _client: Client, heard: Heard, event: e.VoteState) -> Wrong:
        heard.is_voted |= event.passed is True and event.on is e.VoteOn.END_DEAL
        return None

    def _elsewhere(self, _client: Client, heard: Heard, event: e.Event) -> Wrong:
        """At another table, or shown it anew."""
        heard.paused, heard.is_voted = None, False
        match event:
            case e.LobbyChanged():
                heard.code = event.lobby.code
                heard.reminders.start()
            case e.DealStarted():
                heard.deal = self._ledger.deals.get((heard.code, event.deal))
                heard.reminders.start(event.rules, len(event.seats))
            case TableSnapshot():
                heard.deal = self._ledger.deals.get((heard.code, event.table.deal))
                heard.reminders.start(event.table.rules)
            case _:
                heard.code, heard.deal = "", None
                heard.reminders.start()
        return None

    def _lobby(self, client: Client, heard: Heard, event: e.LobbyChanged) -> Wrong:
        return None if event.lobby.code == heard.code else self._elsewhere(client, heard, event)

    def _welcome(self, _client: Client, heard: Heard, event: Welcome) -> Wrong:
        heard.is_live = not event.resumed
        return None

    def _moved(self, _client: Client, heard: Heard, event: e.Event) -> Wrong:
        return heard.reminders.move(event, is_live=heard.is_live)

    def _seated(self, _client: Client, heard: Heard, event: e.ChairChanged) -> Wrong:
        heard.reminders.sit_down(event.seat)
        return None

    def _clock(self, client: Client, heard: Heard, event: e.TurnClock) -> Wrong:
        heard.reminders.remind(event.left_us)
        table = heard.deal or self._table_of(client)
        if table is None:
            return None
        rules = table.deal.table.rules
        is_asked = not rules.turn_s and event.left_us == ASKED_US
        if is_asked and self._wiretap.is_abreast(client, table) and self._is_alone(table):
            return "at most one player, who is no host, has asked for it"
        return self._too_long(event.left_us, longest_clock(rules))

    def _is_alone(self, table: Booked) -> bool:
        """Whether at most one has asked for this turn's clock, as far as it may count, and no host."""
        public = table.deal.table
        turn = (table.code, public.deal, public.turn, public.newest, public.pile_number)
        wanted = {name for name, numbers in self._clocks.get(turn, {}).items() if numbers}
        are_friends = self._presence.are_friends(table.code, table.record)
        return are_friends and len(wanted) < 2 and not wanted & self._hosts[table.code]

    def _window(self, client: Client, heard: Heard, event: e.WindowState) -> Wrong:
        heard.is_live = True
        table = heard.deal or self._table_of(client)
        if table is None:
            return None
        rules = table.deal.table.rules
        window_s = max(rules.window_s, rules.last_window_s)
        return (
            self._too_long(event.protected_us, window_s * SECOND)
            or self._too_long(event.reveal_us, rules.reveal_s * SECOND)
            or self._too_long(event.turn_us or 0, longest_clock(rules))
        )

    def _too_long(self, left_us: int, most: int) -> Wrong:
        return None if left_us <= most else f"{most} would be the longest"

    def _table_of(self, client: Client) -> Booked | None:
        """Where somebody is who has been told all that is in the books of it."""
        table = self._ledger.tables.get(self._ledger.code_of(client.digest) or "")
        return table if table is not None and self._wiretap.is_abreast(client, table) else None

    # --- halts that have to end ---------------------------------------------------------------------

    def _await_end(
        self, client: Client, number: int, reason: e.PauseReason | None, most: int
    ) -> None:
        """Look whether a halt, or its count, is over once it has lasted for as long as it may."""
        table = self._table_of(client)
        halted = None if table is None else (table, number, reason)
        if halted is None or halted in self._awaited:
            return
        self._awaited.add(halted)
        due = self._world.loop_us(self._world.now) + most + most // 2 + A_FULL_DISK
        self._look_at(halted, due, self._machine.lives)

    def _look_at(self, halted: Halted, due: int, lives: int) -> None:
        wait = due - self._world.loop_us(self._world.now)
        if self._machine.lives != lives or self._machine.hall is None:
            return  # with a restart another one has begun
        if wait > 0 or self._world.is_busy:
            wait = max(wait, SECOND)
            self._world.after(wait, lambda: self._look_at(halted, due, lives))
        elif self._stands(halted):
            self._wrong(f"lobby {halted[0].code}: halt {halted[1]} ({halted[2]}) does not end")

    def _stands(self, halted: Halted) -> bool:
        table, number, reason = halted
        record, is_asked = table.record, reason is e.PauseReason.ASKED
        runs = self._ledger.tables.get(table.code) is table
        is_same = record.halts == number and (record.paused_by is not None) is is_asked
        return runs and record.clocks_stand and is_same

    # --- windows and reveals ------------------------------------------------------------------------

    def landed(self, client: Client, message: c.ClientMessage, _line: Connection) -> None:
        """The last byte of a message is in the kernel."""
        if not isinstance(message, c.GoOn | c.StartClock):
            return
        code = self._ledger.code_of(client.digest) or ""
        if isinstance(message, c.GoOn):
            key = code, message.deal, message.play
            self._gone_on.setdefault(key, set()).add(client.name)
        elif not self._is_own(code, client, message.seat):
            turn = code, message.deal, message.seat, message.after, message.pile
            self._clocks.setdefault(turn, {}).setdefault(client.name, set()).add(message.n)

    def refused(self, client: Client, answer: Refused) -> None:
        """The server has refused something, as it says so."""
        clock = client.unanswered.get(answer.n or 0)
        if isinstance(clock, c.StartClock):
            for wanted in self._clocks.values():
                wanted.get(client.name, set()).discard(clock.n)

    def _is_own(self, code: str, client: Client, seat: Seat) -> bool:
        """Whether it is their own seat, whose clock others start."""
        table = self._ledger.tables.get(code)
        holders = () if table is None else table.record.holders
        return seat < len(holders) and holders[seat].owner == client.digest

    def _kept(self, code: str, _before: LobbyRecord | None, now: LobbyRecord) -> None:
        self._hosts.setdefault(code, set()).add(now.state.host)

    def _acted(self, entry: Entry) -> None:
        match entry.done.action:
            case a.EndProtection():
                self._judge(entry, self._protected(entry))
            case a.EndReveal():
                self._judge(entry, self._read(entry))
            case a.LetGo(seat=seat) | a.Pass(seat=seat) | a.Play(seat=seat):
                self._let_go.setdefault(entry.table, set()).add(seat)
                self._judge(entry, self._closed(entry))
            case a.TakeBack(seat=seat):
                self._let_go.setdefault(entry.table, set()).discard(seat)
            case _:
                pass
        if any(isinstance(each.event, e.Played | e.Ruled | e.SetAside) for each in entry.tellings):
            self._let_go.pop(entry.table, None)
        if entry.done.announced_at is not None:
            self._since[entry.table] = self._world.now, entry.done.announced_at

    def _closed(self, entry: Entry) -> Wrong:
        """Before its time is over a window closes once all who could doubt the play let it go."""
        table = entry.before.table
        closes = any(isinstance(each.event, e.Stands) for each in entry.tellings)
        if not closes or table.rules.challengers is not Challengers.ANYONE:
            return None
        others = {*table.seats_in} - {table.pile[-1].seat}
        missing = sorted(others - self._let_go.get(entry.table, set()))
        return f"it closes, and {missing} have not let it go (C4)" if missing else None

    def _judge(self, entry: Entry, wrong: Wrong) -> None:
        if wrong is not None:
            self._wrong(f"lobby {entry.table.code}: {entry.done}: {wrong}")

    def _waited(self, entry: Entry) -> int:
        """For how long the window, or the reveal, has run since all clocks do."""
        _, since = self._since[entry.table]
        return entry.done.at - max(since, entry.table.record.clocks_since)

    def _protected(self, entry: Entry) -> Wrong:
        table, waited = entry.before.table, self._waited(entry)
        if table.stopping is not None:
            return None  # it counts from another time (B21)
        rules, play = table.rules, table.pile[-1]
        right = SECOND * (rules.last_window_s if play.last else rules.window_s)
        fits = right <= waited <= right + A_FULL_DISK
        return None if fits else f"{waited} after play {play.play}, and not {right} (C2)"

    def _read(self, entry: Entry) -> Wrong:
        rules, waited = entry.before.table.rules, self._waited(entry)
        right = SECOND * rules.reveal_s
        if waited > right + A_FULL_DISK:
            return f"{waited} after the ruling, and not {right} (C10)"
        reading = self._who_reads(entry) if waited < right else []
        return f"{reading} have yet to go on (C10)" if reading else None

    def _who_reads(self, entry: Entry) -> list[str]:
        """Who certainly was there all the time, has a seat in the deal, and has not gone on."""
        here, _ = self._since[entry.table]
        table, public = entry.table, entry.before.table
        ruled = next(each for each in reversed(entry.before.log) if isinstance(each, e.Ruled))
        gone_on = self._gone_on.get((table.code, public.deal, ruled.shown.play), set())
        return [
            holder.name
            for seat, holder in enumerate(table.record.holders)
            if holder.owner is not None
            and not holder.gave_up
            and public.is_in(Seat(seat))
            and holder.name not in gone_on
            and self._presence.was_there(holder.name, here)
        ]

    def _wrong(self, what: str) -> None:
        self._world.wrong("RULES C2, C10, D1, D5, D9: as long as it says", what)


def longest_clock(rules: TableRules) -> int:
    """No clock of a seat to move is longer (RULES D1)."""
    turn_us = rules.turn_s * SECOND or ASKED_US
    return max(turn_us, SHORT_US)


_CHECKS: dict[type[e.Event], Callable[..., Wrong]] = {
    Welcome: Timekeeper._welcome,
    e.Paused: Timekeeper._paused,
    e.Resumed: Timekeeper._resumed,
    e.VoteState: Timekeeper._voted,
    e.DealStarted: Timekeeper._elsewhere,
    e.LobbyChanged: Timekeeper._lobby,
    e.LobbyLeft: Timekeeper._elsewhere,
    TableSnapshot: Timekeeper._elsewhere,
    e.ChairChanged: Timekeeper._seated,
    e.TurnClock: Timekeeper._clock,
    **dict.fromkeys((e.Played, e.Passed, e.Ruled), Timekeeper._moved),
    e.WindowState: Timekeeper._window,
}
