"""Whose fault it is when the protocol is broken: ours, or the peer's."""


class ProtocolError(Exception):
    """Somebody broke the protocol; only the two kinds below are raised."""


class LocalProtocolError(ProtocolError):
    """Our own code asked for what the protocol forbids. It is a bug here: let it rise."""


class RemoteProtocolError(ProtocolError):
    """The peer sent what the protocol forbids: close that one connection.

    `parting` is what to write before closing, a line of plain text for a peer that does not speak
    our protocol at all; mostly there is nothing.
    """

    def __init__(self, reason: str, parting: bytes = b"") -> None:
        super().__init__(reason)
        self.parting = parting
