"""Packets that somebody writes themselves: the end of what they say comes first, its beginning later."""

import contextlib
import socket
import struct
from collections.abc import Iterator

_TCP_REPAIR, _TCP_REPAIR_QUEUE, _TCP_QUEUE_SEQ = 19, 20, 21  # of Linux
_RECEIVED, _SENT = 1, 2
_ON, _OFF = 1, -1
_LOOPBACK = socket.inet_aton("127.0.0.1")
_ACK_AND_PUSH = 0x18


def may_write_packets() -> bool:
    """Whether this machine lets us: it takes root, and Linux."""
    with socket.socket() as sock, contextlib.suppress(OSError):
        with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_TCP):
            pass
        with _repairing(sock):
            return True
    return False


def send_the_end(client: socket.socket, end: bytes, *, missing: int) -> None:
    """Send these bytes over a quiet loopback connection, without so many that come before them."""
    with _repairing(client):
        seen, said = (_next_number(client, queue) for queue in (_RECEIVED, _SENT))
    ports = client.getsockname()[1], client.getpeername()[1]
    packet = _packet(ports, said + missing, seen, end)
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_TCP) as raw:
        raw.sendto(packet, ("127.0.0.1", 0))


@contextlib.contextmanager
def _repairing(sock: socket.socket) -> Iterator[None]:
    sock.setsockopt(socket.IPPROTO_TCP, _TCP_REPAIR, _ON)
    try:
        yield
    finally:
        sock.setsockopt(socket.IPPROTO_TCP, _TCP_REPAIR, _OFF)


def _next_number(sock: socket.socket, queue: int) -> int:
    sock.setsockopt(socket.IPPROTO_TCP, _TCP_REPAIR_QUEUE, queue)
    return sock.getsockopt(socket.IPPROTO_TCP, _TCP_QUEUE_SEQ) & 0xFFFFFFFF


def _packet(ports: tuple[int, int], number: int, seen: int, data: bytes) -> bytes:
    """One TCP segment: ports, number, what was seen, header of five words, flags, window, checksum."""

    def header(checksum: int) -> bytes:
        at = number & 0xFFFFFFFF, seen, 5 << 4, _ACK_AND_PUSH, 512, checksum, 0
        return struct.pack("!HHIIBBHHH", *ports, *at)

    length = len(header(0)) + len(data)
    about = _LOOPBACK * 2 + struct.pack("!HH", socket.IPPROTO_TCP, length)
    return header(_checksum(about + header(0) + data)) + data


def _checksum(data: bytes) -> int:
    padded = data + bytes(len(data) % 2)
    total: int = sum(struct.unpack(f"!{len(padded) // 2}H", padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return 0xFFFF - total
