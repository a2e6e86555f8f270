"""The one task that owns a deal: commands in, clocks and rulings, events out.

`run` is the whole life of a deal. Everything that happens to it goes through `carry_out`, one thing after
the other, in the order of arrival, and that order is the point of this module:

* Errands come sorted by the time at which each reached the kernel, challenges first among equals
  (RULES C5), and between two of them whatever fell due in the meantime happens.
* Nothing is decided beyond the moment up to which everything that has arrived is known to be read;
  `server.table.intake` says how that is known. Without it the first *reader* would win a race.

All times here are microseconds since the table began.
"""

from collections.abc import Awaitable, Callable

from protocol import commands as c
from protocol import events as e
from protocol.numbers import MICROS, Seat
from protocol.refusals import Refusal
from server.arrivals import now_us
from server.company import Surroundings
from server.errand import Errand
from server.game import actions as a
from server.game.deal import Deal, Telling, Told
from server.game.engine import apply, restart_window
from server.game.windows import counts_from
from server.journal.records import ActionDone
from server.person import Person
from server.table import alarms, commands, halts, reading
from server.table.book import Book
from server.table.calls import Calls, Voice
from server.table.halts import Halt, Wish
from server.table.holders import Holder
from server.table.intake import Intake
from server.table.public_log import PublicLog
from server.table.tellings import show_a_move, start_a_time
from server.table.turn_clock import ClocksWanted, TurnClock
from server.table.votes import Vote
from server.table.voting import offer_vote
from server.table.winding import wind

# Looked up many times for every action: a name of its own costs less than a member of an enum.
_OVER, _REVEAL, _OWNER = e.Phase.OVER, e.Phase.REVEAL, e.Chair.OWNER

Others = Callable[[Errand], Awaitable[None]]


class Table:
    """A deal being played, and the people and computer players around it."""

    def __init__(
        self, deal: Deal, holders: tuple[Holder, ...], around: Surroundings, *, at: int = 0
    ) -> None:
        """`at` is how long a recovered deal has been played."""
        self.deal, self.holders = deal, holders
        self.company, self.settings, self.rng = around.company, around.settings, around.rng
        self.began = now_us() - at
        self.ran_since = at  # since when its clocks run
        self.calls = Calls(holders, int(around.settings.settle_ms * 1000))
        self.book = Book(around.company, deal.held)
        self.clock: TurnClock | None = None
        self.halt: Halt | None = None
        self.vote: Vote | None = None
        self.votes = self.halts = 0  # how many there were: each has a number
        self.pause_wanted: Wish | None = None
        self.held: Errand | None = None  # the command whose cards are held (RULES C3)
        self.gone_on: set[Seat] = set()
        self.no_vote_before: dict[str, int] = {}  # by name: whose last vote has failed
        self.abandoned = False
        self._batch: list[Errand] = []
        self._due: float | None = None  # when something falls due; None: to be looked up
        self._in_hand: Errand | None = None
        self._kept: list[Errand] = []  # done and kept, and about to be accepted
        self.mishaps = 0  # faults of ours in this deal so far
        self._intake = Intake(around.inbox)
        self.stop_at = alarms.stop_at(deal.table.rules)
        self.stop_reason = e.StopReason.TIME
        self.clocks_wanted = ClocksWanted()
        self.public_log = PublicLog()

    def successor(self) -> "Table":
        """A table that goes on with the deal of this one, which has failed."""
        around = Surroundings(self.company, self._intake.inbox, self.settings, self.rng)
        table = Table(self.deal, self.holders, around, at=self.now)
        table.take_the_place_of(self)
        return table

    def take_the_place_of(self, failed: "Table") -> None:
        """Go on with the deal of a table that failed: what is not named here begins anew."""
        self.mishaps = failed.mishaps + 1
        self.abandoned, self.no_vote_before = failed.abandoned, failed.no_vote_before
        self.votes, self.halts = failed.votes, failed.halts
        self.stop_at, self.stop_reason = failed.stop_at, failed.stop_reason
        self.held = failed.held if failed.deal.held is not None else None
        self.book = failed.book
        self.calls.closings = failed.calls.closings  # who is too late hears by how much

    # --- the life of a deal ---------------------------------------------------------------------

    @property
    def now(self) -> int:
        """Microseconds since the table began."""
        return now_us() - self.began

    @property
    def over(self) -> bool:
        """Whether there is nothing more to play."""
        return self.abandoned or self.deal.table.phase is _OVER

    @property
    def number(self) -> int:
        """Which deal of the lobby this is: every command names it."""
        return self.deal.table.deal

    def next_halt(self) -> int:
        """The number of the halt that is about to begin."""
        self.halts += 1
        return self.halts

    async def run(self, others: Others) -> None:
        """Play the deal to its end; errands that are not for the table go to `others`."""
        await self._after(self.deal, self.now)
        await self.company.keep_and_tell()
        while not self.over:
            errands, read_up_to = await self._intake.gather(
                (self.began + self._next_due()) / MICROS
            )
            self._batch = errands
            while self._batch:
                await self._take_next(others, read_up_to)
            await self.company.keep_and_tell()  # before the alarms are looked through
            if read_up_to is not None and self._next_due() <= read_up_to - self.began:
                await self._advance(read_up_to - self.began)
                await self.company.keep_and_tell()

    async def _take_next(self, others: Others, read_up_to: int | None) -> None:
        """Let happen what fell due before the next errand, then see to the errand."""
        errand = self._batch[0]
        before = errand.at - self.began - 1
        if read_up_to is not None and self._next_due() <= before:
            await self._advance(before)
        if self._batch and self._batch[0] is errand:  # no ruling has claimed it meanwhile
            self._batch.pop(0)
            self._in_hand = errand
            at_the_table = type(errand.command) in c.AT_THE_TABLE
            if at_the_table and self.company.includes(errand.person):
                await commands.obey(self, errand)
            else:
                await others(errand)
            self._due = None

    def forget_due(self) -> None:
        """What falls due first is looked up again: times have changed."""
        self._due = None

    def answer_all_after_fault(self) -> None:
        """After a fault of ours: answer whoever still waits for an answer."""
        contest = self.calls.contest
        calls = () if contest is None else contest.voices
        for errand in (self._in_hand, self.held, *(voice.errand for voice in calls), *self._kept):
            is_held = errand is self.held and self.deal.held is not None  # and stays so
            if errand is not None and (not is_held or errand in self._kept):
                errand.answer_after_fault(is_done=errand in self._kept)

    def left_over(self) -> list[Errand]:
        """The errands that the table has taken in and not seen to."""
        errands = [*self._batch, *self._intake.left_over()]
        self._batch.clear()
        return errands

    def let_go_of_commands(self) -> None:
        """The deal is at an end: what was held, or doubted and not decided, is answered."""
        if self.held is not None:
            self.held.refuse(Refusal.NO_DEAL)
        self.held = None
        self.calls.drop()

    def _next_due(self) -> float:
        if self._due is None:
            self._due, _, _ = alarms.next_timer(self)
        return self._due

    async def _advance(self, until: int) -> None:
        """Let everything happen that falls due up to and including this time."""
        while not self.over:
            at, alarm, about = alarms.next_timer(self)
            if at > until:
                return
            self._due = None
            await alarm(self, int(at), about)

    def claim_waiting_calls(self) -> None:
        """Take the challenges of this batch into the open contest, for the call order."""
        for errand in tuple(self._batch):
            voice = commands.voice_of(self, errand)
            if voice is not None and self.calls.counts(self.deal, voice):
                self.calls.hear(self.deal, voice)
                self._batch.remove(errand)  # only now: after a fault of ours it is still there

    # --- the one place where a deal changes -----------------------------------------------------

    async def do(
        self,
        action: a.Action,
        at: int,
        *,
        asked: Errand | None = None,
        kept: Callable[[], None] | None = None,
    ) -> None:
        """Carry out an action that the rules allow, keep it, tell it, and see what follows.

        `asked` is the command behind it: it is accepted, and its answer kept with the action.
        `kept` is called once both are kept; until then the old deal stands and nobody is told.
        """
        await self.carry_out(action, at, apply(self.deal, action, at), asked=asked, kept=kept)

    async def carry_out(
        self,
        action: a.Action,
        at: int,
        told: Told,
        *,
        asked: Errand | None = None,
        kept: Callable[[], None] | None = None,
    ) -> None:
        """The same once the rules have been asked: `told` is what `apply` gives for the action."""
        before, (deal, tellings) = self.deal, told
        done = self._commands_done(asked, tellings)
        announced = start_a_time(tellings)
        stalled_us = await self._keep(action, at, done, deal, announced=announced)
        self.deal, self._kept = deal, done  # it is so now, whatever may fail from here on
        now = now_us() - self.began
        if announced:  # a window opens at the instant at which it is announced (RULES C2)
            self.deal = restart_window(deal, now)
        if kept is not None:
            kept()
        self.calls.note_closings(before.table, tellings, at)
        self.tell(tellings)
        self._say(done, action, stalled_us)
        await self._after(before, now)

    async def _keep(
        self, action: a.Action, at: int, done: list[Errand], after: Deal, *, announced: bool
    ) -> int | None:
        """Keep an action, and the answers to it, as `Book.keep` does."""
        if not self.company.keeps:
            return 0
        record = ActionDone(
            code=self.company.code,
            action=action,
            at=at,
            announced_at=self.now if announced else None,
            opened_at=counts_from(self.deal) if isinstance(action, a.Stop) else None,
        )
        answers = tuple(answer for errand in done for answer in errand.to_keep())
        return await self.book.keep(record, after, answers)

    def restart(self, deal: Deal) -> None:
        """The deal as it is once its clocks run again, after a halt or a full disk; nothing to keep."""
        self.deal = deal

    def tell(self, tellings: tuple[Telling, ...]) -> None:
        """Gather events for whom they are meant."""
        for telling in tellings:
            to = telling.to
            if to is None:
                self.company.tell_all(telling.event)
            elif (listener := self.holders[to].listener) is not None:
                self.company.tell(listener, telling.event)

    def tell_all(self, event: e.Event) -> None:
        """Gather a public event for everybody."""
        self.company.tell_all(event)

    def _commands_done(self, asked: Errand | None, tellings: tuple[Telling, ...]) -> list[Errand]:
        """The commands that this does: also the held one, if it now takes effect (RULES C3).

        Only the seat to move can hold something, and nobody else moves: a move is the held one.
        """
        done = [] if asked is None else [asked]
        held = self.held
        if held is not None and held is not asked and show_a_move(tellings):
            done.append(held)
        return done

    def _say(self, done: list[Errand], action: a.Action, stalled_us: int | None) -> None:
        """Let be said what was told of an action, and answer for it; `stalled_us` as `_keep` gave it."""
        if stalled_us is not None:
            self.company.deliver()  # else this is not kept yet, and perhaps what waits with it
        self._accept(done)
        self._refuse_held_if_back(action)
        if stalled_us:
            halts.go_on_after_stall(self, stalled_us)

    def _accept(self, done: list[Errand]) -> None:
        for errand in done:
            errand.accept()
        self._kept = []
        if self.held is not None and self.held in done:
            self._note_move(self.held)
            self.held = None

    def _refuse_held_if_back(self, action: a.Action) -> None:
        """A held command is refused if its cards have come back (RULES C3)."""
        held = self.held
        if held is None or self.deal.held is not None:
            return
        self.held = None
        if isinstance(action, a.Rule):
            held.refuse(Refusal.CALLED_FIRST)
        else:
            stopped = isinstance(action, a.Stop)
            held.refuse(Refusal.STOPPING if stopped else Refusal.TAKEN_BACK)

    def _note_move(self, errand: Errand) -> None:
        """Cards went down, or a pass was made, by hand: only that ends short clocks (RULES D1)."""
        if (holder := self.holder_of(errand.person)) is not None:
            holder.autos = 0

    async def _after(self, before: Deal, now: int) -> None:
        """See to all that waits for the deal to change: reveal, pause, clock, bots, offers."""
        table, was = self.deal.table, before.table
        if self.abandoned or table.phase is _OVER:
            return
        if table.pile_number != was.pile_number:
            self.gone_on.clear()
        if table.phase is _REVEAL and await reading.end_if_read(self, now):
            return
        if table.newest != was.newest:
            offer_vote(self, table.newest)
        if self.pause_wanted is not None:
            halts.begin_wanted_pause(self)
        if self.halt is None:
            wind(self, now)
            self.wake_bots(now)

    # --- challenges -----------------------------------------------------------------------------

    async def hear(self, voice: Voice) -> None:
        """Take a challenge; it is ruled on once everything that came with it is read."""
        late = self.calls.hear(self.deal, voice)
        if late is not None:
            await self.do(late, self.now)

    # --- seats and people -------------------------------------------------------------------------

    def wake_bots(self, now: int) -> None:
        """Let every computer player look at the table."""
        for holder in self.holders:
            if holder.chair is not _OWNER and self.deal.table.is_in(holder.seat):
                holder.bot.watch(self.deal.table, holder.seat, now)

    def holder_of(self, person: Person) -> Holder | None:
        """The seat of this deal that belongs to the person."""
        for holder in self.holders:
            if holder.owner is person:
                return holder
        return None
