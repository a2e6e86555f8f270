"""Whether a clock is on the screen, and what the terminal's title says."""

from client import selectors
from client.screens.desk import Screen
from client.screens.frame import Frame
from client.screens.link import odd_silence
from client.screens.table import state_text


def has_clock(frame: Frame) -> bool:
    """Whether the page changes with time alone."""
    state, clocks = frame.state, frame.state.clocks
    deadlines = (
        clocks.window_ends,
        clocks.reveal_ends,
        clocks.turn_ends,
        clocks.resumes_at,
        state.link.retry_at,
        state.vote.ends if state.vote else None,
        state.pause.ends if state.pause else None,
    )
    is_silent = selectors.is_online(state) and odd_silence(frame) > 0
    asks = frame.desk.asking is not None
    return asks or is_silent or any(ends is not None for ends in deadlines)


def window_title(frame: Frame) -> str:
    """A few words for the terminal's title bar; they change with the turn, not with the clock."""
    view, code = frame.state.table, selectors.lobby_code(frame.state)
    if frame.screen is Screen.TABLE and view is not None:
        return f"Facedown {code}: {state_text(frame, view)}"
    return f"Facedown {code}".strip()
