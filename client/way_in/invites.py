"""How others get to this lobby: over the network, and by SSH where this client came that way. Pure."""

from msgspec import Struct

from client.state import ClientState
from client.way_in.address import read_address
from protocol.text import clean

FIRST = "Invite"
HERE_ONLY = "on this machine only"


class Invite(Struct, frozen=True, kw_only=True):
    """One way in."""

    label: str
    text: str  # a command line
    note: str = ""  # whom it does not help

    @property
    def said(self) -> str:
        """The command line, with its note in brackets."""
        return f"{self.text} ({self.note})" if self.note else self.text


def invites(state: ClientState) -> tuple[Invite, ...]:
    """Every way in, the one that most friends need first; none without a lobby."""
    if state.lobby is None:
        return ()
    code = clean(state.lobby.code)
    if state.ssh and not state.hosted_at:  # who came by SSH is on a server of that box
        return (Invite(label=FIRST, text=f"{state.ssh}{code}"),)
    servers = state.hosted_at or (clean(state.link.address, 60),)
    note = "" if state.hosted_at or not _is_here(state.link.address) else HERE_ONLY
    ways = (
        Invite(label="or" if number else FIRST, text=f"facedown join {server}/{code}", note=note)
        for number, server in enumerate(servers)
    )
    by_ssh = (Invite(label="or SSH", text=f"{state.ssh}{code}"),) if state.ssh else ()
    return (*ways, *by_ssh)


def _is_here(address: str) -> bool:
    """Whether only people on this machine get there by this address."""
    try:
        return read_address(address).is_loopback
    except ValueError:
        return False
