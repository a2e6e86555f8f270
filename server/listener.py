"""Accepts connections, within limits, and runs a session for each; survives running out of descriptors."""

import contextlib
import errno
import logging
import os
import socket
from collections import Counter

import trio

from protocol.answers import Goodbye
from protocol.connection import ServerConnection
from protocol.refusals import Refusal, explained
from server.addresses import household, is_loopback
from server.arrivals import WallClock, ask_for_stamps, now_us, settle
from server.config import Settings
from server.limits import Bucket, BucketPerKey
from server.session import Door, Session
from server.sockets import Ears, SocketWire
from server.steady_clock import steady_clock

BACKLOG = 1024
CONNECTS_AT_ONCE = 10  # so many seconds' worth of connects may come at once
MOST_AT_ONCE = 10  # so many connections are taken before others get their turn
KERNEL_QUEUE = 64 * 1024  # bytes on their way to one client, beside `send_queue`; some twice that
BREATHER_S = 0.1  # the rest after the kernel could not give us a connection
COMPLAINTS_PER_S = 1 / 60  # the log complains of that no more often
LOG = logging.getLogger(__name__)


def open_socket(settings: Settings) -> tuple[socket.socket, bool]:
    """Listen where the settings say; the second value says whether the kernel stamps arrivals.

    Raises:
        OSError: the address cannot be had.
    """
    host = settings.listens_on
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if os.name != "nt":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Inherited as well. Left to itself Linux keeps up to 4 MiB for somebody who never reads.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_QUEUE)
        sock.setblocking(False)  # noqa: FBT003 - the socket's own word
        sock.bind((host, settings.port))
        # Set before the first connection, so that every accepted socket inherits it (RULES C1).
        stamped = ask_for_stamps(sock)
        sock.listen(BACKLOG)
    except BaseException:
        sock.close()
        raise
    return sock, stamped


class Listener:
    """The accept loop and the sessions it has started."""

    def __init__(
        self,
        sock: socket.socket,
        door: Door,
        settings: Settings,
        ears: Ears | None = None,
    ) -> None:
        self._socket = sock
        self._door = door
        self._settings = settings
        self._ears = Ears(WallClock(steady_clock())) if ears is None else ears
        self._sessions: dict[Session, None] = {}
        self._strangers: dict[Session, None] = {}  # they came as such; some are none any more
        per_s = settings.connects_per_s
        self._comings = BucketPerKey(per_s, per_s * CONNECTS_AT_ONCE)
        self._complaints = Bucket(COMPLAINTS_PER_S, 1)
        self._ended = trio.Event()
        self._vacant = trio.Event()  # set once no session is left, while nobody more is let in

    async def run(self) -> None:
        """Accept connections until the socket is closed, and serve them until they end."""
        try:
            async with trio.open_nursery() as listening:
                listening.start_soon(self._ears.run)
                await self._serve_all()
                listening.cancel_scope.cancel()
        finally:
            self._ended.set()

    def stop(self) -> None:
        """Take in nobody more. Whoever has said hello may stay."""
        trio.lowlevel.notify_closing(self._socket)
        self._socket.close()

    async def _serve_all(self) -> None:
        async with trio.open_nursery() as nursery:
            try:
                with contextlib.suppress(trio.ClosedResourceError):
                    while self._socket.fileno() != -1:
                        await self._accept_some(nursery)
                self._drop_strangers()
                await self._wait_until_vacant()
            finally:
                for session in tuple(self._sessions):
                    session.close_now()

    async def _wait_until_vacant(self) -> None:
        if self._sessions:
            self._vacant = trio.Event()
            await self._vacant.wait()

    async def wait_until_ended(self) -> None:
        """Wait until the socket is closed and all its sessions have ended."""
        await self._ended.wait()

    async def _accept_some(self, nursery: trio.Nursery) -> None:
        """Wait until somebody comes, and take in all who have, ten at most: then it is others' turn."""
        await trio.lowlevel.wait_readable(self._socket)
        for _ in range(MOST_AT_ONCE):
            try:
                sock, address = self._socket.accept()
            except BlockingIOError:
                return
            except OSError as fault:
                await self._get_over(fault)
                return
            try:
                await self._take_in(nursery, sock, household(str(address[0])))
            except Exception:  # a fault of ours costs the one who has called
                LOG.exception("%s could not be taken in", address)
                sock.close()

    async def _get_over(self, fault: OSError) -> None:
        is_closed = self._socket.fileno() == -1  # it was closed since this was last waited for
        if is_closed or fault.errno == errno.ECONNABORTED:  # that one caller has changed its mind
            return
        if self._complaints.take(now_us()):
            LOG.warning("cannot accept: %s; running tables go on", fault.strerror)
        await trio.sleep(BREATHER_S)

    async def _take_in(self, nursery: trio.Nursery, sock: socket.socket, address: str) -> None:
        if not self._may_come(address):
            sock.close()
            return
        try:
            _tune(sock, self._settings)
            wire = SocketWire(sock, self._ears)
        except OSError:
            sock.close()  # gone again before we had a look
            return
        await self._let_in(nursery, wire, address)

    def _may_come(self, address: str) -> bool:
        return is_loopback(address) or self._comings.take(address, now_us())

    async def _let_in(self, nursery: trio.Nursery, wire: SocketWire, address: str) -> None:
        """Start a session, whoever it is: how many people there may be is seen by the hello."""
        if len(self._strangers) >= self._settings.unauthenticated:
            await settle(2)  # whoever has spoken by now is heard before anybody has to go
            self._keep_strangers_few()
        if len(self._sessions) >= self._most_sessions:
            _turn_away(wire)
            return
        session = self._new_session(nursery, wire, address)
        self._sessions[session] = None
        self._strangers[session] = None
        session.greet()

    @property
    def _most_sessions(self) -> int:
        """All people, and twice as many strangers as there may be: the others are on their way out."""
        return self._settings.connections + 2 * self._settings.unauthenticated

    def _new_session(self, nursery: trio.Nursery, wire: SocketWire, address: str) -> Session:
        return Session(
            wire, address, self._door, self._settings, nursery=nursery, on_close=self._forget
        )

    def _forget(self, session: Session) -> None:
        self._sessions.pop(session, None)
        self._strangers.pop(session, None)
        if not self._sessions:
            self._vacant.set()

    def _keep_strangers_few(self) -> None:
        """At the limit of strangers, the oldest goes. Whoever has sent a frame is none any more.

        It is taken from the address with the most of them, so that a crowd costs its own.
        """
        strangers = dict.fromkeys(filter(self._is_silent, self._strangers))
        self._strangers = strangers
        if len(strangers) >= self._settings.unauthenticated:
            [(busiest, _)] = Counter(each.address for each in strangers).most_common(1)
            oldest = next(each for each in strangers if each.address == busiest)
            del strangers[oldest]  # it goes in a moment, and is not to be dropped twice
            oldest.drop()

    @staticmethod
    def _is_silent(session: Session) -> bool:
        return session.is_stranger and not session.has_spoken

    def _drop_strangers(self) -> None:
        for session in self._sessions:
            if session.is_stranger:
                session.drop()


def _turn_away(wire: SocketWire) -> None:
    """A full server says so at once, and waits for nobody."""
    text = explained(Refusal.SERVER_FULL).sentence
    with contextlib.suppress(OSError):
        wire.send_nowait(ServerConnection().send(Goodbye(code=Refusal.SERVER_FULL, text=text)))
    wire.close()


def _tune(sock: socket.socket, settings: Settings) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(trio.socket, "TCP_USER_TIMEOUT"):
        sock.setsockopt(
            socket.IPPROTO_TCP,
            socket.TCP_USER_TIMEOUT,
            int(settings.silence_s * 1000),
        )
