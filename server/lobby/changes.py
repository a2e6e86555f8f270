"""How to say in few words what is different about a lobby. Pure."""

from collections.abc import Iterator
from functools import reduce

from protocol.events import (
    Event,
    LobbyChanged,
    LobbySettings,
    LobbyState,
    SeatChanged,
    StageChanged,
)
from protocol.lobby import follow


def changes(before: LobbyState | None, after: LobbyState) -> tuple[Event, ...]:
    """What to tell people who know the lobby as it was before; the whole of it if need be."""
    if before == after:
        return ()
    if before is not None:
        few = tuple(_few_words(before, after))
        known: LobbyState | None = before
        if reduce(follow, few, known) == after:
            return few
    return (LobbyChanged(lobby=after),)


def settings_words(before: LobbySettings, after: LobbySettings) -> str:
    """What is set in another way, for a person; empty if nothing is."""
    now = {
        "size": f"{after.size} seats",
        "public": "listed in the hall" if after.public else "not listed in the hall",
        "watchers": "watchers allowed" if after.watchers else "no watchers",
        "shout": after.shout,
    }
    return ", ".join(
        said for name, said in now.items() if getattr(before, name) != getattr(after, name)
    )


def _few_words(before: LobbyState, after: LobbyState) -> Iterator[Event]:
    known = before
    if _stage(before) != _stage(after):
        stage = _stage(after)
        yield stage
        known = follow(before, stage) or before
    for was, seat in zip(known.seats, after.seats, strict=False):
        if (was.ready, was.connected) != (seat.ready, seat.connected):
            yield SeatChanged(name=seat.name, ready=seat.ready, connected=seat.connected)


def _stage(lobby: LobbyState) -> StageChanged:
    return StageChanged(
        stage=lobby.stage,
        deals=lobby.deals,
        wins=tuple(seat.wins for seat in lobby.seats),
        match_winner=lobby.match_winner,
    )
