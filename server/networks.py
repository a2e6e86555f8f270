"""This machine's own addresses on the networks that it is on, as friends can type them."""

import ipaddress
import socket
import struct

SOMEWHERE_ELSE = ("192.0.2.1", 9)  # an address for examples: nothing is sent there
NEIGHBOURS = ("224.0.0.1", 9)  # whoever is on the same network; nothing is sent to them either


def own_addresses() -> tuple[str, ...]:
    """The one on the way out; without a way out those of all interfaces that are up.

    The name of a machine is no help to friends: most networks at home do not know it.
    """
    on_the_way_out = _address_towards(SOMEWHERE_ELSE)
    if on_the_way_out:
        return (on_the_way_out,)
    found = [_address_towards(NEIGHBOURS, index) for index, _ in socket.if_nameindex()]
    return tuple(dict.fromkeys(filter(None, found)))


def _address_towards(place: tuple[str, int], interface: int | None = None) -> str:
    """The address that what is sent there would come from; "" if none can be sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            if interface is not None:
                through = struct.pack("4s4si", b"", b"", interface)
                probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, through)
            probe.connect(place)  # a datagram socket sends nothing on connect
            address = ipaddress.ip_address(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if address.is_loopback or address.is_unspecified else str(address)
