"""The bare minimum beside which the server is measured: trio, sockets and no game.

Run with the file of a score. One task reads each connection; each frame that comes in is answered
with what the score has for that step, written to the four seats of its table without waiting
first. Only what the kernel does not take is left to a task of its own. With a folder besides, a play
is kept in a journal there before each step is told.
"""

import contextlib
import re
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import trio

from benching import score
from benching.frames import cut
from benching.plays_kept import PlaysKept
from benching.score import PLAYERS, Score
from server.journal.sqlite_store import SqliteStore

READ_SIZE = 64 * 1024
BACKLOG = 1024
SEATED = re.compile(rb"t(\d+)s(\d)")


class Peer:
    """One connection."""

    def __init__(self, sock: socket.socket, nursery: trio.Nursery) -> None:
        self._socket = sock
        self._nursery = nursery
        self._queued = b""
        self._rest = b""

    async def read(self) -> list[bytes]:
        """Wait for bytes and give out the frames that are complete; none when the peer is gone."""
        while True:
            try:
                await trio.lowlevel.wait_readable(self._socket)
                data = self._socket.recv(READ_SIZE)
            except OSError:
                return []
            bodies, self._rest = cut(self._rest + data)
            if bodies or not data:
                return bodies

    def write(self, data: bytes) -> None:
        """Write what the kernel takes; the rest goes out as soon as it can."""
        if self._queued:
            self._queued += data
            return
        sent = self._write_nowait(data)
        if sent < len(data):
            self._queued = data[sent:]
            self._nursery.start_soon(self._drain)

    def _write_nowait(self, data: bytes) -> int:
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # gone; its reader sees that too

    async def _drain(self) -> None:
        while self._queued:
            await trio.lowlevel.wait_writable(self._socket)
            self._queued = self._queued[self._write_nowait(self._queued) :]

    def close(self) -> None:
        """Close the connection."""
        trio.lowlevel.notify_closing(self._socket)
        self._socket.close()


class Group:
    """Four peers at a table, and how far they are in the score."""

    def __init__(self, sheet: Score) -> None:
        self._heard = sheet.heard
        self._at = 0
        self.peers: dict[int, Peer] = {}

    def fan_out(self) -> None:
        """Tell all seats what the next step of the score has for them."""
        heard = self._heard[self._at]
        self._at = (self._at + 1) % len(self._heard)
        for seat in range(PLAYERS):
            self.peers[seat].write(heard[seat])


class Baseline:
    """All groups."""

    def __init__(self, sheet: Score, keep: Callable[[], Awaitable[None]] | None = None) -> None:
        """`keep` is awaited before each step is told."""
        self._sheet, self._keep = sheet, keep
        self._groups: dict[int, Group] = {}
        self._nobody = Group(sheet)

    async def serve(self, listening: socket.socket) -> None:
        """Accept connections until the standard input, on which nothing is ever said, ends."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._accept_all, listening, nursery)
            await trio.lowlevel.wait_readable(sys.stdin.fileno())
            nursery.cancel_scope.cancel()

    async def _accept_all(self, listening: socket.socket, nursery: trio.Nursery) -> None:
        while True:
            await trio.lowlevel.wait_readable(listening)
            sock, _ = listening.accept()
            sock.setblocking(False)  # noqa: FBT003 - the socket's own word
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            nursery.start_soon(self._attend, Peer(sock, nursery))

    async def _attend(self, peer: Peer) -> None:
        try:
            for hello in await peer.read():
                group = self._seat(peer, hello)
                peer.write(self._sheet.welcome)
            while frames := await peer.read():
                for _ in frames:
                    if self._keep is not None:
                        await self._keep()
                    group.fan_out()
        finally:
            peer.close()

    def _seat(self, peer: Peer, hello: bytes) -> Group:
        found = SEATED.search(hello)
        if found is None:
            return self._nobody  # this one only stays
        group = self._groups.setdefault(int(found[1]), Group(self._sheet))
        group.peers[int(found[2])] = peer
        return group


def main() -> None:
    """Serve until stopped; with a folder on the command line, keep a play before each step."""
    sheet, folders = score.load(Path(sys.argv[1])), sys.argv[2:]
    if not folders:
        serve(Baseline(sheet))
        return
    with contextlib.closing(SqliteStore(Path(folders[0]))) as store:
        serve(Baseline(sheet, trio.run(PlaysKept.begin, store).keep))


def serve(baseline: Baseline) -> None:
    """Listen on a free port of loopback, say so, and serve until stopped."""
    with socket.create_server(("127.0.0.1", 0), backlog=BACKLOG) as listening:
        listening.setblocking(False)  # noqa: FBT003 - the socket's own word
        host, port = listening.getsockname()
        print(f"baseline ready on {host}:{port}", flush=True)
        trio.run(baseline.serve, listening)


if __name__ == "__main__":
    main()
