"""What is to be seen in what was told of one step of a deal."""

from protocol.events import Passed, Played, Ruled
from protocol.numbers import Seat
from server.game.deal import Telling

_STARTS_A_TIME = (Played, Ruled)
_MOVES = (Played, Passed)

Tellings = tuple[Telling, ...]


def are_announced(tellings: Tellings) -> bool:
    """Whether a time begins to run that is counted from when everybody is told."""
    return any(isinstance(telling.event, _STARTS_A_TIME) for telling in tellings)


def show_a_move(tellings: Tellings, seat: Seat) -> bool:
    """Whether the seat has played or passed."""
    return any(
        isinstance(telling.event, _MOVES) and telling.event.seat == seat for telling in tellings
    )
