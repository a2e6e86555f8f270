"""This machine's own addresses on the networks that it is on, as friends can type them."""

import ipaddress
import socket
import struct

# Addresses for examples, and whoever is on the same network: nothing is sent to either.
SOMEWHERE_ELSE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
NEIGHBOURS = {socket.AF_INET: "224.0.0.1", socket.AF_INET6: "ff0e::1"}
PORT = 9


def own_addresses(family: socket.AddressFamily = socket.AF_INET) -> tuple[str, ...]:
    """The one on the way out; without a way out those of all interfaces that are up.

    The name of a machine is no help to friends: most networks at home do not know it.
    """
    on_the_way_out = _address_towards(family, SOMEWHERE_ELSE[family])
    if on_the_way_out:
        return (on_the_way_out,)
    indexes = [index for index, _ in socket.if_nameindex()]
    found = [_address_towards(family, NEIGHBOURS[family], index) for index in indexes]
    return tuple(dict.fromkeys(filter(None, found)))


def _address_towards(family: socket.AddressFamily, place: str, interface: int | None = None) -> str:
    """The address that what is sent there would come from; "" if none can be sent."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            if interface is not None:
                _send_through(probe, interface)
            probe.connect((place, PORT))  # a datagram socket sends nothing on connect
            address = ipaddress.ip_address(probe.getsockname()[0])
    except OSError:
        return ""
    # What holds on one link of IPv6 alone is typed with the name that each friend has for it.
    is_of_one_link = address.version == 6 and address.is_link_local  # noqa: PLR2004 - IPv6
    is_no_use = address.is_loopback or address.is_unspecified or is_of_one_link
    return "" if is_no_use else str(address)


def _send_through(probe: socket.socket, interface: int) -> None:
    if probe.family == socket.AF_INET6:
        probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, interface)
    else:
        through = struct.pack("4s4si", b"", b"", interface)
        probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, through)
