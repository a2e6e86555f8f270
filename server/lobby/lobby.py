"""One lobby: its people, its seats, and the task that runs it from the first guest to the last.

Between deals the task obeys lobby commands; during a deal it is the table's task, and the table
hands over what is not for it. So nothing here ever happens at the same time as anything else.
"""

import logging
import math
from functools import partial
from random import Random

from protocol import events as e
from protocol.commands import Challenge, HallCommand
from protocol.numbers import MICROS, Seat
from protocol.refusals import Refusal
from protocol.text import clean
from server.arrivals import now_us
from server.carry_on import contained
from server.company import Surroundings
from server.config import Settings
from server.errand import Errand
from server.game.deal import Deal
from server.inbox import Inbox
from server.journal import keeping
from server.journal.records import (
    AnswerKept,
    Change,
    DealBegun,
    LobbyClosed,
    LobbyRecord,
)
from server.journal.store import NoStore, Store
from server.lobby import commands, deals, hosts, mishaps, seating, stalls, takeovers
from server.lobby.changes import changes
from server.lobby.records import differences, looks_as_kept, record_beside
from server.lobby.removed import Removed
from server.lobby.talk import Talk
from server.outbox import Outbox
from server.outside import Hall
from server.passwords import PasswordHash
from server.person import Person
from server.table import halts, showing
from server.table.former import FormerDeal
from server.table.holders import Holder
from server.table.table import Table

ALWAYS_FIT = 3  # commands of each person here, however full the inbox is
LOG = logging.getLogger(__name__)


class Lobby:
    """People gathered under a code."""

    def __init__(
        self, state: e.LobbyState, *, hall: Hall, settings: Settings, store: Store, rng: Random
    ) -> None:
        self.state = state
        self.settings, self.hall, self.rng = settings, hall, rng
        self.password: PasswordHash | None = None
        self.maker: Person | None = None
        self.removed = Removed()
        self.people: dict[str, Person] = {}  # by name, in the order in which they came or sat down
        self.away: dict[str, int] = {}  # who has no line, and since when on the loop's clock
        self.asking_for: dict[str, Seat] = {}
        self.players: tuple[e.LobbySeat, ...] = ()  # who plays in the deal that is to begin
        self.table: Table | None = None
        self.former: FormerDeal | None = None  # the deal before, for doubts that come after its end
        self.is_closed = False
        self._store = store
        self.keeps = not isinstance(store, NoStore)
        self.kept: LobbyRecord | None = None  # as the journal has it: nothing else is told
        self.dealer: deals.Dealer | None = None  # of the newest deal (RULES A4)
        self.talk = Talk()
        self.dealt = 0  # deals so far, through all matches: no command for one can hit another
        self.empty_since: int | None = None  # since when nobody here has a line
        self._told: e.LobbyState | None = None  # the lobby as its people know it
        self._inbox = Inbox(hall.alarm_clock)
        outbox = self.outbox = Outbox(self.people)
        # What it says is gathered there, and said once all that it tells of is kept.
        self.tell, self.tell_all, self.deliver = outbox.tell, outbox.tell_all, outbox.deliver
        self._starting: Errand | None = None  # the command that starts the deal to come
        self.mishaps = 0  # faults of ours since anybody last asked for anything

    @property
    def code(self) -> str:
        """The code under which people find it."""
        return self.state.code

    def take(self, errand: Errand) -> bool:
        """Put an errand into the inbox; False if too much is waiting there already.

        Challenges always fit: each person has a bucket of them, and none may cost another a call. So
        do a few commands of whoever is here: a full inbox costs those who fill it.
        """
        full = len(self._inbox.waiting) >= self.settings.inbox
        if full and errand.command.n and not isinstance(errand.command, Challenge):
            person = errand.person
            if not self.includes(person) or self._inbox.count_of(person) >= ALWAYS_FIT:
                return False
        self._inbox.put(errand)
        return True

    # --- the life of a lobby ----------------------------------------------------------------------

    async def run(self) -> None:
        """Run the lobby until it is closed. A fault of ours stays here, and is mended."""
        try:
            await self._live_on()
        except Exception:  # nor can it be mended: it must not be there again after a restart
            await self._keep_closed()
            raise
        try:
            await self._keep_closed()
        finally:
            self._close()

    async def _keep_closed(self) -> None:
        stall = partial(stalls.begin, self)
        if await keeping.keep(self._store, LobbyClosed(code=self.code), stalled=stall):
            stalls.end(self)

    async def _live_on(self) -> None:
        while not self.is_closed:
            try:
                await self._live()
            except Exception:
                LOG.exception("the lobby %s failed", self.code)
                await mishaps.mend(self)

    async def _live(self) -> None:
        if self.table is not None:  # recovered: it waits for its people (RULES D5)
            await self._play_on(self.table)
        while not self.is_closed:
            await self._wait_for_errand()
            if self._starting is not None:
                await self._play_deal(self._starting)

    async def _wait_for_errand(self) -> None:
        if await self._inbox.wait(self._idle_until_s()):
            self.mishaps = 0
            await self.attend(self._inbox.take())
        else:
            self.is_closed = True
        self._send()

    def _idle_until_s(self) -> float:
        since = self.empty_since
        return math.inf if since is None else since / MICROS + self.settings.idle_min * 60

    async def attend(self, errand: Errand) -> None:
        """Carry out an errand that is not for the table."""
        accepted = is_done = starts = False
        try:
            accepted = await commands.obey(self, errand)
            starts = accepted and bool(self.players)  # answered once the deal is kept
            answers = errand.to_keep() if accepted and not starts else ()
            stalled_us = await self.keep(answers=answers)
            is_done = accepted and not starts
            self._go_on_if_stalled(stalled_us)
            self.deliver()
            if is_done:
                errand.accept()
        except Exception:  # a fault of ours rises, but leaves no command without an answer
            errand.answer_after_fault(is_done=is_done)
            raise
        self._starting = errand if starts else None
        errand.person.flush()  # who was refused at the door is not among the people here
        deals.abandon_if_deserted(self)
        self.see_whether_empty()

    async def keep(self, *changes: Change, answers: tuple[AnswerKept, ...] = ()) -> int:
        """Keep these changes, the lobby if it looks different from what was kept, and answers.

        If there is nothing to keep, the answers alone are not worth it. Returns for how many
        microseconds the disk was full.
        """
        if self._told is not self.state:
            self.changed()  # what is told is what is kept, and all of it
        record = record_beside(self, changes)
        if record is not self.kept:
            changes = (*differences(self.code, self.kept, record), *changes)
        stalled_us = 0
        if changes:
            stall = partial(stalls.begin, self)
            stalled_us = await keeping.keep(self._store, *changes, *answers, stalled=stall)
            if stalled_us:
                stalls.end(self)
        self.kept = record
        return stalled_us

    async def keep_and_tell(self) -> None:
        """Keep what has changed, tell it, and send all of it."""
        if not looks_as_kept(self):
            self._go_on_if_stalled(await self.keep())
        self.deliver()
        self._send()

    def _go_on_if_stalled(self, stalled_us: int) -> None:
        """What was just kept had to wait this many microseconds for the disk: no clock counts them."""
        if stalled_us and self.table is not None:
            halts.go_on_after_stall(self.table, stalled_us)

    def forget_what_is_not_kept(self) -> None:
        """After a fault of ours: nothing that was about to be told or begun comes of it."""
        self.outbox.drop()
        stalls.end(self)
        self.players, self._told = (), None
        if (asked := self._starting) is not None:
            asked.answer_after_fault(is_done=self.kept is not None and self.kept.deal_runs)
        self._starting = None

    def is_coming(self, person: Person) -> bool:
        """Whether this person waits here to be let in."""
        return any(
            errand.person is person and isinstance(errand.command, HallCommand)
            for errand in self._inbox.waiting
        )

    def see_whether_empty(self) -> None:
        """Close the lobby, or end its deal, if nobody belongs to it any more."""
        if not self.people and self.table is None:
            self.is_closed = True
        elif not self.people and self.table is not None:
            self.table.abandoned = True  # everybody has left: there is nobody to wait for
        if any(person.connected for person in self.people.values()):
            self.empty_since = None
        elif self.empty_since is None:
            self.empty_since = now_us()

    def give_way(self) -> None:
        """Others want a lobby, and nobody is here: close, and end a deal that waits for its people."""
        self.is_closed = True
        if self.table is not None:
            self.table.abandoned = True
        self._inbox.wake()

    def _close(self) -> None:
        self.is_closed = True
        for person in tuple(self.people.values()):
            self.dismiss(person, mishaps.CLOSED)
        self.deliver()
        self.turn_rest_away()
        self.hall.closed(self)

    def turn_rest_away(self) -> None:
        """The lobby is closed: answer whoever still waits for something here."""
        if self._starting is not None:
            self._starting.answer_after_fault(is_done=False)
        if self.table is not None:  # whose deal nobody has ended
            with contained("letting go of what was asked of a table"):
                self.table.let_go_of_commands()
            self.put_back(self.table.left_over())
        for errand in self._inbox.take_all():
            with contained("turning somebody away from a closed lobby"):
                self._turn_away(errand)

    def _turn_away(self, errand: Errand) -> None:
        """Whoever came while the lobby was closing is answered, and stays in the hall."""
        person = errand.person
        try:
            errand.refuse(Refusal.NO_SUCH_LOBBY)
        finally:  # whoever cannot be told is in the hall all the same
            if person.lobby is self:
                self.see_out(person)
        person.flush()

    # --- a deal -----------------------------------------------------------------------------------

    async def _play_deal(self, asked: Errand) -> None:
        players, self.players = self.players, ()
        self.state = seating.dealt(self.state)
        holders = deals.holders_for(players, self.people, self.rng)
        deal, tellings = deals.a_deal(self, holders, players)
        table = self.lay_table(deal, holders)
        begun = DealBegun(code=self.code, deal=deal)
        stalled_us = await self.keep(begun, answers=asked.to_keep())
        table.tell(tellings)
        self._go_on_if_stalled(stalled_us)
        self.deliver()
        asked.accept()
        self._starting = None
        await self._play_on(table)

    def lay_table(self, deal: Deal, holders: tuple[Holder, ...], *, at: int = 0) -> Table:
        """Make a table of a deal, new or recovered; `at` are the microseconds it has run."""
        around = Surroundings(self, self._inbox, self.settings, self.rng)
        self.table, self.former = Table(deal, holders, around, at=at), None
        for holder in holders:
            if holder.owner is not None:
                self.hall.dealt_in(holder.owner)
        return self.table

    async def _play_on(self, table: Table) -> None:
        """Play a deal, new or recovered, to its end."""
        table = await mishaps.played(self, table)
        try:
            deals.end_deal(self, table)
            await self.keep_and_tell()
        except Exception:
            self.table = table  # it ends once more, unless that is kept
            raise
        self.put_back(table.left_over())
        self.see_whether_empty()

    def put_back(self, errands: list[Errand]) -> None:
        """A table has taken these in and not seen to them: they come first again."""
        self._inbox.give_back(errands)

    # --- people -------------------------------------------------------------------------------------

    def was_kept(self, record: LobbyRecord) -> None:
        """This is what is kept; who has a line is still to be seen, after a restart nobody."""
        self.kept, self.empty_since = record, now_us()

    def welcome(self, person: Person) -> None:
        """Somebody belongs to the lobby from now on; show them all there is."""
        person.lobby = self
        self.people[person.name] = person
        self.changed()
        self.repeat_talk(person)
        if self.table is not None:
            showing.show(self.table, person)

    def dismiss(self, person: Person, reason: str = "") -> None:
        """Somebody no longer belongs to the lobby."""
        self.people.pop(person.name, None)
        self.asking_for.pop(person.name, None)
        self.state = seating.without(self.state, person.name)
        self.away.pop(person.name, None)
        self.outbox.then(lambda: self.see_out(person, reason))
        hosts.hand_over_if_gone(self)

    def see_out(self, person: Person, reason: str = "") -> None:
        """Somebody is in the hall from now on, and can go elsewhere; nothing is kept of them here."""
        person.lobby = None if self.is_closed else self  # which tries again if this fails
        person.mailbox.clear()
        self.hall.left(person, reason)
        person.lobby, person.left_with = None, person.last_command
        person.flush()

    def may_act(self, person: Person) -> bool:
        """Whether this person may do what the host may, as host or in their place (RULES D6)."""
        return hosts.may_act(self, person)

    def take_up_host(self, person: Person) -> bool:
        """The same for what is done now, and not refused: who stands in for a host is host then."""
        return hosts.take_up(self, person)

    def sit_again(self, person: Person) -> None:
        """Whoever plays again sits here as well."""
        takeovers.sit_again(self, person.name)

    def includes(self, person: Person) -> bool:
        """Whether the person belongs to the lobby, seated or watching."""
        return self.people.get(person.name) is person

    # --- telling ------------------------------------------------------------------------------------

    def everybody(self) -> tuple[Person, ...]:
        """All people here, seated and watching."""
        return tuple(self.people.values())

    def _send(self) -> None:
        """Send what was gathered, one lobby after the other of those that have something to say."""
        self.hall.postbag.put(self.flush)

    def flush(self) -> None:
        """Send what was gathered, now."""
        for person in self.people.values():
            if (line := person.line) is not None:
                line.flush()

    def tell_packed(self, person: Person, packed: bytes) -> None:
        """Tell one person an event that has been packed for others as well."""
        self.outbox.tell_packed(person, packed)

    def changed(self) -> None:
        """Tell everybody here what is different now, and the hall that something is.

        Seats may have changed hands with it: the deal passes on as it would have.
        """
        before, self._told = self._told, self.state
        for event in changes(before, self.state):
            self.tell_all(event)
        if before is not None:
            deals.follow_dealer(self, before)
        self.outbox.then(lambda: self.hall.changed(self))

    def news(self, news: e.News, name: str, detail: str = "") -> None:
        """Add a line of news to everybody's log."""
        self.tell_all(e.LobbyNews(news=news, name=name, detail=clean(detail, limit=400)))

    def say(self, name: str, text: str) -> None:
        """Pass on what somebody says, and keep it; `text` is clean already."""
        self.tell_all(self.talk.say(name, text))

    def repeat_talk(self, person: Person) -> None:
        """Tell somebody who comes what was said last."""
        if (so_far := self.talk.so_far()) is not None:
            self.tell(person, so_far)
