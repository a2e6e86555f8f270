"""A lobby as its people know it, followed from what they are told."""

from msgspec.structs import replace

from protocol.events import (
    Event,
    LobbyChanged,
    LobbyLeft,
    LobbySeat,
    LobbyStage,
    LobbyState,
    SeatChanged,
    SeatKind,
    StageChanged,
)


def follow(lobby: LobbyState | None, event: Event) -> LobbyState | None:
    """The lobby after an event; None while one is in no lobby. Most events leave it as it is."""
    match event:
        case LobbyChanged():
            return event.lobby
        case LobbyLeft():
            return None
        case SeatChanged() if lobby is not None:
            return replace(lobby, seats=tuple(_seat(seat, event) for seat in lobby.seats))
        case StageChanged() if lobby is not None and len(event.wins) == len(lobby.seats):
            return _stage(lobby, event)
        case _:
            return lobby


def _seat(seat: LobbySeat, event: SeatChanged) -> LobbySeat:
    if seat.name != event.name:
        return seat
    return replace(seat, ready=event.ready, connected=event.connected)


def _stage(lobby: LobbyState, event: StageChanged) -> LobbyState:
    """After a deal only computer players are ready, and nobody asks for a seat any more."""
    playing = event.stage is LobbyStage.PLAYING
    seats = tuple(
        replace(seat, wins=wins, ready=seat.ready if playing else seat.kind is SeatKind.COMPUTER)
        for seat, wins in zip(lobby.seats, event.wins, strict=True)
    )
    return replace(
        lobby,
        seats=seats,
        stage=event.stage,
        deals=event.deals,
        match_winner=event.match_winner,
        asking=lobby.asking if playing else (),
    )
