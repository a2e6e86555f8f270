"""What a lobby needs of the hall it belongs to."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from server.alarm_clock import AlarmClock
from server.person import Person
from server.postbag import Postbag

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby


class Hall(Protocol):
    """Where people are who are in no lobby, and where the lobbies are listed."""

    alarm_clock: AlarmClock
    postbag: Postbag

    @property
    def people(self) -> Iterable[Person]:
        """All who are known here."""
        ...

    @property
    def connected(self) -> Iterable[Person]:
        """All who have a line: many fewer."""
        ...

    @property
    def known_so_far(self) -> int:
        """How many people have ever become known: the newest is the nth of them."""
        ...

    def changed(self, lobby: "Lobby") -> None:
        """The lobby looks different from outside."""
        ...

    def left(self, person: Person, reason: str) -> None:
        """Somebody is back in the hall."""
        ...

    def kept_out(self, person: Person) -> None:
        """Somebody was refused at the door, and is in the hall again."""
        ...

    def dealt_in(self, person: Person) -> None:
        """Somebody is dealt cards, or takes a seat over that was."""
        ...

    def closed(self, lobby: "Lobby") -> None:
        """The lobby is no more."""
        ...
