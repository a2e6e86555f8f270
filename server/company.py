"""What is around a table: the people it plays for, its inbox, its settings, its dice."""

from dataclasses import dataclass
from random import Random
from typing import Protocol

from protocol.events import Event
from server.config import Settings
from server.inbox import Inbox
from server.journal.records import AnswerKept, Change
from server.person import Person


class Company(Protocol):
    """The people around a table: its lobby."""

    @property
    def code(self) -> str:
        """The lobby's code."""
        ...

    @property
    def keeps(self) -> bool:
        """Whether anything is kept at all; if not, nobody need write down what is done."""
        ...

    def tell_all(self, event: Event) -> None:
        """Tell everybody an event, once what has changed is kept."""
        ...

    def tell(self, person: Person, event: Event) -> None:
        """Tell one person an event, once what has changed is kept."""
        ...

    def tell_packed(self, person: Person, packed: bytes) -> None:
        """The same for an event that has been packed, and is no passing one."""
        ...

    def deliver(self) -> None:
        """All that has changed is kept: tell what waits for it."""
        ...

    def may_act(self, person: Person) -> bool:
        """Whether this person may do what the host may, as host or in their place (RULES D6)."""
        ...

    def take_up_host(self, person: Person) -> bool:
        """The same for what is done now, and not refused: who stands in for a host is host then."""
        ...

    def sit_again(self, person: Person) -> None:
        """Whoever plays again sits here as well, if a seat is free (RULES D3)."""
        ...

    def includes(self, person: Person) -> bool:
        """Whether the person is here."""
        ...

    def everybody(self) -> tuple[Person, ...]:
        """All people here, seated and watching."""
        ...

    async def keep(self, *changes: Change, answers: tuple[AnswerKept, ...] = ()) -> int:
        """Keep these changes and what is different around the table; microseconds of disk trouble."""
        ...

    async def keep_and_tell(self) -> None:
        """Keep what has changed, tell it, and send all."""
        ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """All that a table is given besides the deal and those who hold its seats."""

    company: Company
    inbox: Inbox
    settings: Settings
    rng: Random
