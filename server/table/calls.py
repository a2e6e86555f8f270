"""The challenges at one table: heard, gathered, put to the arbiter, answered (RULES C).

A challenge that could count opens a *contest*. Plays wait while it is open: they arrived later, so
they close nothing (RULES C6). The contest is ruled on once all that arrived with it has been read,
or, with `photo_finish_ms`, when that time is over. Times are microseconds since the table began.
"""

from collections.abc import Collection, Iterable

from msgspec import Struct

from protocol.events import Call, Chair, DealOver, Event, Played, SetAside, Stands
from protocol.numbers import MICROS, PlayNumber, Seat
from protocol.options import challengers, why_not_challenge
from protocol.refusals import Refusal
from protocol.rules import ChallengeUntil
from protocol.views import PublicTable
from server.errand import Errand
from server.game.actions import AddLateCall, Rule
from server.game.deal import Deal, Telling
from server.game.windows import opened_at
from server.table.arbiter import Arrival, ChallengeWindow, Verdict, decide
from server.table.holders import Holder

LATE_CALLS_US = MICROS  # for this long after the first, others are added to the strip (RULES C8)

_PICK_UP = ChallengeUntil.PICK_UP


class Voice(Struct, frozen=True, kw_only=True):
    """One challenge, and where its answer goes; computer players get none."""

    arrival: Arrival
    errand: Errand | None = None

    def refuse(self, refusal: Refusal, late_us: int | None = None) -> None:
        """Tell a person why it does not count: too late, or after the first, by so much (RULES C7).

        Any other reason is no matter of time, and costs patience as with any command.
        """
        if self.errand is not None:
            self.errand.refuse(refusal, late_us=None if late_us is None else max(0, late_us))


class Contest(Struct, kw_only=True):
    """Challenges that are being gathered; ruled on at `due`."""

    due: int
    voices: list[Voice] = []


class Decision(Struct, frozen=True, kw_only=True):
    """How a contest is decided: the ruling, and the command that has won, if a person gave it."""

    rule: Rule
    verdict: Verdict
    windows: tuple[ChallengeWindow, ...]
    winner: Errand | None


class Closings:
    """When each window closed, and on which play the newest ruling was: how late a challenge is."""

    def __init__(self) -> None:
        self._at: dict[PlayNumber, int] = {}
        self.ruled: PlayNumber | None = None

    def note(self, play: PlayNumber, at: int) -> None:
        """A window has closed, by cards, by time, or by a ruling; what comes later changes nothing."""
        self._at.setdefault(play, at)

    def refuse(self, voice: Voice) -> int:
        """Say how late it was (RULES C7), and give that in microseconds."""
        play = voice.arrival.play
        after_us = voice.arrival.at - self._at.get(play, voice.arrival.at)
        voice.refuse(Refusal.NOT_FIRST if play == self.ruled else Refusal.TOO_LATE, after_us)
        return after_us


class LateStrip(Struct, kw_only=True):
    """The strip of the newest ruling: whose calls may still be added to it as late (RULES C8)."""

    play: PlayNumber
    may_add: set[Seat]


class Calls:
    """All challenges of one deal."""

    def __init__(self, holders: tuple[Holder, ...], settle_us: int) -> None:
        self._holders = holders
        self._settle_us = settle_us
        self.closings = Closings()
        self._strip: LateStrip | None = None
        self.contest: Contest | None = None

    def note_closings(self, before: PublicTable, told: Iterable[Telling], at: int) -> None:
        """Remember which windows closed by what was just told; `before` is the table before it."""
        for telling in told:
            if telling.to is None:
                self._note_closing(before, telling.event, at)

    def _note_closing(self, before: PublicTable, event: Event, at: int) -> None:
        if isinstance(event, Played):
            if event.play > 1 and before.rules.challenge_until is not _PICK_UP:
                self.closings.note(before.newest, at)
        elif isinstance(event, Stands):
            if not event.protected_only:
                self.closings.note(event.play, at)
        elif isinstance(event, SetAside | DealOver):
            for lying in before.pile:
                self.closings.note(lying.play, at)

    def hear(self, deal: Deal, voice: Voice) -> AddLateCall | None:
        """Take a challenge into the contest, or refuse it; a late one may still go on the strip."""
        call = voice.arrival
        refusal = why_not_challenge(deal.table, call.seat, call.play)
        if refusal is None and call.at < opened_at(deal, call.play):
            refusal = Refusal.NOT_ANNOUNCED
        if refusal is Refusal.TOO_LATE:
            return self._late(voice)
        if refusal is not None:
            voice.refuse(refusal)
            return None
        self._gather(deal, voice)
        return None

    def drop(self) -> None:
        """The deal is at an end: what is still undecided is too late."""
        contest, self.contest = self.contest, None
        for voice in contest.voices if contest is not None else ():
            voice.refuse(Refusal.TOO_LATE, 0)

    def counts(self, deal: Deal, voice: Voice) -> bool:
        """Whether the challenge could count if it were heard now."""
        call = voice.arrival
        is_open = why_not_challenge(deal.table, call.seat, call.play) is None
        return is_open and call.at >= opened_at(deal, call.play)

    def _gather(self, deal: Deal, voice: Voice) -> None:
        if self.contest is None:
            self.contest = Contest(due=self._due(deal, voice.arrival.at))
        self.contest.voices.append(voice)

    def _due(self, deal: Deal, first_at: int) -> int:
        due = first_at + max(self._settle_us, deal.table.rules.photo_finish_ms * 1000)
        closes_at = _closes_at(deal)
        return due if closes_at is None else min(due, max(first_at, closes_at))

    def decide(self, deal: Deal, contest: Contest) -> Decision:
        """How this contest is decided. Nothing changes before `end`."""
        arrivals = [voice.arrival for voice in contest.voices]
        photo_finish_us = deal.table.rules.photo_finish_ms * 1000
        opened = windows(deal, {arrival.play for arrival in arrivals})
        verdict = decide(opened, arrivals, photo_finish_us)
        assert verdict is not None  # noqa: S101 - only what could count was gathered
        stamped = all(arrival.stamped for arrival in arrivals)
        return Decision(
            rule=self._rule(deal, verdict, unstamped=not stamped),
            verdict=verdict,
            windows=opened,
            winner=next(v for v in contest.voices if v.arrival is verdict.first).errand,
        )

    def end(self, deal: Deal, contest: Contest, decision: Decision) -> None:
        """The ruling is out: those who were not first are told so. `deal` is the one before it."""
        self.contest = None
        verdict = decision.verdict
        for voice in contest.voices:
            if voice.arrival is not verdict.first:
                voice.refuse(Refusal.NOT_FIRST, voice.arrival.at - verdict.order[0].at)
        self._remember(deal, verdict, decision.windows)

    def _remember(self, deal: Deal, verdict: Verdict, opened: tuple[ChallengeWindow, ...]) -> None:
        first = verdict.first
        window = next(window for window in opened if window.play == first.play)
        called = {arrival.seat for arrival in verdict.order}
        self._strip = LateStrip(play=first.play, may_add=set(window.seats) - called)
        self.closings.ruled = first.play
        for play in deal.table.pile:
            self.closings.note(play.play, verdict.order[0].at)

    def _rule(self, deal: Deal, verdict: Verdict, *, unstamped: bool) -> Rule:
        first, *others = verdict.order
        return Rule(
            play=first.play,
            challenger=verdict.first.seat,
            calls=(
                self._call_of(first.seat, max(0, first.at - opened_at(deal, first.play))),
                *(self._call_of(call.seat, call.at - first.at) for call in others),
            ),
            unstamped=unstamped,
            dead_heat=verdict.dead_heat,
        )

    def _call_of(self, seat: Seat, after_us: int) -> Call:
        """A challenge as it is shown; a computer player has no round trip (RULES C8)."""
        holder = self._holders[seat]
        person = holder.owner if holder.chair is Chair.OWNER else None
        if person is None:
            return Call(seat=seat, after_us=after_us)
        return Call(seat=seat, after_us=after_us, rtt_us=person.rtt_us, ssh=person.ssh)

    def _late(self, voice: Voice) -> AddLateCall | None:
        call, strip = voice.arrival, self._strip
        after_us = self.closings.refuse(voice)
        if strip is None or call.play != strip.play:
            return None
        if call.seat not in strip.may_add or after_us > LATE_CALLS_US:
            return None
        strip.may_add.discard(call.seat)
        return AddLateCall(play=call.play, call=self._call_of(call.seat, max(0, after_us)))


def windows(deal: Deal, plays: Collection[PlayNumber]) -> tuple[ChallengeWindow, ...]:
    """Those windows of these plays that are open: under `pick_up` several may be (RULES B14)."""
    table = deal.table
    found = []
    for play in table.pile:
        if play.play not in plays:
            continue
        left = [Seat((play.seat + step) % len(table.seats)) for step in range(1, len(table.seats))]
        may = challengers(table, play)
        seats = tuple(seat for seat in left if seat in may)
        if any(why_not_challenge(table, seat, play.play) is None for seat in seats):
            found.append(
                ChallengeWindow(
                    play=play.play,
                    opened_at=opened_at(deal, play.play),
                    seats=seats,
                    closes_at=_closes_at(deal),
                )
            )
    return tuple(found)


def _closes_at(deal: Deal) -> int | None:
    """When the window ends by time: last cards, and the last play that counts (RULES C2, B21)."""
    newest = deal.table.newest_play
    ends_by_time = newest is not None and (newest.last or deal.table.stopping is not None)
    return deal.protected_until if ends_by_time else None
