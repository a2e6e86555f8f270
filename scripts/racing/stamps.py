"""The kernel's own word on when bytes left and came: nanoseconds of the wall clock, Linux only."""

import contextlib
import socket
import struct
import sys
import time

SO_TIMESTAMPNS = 35  # Linux; the socket module names neither of the two
SO_TIMESTAMPING = 37
TX_SOFTWARE, SOFTWARE, OPT_ID, OPT_TSONLY = 1 << 1, 1 << 4, 1 << 7, 1 << 11
IP_RECVERR = 11
ANCILLARY = 512  # bytes; more than both kinds of stamp need
READ_SIZE = 64 * 1024
_TIMESPEC = struct.Struct("@qq")
_LAST_BYTE = struct.Struct("@12xI")  # ee_data of a sock_extended_err

Ancillary = list[tuple[int, int, bytes]]


def ask_for_stamps(sock: socket.socket) -> bool:
    """Ask for a stamp of all that this fresh connection sends and receives; False if none come.

    Each write is told from the others by its last byte, counted from here on.
    """
    if not sys.platform.startswith("linux"):
        return False
    wanted = TX_SOFTWARE | SOFTWARE | OPT_ID | OPT_TSONLY
    try:
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, wanted)
    except OSError:
        return False
    return True


def sent_stamps(sock: socket.socket) -> dict[int, int]:
    """The stamps of what was sent and not asked for yet, by the number of its last byte."""
    found: dict[int, int] = {}
    with contextlib.suppress(BlockingIOError):
        while True:
            flags = socket.MSG_ERRQUEUE | socket.MSG_DONTWAIT
            _, ancillary, _, _ = sock.recvmsg(0, ANCILLARY, flags)
            found |= _sent_stamp(ancillary)
    return found


def _sent_stamp(ancillary: Ancillary) -> dict[int, int]:
    stamp = last_byte = None
    for level, kind, data in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPING):
            stamp = _nanoseconds(data)
        elif (level, kind) == (socket.IPPROTO_IP, IP_RECVERR):
            (last_byte,) = _LAST_BYTE.unpack_from(data)
    return {} if stamp is None or last_byte is None else {last_byte: stamp}


def receive(sock: socket.socket) -> tuple[bytes, int]:
    """Read once, with the time at which the last of these bytes came (without a stamp: now).

    Raises:
        BlockingIOError: nothing is there.
        OSError: the connection is broken.
    """
    data, ancillary, _, _ = sock.recvmsg(READ_SIZE, ANCILLARY)
    for level, kind, stamp in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
            return data, _nanoseconds(stamp)
    return data, time.time_ns()


def wall_minus_monotonic() -> int:
    """How far the two clocks are apart, in nanoseconds; it changes only if somebody sets one."""
    samples = []
    for _ in range(20):
        before, wall, after = time.perf_counter_ns(), time.time_ns(), time.perf_counter_ns()
        samples.append((after - before, wall - before))
    return min(samples)[1]


def _nanoseconds(timespec: bytes) -> int:
    seconds, nanoseconds = _TIMESPEC.unpack_from(timespec)
    return int(seconds) * 1_000_000_000 + int(nanoseconds)
