"""Accepts connections, within limits, and runs a session for each; survives running out of room."""

import errno
import logging
import os

import trio

from server.arrivals import SocketWire, WallClock, ask_for_stamps
from server.config import Settings
from server.session import Door, Session

BACKLOG = 1024
BREATHER_S = 0.1  # after running out of descriptors
OUT_OF_ROOM = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}
LOG = logging.getLogger(__name__)


async def open_socket(settings: Settings) -> tuple[trio.socket.SocketType, bool]:
    """Listen where the settings say; the second value says whether the kernel stamps arrivals.

    Raises:
        OSError: the address cannot be had.
    """
    host = "0.0.0.0" if settings.lan else settings.host  # noqa: S104 - that is what --lan asks for
    family = trio.socket.AF_INET6 if ":" in host else trio.socket.AF_INET
    sock = trio.socket.socket(family, trio.socket.SOCK_STREAM)
    try:
        if os.name != "nt":
            sock.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_REUSEADDR, 1)
        await sock.bind((host, settings.port))
        # Set before the first connection, so that every accepted socket inherits it (RULES C1).
        stamped = ask_for_stamps(sock)
        sock.listen(BACKLOG)
    except BaseException:
        sock.close()
        raise
    return sock, stamped


class Listener:
    """The accept loop and the sessions it has started."""

    def __init__(self, sock: trio.socket.SocketType, door: Door, settings: Settings) -> None:
        self._socket = sock
        self._door = door
        self._settings = settings
        self._wall = WallClock()
        self._sessions: dict[Session, None] = {}

    async def run(self) -> None:
        """Accept connections until cancelled."""
        async with trio.open_nursery() as nursery:
            while True:
                accepted = await self._accept()
                if accepted is not None:
                    nursery.start_soon(self._serve, *accepted)

    async def _accept(self) -> tuple[trio.socket.SocketType, str] | None:
        try:
            sock, address = await self._socket.accept()
        except OSError as fault:
            if fault.errno in OUT_OF_ROOM:
                LOG.warning("cannot accept: %s; running tables go on", fault.strerror)
                await trio.sleep(BREATHER_S)
            elif self._socket.fileno() == -1:
                raise
            return None
        if len(self._sessions) >= self._settings.connections:
            sock.close()
            return None
        return sock, str(address[0])

    async def _serve(self, sock: trio.socket.SocketType, address: str) -> None:
        _tune(sock, self._settings)
        session = Session(SocketWire(sock, self._wall), address, self._door, self._settings)
        self._make_room()
        self._sessions[session] = None
        try:
            await session.run()
        except Exception:
            # One session's fault ends that session and nothing else.
            LOG.exception("the session with %s failed", address)
        finally:
            self._sessions.pop(session, None)

    def _make_room(self) -> None:
        """At the limit of strangers, the oldest that has said nothing goes."""
        strangers = [session for session in self._sessions if session.is_stranger]
        if len(strangers) >= self._settings.unauthenticated:
            silent = [session for session in strangers if not session.has_spoken]
            (silent or strangers)[0].drop()


def _tune(sock: trio.socket.SocketType, settings: Settings) -> None:
    sock.setsockopt(trio.socket.IPPROTO_TCP, trio.socket.TCP_NODELAY, 1)
    if hasattr(trio.socket, "TCP_USER_TIMEOUT"):
        sock.setsockopt(
            trio.socket.IPPROTO_TCP,
            trio.socket.TCP_USER_TIMEOUT,
            int(settings.silence_s * 1000),
        )
