"""Looks at the server whenever nothing in it can go on: is it what the books say, is it in bounds?

Each check is a function of its own and names what it holds. They read the server's memory, which
nothing else in the simulation does, and change nothing.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import trio

from protocol import events as e
from protocol.answers import Refused
from protocol.commands import Challenge
from protocol.refusals import Refusal
from server.addresses import is_loopback
from server.game import actions as a
from server.game.deal import Deal
from server.game.view import view_for
from server.hall import Hall
from server.journal.records import STORED_ANSWERS, LobbyRecord
from server.lobby.lobby import ALWAYS_FIT, Lobby
from server.table.holders import Holder
from server.table.table import Table
from tests.simulation.client import Client
from tests.simulation.ledger import Booked, Entry, Ledger
from tests.simulation.machine import Life, Machine
from tests.simulation.world import SECOND, World
from tests.support.books import as_kept

OFTEN = 4  # times that nothing can go on: then queues are looked at
EVERY = 16  # and then everything is
TASKS_OF_A_CONNECTION = 2  # one that greets or writes, and one that closes; mostly none
A_FULL_DISK = 10 * SECOND  # by so much later it may happen
TO_COME_BACK = 5 * SECOND  # for whoever was hung up on
A_MOMENT = 500  # microseconds
TASKS_OF_A_LOBBY = 2  # its own, and one that lets somebody in

Wrong = str | None


class Inspector:
    """All checks of the server's memory."""

    def __init__(
        self, world: World, ledger: Ledger, machine: Machine, clients: Sequence[Client]
    ) -> None:
        self._world = world
        self._ledger = ledger
        self._machine = machine
        self._clients = clients
        self._looks = 0
        self._tasks_at_first = 0  # before anybody had come
        self._opened_at: dict[tuple[Booked, int], int] = {}  # when a play was announced
        world.at_rest.append(self._look)
        machine.on_start.append(self._after_start)
        ledger.on_action.append(self._acted)

    # --- at every moment ----------------------------------------------------------------------------

    def _look(self) -> None:
        self._looks += 1
        life = self._machine.life
        if life is None or life.is_dead or life.hall is None:
            return
        if not self._tasks_at_first and not life.connections:
            self._tasks_at_first = tasks_living()
        if self._looks % EVERY == 0:
            for wrong in self._wrongs(life, life.hall):
                self._world.wrong(*wrong)
        elif self._looks % OFTEN == 0:
            for wrong in self._wrongs_in_queues(life, life.hall):
                self._world.wrong(*wrong)

    def _wrongs_in_queues(self, life: Life, hall: Hall) -> Iterator[tuple[str, str]]:
        """Beside the longest message no more waits than is allowed, and what one more adds to it."""
        for connection, session in life.connections.items():
            waiting, most = session._writer.waiting, session._writer.most
            longest = most - hall.settings.send_queue
            if waiting > most + longest:
                what = f"{waiting} bytes, {most} would do and {longest} more"
                yield "DESIGN 6: send queue", f"{connection.name}: {what}"

    def _wrongs(self, life: Life, hall: Hall) -> Iterator[tuple[str, str]]:
        yield from self._wrongs_in_queues(life, hall)
        for clause, check in CHECKS_OF_HALL:
            if wrong := check(hall, life):
                yield clause, wrong
        if wrong := too_many_tasks(hall, life, self._tasks_at_first):
            yield "DESIGN 6: tasks", wrong
        if not life.store.waiting:
            yield from self._wrongs_in_books(hall)

    def _wrongs_in_books(self, hall: Hall) -> Iterator[tuple[str, str]]:
        for code, lobby in hall.lobbies.items():
            booked = self._ledger.tables.get(code)
            if lobby.table is None or booked is None:
                continue
            if wrong := differs(as_kept(lobby.table), booked.deal):
                yield "DESIGN 5: a table is fold(journal)", f"lobby {code}: {wrong}"
            if wrong := pauses_too_soon(lobby.table):
                yield "RULES D9", f"lobby {code}: {wrong}"
            if not hall.is_closing and (wrong := nobody_stands_in(lobby, lobby.table)):
                yield "RULES D2", f"lobby {code}: {wrong}"

    # --- after a crash ------------------------------------------------------------------------------

    def _after_start(self) -> None:
        hall = self._machine.hall
        if hall is None:
            return
        if wrong := differs_from_books(hall, self._ledger):
            self._world.wrong("DESIGN 5: the state after a crash is fold(journal)", wrong)

    # --- with every action --------------------------------------------------------------------------

    def _acted(self, entry: Entry) -> None:
        for telling in entry.tellings:
            if isinstance(telling.event, e.Played) and entry.done.announced_at is not None:
                key = entry.table, telling.event.play
                self._opened_at[key] = entry.done.announced_at
        if wrong := self._wins_too_early(entry):
            self._world.wrong("A15: nobody wins while their last cards can be doubted", wrong)

    def _wins_too_early(self, entry: Entry) -> Wrong:
        out = next(
            (each.event for each in entry.tellings if isinstance(each.event, e.WentOut)), None
        )
        if out is None or isinstance(entry.done.action, a.Rule | a.LetGo | a.Play | a.Pass):
            return None
        before = entry.before.table
        opened = self._opened_at.get((entry.table, before.newest), 0)
        until = opened + before.rules.last_window_s * SECOND
        return None if entry.done.at >= until else f"{out} at {entry.done.at}, open until {until}"

    def refused(self, client: Client, refused: Refused) -> None:
        """Room is kept for whoever has a place, however many others come (DESIGN 6)."""
        hall = self._machine.hall
        full = refused.code in {Refusal.SERVER_FULL, Refusal.ADDRESS_FULL}
        if not full or hall is None:
            return
        person = next((each for each in hall.people if each.digest == client.digest), None)
        if person is not None and (person.connected or person.lobby is not None):
            self._world.wrong("DESIGN 6: connections", f"there is no room for {client.name}")

    # --- when all is over ---------------------------------------------------------------------------

    def settled(self) -> None:
        """Some time after the last fault: everybody knows what they may know, and no less."""
        hall = self._machine.hall
        if hall is None:
            self._world.wrong("DESIGN 7", "the server is still down")
            return
        lines = [client.connection for client in self._clients]
        is_quiet = all(line is None or line.is_quiet for line in lines)
        if not is_quiet or any(lobby.outbox._waiting for lobby in hall.lobbies.values()):
            # What is on its way, to a client or to the disk, will be known, too.
            self._world.after(A_MOMENT, self.settled)
            return
        for client in self._clients:
            if wrong := knows_less(hall, client) or waits_for_the_disk(client):
                self._world.wrong("after faults every view is right within 10 s", wrong)

    def ended(self) -> None:
        """Everybody has gone: nothing is left of them but that they are known."""
        life = self._machine.life
        assert life is not None
        assert life.hall is not None
        if wrong := not_back_to_the_start(life, life.hall, self._tasks_at_first):
            self._world.wrong("DESIGN 6: everything ends", wrong)


# --- the checks, each by itself -------------------------------------------------------------------


def differs(table: Deal, booked: Deal) -> Wrong:
    """What a table in memory has otherwise than the journal."""
    for part in ("hands", "laid", "aside", "held", "let_go", "silently", "log", "table"):
        ours, theirs = getattr(table, part), getattr(booked, part)
        if ours != theirs:
            return f"{part}: {str(ours)[:300]} in memory, {str(theirs)[:300]} in the journal"
    return None


def differs_from_books(hall: Hall, ledger: Ledger) -> Wrong:
    """What is missing or different after a restart."""
    if set(hall.lobbies) != set(ledger.records):
        return f"lobbies {sorted(hall.lobbies)}, in the journal {sorted(ledger.records)}"
    for code, lobby in hall.lobbies.items():
        booked = ledger.tables.get(code)
        if (lobby.table is None) != (booked is None):
            return f"lobby {code}: {'no deal' if lobby.table is None else 'a deal'} is running"
        if lobby.table is None or booked is None:
            continue
        wrong = differs(as_kept(lobby.table), booked.deal) or other_pace(lobby.table, booked.record)
        if wrong:
            return f"lobby {code}: {wrong}"
    known = {person.digest for person in hall.people}
    return None if known >= set(ledger.names) else "somebody is not known any more"


def other_pace(table: Table, record: LobbyRecord) -> Wrong:
    """What a table that has only been taken up has otherwise of votes, pauses and minutes."""
    wish, stop_at = table.pause_wanted, table.stop_at
    ours = (
        None if wish is None else (wish.by, wish.voted),
        (table.votes, table.stop_reason),
        None if stop_at == math.inf else stop_at,
    )
    paused = None if record.paused_by is None else (record.paused_by, record.paused_by_vote)
    stops_at = record.stop_at
    if stops_at is not None and record.clocks_stand:
        stops_at += table.ran_since - record.clocks_since
    theirs = (paused, (record.votes, record.stop_reason), stops_at)
    return None if ours == theirs else f"{ours} in memory, {theirs} in the journal"


def seats_and_people_differ(hall: Hall, _life: Life) -> Wrong:
    """Seats, watchers and people of a lobby are the same people, each once."""
    for lobby in hall.lobbies.values():
        seats = [seat.name for seat in lobby.state.seats]
        persons = {seat.name for seat in lobby.state.seats if seat.kind is e.SeatKind.PERSON}
        if len(set(seats)) != len(seats):
            return f"lobby {lobby.code}: {seats}"
        if not lobby.is_closed and persons | set(lobby.state.watching) != set(lobby.people):
            return (
                f"lobby {lobby.code}: {sorted(persons)} have seats, {sorted(lobby.people)} are in"
            )
        if wrong := _two_places(lobby):
            return wrong
    return None


def _two_places(lobby: Lobby) -> Wrong:
    for name, person in lobby.people.items():
        if person.lobby is not lobby:
            return f"{name} is in {lobby.code}, and thinks otherwise"
    return None


def inbox_is_too_full(hall: Hall, _life: Life) -> Wrong:
    """An inbox takes challenges and a few of each, and of the rest no more than is set (DESIGN 6)."""
    for lobby in hall.lobbies.values():
        waiting = [
            errand.person
            for errand in lobby._inbox.waiting
            if errand.command.n and not isinstance(errand.command, Challenge)
        ]
        if len(waiting) > hall.settings.inbox + ALWAYS_FIT * len(set(waiting)):
            return f"lobby {lobby.code}: {len(waiting)} commands wait"
    return None


def nobody_stands_in(lobby: Lobby, table: Table) -> Wrong:
    """Whose line is down plays no seat, or a computer player will before long."""
    for holder in table.holders:
        owner = holder.owner
        if owner is None or owner.connected or holder.chair is not e.Chair.OWNER or table.over:
            continue
        errands = (*lobby._inbox.waiting, *table._batch)
        is_told = any(each.person is owner for each in errands)
        if holder.absent_since is None and not is_told:
            return f"{holder.name} is away, and the table waits for good"
        if holder.absent_since is not None and _is_overdue(table, holder):
            return f"{holder.name} is away since {holder.absent_since}, and nobody stands in"
    return None


def _is_overdue(table: Table, holder: Holder) -> bool:
    """Whether somebody should long have stood in for the owner of a seat whose cards count."""
    is_played = table.halt is None and table.calls.contest is None
    away_us = table.now - (holder.absent_since or 0)
    is_long = away_us > table.settings.stand_in_s * SECOND + A_FULL_DISK
    return is_played and is_long and table.deal.table.is_in(holder.seat)


def pauses_too_soon(table: Table) -> Wrong:
    """A pause begins once no protected time runs and nobody reads a ruling."""
    halt, phase = table.halt, table.deal.table.phase
    begun = halt is not None and halt.reason is e.PauseReason.ASKED
    return f"a pause has begun in {phase}" if begun and phase is not e.Phase.TO_PLAY else None


def too_much_is_kept_of_a_person(hall: Hall, _life: Life) -> Wrong:
    """The answers and the events of one person are bounded."""
    for person in hall.people:
        if len(person.answers) > STORED_ANSWERS:
            return f"{person.name}: {len(person.answers)} answers"
        if len(person.mailbox) > hall.settings.replay:
            return f"{person.name}: {len(person.mailbox)} events"
    return None


def tasks_living() -> int:
    """How many tasks there are, those of the simulation itself included."""
    return trio.lowlevel.current_statistics().tasks_living


def too_many_tasks(hall: Hall, life: Life, tasks_at_first: int) -> Wrong:
    """Tasks are as many as there are connections and lobbies, and a few."""
    most = tasks_at_first + TASKS_OF_A_CONNECTION * len(life.connections)
    most += TASKS_OF_A_LOBBY * len(hall.lobbies)
    tasks = tasks_living()
    return None if tasks <= most else f"{tasks} tasks, {most} would do"


def knows_less(hall: Hall, client: Client) -> Wrong:
    """How a client's view differs from what the server would show it."""
    if client.secret is None:
        return None  # whoever never heard their secret has to wait until the name is free again
    if not client.is_open:
        return None if _was_too_fast(client) else f"{client.name} is not back"
    person = next((each for each in hall.people if each.digest == client.digest), None)
    if person is None or not person.connected:
        return f"{client.name} has no line"
    if person.lobby is None:
        return None if client.lobby is None else f"{client.name} believes in a lobby"
    if client.lobby != person.lobby.state:
        return f"{client.name} knows {client.lobby}, it is {person.lobby.state}"
    table = person.lobby.table
    return None if table is None else _sees_less(client, table) or _thinks_it_paused(client, table)


def waits_for_the_disk(client: Client) -> Wrong:
    """There is room on it by now, and everybody has heard so."""
    waits = client.is_open and client.is_stalled
    return f"{client.name} thinks that nothing can be kept" if waits else None


def _was_too_fast(client: Client) -> bool:
    """Whether somebody was hung up on just now, by nobody's fault but their own."""
    hurried_at = client.was_too_fast_at
    return hurried_at is not None and hurried_at + TO_COME_BACK > client.world.now


def _sees_less(client: Client, table: Table) -> Wrong:
    person = next(each for each in table.company.everybody() if each.digest == client.digest)
    holder = table.holder_of(person)
    if client.view is None:
        return f"{client.name} sees no table"
    if holder is not None and holder.gave_up:
        same = client.view.table == table.deal.table
    else:
        same = client.view == view_for(table.deal, None if holder is None else holder.seat)
    return None if same else f"{client.name} sees {client.view}, it is {table.deal}"


def _thinks_it_paused(client: Client, table: Table) -> Wrong:
    halt = table.halt
    if client.is_paused is (halt is not None and not halt.counting_in):
        return None
    return f"{client.name} thinks it {'paused' if client.is_paused else 'running'}: {halt}"


def not_back_to_the_start(life: Life, hall: Hall, tasks_at_first: int) -> Wrong:
    """What is left of an evening after everybody has gone."""
    left = {
        "connections": len(life.connections),
        "sockets listened on": len(life.ears._wires),
        "lobbies": len(hall.lobbies),
        "lobbies in the journal": len(life.store.read().lobbies),
        "people with a line": hall.people.online,
        "commits waiting": life.store.waiting,
        "pings to come": len(hall._pinger._next),
        "commands without an answer": sum(len(person.pending) for person in hall.people),
        "names taken": len(hall.people._by_name),
        "tasks": tasks_living() - tasks_at_first,
    }
    rest = {what: count for what, count in left.items() if count}
    return str(rest) if rest else None


def too_many_are_let_in(hall: Hall, life: Life) -> Wrong:
    """Strangers in all, and people of one address, are as many as the settings say (DESIGN 6)."""
    settings, listener = hall.settings, life.listener
    if listener is not None and listener.strangers > settings.unauthenticated:
        return f"{listener.strangers} have not said hello"
    addresses = Counter(person.address for person in hall.people if person.connected)
    if hall.people.online > settings.connections:
        return f"{hall.people.online} people"
    if len(life.connections) > settings.connections + 2 * settings.unauthenticated:
        return f"{len(life.connections)} connections"
    for address, count in addresses.items():
        if not is_loopback(address) and count > settings.per_address:
            return f"{count} people from {address}"
    return None


CHECKS_OF_HALL: tuple[tuple[str, Callable[[Hall, Life], Wrong]], ...] = (
    ("DESIGN 4: one person, one place", seats_and_people_differ),
    ("DESIGN 6: inbox", inbox_is_too_full),
    ("DESIGN 6: answers and events", too_much_is_kept_of_a_person),
    ("DESIGN 6: who is let in", too_many_are_let_in),
)
