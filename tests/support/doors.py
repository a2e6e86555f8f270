"""A hall with a listener at its door, on a real loopback socket."""

import errno
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import trio

from protocol.answers import Welcome
from server.config import Settings
from server.hall import Hall
from server.listener import Listener, open_socket
from tests.support.callers import FarEnd, a_hello
from tests.support.guests import a_hall

PATIENCE_S = 10


class Door:
    """A hall with a listener at its door."""

    def __init__(self, hall: Hall, sock: Any, port: int) -> None:  # noqa: ANN401 - or a stand-in
        self.hall = hall
        self.sock = sock
        self.port = port
        self.listener = Listener(sock, hall, hall.settings)
        self._calls = AsyncExitStack()

    async def call(self) -> FarEnd:
        """Connect, and say nothing yet."""
        stream = await trio.open_tcp_stream("127.0.0.1", self.port)
        await self._calls.enter_async_context(stream)
        return FarEnd(stream)

    async def enter(self, name: str) -> FarEnd:
        """Connect, say hello and be welcomed."""
        caller = await self.call()
        await caller.say(a_hello(name))
        await caller.wait_for(Welcome)
        return caller

    async def wait_for_sessions(self, number: int) -> None:
        """Wait until this many connections are being served."""
        while len(self.listener._sessions) != number:
            await trio.lowlevel.checkpoint()

    async def hang_up(self) -> None:
        await self._calls.aclose()


@asynccontextmanager
async def a_door(nursery: trio.Nursery, stumbles: int = 0, **settings: Any) -> AsyncIterator[Door]:  # noqa: ANN401
    """A listener on a free port whose `accept` fails this many times first."""
    sock, _ = open_socket(Settings(port=0))
    with sock, trio.fail_after(PATIENCE_S):
        listening = StumblingSocket(sock, stumbles) if stumbles else sock
        door = Door(a_hall(nursery, **settings), listening, sock.getsockname()[1])
        nursery.start_soon(door.listener.run)
        try:
            yield door
        finally:
            await door.hang_up()


class StumblingSocket:
    """A listening socket for which the process has no descriptor left, for a while."""

    fault: int = errno.EMFILE

    def __init__(self, sock: socket.socket, stumbles: int) -> None:
        self._socket = sock
        self.stumbles = stumbles

    def accept(self) -> tuple[socket.socket, Any]:
        if self.stumbles:
            self.stumbles -= 1
            raise OSError(self.fault, "as the test wants it")
        return self._socket.accept()

    def fileno(self) -> int:
        return self._socket.fileno()
