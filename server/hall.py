"""The hall: everybody who is connected, and the directory of lobbies."""

import contextlib
import logging
from collections.abc import Callable, Mapping
from random import Random

import trio

from protocol import commands as c
from protocol import events as e
from protocol.answers import MINOR, Stamps, Welcome
from protocol.codec import frame_event
from protocol.commands import AnyCommand, Hello, Resume
from protocol.numbers import MICROS, EventNumber
from protocol.refusals import Refusal
from protocol.text import clean
from server.alarm_clock import AlarmClock
from server.arrivals import Arrived, now_us, wall_s
from server.bots.registry import TEMPERAMENTS
from server.carry_on import carry_on, contained
from server.census import keep_census, record_of
from server.config import Settings, version
from server.entrance import Entrance
from server.errand import Errand, LineDown, LineUp
from server.journal.records import Kept, KeptLobby, PersonForgotten
from server.journal.rows import of_lobby, of_person
from server.journal.store import Complain, JournalFault, Store, give_up
from server.limits import Bucket
from server.lobby import stalls
from server.lobby.lobby import Lobby
from server.lobby.mishaps import let_all_go
from server.lobby.seating import NotAllowed
from server.notices import Notices
from server.people import SECRETS, People, Unwelcome
from server.person import NEVER, NO_COMMAND, Person
from server.pinger import Pinger
from server.postbag import Postbag
from server.restoring import fitting, restored

CENSUS_EVERY_S = 10.0  # who is forgotten and who has become a player; on a full disk less often
SEEN_EVERY_S = 3600  # so often it is kept that somebody was here
LOG = logging.getLogger(__name__)

_ENTERS = (c.CreateLobby, c.JoinLobby)
# What each may ask for and everybody in the lobby is told: it fills their logs as talk does.
_STIRRING = frozenset({c.SetReady, c.SitDown, c.StandUp, c.CallVote, c.CastVote})

Missed = tuple[tuple[EventNumber, bytes], ...]
"""Packed events that somebody was not there for, with their numbers."""


class Hall:
    """All people and lobbies of one server."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        *,
        nursery: trio.Nursery,
        server_id: str,
        epoch: str,
        stamps: Stamps,
        rng: Random,
        secrets: Random = SECRETS,
        wall: Callable[[], int] = wall_s,
        guest_key: bytes | None = None,
    ) -> None:
        self.settings = settings
        self._store, self._nursery = store, nursery
        self._server_id, self._epoch = server_id, epoch
        self._stamps, self._rng, self._wall_s = stamps, rng, wall
        self._title = clean(settings.title, limit=40)
        # Looked up now: an upgrade may have replaced the files by the time that somebody comes.
        self._version = version()
        self._chat = Bucket(settings.hall_chat_per_s, max(1, 2 * settings.hall_chat_per_s))
        self._pinger = Pinger(settings.ping_s)
        self.alarm_clock, self.postbag = AlarmClock(), Postbag()
        self.people = People(settings, secrets, guest_key)
        self.lobbies: dict[str, Lobby] = {}
        self.notices = Notices(self.people, self.lobbies)
        self.is_closing = False
        self._entrance = Entrance(self, settings=settings, nursery=nursery, rng=rng)

    # --- the door: what sessions need -----------------------------------------------------------

    async def admit(self, hello: Hello, address: str, serial: int) -> tuple[Person, Welcome]:
        """Let somebody in, once that is kept, or raise Unwelcome."""
        if self.is_closing:
            raise Unwelcome(Refusal.CLOSING)
        person, secret = self.people.admit(hello, address, now_us(), serial)
        name = person.name if person.lobby is not None else hello.name
        is_new = secret is not None or person.kept_at == NEVER  # a guest may call twice at once
        if is_new or name != person.name:
            await self._keep_newcomer(person, name, address, is_new=is_new)
        elif self._wall_s() - person.kept_at >= SEEN_EVERY_S:
            await self._keep_sight_of(person, address)
        self.people.let_in(person, name, hello, address, now=now_us(), serial=serial)
        try:
            return person, self._welcome(person, hello, secret)
        except Exception:  # a fault of ours: they come again, and nobody else has their name
            self.people.not_kept(person, name, is_new=False, now=now_us())
            raise

    async def _keep_newcomer(
        self, person: Person, name: str, address: str, *, is_new: bool
    ) -> None:
        """Nobody is let in, or has another name, before that is kept."""
        try:
            await self._keep_person(person, name, address)
        except BaseException as fault:
            self.people.not_kept(person, name, is_new=is_new, now=now_us())
            if isinstance(fault, JournalFault):
                raise Unwelcome(Refusal.TRY_AGAIN) from fault
            raise

    async def _keep_sight_of(self, person: Person, address: str) -> None:
        """Whoever comes back now and then is not forgotten, however often the server restarts."""
        try:
            with contextlib.suppress(JournalFault):  # of a full disk the store complains itself
                await self._keep_person(person, person.name, address)
        except BaseException:
            self.people.not_kept(person, person.name, is_new=False, now=now_us())
            raise

    async def _keep_person(self, person: Person, name: str, address: str) -> None:
        kept, digest = record_of(person, name, self._wall_s(), address=address), person.digest
        former = (PersonForgotten(digest=digest),) if self.people.is_to_be_forgotten(digest) else ()
        await self._store.commit(*former, kept)
        self.people.are_forgotten(digest)
        person.kept_at = kept.seen_at

    def _welcome(self, person: Person, hello: Hello, secret: bytes | None) -> Welcome:
        return Welcome(
            server=self._server_id,
            title=self._title,
            version=self._version,
            minor=MINOR,
            epoch=self._epoch,
            name=person.name,
            stamps=self._stamps,
            secret=secret,
            resumed=self._missed(person, hello.resume) is not None,
            last_command=person.last_command,
            temperaments=tuple(TEMPERAMENTS),
            chat_per_s=int(self.settings.chat_per_s),
            silence_us=int(self.settings.silence_s * MICROS),
        )

    def arrived(self, person: Person, resume: Resume | None) -> None:
        """Somebody's line is up: send what was missed and show where they are."""
        self.people.came(person)
        self.notices.came_or_went()
        person.said_again, person.rtt_us = NO_COMMAND, None  # both are of this line
        if person.lobby is None:
            person.tell(self.notices.view())
        else:
            self._bring_back(person, person.lobby, resume)
        if person.line is not None:
            self._pinger.add(person, person.line)

    def _bring_back(self, person: Person, lobby: Lobby, resume: Resume | None) -> None:
        missed = self._missed(person, resume)
        for number, packed in missed or ():
            if person.line is not None:
                person.line.post(frame_event(number, packed))
        up = LineUp(resumed=missed is not None)
        lobby.take(Errand(person=person, command=up, at=now_us()))
        stalls.tell_who_comes(lobby, person)

    def lost(self, person: Person) -> None:
        """Somebody's line is down: a seat is kept, and without one the name is free.

        If the server closes it is its own doing: after a restart they are waited for (RULES D5).
        """
        self.people.went(person, now_us())
        self.notices.came_or_went()
        if person.lobby is not None and not self.is_closing:
            person.lobby.take(Errand(person=person, command=LineDown(), at=now_us()))

    def obey(self, person: Person, command: AnyCommand, arrived: Arrived) -> None:
        """Take a command: once, not too fast, to where it belongs."""
        errand = Errand(
            person=person,
            command=command,
            at=arrived.at,
            stamped=arrived.stamped,
            settled=arrived.settled,
        )
        if not self._note_or_answer_again(person, command):
            return
        try:
            try:
                if not self._refuse_if_too_fast(errand):
                    self._pass_on(errand)
            except NotAllowed as no:
                errand.refuse(no.refusal, no.detail)
        except Exception:  # else it would wait for its answer for good
            LOG.exception("a command could not be passed on")
            errand.answer_after_fault(is_done=False)

    def _missed(self, person: Person, resume: Resume | None) -> Missed | None:
        """The events after the last one seen; None if only a snapshot can help."""
        if resume is None or resume.epoch != self._epoch or not resume.last_event:
            return None  # they have seen nothing that an event could add to
        return None if person.lobby is None else person.mailbox.after(resume.last_event)

    def _note_or_answer_again(self, person: Person, command: AnyCommand) -> bool:
        """Whether it is new; one that comes again after a reconnect is answered again, not done again."""
        number = command.n
        if number > person.last_command or person.may_have_lost(number):
            person.last_command = max(number, person.last_command)
            person.pending.append(number)
            return True
        person.hear_again(number, now_us())
        return False

    def _refuse_if_too_fast(self, errand: Errand) -> bool:
        """Count the command, and refuse it if too many came; whether it was refused."""
        person = errand.person
        kind = type(errand.command)
        # Challenges and talk have buckets of their own: chatter costs nobody a call or a play.
        if kind is c.Challenge:
            bucket = person.challenges
        else:
            bucket = person.chat if kind is c.Say else person.commands
        if bucket.take(errand.at) and (kind not in _STIRRING or person.stirs.take(errand.at)):
            return False
        errand.refuse(Refusal.TOO_FAST)
        return True

    def _pass_on(self, errand: Errand) -> None:
        person, command = errand.person, errand.command
        if isinstance(command, _ENTERS):
            self._entrance.enter(errand, command)
        elif person.lobby is not None:
            if not person.lobby.take(errand):
                raise NotAllowed(Refusal.TOO_FAST)
        elif isinstance(command, c.Say):
            self._say(errand, command)
        else:
            raise NotAllowed(Refusal.NOT_IN_A_LOBBY)

    # --- lobbies ----------------------------------------------------------------------------------

    def open_lobby(self, state: e.LobbyState, maker: Person) -> Lobby:
        """A new lobby with a task of its own; it is listed once it is kept."""
        lobby = Lobby(state, hall=self, settings=self.settings, store=self._store, rng=self._rng)
        lobby.maker, lobby.empty_since = maker, now_us()  # until they have come
        self.lobbies[state.code] = lobby
        self._nursery.start_soon(self._run_lobby, lobby)
        return lobby

    async def _run_lobby(self, lobby: Lobby) -> None:
        try:
            await lobby.run()
        except Exception:
            LOG.exception("the lobby %s could not be closed", lobby.code)
            with contained("telling the hall of it"):
                self.closed(lobby)
            with contained("letting its people go"):
                let_all_go(lobby)

    @property
    def connected(self) -> tuple[Person, ...]:
        """All who have a line."""
        return self.people.connected

    @property
    def known_so_far(self) -> int:
        """How many people have ever become known: the newest is the nth of them."""
        return self.people.known_so_far

    def changed(self, lobby: Lobby) -> None:
        """A lobby looks different from outside: the hall will soon be told."""
        self.notices.changed(lobby)

    def left(self, person: Person, reason: str) -> None:
        """Somebody is back in the hall."""
        if person.connected:
            person.tell(e.LobbyLeft(reason=reason))
            person.tell(self.notices.view())
        else:
            self.people.leave(person, now_us())

    def kept_out(self, person: Person) -> None:
        """Somebody has not got into a lobby: what the hall was told meanwhile they have not heard."""
        if person.hall_news != self.notices.told:
            person.tell(self.notices.view())

    def closed(self, lobby: Lobby) -> None:
        """A lobby is no more."""
        self.lobbies.pop(lobby.code, None)
        self.changed(lobby)

    # --- the hall itself ----------------------------------------------------------------------------

    def _say(self, errand: Errand, command: c.Say) -> None:
        text = clean(command.text)
        if not text:
            raise NotAllowed(Refusal.EMPTY_TEXT)
        if not self._chat.take(now_us()):  # each line goes to everybody here
            raise NotAllowed(Refusal.TOO_FAST)
        errand.accept()
        self.notices.say(errand.person.name, text)

    async def run(self) -> None:
        """All that goes on by itself until cancelled: the news, the census, pings, alarms, the post."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.notices.run)
            nursery.start_soon(carry_on, "keeping the census", self._run_census)
            soon_s = self.settings.ping_s / 2  # before every line counts as silent
            nursery.start_soon(carry_on, "pinging", self._pinger.run, soon_s)
            nursery.start_soon(carry_on, "waking whose time has come", self.alarm_clock.run)
            nursery.start_soon(self.postbag.run)

    async def _run_census(self) -> None:
        while True:
            await trio.sleep(CENSUS_EVERY_S)
            self.people.expire(now_us())
            await keep_census(self.people, self._store, self._wall_s)

    def dealt_in(self, person: Person) -> None:
        """Somebody is dealt cards, or takes a seat over that was."""
        self.people.dealt_in(person)

    # --- after a restart --------------------------------------------------------------------------

    def restore(self, kept: Kept) -> None:
        """People, lobbies and running deals as they were; tables wait for their people (RULES D5).

        All of them or none: nothing runs before all that is kept has been understood.

        Raises:
            Damaged: the rules do not allow what is recorded, or it does not fit together.
        """
        for lobby in self.understood(kept):
            self.lobbies[lobby.code] = lobby
            for person in lobby.people.values():
                self.people.take_name(person)
            self._nursery.start_soon(self._run_lobby, lobby)

    def understood(self, kept: Kept, complain: Complain = give_up) -> tuple[Lobby, ...]:
        """Know these people; their lobbies as they were, of which none runs yet.

        `complain` is told of whatever cannot be understood; if it returns, that is left out.
        """
        now, wall = now_us(), self._wall_s()
        people = {}
        for each in sorted(kept.people, key=lambda each: each.person.seen_at):
            was = each.person
            with fitting(of_person(was.digest), complain):
                seen_at = now - (wall - was.seen_at) * MICROS
                people[was.digest] = self.people.restore(each, seen_at)
        lobbies = []
        for lobby in kept.lobbies:
            with fitting(of_lobby(lobby.code), complain):
                lobbies.append(self._restored(lobby, people))
        newest = [lobby.removed.newest for lobby in lobbies]  # who may be forgotten
        self.people.known_so_far = max([self.people.known_so_far, *newest])
        return tuple(lobbies)

    def _restored(self, kept: KeptLobby, people: Mapping[bytes, Person]) -> Lobby:
        settings, store, rng = self.settings, self._store, self._rng
        return restored(kept, people, hall=self, settings=settings, store=store, rng=rng)

    def close(self) -> None:
        """Say goodbye to everybody."""
        self.is_closing = True
        for person in self.people:
            if person.line is not None:
                with contained("saying goodbye"):
                    person.line.say_goodbye(Refusal.CLOSING)
