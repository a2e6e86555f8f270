"""What a lobby's people are told while nothing can be kept, as on a full disk, and when that is over.

It is the one thing that is said before anything can be kept again, and tells of nothing that was done.
"""

from typing import TYPE_CHECKING

from protocol import events as e
from server.lobby.mishaps import people_of
from server.person import Person

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby


def begin(lobby: "Lobby") -> None:
    """What was to be kept could not be: everybody waits, whoever comes or leaves just now as well."""
    lobby.outbox.is_stalled = True
    for person in people_of(lobby):
        _tell(lobby, person)


def tell_who_comes(lobby: "Lobby", person: Person) -> None:
    """Somebody is at the door, or back, while all wait: so do they."""
    if lobby.outbox.is_stalled:
        _tell(lobby, person)


def end(lobby: "Lobby") -> None:
    """It is over, if it was so: at a table its clocks are told with `Resumed`."""
    if not lobby.outbox.is_stalled:
        return
    lobby.outbox.is_stalled = False
    for person in people_of(lobby):
        if not _is_at_table(lobby, person):
            person.tell(e.Stalled(over=True))
            person.flush()


def _tell(lobby: "Lobby", person: Person) -> None:
    at_table = _is_at_table(lobby, person)
    person.tell(e.Paused(reason=e.PauseReason.STALLED) if at_table else e.Stalled())
    person.flush()


def _is_at_table(lobby: "Lobby", person: Person) -> bool:
    """Whether this person is shown a deal that goes on: what is kept of the lobby is what is told."""
    kept = lobby.kept
    if lobby.table is None or kept is None or not kept.deal_runs:
        return False
    return any(digest == person.digest for _, digest in kept.people)
