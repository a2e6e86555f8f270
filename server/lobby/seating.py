"""Who sits where in a lobby, who is host, who is ready: pure functions from state to state.

The state is `LobbyState`, all that its people may know. What is asked for wrongly is refused with
`NotAllowed`; people are named by their names here, which are unique on a server.
"""

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from protocol.events import LobbySeat, LobbyStage, LobbyState, SeatKind
from protocol.numbers import MIN_SEATS
from protocol.refusals import Refusal
from protocol.text import name_key


class NotAllowed(Exception):
    """What was asked for is refused, and nothing has changed."""

    def __init__(self, refusal: Refusal, detail: str = "") -> None:
        super().__init__(refusal.value)
        self.refusal = refusal
        self.detail = detail


def seat_named(state: LobbyState, name: str) -> LobbySeat | None:
    """The seat of the person or computer player with this name."""
    return next((seat for seat in state.seats if seat.name == name), None)


def with_person(state: LobbyState, name: str, if_full: Refusal = Refusal.LOBBY_FULL) -> LobbyState:
    """Somebody sits down; a free seat is needed (RULES A1)."""
    if len(state.seats) >= state.settings.size:
        raise NotAllowed(if_full)
    watching = tuple(other for other in state.watching if other != name)
    return replace(state, seats=(*state.seats, LobbySeat(name=name)), watching=watching)


def with_watcher(state: LobbyState, name: str, most: int) -> LobbyState:
    """Somebody watches, if the host allows it (RULES D8)."""
    if not state.settings.watchers:
        raise NotAllowed(Refusal.NO_WATCHERS)
    if len(state.watching) >= most:
        raise NotAllowed(Refusal.TOO_MANY_WATCH)
    seats = tuple(seat for seat in state.seats if seat.name != name)
    return replace(state, seats=seats, watching=(*state.watching, name))


def without(state: LobbyState, name: str) -> LobbyState:
    """Somebody is gone from seats, watchers and those who ask for a seat."""
    return replace(
        state,
        seats=tuple(seat for seat in state.seats if seat.name != name),
        watching=tuple(other for other in state.watching if other != name),
        asking=tuple(other for other in state.asking if other != name),
    )


def with_computer(state: LobbyState, temperament: str) -> tuple[LobbyState, str]:
    """A computer player sits down; its name is made from its temperament (RULES D6)."""
    if len(state.seats) >= state.settings.size:
        raise NotAllowed(Refusal.TOO_FEW_SEATS)
    taken = {name_key(seat.name) for seat in state.seats}
    numbered = (f"{temperament}-{number}" for number in range(2, len(taken) + 3))
    name = next(name for name in (temperament, *numbered) if name_key(name) not in taken)
    seat = LobbySeat(name=name, kind=SeatKind.COMPUTER, temperament=temperament, ready=True)
    return replace(state, seats=(*state.seats, seat)), name


def with_asking(state: LobbyState, name: str) -> LobbyState:
    """Somebody asks for the seat of a computer player, after all who do already (RULES D8)."""
    others = without_asking(state, name).asking
    return replace(state, asking=(*others, name))


def without_asking(state: LobbyState, name: str) -> LobbyState:
    """Somebody asks for no seat any more."""
    return replace(state, asking=tuple(other for other in state.asking if other != name))


def taken_over(state: LobbyState, computer: str, name: str) -> LobbyState:
    """Somebody gets the seat of a computer player, or keeps the one already taken (RULES D8).

    It may be gone, as that of somebody who has left: then a free one is needed.
    """
    seat = seat_named(state, computer)
    is_there = seat is not None and seat.kind is SeatKind.COMPUTER
    if seat_named(state, name) is not None:
        return without(state, computer) if is_there else state
    if not is_there:
        return with_person(state, name, if_full=Refusal.TOO_FEW_SEATS)
    seats = tuple(LobbySeat(name=name) if seat.name == computer else seat for seat in state.seats)
    watching = tuple(other for other in state.watching if other != name)
    return replace(state, seats=seats, watching=watching)


def with_host(state: LobbyState, name: str) -> LobbyState:
    """This person is host (RULES D6)."""
    return state if name == state.host else replace(state, host=name)


def ready(state: LobbyState, name: str, *, is_ready: bool) -> LobbyState:
    """Somebody is ready for the next deal, or not (RULES D6)."""
    return _changed(state, name, lambda seat: replace(seat, ready=is_ready))


def connected(state: LobbyState, name: str, *, is_connected: bool) -> LobbyState:
    """Somebody's line is up or down; a seat without a line is not ready (RULES D2)."""
    return _changed(
        state,
        name,
        lambda seat: replace(seat, connected=is_connected, ready=seat.ready and is_connected),
    )


def shuffled(state: LobbyState, rng: Random) -> LobbyState:
    """Seats in a new order (RULES D6)."""
    seats = list(state.seats)
    rng.shuffle(seats)
    return replace(state, seats=tuple(seats))


def who_plays(state: LobbyState, *, anyway: bool) -> tuple[LobbySeat, ...]:
    """The seats that the next deal goes to.

    The host, who starts it, is ready; with `anyway` those who are not ready watch (RULES D6).
    """
    players = tuple(seat for seat in state.seats if _plays(state, seat))
    if not anyway and len(players) < len(state.seats):
        waiting = ", ".join(seat.name for seat in state.seats if not _plays(state, seat))
        raise NotAllowed(Refusal.NOT_READY, f"Still waiting for: {waiting}.")
    if len(players) < MIN_SEATS:
        raise NotAllowed(Refusal.TOO_FEW_PLAYERS)
    return players


def _plays(state: LobbyState, seat: LobbySeat) -> bool:
    return seat.ready or (seat.name == state.host and seat.connected)


def still_there(before: LobbyState, after: LobbyState, name: str) -> str | None:
    """Who has a player's seat now: the same, or whoever took it over; None once the seat is gone."""
    was, now = _names(before), _names(after)
    if name in now or name not in was:
        return name
    at = was.index(name)
    replaced = len(now) == len(was) and (*now[:at], *now[at + 1 :]) == (*was[:at], *was[at + 1 :])
    return now[at] if replaced else None


def left_of(before: LobbyState, after: LobbyState, name: str) -> str | None:
    """The next on the left of a seat that is gone; None if nobody who sat there is left."""
    was, now = _names(before), _names(after)
    at = was.index(name)
    return next((other for other in was[at:] + was[:at] if other in now), None)


def dealt(state: LobbyState) -> LobbyState:
    """A deal begins, and with it a match, if one is over or there was none (RULES B22, D7).

    Where one win would end it there is no match: deals are not counted, and wins add up.
    """
    is_of_match = state.rules.match_wins > 1
    deals = 0 if state.stage is LobbyStage.MATCH_OVER else state.deals
    seats = state.seats
    if state.stage is LobbyStage.MATCH_OVER or (is_of_match and not deals):
        seats = tuple(replace(seat, wins=0) for seat in seats)
    return replace(
        state,
        seats=seats,
        stage=LobbyStage.PLAYING,
        deals=deals + 1 if is_of_match else 0,
        match_winner=None,
    )


def deal_over(state: LobbyState, winners: tuple[str, ...], goal: int) -> LobbyState:
    """Count the deal's wins and see whether its match is won (RULES B22).

    It is over when exactly one leads with at least the goal. With a goal of 1 there is no match.
    """
    seats = tuple(
        replace(
            seat,
            wins=seat.wins + (seat.name in winners),
            ready=seat.kind is SeatKind.COMPUTER,
        )
        for seat in state.seats
    )
    winner = _match_winner(seats, goal) if goal > 1 else None
    stage = LobbyStage.BETWEEN_DEALS if winner is None else LobbyStage.MATCH_OVER
    return replace(state, seats=seats, stage=stage, match_winner=winner, asking=())


def _match_winner(seats: tuple[LobbySeat, ...], goal: int) -> str | None:
    most = max((seat.wins for seat in seats), default=0)
    leaders = [seat.name for seat in seats if seat.wins == most]
    return leaders[0] if most >= goal and len(leaders) == 1 else None


def _names(state: LobbyState) -> list[str]:
    return [seat.name for seat in state.seats]


def _changed(state: LobbyState, name: str, change: Callable[[LobbySeat], LobbySeat]) -> LobbyState:
    seats = tuple(change(seat) if seat.name == name else seat for seat in state.seats)
    return replace(state, seats=seats)
