"""Who is known here: identities by secret, names, and how many there may be.

Only the hash of the secret is kept. Nothing of a person is changed before the secret has been checked.
"""

import hashlib
from collections.abc import Iterator
from random import Random, SystemRandom

from protocol.commands import Hello
from protocol.guests import SECRET_BYTES, brief_secret
from protocol.numbers import MICROS, CommandNumber
from protocol.refusals import Refusal
from protocol.text import is_a_name, name_key
from server.answered import acceptance_of
from server.config import Settings
from server.guest_list import GuestList
from server.journal.records import KeptPerson
from server.limits import Bucket
from server.mailbox import Mailbox
from server.names import is_like_a_computers
from server.newcomers import Newcomers
from server.person import Person
from server.present import Present
from server.remembered import Remembered

SECRETS = SystemRandom()
COMMANDS_PER_STIR = 10  # in the long run one in so many may be one that a whole lobby is told of


class Unwelcome(Exception):
    """A hello is refused."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


class People:
    """All persons this server knows."""

    def __init__(
        self, settings: Settings, secrets: Random = SECRETS, guest_key: bytes | None = None
    ) -> None:
        self._settings = settings
        self._secrets = secrets
        self._guests = GuestList(guest_key)
        self._remembered = Remembered()
        self._by_name: dict[str, Person] = {}
        self._present = Present(settings.per_address)
        self._forgotten: dict[bytes, None] = {}  # digests, in order; the journal still has them
        self._new_players: list[Person] = []
        self._newcomers = Newcomers(settings)
        self.known_so_far = 0  # how many have ever become known: the nth is numbered n

    def __iter__(self) -> Iterator[Person]:
        return iter(self._remembered)

    # --- who is here ------------------------------------------------------------------------------

    @property
    def online(self) -> int:
        """How many are connected."""
        return len(self._present)

    @property
    def connected(self) -> tuple[Person, ...]:
        """All who have a line, in the order in which they came."""
        return tuple(self._present)

    def came(self, person: Person) -> None:
        """Somebody's line is up."""
        self._present.came(person)

    def went(self, person: Person, now: int) -> None:
        """Somebody's line is down; without a seat to keep, the name is free again."""
        self._present.went(person)
        if person.lobby is None:
            self.leave(person, now)

    def in_hall(self) -> tuple[Person, ...]:
        """The connected people who are in no lobby."""
        return tuple([person for person in self._present if person.lobby is None])

    # --- the way in -------------------------------------------------------------------------------

    def admit(
        self, hello: Hello, address: str, now: int, serial: int
    ) -> tuple[Person, bytes | None]:
        """Find or make the person who says hello; a new one is told their secret.

        `serial` is that of their line. Nothing of somebody known changes before `let_in`.

        Raises:
            Unwelcome: name, secret or a limit stands against it. Then nobody is new or known
                otherwise, but the try has counted, and people long away are forgotten.
        """
        self.expire(now)
        if hello.resume is None:
            drawn = self._secrets.randbytes(SECRET_BYTES)
            secret = brief_secret(drawn) if hello.brief else drawn
            return self._newcomer(hello, secret, address, now), secret
        secret = hello.resume.secret
        person = self._remembered.by_digest(_digest(secret))
        if person is not None:  # however often others of the same address have guessed
            return self._known(hello, person, address, now, serial), None
        if not self._newcomers.may_guess(address, now):
            raise Unwelcome(Refusal.TOO_FAST)
        if not self._guests.has_made(secret, hello.name):
            self._newcomers.guessed(address, now)
            raise Unwelcome(Refusal.BAD_SECRET)
        return self._newcomer(hello, secret, address, now), secret

    def restore(self, kept: KeptPerson, seen_at: int) -> Person:
        """Somebody who was known before a restart; `seen_at` is on the loop's clock."""
        was = kept.person
        person = self._new_person(was.name, was.address, was.digest, seen_at)
        if was.has_played:
            self._remembered.promote(person)
        person.nth, self.known_so_far = was.nth, max(was.nth, self.known_so_far)
        self._guests.note(was.digest, was.name)
        person.last_command = person.last_before = CommandNumber(was.last_command)
        person.kept_at = was.seen_at
        for answer in kept.answers:
            is_plain = answer.packed == acceptance_of(answer.n)
            person.answers.note(answer.n, None if is_plain else answer.packed)
        return person

    def rename(self, person: Person, name: str) -> None:
        """The name that was asked for is kept; whoever has a seat by now keeps the old one."""
        asked_for, former = name_key(name), name_key(person.name)
        keeps_former = person.lobby is not None
        if not keeps_former:
            person.name = name
        if asked_for != former:
            self._free(asked_for if keeps_former else former, person)

    def not_kept(self, person: Person, name: str, *, is_new: bool, now: int) -> None:
        """Somebody is not let in after all; of one who is new nothing is kept."""
        if is_new:
            if person in self._remembered and not person.connected:
                self._forget(person)
        elif name_key(name) != name_key(person.name):
            self._free(name_key(name), person)
        if not person.connected and person.lobby is None:
            self.leave(person, now)

    def let_in(
        self, person: Person, name: str, hello: Hello, address: str, *, now: int, serial: int
    ) -> None:
        """Whoever is let in holds their name, even if an older line of theirs was lost meanwhile.

        Raises:
            Unwelcome: others have come while this was being kept; a name asked for is free again.
        """
        holds = name if person.lobby is None else person.name
        try:
            _check_line(person, serial)
            self._check_free(holds, person)
            self._check_places(person, holds)
            self._check_address_for(person, address)
        except Unwelcome:
            self.not_kept(person, name, is_new=False, now=now)
            raise
        self.rename(person, name)
        self.take_name(person)
        person.ssh, person.address = hello.ssh, address

    def take_name(self, person: Person) -> None:
        """Whoever has a seat keeps the name: it is unique among all who are connected or seated."""
        self._by_name[name_key(person.name)] = person

    def leave(self, person: Person, now: int) -> None:
        """The person has neither line nor seat any more: the name is free again."""
        self._seen(person, now)
        self._free_name(person)

    # --- who is forgotten, and who has played -----------------------------------------------------

    @property
    def forgotten(self) -> tuple[bytes, ...]:
        """The digests of those whom the journal is still to forget, and who have not come again."""
        known = self._remembered.by_digest
        return tuple([digest for digest in self._forgotten if known(digest) is None])

    def is_to_be_forgotten(self, digest: bytes) -> bool:
        """Whether the journal may still have something of a former life of theirs."""
        return digest in self._forgotten

    def are_forgotten(self, *digests: bytes) -> None:
        """The journal has nothing of these any more, or has forgotten it before they came again."""
        for digest in digests:
            self._forgotten.pop(digest, None)

    def dealt_in(self, person: Person) -> None:
        """Somebody is dealt cards: they are not forgotten before all who never were."""
        if not person.has_played and person in self._remembered:
            self._remembered.promote(person)
            self._new_players.append(person)

    @property
    def new_players(self) -> tuple[Person, ...]:
        """Those who were dealt cards, which the journal does not know yet."""
        return tuple([person for person in self._new_players if person in self._remembered])

    def are_kept_as_players(self, *players: Person) -> None:
        """The journal knows that these were dealt cards."""
        self._new_players = [each for each in self.new_players if each not in players]

    def expire(self, now: int, newcomers: int = 0) -> None:
        """Forget people who have stayed away too long, or as many as there are too many."""
        settings = self._settings
        oldest = now - int(settings.remember_days * 86_400 * MICROS)
        most, passers_by = settings.people - newcomers, settings.passers_by - newcomers
        for person in self._remembered.surplus(oldest, passers_by, most):
            self._forget(person)

    def _seen(self, person: Person, now: int) -> None:
        person.seen_at = now
        if person in self._remembered:
            self._remembered.see(person)

    def _forget(self, person: Person) -> None:
        self._free_name(person)
        self._guests.forget(person.digest, person.name)
        self._remembered.remove(person)
        self._forgotten[person.digest] = None

    def _free_name(self, person: Person) -> None:
        self._free(name_key(person.name), person)

    def _free(self, key: str, person: Person) -> None:
        if self._by_name.get(key) is person:
            del self._by_name[key]

    # --- what may stand against a hello -----------------------------------------------------------

    def _newcomer(self, hello: Hello, secret: bytes, address: str, now: int) -> Person:
        digest = _digest(secret)
        self._check_name(hello.name, None)
        self._check_places(None, hello.name)
        self._check_limits(address, now)
        person = self._new_person(hello.name, address, digest, now)
        self.known_so_far += 1
        person.nth = self.known_so_far
        person.ssh = hello.ssh
        self._guests.note(digest, hello.name)
        self.take_name(person)
        return person

    def _known(self, hello: Hello, person: Person, address: str, now: int, serial: int) -> Person:
        if not person.comings.take(now):
            raise Unwelcome(Refusal.TOO_FAST)
        _check_line(person, serial)
        keeps_name = person.lobby is not None or hello.name == person.name
        name = person.name if keeps_name else hello.name
        self._check_name(name, person)
        self._check_places(person, person.name)
        self._check_address_for(person, address)
        self._by_name[name_key(name)] = person  # nobody else gets it while it is being kept
        self._seen(person, now)
        return person

    def _check_name(self, name: str, person: Person | None) -> None:
        is_theirs = person is not None and person.name == name  # given when less was reserved
        if not is_theirs and not is_a_name(name):
            raise Unwelcome(Refusal.BAD_NAME)
        if not is_theirs and is_like_a_computers(name):
            raise Unwelcome(Refusal.COMPUTERS_NAME)
        self._check_free(name, person)
        if self._guests.keeps(name, None if person is None else person.digest):
            raise Unwelcome(Refusal.NAME_TAKEN)

    def _check_free(self, name: str, person: Person | None) -> None:
        if self._by_name.get(name_key(name), person) is not person:
            raise Unwelcome(Refusal.NAME_TAKEN)

    def _check_places(self, person: Person | None, name: str) -> None:
        """Whoever has a line or a seat is let in: strangers could fill the server while they are away.

        They and nobody else have a name that is theirs alone; those who are just coming do, too.
        """
        has_place = person is not None and self._by_name.get(name_key(name)) is person
        if not has_place and len(self._by_name) >= self._settings.connections:
            raise Unwelcome(Refusal.SERVER_FULL)

    def _check_limits(self, address: str, now: int) -> None:
        self._check_address(address)
        if not self._newcomers.take(address, now):
            raise Unwelcome(Refusal.TOO_FAST)
        many, settings = self._remembered, self._settings
        if len(many) >= settings.people or many.passers_by >= settings.passers_by:
            self.expire(now, newcomers=1)
        if len(many) >= settings.people:
            raise Unwelcome(Refusal.SERVER_FULL)

    def _check_address_for(self, person: Person, address: str) -> None:
        """Whoever has a seat, or a line from there that this one replaces, needs no other place."""
        if person.lobby is None and not self._present.comes_from(person, address):
            self._check_address(address)

    def _check_address(self, address: str) -> None:
        if self._present.is_full(address):
            raise Unwelcome(Refusal.ADDRESS_FULL)

    def _new_person(self, name: str, address: str, digest: bytes, now: int) -> Person:
        settings = self._settings
        person = Person(
            name=name,
            digest=digest,
            address=address,
            seen_at=now,
            commands=Bucket(settings.commands_per_s, settings.commands_burst),
            challenges=Bucket(settings.commands_per_s, settings.commands_burst),
            chat=Bucket(settings.chat_per_s, settings.chat_burst),
            stirs=Bucket(settings.commands_per_s / COMMANDS_PER_STIR, settings.commands_burst),
            comings=Bucket(settings.reconnects_per_min / 60, settings.reconnects_per_min),
            patience=Bucket(settings.refusals_per_s, settings.refusals_burst),
            entries=Bucket(settings.entries_per_min / 60, settings.entries_per_min // 3),
            mailbox=Mailbox(settings.replay),
        )
        self._remembered.add(person)
        return person


def _check_line(person: Person, serial: int) -> None:
    """Of several lines of one person the one that was accepted last is theirs."""
    if person.line is not None and person.line.serial > serial:
        raise Unwelcome(Refusal.ELSEWHERE)


def _digest(secret: bytes) -> bytes:
    return hashlib.sha256(secret).digest()
