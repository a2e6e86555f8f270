"""How others get to this lobby: over the network, and by SSH where this client came that way. Pure."""

from msgspec import Struct
from msgspec.structs import replace

from client.state import ClientState
from client.way_in.address import BadAddress, in_a_command, read_address
from protocol.text import clean

FIRST = "Invite"
FOR_FRIENDS = "Practice is for you alone. For friends:  facedown host"
HERE_ONLY = "on this machine only"
AND_PASSWORD = "and the password"  # noqa: S105 - says that it takes one


class Invite(Struct, frozen=True, kw_only=True):
    """One way in."""

    label: str
    text: str  # a command line
    note: str = ""  # whom it does not help, and what it takes besides

    @property
    def said(self) -> str:
        """The command line, with its note in brackets."""
        return f"{self.text} ({self.note})" if self.note else self.text


def invites(state: ClientState) -> tuple[Invite, ...]:
    """Every way in, the one that most friends need first; none without a lobby."""
    if state.lobby is None:
        return ()
    code = in_a_command(state.lobby.code)
    secret = (AND_PASSWORD,) * state.lobby.password
    by_ssh, hosts = _way_by_ssh(state), hosted_at(state)
    ssh = Invite(label=FIRST, text=f"{by_ssh}{code}", note=", ".join(secret))
    if by_ssh and not hosts:  # who came by SSH is on a server of that box
        return (ssh,)
    servers = hosts or (clean(state.link.address, 60),)
    here = () if hosts or not _is_here(state.link.address) else (HERE_ONLY,)
    note = ", ".join((*here, *secret))
    ways = (
        Invite(label="or" if number else FIRST, text=f"facedown join {server}/{code}", note=note)
        for number, server in enumerate(servers)
    )
    return (*ways, *((replace(ssh, label="or SSH"),) if by_ssh else ()))


def hosted_at(state: ClientState) -> tuple[str, ...]:
    """Where others find this server, if this client hosts it: it may have gone on to another one."""
    return state.hosted_at if _is_where_we_set_out_for(state) else ()


def _way_by_ssh(state: ClientState) -> str:
    """How others get to this server by SSH: the command line up to a lobby's code; else empty."""
    return state.ssh if _is_where_we_set_out_for(state) else ""


def _is_where_we_set_out_for(state: ClientState) -> bool:
    return state.set_out_for in {"", state.link.address}


def _is_here(address: str) -> bool:
    """Whether only people on this machine get there by this address."""
    try:
        return read_address(address).is_loopback
    except BadAddress:
        return False
