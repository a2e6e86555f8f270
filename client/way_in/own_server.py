"""What becomes of a server that this client has started once it has ended. Pure."""

from client.way_in.address import DEFAULT_PORT, read_address

ENDED = "The server that you started here has ended. To go on, in another terminal: {}"


def start_again(port: int) -> str:
    """The command line that starts the same server again: it goes on from where it was."""
    return f"facedown-server --lan --port {port}"


def host_again(port: int) -> str:
    """The same with a client beside it, for who was its host."""
    return "facedown host" if port == DEFAULT_PORT else f"facedown host --port {port}"


def server_ended(address: str) -> str:
    """That it has, and what to do."""
    return ENDED.format(start_again(read_address(address).port))
