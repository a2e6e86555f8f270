"""The few times at which a clock is read out: 10, 5 and 3 seconds before my turn ends. Pure."""

from client import selectors
from client.state import ClientState

TURN_TICKS = (10, 5, 3)  # a reminder of the server that comes with one of them would say it twice
WINDOW_TICKS = (3,)  # a doubter has one warning, and only where the window is long
LONG_WINDOW_S = 6.0


def next_tick(state: ClientState, after: float) -> tuple[float, str] | None:
    """The next reading later than `after`: when it is due on the local clock, and its line."""
    due = [tick for tick in (*_turn(state), *_window(state)) if tick[0] > after]
    return min(due, default=None)


def _turn(state: ClientState) -> list[tuple[float, str]]:
    ends = state.clocks.turn_ends
    seat = selectors.my_seat(state)
    if ends is None or state.clocks.turn_seat != seat or not selectors.plays_myself(state):
        return []
    return [(ends - left, f"TIME: {left} seconds left.") for left in TURN_TICKS]


def _window(state: ClientState) -> list[tuple[float, str]]:
    ends = state.clocks.window_ends
    if ends is None or state.clocks.window_s < LONG_WINDOW_S or not selectors.window_open(state):
        return []
    if state.doubt or selectors.believed_myself(state):
        return []
    return [(ends - left, f"TIME: {left} seconds to doubt.") for left in WINDOW_TICKS]
