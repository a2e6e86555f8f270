"""The hall: everybody who is connected, and the directory of lobbies."""

import logging
from random import Random

import trio

from protocol import commands as c
from protocol import events as e
from protocol.answers import MINOR, Refused, Stamps, Welcome
from protocol.codec import encode_event
from protocol.codes import BadRulesCode, parse_rules
from protocol.commands import AnyCommand, Hello, Resume
from protocol.numbers import EventNumber
from protocol.refusals import Refusal, explained
from protocol.text import clean
from server.arrivals import Arrived, now_us
from server.bots.registry import TEMPERAMENTS
from server.codes import new_code
from server.config import Settings, version
from server.errand import Errand, LineDown, LineUp
from server.journal import Journal
from server.lobby import Lobby
from server.passwords import Passwords
from server.people import UNNUMBERED, People, Person, Unwelcome, is_loopback

MOST_LISTED = 100
Missed = tuple[tuple[EventNumber, bytes], ...]
ONLINE_EVERY_S = 2.0
LOG = logging.getLogger(__name__)


class Hall:
    """All people and lobbies of one server."""

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        *,
        nursery: trio.Nursery,
        server_id: str,
        epoch: str,
        stamps: Stamps,
        rng: Random,
    ) -> None:
        self.settings = settings
        self._journal = journal
        self._nursery = nursery
        self._server_id = server_id
        self._epoch = epoch
        self._stamps = stamps
        self._rng = rng
        self._passwords = Passwords()
        self._told_online = 0
        self._listed: set[str] = set()
        self.people = People(settings)
        self.lobbies: dict[str, Lobby] = {}
        self.is_closing = False

    # --- the door: what sessions need -----------------------------------------------------------

    def admit(self, hello: Hello, address: str) -> tuple[Person, Welcome]:
        """Let somebody in, or raise Unwelcome."""
        if self.is_closing:
            raise Unwelcome(Refusal.CLOSING)
        person, secret = self.people.admit(hello, address, now_us())
        return person, Welcome(
            server=self._server_id,
            title=clean(self.settings.title, limit=40),
            version=version(),
            minor=MINOR,
            epoch=self._epoch,
            name=person.name,
            stamps=self._stamps,
            secret=secret,
            resumed=self._missed(person, hello.resume) is not None,
            last_command=person.last_command,
            temperaments=tuple(TEMPERAMENTS),
            chat_per_s=int(self.settings.chat_per_s),
            silence_us=int(self.settings.silence_s * 1_000_000),
        )

    def arrived(self, person: Person, resume: Resume | None) -> None:
        """Somebody's line is up: send what was missed and show where they are."""
        if person.lobby is None:
            person.tell(self._view())
            return
        missed = self._missed(person, resume)
        for number, packed in missed or ():
            if person.line is not None:
                person.line.post(number, packed)
        up = LineUp(resume=resume, resumed=missed is not None)
        person.lobby.take(Errand(person=person, command=up, at=now_us()))

    def lost(self, person: Person) -> None:
        """Somebody's line is down: a seat is kept, and without one the name is free."""
        if person.lobby is None:
            self.people.leave(person, now_us())
        else:
            person.lobby.take(Errand(person=person, command=LineDown(), at=now_us()))

    async def obey(self, person: Person, command: AnyCommand, arrived: Arrived) -> None:
        """Take a command: once, not too fast, to where it belongs."""
        errand = Errand(person=person, command=command, at=arrived.at, stamped=arrived.stamped)
        if not self._is_new(person, command) or self._is_too_fast(errand):
            person.flush()
            return
        try:
            await self._pass_on(errand)
        except NoEntry as no:
            errand.refuse(no.refusal, no.detail)
        person.flush()

    def _missed(self, person: Person, resume: Resume | None) -> Missed | None:
        """The events after the last one seen; None if only a snapshot can help."""
        if resume is None or resume.epoch != self._epoch or person.lobby is None:
            return None
        return person.mailbox.after(resume.last_event)

    def _is_new(self, person: Person, command: AnyCommand) -> bool:
        """A command that comes again after a reconnect is answered again, not done again."""
        number = command.n
        if number > person.last_command:
            person.last_command = number
            person.pending.add(number)
            return True
        if person.line is not None and number in person.answers:
            person.line.post(UNNUMBERED, person.answers[number])
        elif number not in person.pending:
            clause, text = explained(Refusal.OLD_NUMBER)
            person.tell(Refused(n=number, code=Refusal.OLD_NUMBER, clause=clause, text=text))
        return False

    def _is_too_fast(self, errand: Errand) -> bool:
        person = errand.person
        # Challenges have a bucket of their own: no chatter before can cost somebody a call.
        doubting = isinstance(errand.command, c.Challenge)
        bucket = person.challenges if doubting else person.commands
        if bucket.take(now_us()):
            return False
        errand.refuse(Refusal.TOO_FAST)
        return True

    async def _pass_on(self, errand: Errand) -> None:
        person, command = errand.person, errand.command
        if isinstance(command, c.CreateLobby):
            await self._create(errand, command)
        elif isinstance(command, c.JoinLobby):
            await self._join(errand, command)
        elif person.lobby is not None:
            if not person.lobby.take(errand):
                raise NoEntry(Refusal.TOO_FAST)
        elif isinstance(command, c.Say):
            self._say(errand, command)
        else:
            raise NoEntry(Refusal.NOT_IN_A_LOBBY)

    # --- lobbies ----------------------------------------------------------------------------------

    async def _create(self, errand: Errand, command: c.CreateLobby) -> None:
        person = errand.person
        self._may_create(person)
        try:
            rules = parse_rules(command.rules)
        except BadRulesCode as fault:
            raise NoEntry(Refusal.BAD_RULES, str(fault)) from fault
        shout = clean(command.settings.shout, limit=20) or "BS!"
        public = command.settings.public
        state = e.LobbyState(
            code=new_code(self._rng, self.lobbies, public=public),
            rules=rules,
            settings=e.LobbySettings(
                public=public,
                size=command.settings.size,
                watchers=command.settings.watchers,
                shout=shout,
            ),
            host=person.name,
            stage=e.LobbyStage.GATHERING,
            seats=(),
            password=command.password is not None,
        )
        lobby = Lobby(
            state, hall=self, settings=self.settings, journal=self._journal, rng=self._rng
        )
        person.lobby = lobby
        lobby.maker = person
        self.lobbies[state.code] = lobby
        if command.password is not None:
            lobby.password = await self._passwords.hashed(command.password)
        self._nursery.start_soon(self._run_lobby, lobby)
        lobby.take(errand)

    def _may_create(self, person: Person) -> None:
        if person.lobby is not None:
            raise NoEntry(Refusal.IN_A_LOBBY)
        makers = [lobby.maker for lobby in self.lobbies.values() if lobby.maker is not None]
        by_person = sum(maker is person for maker in makers)
        by_address = sum(maker.address == person.address for maker in makers)
        at_home = is_loopback(person.address)
        if (
            len(self.lobbies) >= self.settings.lobbies
            or by_person >= self.settings.lobbies_per_person
            or (by_address >= self.settings.lobbies_per_address and not at_home)
        ):
            raise NoEntry(Refusal.TOO_MANY_LOBBIES)

    async def _run_lobby(self, lobby: Lobby) -> None:
        try:
            await lobby.run()
        except Exception:
            # One lobby's fault stays there: its people are in the hall again, the rest plays on.
            LOG.exception("the lobby %s failed", lobby.code)

    async def _join(self, errand: Errand, command: c.JoinLobby) -> None:
        person = errand.person
        if person.lobby is not None:
            raise NoEntry(Refusal.IN_A_LOBBY)
        lobby = self.lobbies.get(command.code.strip().upper())
        known = lobby is not None and not lobby.is_closed
        if lobby is None or not known or not await self._knows_password(lobby, command):
            if not person.wrong_codes.take(now_us()):
                raise NoEntry(Refusal.TOO_FAST, "Too many wrong codes or passwords.")
            raise NoEntry(Refusal.WRONG_PASSWORD if known else Refusal.NO_SUCH_LOBBY)
        if lobby.is_closed:  # while the password was being checked
            raise NoEntry(Refusal.NO_SUCH_LOBBY)
        person.lobby = lobby
        lobby.take(errand)

    async def _knows_password(self, lobby: Lobby, command: c.JoinLobby) -> bool:
        return await self._passwords.matches(command.password, lobby.password)

    def changed(self, lobby: Lobby) -> None:
        """A lobby looks different from outside: tell the hall, if it is listed."""
        if lobby.state.settings.public and not lobby.is_closed:
            self._listed.add(lobby.code)
            self._tell(e.Listed(lobby=lobby.listing()))
        else:
            self._unlist(lobby)

    def left(self, person: Person, reason: str) -> None:
        """Somebody is back in the hall."""
        if person.connected:
            person.tell(e.LobbyLeft(reason=reason))
            person.tell(self._view())
        else:
            self.people.leave(person, now_us())

    def closed(self, lobby: Lobby) -> None:
        """A lobby is no more."""
        self.lobbies.pop(lobby.code, None)
        self._unlist(lobby)

    def _unlist(self, lobby: Lobby) -> None:
        if lobby.code in self._listed:
            self._listed.discard(lobby.code)
            self._tell(e.Unlisted(code=lobby.code))

    # --- the hall itself ----------------------------------------------------------------------------

    def _view(self) -> e.HallChanged:
        public = [lobby for lobby in self.lobbies.values() if lobby.state.settings.public]
        newest = public[-MOST_LISTED:]
        listings = tuple(lobby.listing() for lobby in newest if lobby.people)
        return e.HallChanged(online=self.people.online, lobbies=listings)

    def _say(self, errand: Errand, command: c.Say) -> None:
        text = clean(command.text)
        if not text:
            raise NoEntry(Refusal.EMPTY_TEXT)
        if not errand.person.chat.take(now_us()):
            raise NoEntry(Refusal.TOO_FAST)
        errand.accept()
        self._tell(e.Said(name=errand.person.name, text=text))

    def _tell(self, event: e.Event) -> None:
        packed = encode_event(event)
        for person in self.people.in_hall():
            # What happens in the hall is not replayed: whoever comes back sees it as it is.
            person.tell_packed(packed, passing=True)
            person.flush()

    async def run(self) -> None:
        """Tell the hall how many are here, and forget who has been away too long."""
        while True:
            await trio.sleep(ONLINE_EVERY_S)
            online = self.people.online
            if online != self._told_online:
                self._told_online = online
                self._tell(e.Online(count=online))
            self.people.expire(now_us())

    def close(self) -> None:
        """Say goodbye to everybody."""
        self.is_closing = True
        for person in self.people:
            if person.line is not None:
                person.line.end(Refusal.CLOSING)


class NoEntry(Exception):
    """The hall refuses a command."""

    def __init__(self, refusal: Refusal, detail: str = "") -> None:
        super().__init__(refusal.value)
        self.refusal = refusal
        self.detail = detail
