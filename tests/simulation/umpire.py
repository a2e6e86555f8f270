"""The umpire: who called first, from when the last byte of each call reached the kernel (RULES C).

It knows the moment at which each challenge arrived, on which line, and what became of it. Of every
ruling it asks whether the winner's call is the least arrival of all that were in time; of every
window that closes without a ruling, whether a call that was in time has been passed over. It judges
a second later, when all answers are out, and leaves aside calls of which it cannot be sure that the
server could hear them: those on a line that has broken since, or during a crash.
"""

from dataclasses import dataclass, field

from protocol import commands as c
from protocol import events as e
from protocol.answers import Refused
from protocol.numbers import PlayNumber, Seat
from protocol.options import why_not_challenge
from protocol.refusals import Refusal
from protocol.rules import ChallengeUntil
from protocol.views import PublicTable
from server.game import actions as a
from server.game.windows import opened_at
from tests.simulation.client import Client
from tests.simulation.ledger import Booked, Entry, Ledger
from tests.simulation.machine import Machine
from tests.simulation.network import Connection
from tests.simulation.world import SECOND, World

# With these the server says that it was too late, or that somebody was before.
_JUDGED = {Refusal.NOT_FIRST, Refusal.TOO_LATE, Refusal.NOT_ANNOUNCED, Refusal.NO_DEAL}

ONE_LOOK = 10_000  # microseconds that one look at all sockets takes at most


@dataclass(slots=True, eq=False, kw_only=True)
class Heard:
    """One challenge in the kernel."""

    client: Client
    line: Connection
    command: c.Challenge
    landed_at: int  # its last byte
    reads: int  # on its line when it came
    at: int = 0  # the same on the loop's clock, once that can be told
    then: int = 0  # when the last of all came that was read together with it
    refused: Refusal | None = None
    late_us: int | None = None  # as its sender was told

    @property
    def counts(self) -> bool:
        """Whether the server has certainly heard it, and had no reason of another kind to refuse."""
        same_line = self.client.connection is self.line and self.client.is_open
        return same_line and (self.refused is None or self.refused in _JUDGED)


@dataclass(slots=True, eq=False, kw_only=True)
class Case:
    """One window that has closed, to be judged in a while."""

    table: Booked
    before: PublicTable
    play: PlayNumber
    opened_at: int
    closed_at: int  # calls up to this moment were in time
    winner: Seat | None
    called_at: int = 0  # by the winner, as the server says
    unstamped: bool = False
    calls: list[Heard] = field(default_factory=list)


class Umpire:
    """Judges all rulings."""

    def __init__(self, world: World, ledger: Ledger, machine: Machine) -> None:
        self._world = world
        self._ledger = ledger
        self._machine = machine
        self._calls: dict[tuple[str, int], list[Heard]] = {}  # by lobby and deal
        self.judged = 0
        ledger.on_action.append(self._acted)
        machine.on_crash.append(self._calls.clear)

    # --- calls --------------------------------------------------------------------------------------

    def landed(self, client: Client, message: c.ClientMessage, line: Connection) -> None:
        """The last byte of a message is in the kernel."""
        if line.wire is None or not line.is_heard:
            return
        if isinstance(message, c.Challenge) and client.lobby is not None:
            now = self._world.now
            reads = len(line.wire.reads)
            call = Heard(client=client, line=line, command=message, landed_at=now, reads=reads)
            self._calls.setdefault((client.lobby.code, message.deal), []).append(call)

    def answered(self, client: Client, answer: Refused) -> None:
        """The server has refused something, as it leaves the server."""
        for calls in self._calls.values():
            for call in calls:
                if call.client is client and call.command.n == answer.n:
                    call.refused, call.late_us = answer.code, answer.late_us

    # --- windows that close -------------------------------------------------------------------------

    def _acted(self, entry: Entry) -> None:
        for telling in entry.tellings:
            match telling.event:
                case e.Ruled() as ruled:
                    self._ruled(entry, ruled)
                case e.Played(play=play) if play > 1 and not _is_pick_up(entry):
                    self._closed(entry, PlayNumber(play - 1))
                case e.Stands(play=play, protected_only=False):
                    self._closed(entry, play)
                case _:
                    pass

    def _ruled(self, entry: Entry, ruled: e.Ruled) -> None:
        offset = self._offset(entry)
        action = entry.done.action
        if offset is None or not isinstance(action, a.Rule):
            return
        opened = offset + self._opened_at(entry, ruled.shown.play)
        first = ruled.calls[0]
        self._judge_later(
            Case(
                table=entry.table,
                before=entry.before.table,
                play=ruled.shown.play,
                opened_at=opened,
                closed_at=opened + first.after_us,
                winner=ruled.challenger,
                called_at=opened + first.after_us + (ruled.behind_us(ruled.challenger) or 0),
                unstamped=ruled.unstamped,
            )
        )

    def _closed(self, entry: Entry, play: PlayNumber) -> None:
        offset = self._offset(entry)
        if offset is None or entry.before.table.closed or entry.before.table.newest != play:
            return
        self._judge_later(
            Case(
                table=entry.table,
                before=entry.before.table,
                play=play,
                opened_at=offset + self._opened_at(entry, play),
                closed_at=offset + entry.done.at,
                winner=None,
            )
        )

    def _offset(self, entry: Entry) -> int | None:
        """When the table's clock stood at nought; None if there is no table to ask."""
        hall = self._machine.hall
        lobby = None if hall is None else hall.lobbies.get(entry.table.code)
        if lobby is None or lobby.table is None:
            return None
        return lobby.table.began

    def _opened_at(self, entry: Entry, play: PlayNumber) -> int:
        """When a play's window opened; it may have opened again since it was announced (D5)."""
        hall = self._machine.hall
        assert hall is not None
        table = hall.lobbies[entry.table.code].table
        assert table is not None
        opened = opened_at(table.deal, play)
        if entry.before.table.stopping is not None:
            return opened  # the books have since when it counts: after a full disk it opened before
        return max(opened_at(entry.before, play), opened)

    def _judge_later(self, case: Case) -> None:
        case.calls = self._calls.get((case.table.code, case.before.deal), [])
        lives = self._machine.lives
        self._world.after(SECOND, lambda: self._judge(case, lives))

    # --- the judgement ------------------------------------------------------------------------------

    def _judge(self, case: Case, lives: int) -> None:
        if self._machine.lives != lives or self._machine.hall is None:
            return
        if self._world.is_busy:
            self._world.after(SECOND, lambda: self._judge(case, lives))
            return
        for call in case.calls:
            call.at = self._world.loop_us(call.landed_at)
            call.then = self._world.loop_us(self._stamp_of(call))
        self.judged += 1
        self._judge_how_late(case)
        seats = {case.table.owner(Seat(seat)): Seat(seat) for seat in range(len(case.before.seats))}
        in_time = [
            (call, seat)
            for call in case.calls
            if (seat := self._seat_of(call, seats)) is not None and self._in_time(case, call, seat)
        ]
        if case.winner is None:
            for call, _ in in_time:
                self._wrong(case, call, "was in time and is passed over (C5)")
        else:
            self._judge_winner(case, in_time)

    def _judge_winner(self, case: Case, in_time: list[tuple[Heard, Seat]]) -> None:
        blur = self._blur
        slack = case.before.rules.photo_finish_ms * 1000 + blur
        for call, seat in in_time:
            if call.command.play != case.play or seat == case.winner:
                continue
            if call.at < case.called_at - slack:
                self._wrong(case, call, f"came before seat {case.winner} (C5)")
            elif not slack and call.at == case.called_at and self._is_nearer(case, seat):
                self._wrong(case, call, f"sits nearer than seat {case.winner} (C5)")
        self._judge_arrival(case)

    def _judge_arrival(self, case: Case) -> None:
        """Whether the winner's call came when the server says that it did (C1)."""
        blur = self._blur
        own = [call for call, seat in self._by(case, case.winner) if call.command.play == case.play]
        if any(self._is_doubtful(call) for call in own):
            if any(self._was_in_flight(call) for call in own) and not case.unstamped:
                self._wrong(case, own[-1], "was in flight when the wall clock was set (C1)")
            return
        if self._blur and any(call.command.n in call.client.said_again for call in own):
            return  # the first time may have been during a stop, on a line that was given up then
        # One that was sent again after a reconnect keeps its first arrival.
        if any(call.counts for call in own) and not any(
            call.at - blur <= case.called_at <= max(call.at, call.then) + blur for call in own
        ):
            self._wrong(case, own[-1], f"is said to have come at {case.called_at} (C1)")

    def _judge_how_late(self, case: Case) -> None:
        """Whether whoever was not first, or too late, was told by how much (C7)."""
        for call in case.calls:
            if call.command.play != case.play or call.late_us is None or call.then != call.at:
                continue
            late_us = max(0, call.at - case.closed_at)
            # One that was sent again after a reconnect keeps its first arrival.
            is_again = call.command.n in call.client.said_again
            is_sure = call.counts and not is_again and not self._is_doubtful(call)
            if is_sure and abs(call.late_us - late_us) > self._blur:
                self._wrong(case, call, f"was {late_us} late, and is told {call.late_us} (C7)")

    @property
    def _blur(self) -> int:
        """Times during a stop are rounded in more than one way."""
        return 2 if self._world.was_ever_stopped else 0

    def _read_at(self, call: Heard) -> int | None:
        reads = [] if call.line.wire is None else call.line.wire.reads
        return reads[call.reads] if call.reads < len(reads) else None

    def _stamp_of(self, call: Heard) -> int:
        """When the last byte came that was read with it: even a piece of what its client said next."""
        stamped = [] if call.line.wire is None else call.line.wire.stamped
        return stamped[call.reads] if call.reads < len(stamped) else call.landed_at

    def _was_in_flight(self, call: Heard) -> bool:
        """Whether it lay in the kernel, under its stamp, when the wall clock was set."""
        read_at = self._read_at(call)
        return read_at is not None and any(
            call.landed_at < when < read_at for when in self._world.wall_set_at
        )

    def _is_doubtful(self, call: Heard) -> bool:
        """Whether its stamp said nothing, as the wall clock had been set when it was read."""
        life, read_at = self._machine.life, self._read_at(call)
        if life is None or read_at is None:
            return True
        near = any(abs(when - read_at) <= ONE_LOOK for when in life.wall.doubts)
        return near or self._was_in_flight(call)

    def _by(self, case: Case, winner: Seat | None) -> list[tuple[Heard, Seat]]:
        seats = {case.table.owner(Seat(seat)): Seat(seat) for seat in range(len(case.before.seats))}
        return [
            (call, seat)
            for call in case.calls
            if (seat := self._seat_of(call, seats)) is not None
            and seat == winner
            and case.before.seats[seat].chair is e.Chair.OWNER
        ]

    def _seat_of(self, call: Heard, seats: dict[bytes | None, Seat]) -> Seat | None:
        return seats.get(call.client.digest)

    def _in_time(self, case: Case, call: Heard, seat: Seat) -> bool:
        play = call.command.play
        newest = play == case.before.newest
        return (
            call.counts
            and not self._is_doubtful(call)
            and (play == case.play or case.winner is not None)
            and (call.at >= case.opened_at + self._blur or not newest)
            and call.then == call.at  # else it may have been read with what came later
            and call.at <= case.closed_at - self._blur
            and why_not_challenge(case.before, seat, play) is None
        )

    def _is_nearer(self, case: Case, seat: Seat) -> bool:
        """Whether a seat is nearer to the left of the player than the winner (C5)."""
        assert case.winner is not None
        size = len(case.before.seats)
        player = next(play.seat for play in case.before.pile if play.play == case.play)
        return (seat - player) % size < (case.winner - player) % size

    def _wrong(self, case: Case, call: Heard, what: str) -> None:
        self._world.wrong(
            "the least arrival wins (C5)",
            f"lobby {case.table.code}, play {case.play}, open {case.opened_at} to {case.closed_at}: "
            f"the call of {call.client.name} for play {call.command.play} at {call.at} "
            f"(answered {call.refused}) {what}",
        )


def _is_pick_up(entry: Entry) -> bool:
    rules = entry.before.table.rules
    return rules.challenge_until is ChallengeUntil.PICK_UP
