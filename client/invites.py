"""The line that brings somebody else to a lobby. Pure."""

from client.state import ClientState
from protocol.text import clean


def invite_text(state: ClientState, hosted: str = "") -> str:
    """As friends type it; `hosted` is how they reach a server that this client runs itself."""
    code = state.lobby.code if state.lobby else ""
    if state.ssh:
        return f"{state.ssh}{clean(code)}"
    return f"facedown join {hosted or clean(state.link.address, 60)}/{clean(code)}"
