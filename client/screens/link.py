"""The link as the title bar tells it: connected or not, how far, silent, and whether anybody can listen."""

from client import selectors
from client.screens.frame import Frame
from client.screens.parts.bars import seconds
from client.state import LinkState
from protocol.numbers import MICROS

ODD = 0.6  # a ping should have come within this share of the silence after which the line counts as lost


def link_text(frame: Frame) -> str:
    """A few words for the right end of the title bar."""
    link = frame.state.link
    match link.state:
        case LinkState.ONLINE if silence := odd_silence(frame):
            return f"! silent {seconds(silence)}"
        case LinkState.ONLINE:
            rtt = frame.state.rtt_us
            reach = "link ok" if rtt is None else f"link {max(1, round(rtt / 1000))} ms"
            return reach if link.encrypted else f"{reach}, not encrypted"
        case LinkState.CONNECTING:
            return "connecting ..."
        case LinkState.LOST:
            return "! OFFLINE"
        case _:
            return "not connected"


def odd_silence(frame: Frame) -> float:
    """Seconds without a word from the server, once they are more than usual; else 0."""
    usual, silence = _usual_silence(frame), frame.now - frame.state.heard_at
    return silence if 0 < usual <= silence else 0.0


def odd_in(frame: Frame) -> float | None:
    """Seconds from now on in which its silence becomes odd; None where nothing is awaited of it."""
    usual, silence = _usual_silence(frame), frame.now - frame.state.heard_at
    is_awaited = usual and selectors.is_online(frame.state)
    return max(0.0, usual - silence) if is_awaited else None


def _usual_silence(frame: Frame) -> float:
    welcome = frame.state.welcome
    return welcome.silence_us * ODD / MICROS if welcome else 0.0
