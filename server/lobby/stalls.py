"""What a lobby's people are told while nothing can be kept, as on a full disk, and when that is over.

It is the one thing that is said before anything can be kept again, and tells of nothing that was done.
"""

from typing import TYPE_CHECKING

from protocol import events as e
from server.carry_on import contained
from server.person import Person

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby


def begin(lobby: "Lobby") -> None:
    """What was to be kept could not be: everybody waits, whoever comes or leaves just now as well."""
    lobby.outbox.stalled = {}
    for person in lobby.hall.connected:
        if person.lobby is lobby:
            tell_who_comes(lobby, person)


def tell_who_comes(lobby: "Lobby", person: Person) -> None:
    """Somebody is at the door, or back: if all wait, so do they."""
    if lobby.outbox.stalled is None:
        return
    with contained("telling somebody that nothing can be kept"):  # they wait all the same
        at_table = lobby.outbox.stalled[person] = _is_at_table(lobby, person)
        person.tell(e.Paused(reason=e.PauseReason.STALLED) if at_table else e.Stalled())
        person.flush()


def end(lobby: "Lobby") -> None:
    """It is over, if it was so: at a table its clocks are told with `Resumed`."""
    told, lobby.outbox.stalled = lobby.outbox.stalled, None
    for person, at_table in (told or {}).items():
        if not at_table:
            with contained("telling somebody that all can be kept again"):
                person.tell(e.Stalled(over=True))
                person.flush()


def _is_at_table(lobby: "Lobby", person: Person) -> bool:
    """Whether this person is shown a deal that goes on: what is kept of the lobby is what is told."""
    kept = lobby.kept
    if lobby.table is None or kept is None or not kept.deal_runs:
        return False
    return any(digest == person.digest for _, digest in kept.people)
