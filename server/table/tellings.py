"""Questions about what was told of one step of a deal."""

from protocol.events import Event, Passed, Played, Ruled
from server.game.deal import Telling

_START_A_TIME: frozenset[type[Event]] = frozenset({Played, Ruled})
_MOVES: frozenset[type[Event]] = frozenset({Played, Passed})

Tellings = tuple[Telling, ...]


def start_a_time(tellings: Tellings) -> bool:
    """Whether a time begins to run that is counted from when everybody is told."""
    return _are_of(_START_A_TIME, tellings)


def show_a_move(tellings: Tellings) -> bool:
    """Whether the seat to move has played or passed."""
    return _are_of(_MOVES, tellings)


def _are_of(kinds: frozenset[type[Event]], tellings: Tellings) -> bool:
    for telling in tellings:  # noqa: SIM110 - asked for each action, and `any` would cost twice that
        if type(telling.event) in kinds:
            return True
    return False
