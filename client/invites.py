"""How others get to this lobby: over the network, and by SSH where this client came that way. Pure."""

from msgspec import Struct

from client.state import ClientState
from protocol.text import clean

FIRST = "Invite"


class Invite(Struct, frozen=True, kw_only=True):
    """One way in."""

    label: str
    text: str  # a command line


def invites(state: ClientState) -> tuple[Invite, ...]:
    """Every way in, the one that most friends need first; none without a lobby."""
    if state.lobby is None:
        return ()
    code = clean(state.lobby.code)
    if state.ssh and not state.invite:  # who came by SSH is on a server of that box
        return (Invite(label=FIRST, text=f"{state.ssh}{code}"),)
    server = state.invite or clean(state.link.address, 60)
    by_ssh = (Invite(label="or SSH", text=f"{state.ssh}{code}"),) if state.ssh else ()
    return (Invite(label=FIRST, text=f"facedown join {server}/{code}"), *by_ssh)
