"""The link as the title bar tells it: connected or not, how far, and whether anybody can listen."""

from client.screens.frame import Frame
from client.state import LinkState


def link_text(frame: Frame) -> str:
    """A few words for the right end of the title bar."""
    link = frame.state.link
    match link.state:
        case LinkState.ONLINE:
            rtt = frame.state.rtt_us
            reach = "link ok" if rtt is None else f"link {max(1, round(rtt / 1000))} ms"
            return reach if link.encrypted else f"{reach}, not encrypted"
        case LinkState.CONNECTING:
            return "connecting ..."
        case LinkState.LOST:
            return "! LINE LOST"
        case _:
            return "not connected"
