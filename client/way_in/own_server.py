"""What becomes of a server that this client has started once it has ended. Pure."""

from client.state import ClientState
from client.way_in.address import Address, read_address

ENDED = "The server that you started here has ended. To go on, in another terminal: {}"


def start_again(address: Address, *, for_friends: bool) -> str:
    """The command line that starts the same server again: it goes on from where it was.

    It is open to no more than it was: where somebody has said where it listens, that may be less than
    everywhere.
    """
    if not address.is_loopback:
        return f"facedown-server --host {address.host} --port {address.port}"
    return f"facedown-server {'--lan ' * for_friends}--port {address.port}"


def host_again(port: int) -> str:
    """The same with a client beside it, for who was its host."""
    return f"facedown host --port {port}"  # said always: the server may be set to another


def server_ended(state: ClientState) -> str:
    """That it has, and what to do."""
    address = read_address(state.link.address)
    return ENDED.format(start_again(address, for_friends=bool(state.hosted_at)))
