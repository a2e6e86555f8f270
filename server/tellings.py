"""What is to be seen in what was told of one step of a deal."""

from protocol.events import Passed, Played, Ruled
from protocol.numbers import Seat
from server.game.deal import Telling

_START_A_TIME = {Played, Ruled}
_MOVES = (Played, Passed)

Tellings = tuple[Telling, ...]


def are_announced(tellings: Tellings) -> bool:
    """Whether a time begins to run that is counted from when everybody is told."""
    kinds = {type(telling.event) for telling in tellings}
    return not kinds.isdisjoint(_START_A_TIME)


def show_a_move(tellings: Tellings, seat: Seat) -> bool:
    """Whether the seat has played or passed."""
    for telling in tellings:
        event = telling.event
        if isinstance(event, _MOVES) and event.seat == seat:
            return True
    return False
