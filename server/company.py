"""What is around a table: the people it plays for, its inbox, its store, its settings, its dice."""

from dataclasses import dataclass
from random import Random
from typing import Protocol

from server.config import Settings
from server.inbox import Inbox
from server.people import Person
from server.store import Store


class Company(Protocol):
    """The people around a table: its lobby."""

    @property
    def code(self) -> str:
        """The lobby's code."""
        ...

    def tell_all(self, packed: bytes, *, passing: bool) -> None:
        """Gather an event for everybody."""
        ...

    def acts_as_host(self, person: Person) -> bool:
        """Whether this person may do what the host may."""
        ...

    def includes(self, person: Person) -> bool:
        """Whether the person is here."""
        ...

    def everybody(self) -> tuple[Person, ...]:
        """All people here, seated and watching."""
        ...

    async def keep(self) -> None:
        """Keep what has changed around the table: whose seat is whose."""
        ...

    def flush(self) -> None:
        """Send what was gathered."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """All that a table is given besides the deal and those who hold its seats."""

    company: Company
    inbox: Inbox
    store: Store
    settings: Settings
    rng: Random
