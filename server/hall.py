"""The hall: everybody who is connected, and the directory of lobbies."""

import logging
from collections.abc import Awaitable, Callable
from random import Random

import trio
from msgspec.structs import replace

from protocol import commands as c
from protocol import events as e
from protocol.answers import MINOR, Refused, Stamps, Welcome
from protocol.codec import encode_event
from protocol.codes import BadRulesCode, parse_rules
from protocol.commands import AnyCommand, Hello, Resume
from protocol.numbers import EventNumber
from protocol.refusals import Refusal, explained
from protocol.rules import TableRules
from protocol.text import clean
from server.arrivals import Arrived, now_us
from server.bots.registry import TEMPERAMENTS
from server.codes import new_code
from server.config import Settings, version
from server.errand import Errand, LineDown, LineUp
from server.guesses import Guesses
from server.journal import Journal
from server.lobby import Lobby
from server.passwords import PasswordHash, Passwords
from server.people import UNNUMBERED, People, Person, Unwelcome, is_loopback
from server.pinger import Pinger

MOST_LISTED = 100
Missed = tuple[tuple[EventNumber, bytes], ...]
ONLINE_EVERY_S = 2.0
CHANGES_EVERY_S = 0.5
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
        self._guesses = Guesses(settings.wrong_codes_per_min)
        self._told_online = 0
        self._changed: dict[str, None] = {}  # codes, in the order of their changes
        self._listed: dict[str, e.Listing] = {}  # as the hall was told
        self._news = trio.Event()
        self._pinger = Pinger(settings.ping_s)
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
        self.people.came(person)
        if person.lobby is None:
            person.tell(self._view())
        else:
            self._bring_back(person, person.lobby, resume)
        if person.line is not None:
            self._pinger.add(person, person.line)

    def _bring_back(self, person: Person, lobby: Lobby, resume: Resume | None) -> None:
        missed = self._missed(person, resume)
        for number, packed in missed or ():
            if person.line is not None:
                person.line.post(number, packed)
        up = LineUp(resume=resume, resumed=missed is not None)
        lobby.take(Errand(person=person, command=up, at=now_us()))

    def lost(self, person: Person) -> None:
        """Somebody's line is down: a seat is kept, and without one the name is free."""
        self.people.went(person, now_us())
        if person.lobby is not None:
            person.lobby.take(Errand(person=person, command=LineDown(), at=now_us()))

    def obey(self, person: Person, command: AnyCommand, arrived: Arrived) -> None:
        """Take a command: once, not too fast, to where it belongs."""
        errand = Errand(person=person, command=command, at=arrived.at, stamped=arrived.stamped)
        if self._is_new(person, command) and not self._is_too_fast(errand):
            try:
                self._pass_on(errand)
            except NoEntry as no:
                errand.refuse(no.refusal, no.detail)

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
        person.tire(now_us())
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

    def _pass_on(self, errand: Errand) -> None:
        person, command = errand.person, errand.command
        if isinstance(command, c.CreateLobby | c.JoinLobby):
            if person.lobby is not None or person.is_entering:
                raise NoEntry(Refusal.IN_A_LOBBY)
            self._enter(errand, command)
        elif person.lobby is not None:
            if not person.lobby.take(errand):
                raise NoEntry(Refusal.TOO_FAST)
        elif isinstance(command, c.Say):
            self._say(errand, command)
        else:
            raise NoEntry(Refusal.NOT_IN_A_LOBBY)

    # --- lobbies ----------------------------------------------------------------------------------

    def _enter(self, errand: Errand, command: c.CreateLobby | c.JoinLobby) -> None:
        """Create or join at once or, where there is a password to hash, in a task of its own.

        That task is not the session's: a command is answered even if its sender's line drops.
        """
        if isinstance(command, c.CreateLobby):
            rules = self._rules_for(errand.person, command)
            if command.password is None:
                self._create(errand, command, rules, None)
            else:
                self._start(errand, self._create_with_password, command, rules, command.password)
        else:
            lobby = self._find(errand.person, command.code)
            if lobby.password is None:
                self._join(errand, lobby)
            else:
                self._start(errand, self._join_with_password, lobby, command.password)

    def _start(
        self, errand: Errand, enter: Callable[..., Awaitable[None]], *arguments: object
    ) -> None:
        errand.person.is_entering = True
        self._nursery.start_soon(self._finish, errand, enter, arguments)

    async def _finish(
        self, errand: Errand, enter: Callable[..., Awaitable[None]], arguments: tuple[object, ...]
    ) -> None:
        try:
            await enter(errand, *arguments)
        except NoEntry as no:
            errand.refuse(no.refusal, no.detail)
        except Exception:
            LOG.exception("a password could not be hashed")
            errand.refuse(Refusal.TRY_AGAIN)
        finally:
            errand.person.is_entering = False
        errand.person.flush()

    async def _create_with_password(
        self, errand: Errand, command: c.CreateLobby, rules: TableRules, password: str
    ) -> None:
        password_hash = await self._passwords.hashed(password)
        _check_line(errand.person)
        self._may_create(errand.person)
        self._create(errand, command, rules, password_hash)

    async def _join_with_password(self, errand: Errand, lobby: Lobby, password: str | None) -> None:
        if not await self._passwords.matches(password, lobby.password):
            self._guesses.was_wrong(errand.person, now_us())
            raise NoEntry(Refusal.WRONG_PASSWORD)
        _check_line(errand.person)
        if lobby.is_closed:
            raise NoEntry(Refusal.NO_SUCH_LOBBY)
        self._join(errand, lobby)

    def _rules_for(self, person: Person, command: c.CreateLobby) -> TableRules:
        self._may_create(person)
        try:
            return parse_rules(command.rules)
        except BadRulesCode as fault:
            raise NoEntry(Refusal.BAD_RULES, str(fault)) from fault

    def _create(
        self,
        errand: Errand,
        command: c.CreateLobby,
        rules: TableRules,
        password: PasswordHash | None,
    ) -> None:
        person, wanted = errand.person, command.settings
        shout = clean(wanted.shout, limit=20) or "BS!"
        state = e.LobbyState(
            code=new_code(self._rng, self.lobbies, public=wanted.public),
            rules=rules,
            settings=replace(wanted, shout=shout),
            host=person.name,
            stage=e.LobbyStage.GATHERING,
            seats=(),
            password=password is not None,
        )
        lobby = Lobby(
            state, hall=self, settings=self.settings, journal=self._journal, rng=self._rng
        )
        lobby.maker, lobby.password = person, password
        self.lobbies[state.code] = lobby
        self._nursery.start_soon(self._run_lobby, lobby)
        self._join(errand, lobby)

    def _find(self, person: Person, code: str) -> Lobby:
        """The lobby with this code; codes and passwords can be guessed only slowly."""
        if not self._guesses.may(person, now_us()):
            raise NoEntry(Refusal.TOO_FAST, "Too many wrong codes or passwords.")
        lobby = self.lobbies.get(code.strip().upper())
        if lobby is None or lobby.is_closed:
            self._guesses.was_wrong(person, now_us())
            raise NoEntry(Refusal.NO_SUCH_LOBBY)
        return lobby

    def _join(self, errand: Errand, lobby: Lobby) -> None:
        if not lobby.take(errand):
            raise NoEntry(Refusal.TOO_FAST)
        errand.person.lobby = lobby

    def _may_create(self, person: Person) -> None:
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

    def changed(self, lobby: Lobby) -> None:
        """A lobby looks different from outside: the hall will soon be told."""
        self._changed[lobby.code] = None
        self._news.set()

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
        self.changed(lobby)

    def _tell_changes(self) -> None:
        """Tell the hall of each lobby that looks different from what was told of it."""
        changed, self._changed = self._changed, {}
        for code in changed:
            lobby = self.lobbies.get(code)
            listing = None if lobby is None else _listing(lobby)
            told = self._listed.pop(code, None)
            if listing is not None:
                self._listed[code] = listing
                if listing != told:
                    self._tell(e.Listed(lobby=listing))
            elif told is not None:
                self._tell(e.Unlisted(code=code))

    # --- the hall itself ----------------------------------------------------------------------------

    def _view(self) -> e.HallChanged:
        """The hall as it is, with the newest lobbies."""
        listings = [_listing(lobby) for lobby in self.lobbies.values()]
        shown = [listing for listing in listings if listing is not None][-MOST_LISTED:]
        return e.HallChanged(online=self.people.online, lobbies=tuple(shown))

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
        """Tell the hall what changes, and forget who has been away too long."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._run_changes)
            nursery.start_soon(self._run_census)
            nursery.start_soon(self._pinger.run)

    async def _run_changes(self) -> None:
        # What many people do to many lobbies is told in batches: no one of them can flood the hall.
        while True:
            await self._news.wait()
            self._news = trio.Event()
            self._tell_changes()
            await trio.sleep(CHANGES_EVERY_S)

    async def _run_census(self) -> None:
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


def _listing(lobby: Lobby) -> e.Listing | None:
    """The lobby as the hall shows it, if it does."""
    hidden = lobby.is_closed or not lobby.state.settings.public or not lobby.people
    return None if hidden else lobby.listing()


def _check_line(person: Person) -> None:
    """Whoever has gone while a password was being hashed enters nothing."""
    if not person.connected:
        raise NoEntry(Refusal.TRY_AGAIN)
