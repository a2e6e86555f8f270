"""The teller counts the votes once more, from what people have sent (RULES D6, D9).

Of whom it cannot be sure that they were there, or that a vote of theirs was heard, it takes whatever
is better for the server. Deals in which somebody plays who sends anything are left aside.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.numbers import EventNumber
from server.journal.records import LobbyRecord
from tests.simulation.client import Client
from tests.simulation.ledger import Booked, Ledger
from tests.simulation.machine import Machine
from tests.simulation.network import Connection
from tests.simulation.presence import Presence
from tests.simulation.world import SECOND, World

LATE = 5 * SECOND  # what was told so late by a full queue, or a full disk, is not looked at

Wrong = tuple[str, str]
Ballot = tuple[int, bool]  # the number of the command, and whether it was for it
Key = tuple[str, int, int]  # lobby, deal, vote


@dataclass(slots=True, eq=False, kw_only=True)
class Poll:
    """One vote, and who may vote in it."""

    asked_at: int  # when the command that called it reached the kernel, at the earliest
    certain: set[str]
    possible: set[str]
    is_of_players: bool  # and not of a host alone, at whose table nobody is left
    told: dict[int, set[str]] = field(default_factory=dict)  # who had a vote, by the time left

    def narrow(self, left_us: int, possible: set[str]) -> None:
        """Whoever had no vote then has none later; one person hears of later before another of then."""
        self.told[left_us] = self.told.get(left_us, possible) & possible
        earlier = [had for left, had in self.told.items() if left >= left_us]
        self.possible = set.intersection(*earlier)


class Teller:
    """All votes at all tables."""

    def __init__(self, world: World, ledger: Ledger, machine: Machine, presence: Presence) -> None:
        self._world, self._ledger, self._presence = world, ledger, presence
        self._loop_us = world.loop_us
        self._vote_us = int(machine.settings.vote_s * SECOND)
        self._calls: dict[tuple[str, int, e.VoteOn, str], dict[int, int]] = {}  # when they landed
        self._was_asked: set[tuple[str, int, e.VoteOn]] = set()
        self._ballots: dict[Key, dict[str, list[Ballot]]] = {}  # by name
        self._heard: dict[tuple[str, int], int] = {}  # when a command was certainly done, by name
        self._polls: dict[Key, Poll] = {}
        self._gave_up_at: dict[tuple[str, str], int] = {}  # by lobby and name, on the loop's clock
        self._cast_at: dict[tuple[str, int], tuple[str, int]] = {}  # where and when, by name
        self._failed: dict[tuple[Booked, str], int] = {}  # when somebody's vote last has
        self._paused_at: dict[tuple[str, int], int] = {}  # until when, by lobby and deal
        self._lost: dict[Key, dict[str, int]] = {}  # who had a line when it was called, until when
        machine.on_crash.append(self._failed.clear)
        machine.on_accept.append(self._listen)
        ledger.on_lobby.append(self._kept)

    # --- what is sent -------------------------------------------------------------------------------

    def landed(self, client: Client, message: c.ClientMessage, _line: Connection) -> None:
        """The last byte of a message is in the kernel."""
        table = self._table_of(client) if isinstance(message, c.CallVote | c.CastVote) else None
        if table is None:
            return
        code, name = table.code, client.name
        if isinstance(message, c.CallVote):
            self._was_asked.add((code, message.deal, message.on))
            calls = self._calls.setdefault((code, message.deal, message.on, name), {})
            calls.setdefault(message.n, self._world.now)
        elif isinstance(message, c.CastVote):
            ballots = self._ballots.setdefault((code, message.deal, message.vote), {})
            ballots.setdefault(name, []).append((message.n, message.yes))
            self._cast_at.setdefault((name, message.n), (code, self._loop_us(self._world.now)))

    def accepted(self, client: Client, answer: Accepted) -> None:
        """The server has done something, as it says so."""
        self._heard.setdefault((client.name, answer.n), self._loop_us(self._world.now))
        code, cast_at = self._cast_at.pop((client.name, answer.n), ("", 0))
        if self._gave_up_at.get((code, client.name), cast_at) < cast_at:
            what = f"lobby {code}: {client.name} has given up the seat, and votes"
            self._world.wrong("RULES D6: who votes", what)

    def refused(self, client: Client, answer: Refused) -> None:
        """The server has refused something, as it says so."""
        call = client.unanswered.get(answer.n or 0)
        if isinstance(call, c.CallVote):
            for (_, _, _, name), calls in self._calls.items():
                if name == client.name:
                    calls.pop(call.n, None)

    # --- what is told -------------------------------------------------------------------------------

    def _listen(self, connection: Connection) -> None:
        end = connection.end
        if not isinstance(end, Client):
            return
        client = end

        def hear(_: EventNumber, event: e.Event) -> None:
            if isinstance(event, e.VoteState):
                self._told(client, event)

        connection.on_told.append(hear)

    def _told(self, client: Client, state: e.VoteState) -> None:
        table = self._table_of(client)
        if table is None or not self._presence.are_friends(table.code, table.record):
            return
        is_new = (table.code, table.deal.table.deal, state.vote) not in self._polls
        poll = self._poll(table, state)
        self._follow_up(table, state, poll, is_new=is_new)
        said_at = self._loop_us(poll.asked_at) + self._vote_us - state.left_us
        poll.narrow(state.left_us, self._possible(table, state.vote, said_at))
        if state.left_us > self._vote_us:
            self._world.wrong("RULES D6: within 60 s", f"it is open for too long: {state}")
        if self._loop_us(self._world.now) - said_at > LATE:
            return  # others may have voted, or gone, since
        for clause, wrong in self._wrongs(
            (table.code, table.deal.table.deal, state.vote), poll, state, said_at
        ):
            self._world.wrong(clause, f"lobby {table.code}: {wrong}: {state}, {poll}")

    def _follow_up(self, table: Booked, state: e.VoteState, poll: Poll, *, is_new: bool) -> None:
        """What comes of a vote, and when the next one of the same person may come (RULES D6)."""
        now, deal = self._loop_us(self._world.now), table.deal.table.deal
        failed_at = self._failed.get((table, state.by))
        if is_new and failed_at is not None and now - failed_at < self._vote_us - LATE:
            self._wrong(table, f"their last vote has failed at {failed_at}: {state}")
        if state.passed is False:
            self._failed[table, state.by] = now
        record = table.record
        is_paused = record.paused_by is not None
        paused_at = self._world.now if is_paused else self._paused_at.get((table.code, deal), -1)
        if state.passed and state.on is e.VoteOn.PAUSE and paused_at < poll.asked_at:
            self._wrong(table, f"nothing is paused: {state}")
        is_voted = record.stop_reason is e.StopReason.VOTE
        if state.passed and state.on is e.VoteOn.END_DEAL and record.deal_runs and not is_voted:
            self._wrong(table, f"the deal does not end: {state}")

    def _wrong(self, table: Booked, what: str) -> None:
        self._world.wrong("RULES D6: what comes of a vote", f"lobby {table.code}: {what}")

    def _table_of(self, client: Client) -> Booked | None:
        return self._ledger.tables.get(self._ledger.code_of(client.digest) or "")

    def _poll(self, table: Booked, state: e.VoteState) -> Poll:
        code, deal = table.code, table.deal.table.deal
        poll = self._polls.get((code, deal, state.vote))
        seated = {
            holder.name
            for holder in table.record.holders
            if holder.owner is not None and not holder.gave_up
        }
        if poll is None:
            calls = self._calls.pop((code, deal, state.on, state.by), {})
            for number in calls:
                ballots = self._ballots.setdefault((code, deal, state.vote), {})
                ballots.setdefault(state.by, []).append((number, True))
            asked_at = min(calls.values(), default=0)
            everybody = {holder.name for holder in table.record.holders}
            certain = self._certain(seated, asked_at)
            poll = Poll(
                asked_at=asked_at,
                certain=certain,
                possible=everybody,
                is_of_players=bool(certain),
            )
            self._polls[code, deal, state.vote] = poll
        poll.certain &= self._certain(seated, poll.asked_at)
        return poll

    def _certain(self, seated: set[str], since: int) -> set[str]:
        """Who certainly has had a line since then."""
        return {name for name in seated if self._presence.was_there(name, since)}

    def _possible(self, table: Booked, vote: int, said_at: int) -> set[str]:
        """Who may have had a vote then: the books know already who has given up since."""
        code, gave_up_at = table.code, self._gave_up_at
        lost = self._lost.get((code, table.deal.table.deal, vote), {})
        return {
            holder.name
            for holder in table.record.holders
            if holder.owner is not None
            and not self._presence.is_away(code, holder.name)
            and not (holder.gave_up and gave_up_at.get((code, holder.name), 0) < said_at)
            and lost.get(holder.name, said_at) >= said_at
        }

    def _voted(self, key: Key, poll: Poll) -> dict[str, list[Ballot]]:
        """Whose votes may count by now: not those of whoever has none any more."""
        ballots = self._ballots.get(key, {})
        if not poll.is_of_players:
            return ballots
        return {name: each for name, each in ballots.items() if name in poll.possible}

    def _may_say(self, voted: dict[str, list[Ballot]], said_at: int, *, yes: bool) -> int:
        """How many can be for it, or against it: not who had said otherwise, and was heard by then."""

        def is_said(name: str, ballots: list[Ballot]) -> bool:
            heard = self._heard
            otherwise = [
                number
                for number, says in ballots
                if says is not yes and heard.get((name, number), said_at) < said_at
            ]
            last = max(otherwise, default=0)
            return any(says is yes and number >= last for number, says in ballots)

        return sum(is_said(name, ballots) for name, ballots in voted.items())

    def _wrongs(self, key: Key, poll: Poll, state: e.VoteState, said_at: int) -> Iterator[Wrong]:
        voted = self._voted(key, poll)
        most_yes = self._may_say(voted, said_at, yes=True)
        most_no = self._may_say(voted, said_at, yes=False)
        if state.yes > most_yes or state.no > most_no:
            yield "RULES D6: each has one vote", f"{most_yes} can be for it, {most_no} against"
        if state.yes + state.no > len(voted):
            yield "RULES D6: each has one vote", f"only {sorted(voted)} have voted"
        if 2 * state.needed <= len(poll.certain):
            yield "RULES D6: more than half", "more are needed"
        if state.needed > len(poll.possible) // 2 + 1 and poll.possible:
            yield "RULES D6: more than half", "fewer are needed"
        if (state.passed is True) != (state.yes >= state.needed):
            yield "RULES D6: more than half", "it has passed, or it has not"
        could_pass = state.left_us > 0 and len(poll.certain) - most_no >= state.needed
        if state.passed is False and could_pass:
            yield "RULES D6: within 60 s", "it could still pass"
        if state.passed is None and len(poll.possible) - state.no < state.needed:
            yield "RULES D6: more than half", "it cannot pass any more"

    # --- what comes of it ---------------------------------------------------------------------------

    def _kept(self, code: str, before: LobbyRecord | None, now: LobbyRecord) -> None:
        self._note_who_gave_up(code, now)
        if before is not None and (before.dealt, before.votes) == (now.dealt, now.votes):
            self._note_who_is_lost(code, before, now)
        if before is not None and before.paused_by is not None:
            self._paused_at[code, before.dealt] = self._world.now
        if before is None or not now.deal_runs:
            return
        if now.stop_reason is e.StopReason.VOTE is not before.stop_reason:
            self._was_voted(code, now, e.VoteOn.END_DEAL)
        if now.paused_by_vote and not before.paused_by_vote:
            self._was_voted(code, now, e.VoteOn.PAUSE)

    def _note_who_gave_up(self, code: str, now: LobbyRecord) -> None:
        for holder in now.holders:
            if holder.gave_up:
                at = self._loop_us(self._world.now)
                self._gave_up_at.setdefault((code, holder.name), at)
            else:
                self._gave_up_at.pop((code, holder.name), None)

    def _note_who_is_lost(self, code: str, before: LobbyRecord, now: LobbyRecord) -> None:
        """Whoever loses their line has no vote in an open one, also once they are back."""
        had_a_line = {seat.name for seat in before.state.seats if seat.connected}
        lost = self._lost.setdefault((code, now.dealt, now.votes), {})
        for seat in now.state.seats:
            if not seat.connected and seat.name in had_a_line:
                lost.setdefault(seat.name, self._loop_us(self._world.now))

    def _was_voted(self, code: str, now: LobbyRecord, on: e.VoteOn) -> None:
        if self._presence.are_friends(code, now) and (code, now.dealt, on) not in self._was_asked:
            self._world.wrong("RULES D6", f"lobby {code}: a vote on {on}, which nobody has called")
