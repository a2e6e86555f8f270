"""What the books must say of a lobby from one entry to the next: dealers, wins, pauses, clocks, removals.

Like the ledger it knows nothing of the server's memory. Each rule takes what was kept before and what
is kept now, and answers with what is wrong.
"""

from collections import Counter
from collections.abc import Iterator

from protocol import events as e
from protocol.numbers import EventNumber, Seat
from server.game import actions as a
from server.journal.records import LobbyRecord
from tests.simulation.ledger import Booked, Entry, Ledger
from tests.simulation.machine import Machine
from tests.simulation.network import Connection
from tests.simulation.world import SECOND, World

A_FULL_DISK = 10 * SECOND  # so much later than it happened the books may know at most
AUTOS_TO_STAND_IN = 2  # RULES D2
SHORT_CLOCK_S, ASKED_CLOCK_S = 10, 30  # RULES D1
_BY_CLOCK = (a.Play, a.Pass, a.EndProtection, a.EndReveal)
_STARTS_NO_CLOCK = (a.LetGo, a.TakeBack, a.AddLateCall, a.Seated)

Names = tuple[str, ...]
Wrong = str | None


class Registrar:
    """Reads each entry of the books beside the one before it."""

    def __init__(self, world: World, ledger: Ledger, machine: Machine) -> None:
        self._world = world
        self._ledger = ledger
        self._dealt: dict[str, Booked] = {}  # the newest deal of each lobby
        self._seats: dict[
            Booked, tuple[Names, Names]
        ] = {}  # in the lobby, and of these in the deal
        self._stood_up: dict[str, dict[str, Names]] = {}  # who has left since then, and what seats
        self._moved_at: dict[Booked, int] = {}  # when the clock of a turn may have started
        self._acted_at: dict[Booked, int] = {}  # when anything was done
        self._autos: dict[Booked, Counter[Seat]] = {}  # since their owner has moved by hand
        self._late: dict[Booked, Counter[Seat]] = {}  # the same, where the server must know it
        self._away_since: dict[tuple[str, str], int] = {}  # by lobby and name
        self._stand_in_us = int(machine.settings.stand_in_s * SECOND)
        machine.on_crash.append(self._all_are_away)
        machine.on_accept.append(self._listen)
        ledger.on_lobby.append(self._kept)
        ledger.on_deal.append(self._begun)
        ledger.on_action.append(self._acted)

    def _judge(self, code: str, wrongs: Iterator[tuple[str, Wrong]]) -> None:
        for clause, wrong in wrongs:
            if wrong is not None:
                self._world.wrong(clause, f"lobby {code}: {wrong}")

    def _kept(self, code: str, before: LobbyRecord | None, now: LobbyRecord) -> None:
        if before is not None:
            seats = {seat.name for seat in now.state.seats}
            was = tuple(seat.name for seat in before.state.seats)
            for name in (
                set(was) - seats
            ):  # if somebody may have taken the seat over, nobody can tell
                left = was if len(seats) < len(was) else ()
                self._stood_up.setdefault(code, {}).setdefault(name, left)
        for seat in now.state.seats:
            if seat.connected:
                self._away_since.pop((code, seat.name), None)
            else:  # and where anybody else is there, they were told of it
                is_told = any(
                    other.connected and other.kind is e.SeatKind.PERSON for other in now.state.seats
                )
                self._away_since.setdefault((code, seat.name), self._world.now if is_told else 0)
        if before is not None:
            self._judge(code, self._wrongs(code, before, now))

    def _listen(self, connection: Connection) -> None:
        """A line that is lost is told at once, and kept with whatever changes next."""

        def hear(_: EventNumber, event: e.Event) -> None:
            if isinstance(event, e.LobbyNews) and event.news is e.News.LOST:
                for code in self._ledger.records:
                    self._away_since.setdefault((code, event.name), self._world.now)

        connection.on_told.append(hear)

    def _all_are_away(self) -> None:
        for late in self._late.values():
            late.clear()  # the server has forgotten it
        for code, record in self._ledger.records.items():
            for name, _ in record.people:
                self._away_since.setdefault((code, name), self._world.now)

    def _wrongs(
        self, code: str, before: LobbyRecord, now: LobbyRecord
    ) -> Iterator[tuple[str, Wrong]]:
        yield "RULES D6: who was removed", let_back_in(before, now)
        yield "RULES D6, D8: room", too_many(before, now)
        if before.deal_runs and now.deal_runs:
            yield "RULES D9: votes and pauses are numbered", counts_back(before, now)
            yield "RULES B21: minutes stand still", minutes_lost(before, now)
        elif before.deal_runs:
            yield "RULES B22: who has won", wrong_wins(self._dealt[code], before, now)
            yield "RULES D6, D8: a deal is over", left_over(now)
        elif now.deal_runs:
            yield "RULES B22: a match begins at nought", wrong_start(before, now)

    def _begun(self, table: Booked) -> None:
        state = table.record.state
        seated = tuple(seat.name for seat in state.seats)
        playing = tuple(seat.name for seat in table.deal.table.seats)
        former, self._dealt[table.code] = self._dealt.get(table.code), table
        self._seats[table] = seated, playing
        self._moved_at[table] = self._acted_at[table] = 0
        self._autos[table], self._late[table] = Counter(), Counter()
        self._judge(
            table.code,
            iter(
                (
                    ("RULES D6: the seats must be ready", not_ready(table.record, playing)),
                    ("RULES B21, D7: the deal that begins", other_terms(table)),
                )
            ),
        )
        if former is not None and state.deals != 1:
            was, dealt_to = self._seats[former]
            last, dealer = dealt_to[former.deal.table.dealer], playing[table.deal.table.dealer]
            left = self._stood_up.get(table.code, {})
            right = next_dealer(last, left.get(last, was), seated, playing, has_left=last in left)
            is_plain = last not in left or len(left) == 1  # else it passed on, seat by seat
            wrong = (
                None
                if not is_plain or right in {None, dealer}
                else f"{dealer} deals, and not {right}"
            )
            self._judge(table.code, iter((("RULES A4: the deal passes to the left", wrong),)))
        self._stood_up[table.code] = {}

    def _acted(self, entry: Entry) -> None:
        table, action = entry.table, entry.done.action
        self._judge(table.code, self._wrongs_of(entry))
        if isinstance(action, a.Play) and action.auto:
            self._autos[table][action.seat] += 1
            self._late[table][action.seat] += 1
        for seat in _moved_by_hand(entry):
            del self._autos[table][seat]
        _note_moves(entry, self._late[table])
        self._acted_at[table] = entry.done.at
        if not isinstance(action, _STARTS_NO_CLOCK):
            self._moved_at[table] = entry.done.at

    def _wrongs_of(self, entry: Entry) -> Iterator[tuple[str, Wrong]]:
        table, action = entry.table, entry.done.action
        stood = table.record.clocks_stand and entry.done.at >= table.record.clocks_since
        if isinstance(action, _BY_CLOCK) and stood:  # what lay ready before is kept later
            yield "RULES D9", f"{action}, while all clocks stand"
        if isinstance(action, a.Play) and action.auto:
            runs_since, was_late = table.record.clocks_since, self._autos[table][action.seat] > 0
            waited = entry.done.at - max(runs_since, self._moved_at[table])
            yield "RULES D1: its owner has time", too_soon(entry, waited, was_late=was_late)
            autos, waited = (
                self._late[table][action.seat],
                entry.done.at - max(runs_since, self._acted_at[table]),
            )
            yield "RULES D1: at zero the server plays", too_late(entry, waited, autos=autos)
        if isinstance(action, a.Seated):
            yield "DESIGN 5: whose a seat is", not_as_seated(table, action)
            if action.chair is e.Chair.STAND_IN:
                yield "RULES D2: a seat is kept", self._sat_down(entry, action.seat)

    def _sat_down(self, entry: Entry, seat: Seat) -> Wrong:
        """A computer player stands in after two automatic plays, or some time without its owner."""
        if self._autos[entry.table][seat] >= AUTOS_TO_STAND_IN:
            return None
        name = entry.table.record.holders[seat].name
        since = self._away_since.get((entry.table.code, name), self._world.now)
        away = self._world.now - since
        is_long = away >= self._stand_in_us - A_FULL_DISK
        return None if is_long else f"somebody stands in for {name} after {away} microseconds"


def let_back_in(before: LobbyRecord, now: LobbyRecord) -> Wrong:
    """Who was removed stays out, and is not forgotten."""
    removed = {digest for digest, _, _ in now.removed}
    if not {digest for digest, _, _ in before.removed} <= removed:
        return f"{before.removed} were removed, now {now.removed}"
    back = [name for name, digest in now.people if digest in removed]
    return f"{back} were removed" if back else None


def too_many(before: LobbyRecord, now: LobbyRecord) -> Wrong:
    """No more sit there than there are seats, and nobody comes to watch where nobody may."""
    state, was = now.state, before.state
    if len(state.seats) > state.settings.size:
        return f"{len(state.seats)} sit on {state.settings.size} seats"
    come = set(state.watching) - set(was.watching)
    is_closed = not (was.settings.watchers or state.settings.watchers)
    return f"{sorted(come)} watch, and nobody may" if is_closed and come else None


def left_over(now: LobbyRecord) -> Wrong:
    """After a deal no person is ready, and nobody asks for a seat any more."""
    ready = [s.name for s in now.state.seats if s.kind is e.SeatKind.PERSON and s.ready]
    asking = (*now.state.asking, *now.asking)
    return f"{ready} are ready, {asking} ask for a seat" if ready or asking else None


def other_terms(table: Booked) -> Wrong:
    """A deal begins with the rules of its lobby, and all of its minutes before it."""
    rules, record = table.deal.table.rules, table.record
    minutes = rules.stop_after_min
    stop_at = None if minutes is None else minutes * 60 * SECOND
    fits = (rules, stop_at) == (record.state.rules, record.stop_at)
    return None if fits else f"it stops at {record.stop_at}, its rules are {rules}"


def counts_back(before: LobbyRecord, now: LobbyRecord) -> Wrong:
    """No number is given twice in a deal."""
    was, is_now = (before.votes, before.halts), (now.votes, now.halts)
    return None if was[0] <= is_now[0] and was[1] <= is_now[1] else f"{was} of them, now {is_now}"


def minutes_lost(before: LobbyRecord, now: LobbyRecord) -> Wrong:
    """What is left of a deal's minutes is the same after its clocks have stood."""
    if before.stop_at is None or not before.clocks_stand or now.stop_reason != before.stop_reason:
        return None
    assert now.stop_at is not None
    was, left = before.stop_at - before.clocks_since, now.stop_at - now.clocks_since
    return None if left == was else f"{was} microseconds were left, now {left}"


def wrong_start(before: LobbyRecord, now: LobbyRecord) -> Wrong:
    """A deal after a match that is over, or the first one of a match, begins with nobody's wins."""
    was, state = before.state, now.state
    is_match = state.rules.match_wins > 1
    is_new = was.stage is e.LobbyStage.MATCH_OVER or (is_match and not was.deals)
    deals = (0 if is_new else was.deals) + 1 if is_match else 0
    wins = {seat.name: 0 if is_new else seat.wins for seat in was.seats}
    right = deals, wins, None
    found = state.deals, {seat.name: seat.wins for seat in state.seats}, state.match_winner
    return None if found == right else f"{found} as a deal begins, and not {right}"


def wrong_wins(deal: Booked, before: LobbyRecord, now: LobbyRecord) -> Wrong:
    """Who has won scores, unless they left; the match is over when one leads with enough."""
    outcome = deal.deal.table.outcome
    places = () if outcome is None else outcome.places
    scorers = {
        holder.name
        for holder, place in zip(before.holders, places, strict=False)
        if place == 1 and not holder.gave_up
    }
    wins = {seat.name: seat.wins for seat in before.state.seats}
    right = {name: wins[name] + (name in scorers) for name in wins}
    for seat in now.state.seats:
        if seat.name in right and seat.wins != right[seat.name]:
            return f"{seat.name} has {seat.wins} wins, and not {right[seat.name]}"
    goal, most = (
        deal.deal.table.rules.match_wins,
        max((seat.wins for seat in now.state.seats), default=0),
    )
    leaders = [seat.name for seat in now.state.seats if seat.wins == most]
    winner = leaders[0] if goal > 1 and most >= goal and len(leaders) == 1 else None
    return None if now.state.match_winner == winner else f"{winner} has won the match of {goal}"


def not_ready(record: LobbyRecord, playing: Names) -> Wrong:
    """Who is ready plays, and the host; who is not ready watches, or the deal does not begin."""
    ready = {seat.name for seat in record.state.seats if seat.ready}
    fits = ready <= {*playing} <= ready | {record.state.host}
    return None if fits else f"{playing} play, and ready were {sorted(ready)}"


def next_dealer(last: str, was: Names, now: Names, playing: Names, *, has_left: bool) -> str | None:
    """The next to the left of the last dealer who plays; None where people have changed places since.

    If the dealer has left, perhaps to sit down again, it begins with who sat on the left then.
    """
    stayed = tuple(name for name in was if name in now and not (has_left and name == last))
    came = now[len(stayed) :]
    if stayed != now[: len(stayed)] or last not in was:
        return None
    at = was.index(last)
    order = (*was[at + 1 :], *came, *was[: at + 1])
    if has_left:
        left = next((name for name in (*was[at + 1 :], *was[:at]) if name in stayed), None)
        if left is None:
            return None
        order = (*now[now.index(left) :], *now)
    return next(name for name in order if name in playing)


def not_as_seated(table: Booked, seated: a.Seated) -> Wrong:
    """Whose a seat is, and whether it was given up, is kept with who plays it from then on."""
    holder = table.record.holders[seated.seat]
    gave_up = holder.owner is not None and seated.chair is e.Chair.COMPUTER
    fits = (holder.name, holder.gave_up) == (seated.name, gave_up)
    return None if fits else f"{seated}, and what is kept is {holder}"


def _moved_by_hand(entry: Entry) -> Iterator[Seat]:
    """Whose owner's cards went down, or pass was made: what was only laid ready is no move yet."""
    for telling in entry.tellings:
        match telling.event:
            case e.Played(seat=seat, auto=False) | e.Passed(seat=seat):
                if entry.before.table.seats[seat].chair is e.Chair.OWNER:
                    yield seat
            case _:
                pass


def too_soon(entry: Entry, waited: int, *, was_late: bool) -> Wrong:
    """The server plays for somebody when their clock has run out, and no sooner."""
    turn_s = entry.before.table.rules.turn_s or ASKED_CLOCK_S
    least = SHORT_CLOCK_S if was_late else turn_s
    return (
        None if waited >= least * SECOND else f"{entry.done.action} after {waited}, not {least} s"
    )


def too_late(entry: Entry, waited: int, *, autos: int) -> Wrong:
    """Nobody's clock is longer than the rules say, and after two such plays somebody stands in."""
    most = SHORT_CLOCK_S if autos else entry.before.table.rules.turn_s
    if autos >= AUTOS_TO_STAND_IN:
        return f"{entry.done.action} is number {autos + 1} in a row (RULES D2)"
    is_long = most > 0 and waited > most * SECOND + A_FULL_DISK
    return f"{entry.done.action} after {waited}, not {most} s" if is_long else None


def _note_moves(entry: Entry, autos: Counter[Seat]) -> None:
    """Forget of whom cards went down; who is back, or new, has not been late twice."""
    for telling in entry.tellings:
        match telling.event:
            case e.Played(seat=seat, auto=False) | e.Passed(seat=seat):
                autos.pop(seat, None)
            case _:
                pass
    match entry.done.action:
        case a.Seated(seat=seat, new_owner=True):
            autos.pop(seat, None)
        case a.Seated(seat=seat, chair=e.Chair.OWNER):
            autos[seat] = min(1, autos[seat])
        case _:
            pass
