"""The way into a lobby: opening one, codes, passwords, and how often they may be guessed."""

import logging
from collections.abc import Awaitable, Callable
from random import Random
from typing import Protocol

import trio
from msgspec.structs import replace

from protocol import commands as c
from protocol import events as e
from protocol.numbers import MICROS
from protocol.refusals import Refusal
from protocol.rules import TableRules
from protocol.text import MAX_SHOUT, clean
from server.addresses import is_loopback
from server.arrivals import now_us
from server.codes import new_code
from server.config import Settings
from server.errand import Errand
from server.guesses import Guesses, PasswordChecks
from server.lobby import stalls
from server.lobby.commands import rules_of
from server.lobby.lobby import Lobby
from server.lobby.seating import NotAllowed
from server.notices import Notices
from server.passwords import PasswordHash, Passwords
from server.person import Person

EMPTY_S = 60  # a lobby that is empty for so long may be closed for another
MOST_CLOSING = 10  # so many may be closing at once, so that others may open theirs
LOG = logging.getLogger(__name__)


class Directory(Protocol):
    """The lobbies there are: the hall."""

    lobbies: dict[str, Lobby]
    notices: Notices

    def open_lobby(self, state: e.LobbyState, maker: Person) -> Lobby:
        """Add a lobby."""
        ...


class Entrance:
    """Lets people into lobbies, new ones and old ones."""

    def __init__(
        self, directory: Directory, *, settings: Settings, nursery: trio.Nursery, rng: Random
    ) -> None:
        self._directory = directory
        self._settings = settings
        self._nursery = nursery
        self._rng = rng
        self._passwords = Passwords()
        self._guesses = Guesses(settings.wrong_codes_per_min)
        self._password_checks = PasswordChecks(settings)

    def enter(self, errand: Errand, command: c.CreateLobby | c.JoinLobby) -> None:
        """Create or join at once or, where there is a password to hash, in a task of its own.

        That task is not the session's: a command is answered even if its sender's line drops.

        Raises:
            NotAllowed: it is refused.
        """
        if errand.person.lobby is not None or errand.person.is_entering:
            raise NotAllowed(Refusal.IN_A_LOBBY)
        if not errand.person.entries.take(now_us()):
            raise NotAllowed(Refusal.TOO_FAST)
        if isinstance(command, c.CreateLobby):
            self._open(errand, command)
        else:
            self._knock(errand, command)

    def _open(self, errand: Errand, command: c.CreateLobby) -> None:
        self._refuse_one_too_many(errand.person)
        rules = rules_of(command.rules)
        if command.password is None:
            self._create(errand, command, rules, None)
        else:
            self._start(errand, self._create_with_password, command, rules, command.password)

    def _knock(self, errand: Errand, command: c.JoinLobby) -> None:
        lobby = self._find(errand.person, command.code)
        if lobby.password is None:
            self._join(errand, lobby)
        elif command.password is None:  # no guess, but a first knock
            raise NotAllowed(Refusal.WRONG_PASSWORD)
        else:
            self._start(errand, self._join_with_password, lobby, command.password)

    def _start(
        self, errand: Errand, enter: Callable[..., Awaitable[None]], *arguments: object
    ) -> None:
        if not self._password_checks.take(errand.person, now_us()):
            raise NotAllowed(Refusal.TOO_FAST, "Too many passwords for now.")
        errand.person.is_entering = True
        self._nursery.start_soon(self._finish, errand, enter, arguments)

    async def _finish(
        self, errand: Errand, enter: Callable[..., Awaitable[None]], arguments: tuple[object, ...]
    ) -> None:
        try:
            try:
                await enter(errand, *arguments)
            except NotAllowed as no:
                errand.refuse(no.refusal, no.detail)
                errand.person.flush()
        except Exception:
            LOG.exception("somebody could not be let into a lobby")
            errand.answer_after_fault(is_done=False)
        finally:
            errand.person.is_entering = False

    async def _create_with_password(
        self, errand: Errand, command: c.CreateLobby, rules: TableRules, password: str
    ) -> None:
        password_hash = await self._passwords.hashed(password)
        _check_line(errand.person)
        self._refuse_one_too_many(errand.person)
        self._create(errand, command, rules, password_hash)

    async def _join_with_password(self, errand: Errand, lobby: Lobby, password: str) -> None:
        if not await self._passwords.matches(password, lobby.password):
            self._guesses.was_wrong(errand.person, now_us())
            raise NotAllowed(Refusal.WRONG_PASSWORD)
        _check_line(errand.person)
        if lobby.is_closed:
            raise NotAllowed(Refusal.NO_SUCH_LOBBY)
        self._join(errand, lobby)

    def _create(
        self,
        errand: Errand,
        command: c.CreateLobby,
        rules: TableRules,
        password: PasswordHash | None,
    ) -> None:
        person, wanted = errand.person, command.settings
        shout = clean(wanted.shout, MAX_SHOUT) or "BS!"
        state = e.LobbyState(
            code=new_code(self._rng, self._directory.lobbies, public=wanted.public),
            rules=rules,
            settings=replace(wanted, shout=shout),
            host=person.name,
            stage=e.LobbyStage.GATHERING,
            seats=(),
            password=password is not None,
        )
        if self._is_full() and (emptiest := self._emptiest()) is not None:
            emptiest.give_way()
        lobby = self._directory.open_lobby(state, person)
        lobby.password = password
        self._join(errand, lobby)

    def _find(self, person: Person, code: str) -> Lobby:
        """The lobby with this code; codes and passwords can be guessed only slowly.

        One that the hall lists for everybody is no secret, however often others have guessed.
        """
        lobby = self._directory.lobbies.get(code.strip().upper())
        if lobby is not None and lobby.is_closed:
            lobby = None
        if lobby is not None and lobby.password is None and lobby.state.settings.public:
            return lobby
        if not self._guesses.may(person, now_us()):
            raise NotAllowed(Refusal.TOO_FAST, "Too many wrong codes or passwords.")
        if lobby is None:
            self._guesses.was_wrong(person, now_us())
            raise NotAllowed(Refusal.NO_SUCH_LOBBY)
        return lobby

    def _join(self, errand: Errand, lobby: Lobby) -> None:
        if not lobby.take(errand):
            raise NotAllowed(Refusal.TOO_FAST)
        errand.person.lobby, errand.person.hall_news = lobby, self._directory.notices.told
        stalls.tell_who_comes(lobby, errand.person)

    def _refuse_one_too_many(self, person: Person) -> None:
        """Refuse whoever has opened too many lobbies, or anybody while there is no room for one."""
        makers = [
            lobby.maker for lobby in self._directory.lobbies.values() if lobby.maker is not None
        ]
        by_person = sum(maker is person for maker in makers)
        by_address = sum(maker.address == person.address for maker in makers)
        at_home = is_loopback(person.address)
        if (
            by_person >= self._settings.lobbies_per_person
            or (by_address >= self._settings.lobbies_per_address and not at_home)
            or (self._is_full() and self._emptiest() is None)
        ):
            raise NotAllowed(Refusal.TOO_MANY_LOBBIES)

    def _is_full(self) -> bool:
        open_ones = sum(not lobby.is_closed for lobby in self._directory.lobbies.values())
        return open_ones >= self._settings.lobbies

    def _emptiest(self) -> Lobby | None:
        """The lobby that may be closed for another: of the fewest people, and without them for the longest.

        A deal goes last of those. An identity costs nothing: else whoever starts many deals, alone with
        computer players, and vanishes could have the tables of friends closed that are older. On a full
        disk none is closed to the end: no more than a few wait for that.
        """
        lobbies = self._directory.lobbies.values()
        if len(lobbies) >= self._settings.lobbies + MOST_CLOSING:
            return None
        # Whoever is just away comes back to it.
        since = now_us() - int(max(EMPTY_S, self._settings.stand_in_s) * MICROS)
        empty = [lobby for lobby in lobbies if _is_empty(lobby, since)]
        return min(empty, key=_claim, default=None)


def _claim(lobby: Lobby) -> tuple[int, bool, int]:
    """What an empty lobby has to be kept for; the least goes first."""
    return len(lobby.everybody()), lobby.table is not None, lobby.empty_since or 0


def _is_empty(lobby: Lobby, since: int) -> bool:
    """Whether nobody there has had a line since then."""
    if lobby.is_closed or lobby.empty_since is None or lobby.empty_since > since:
        return False
    return not any(person.connected for person in lobby.everybody())


def _check_line(person: Person) -> None:
    """Whoever has gone while a password was being hashed enters nothing."""
    if not person.connected:
        raise NotAllowed(Refusal.TRY_AGAIN)
