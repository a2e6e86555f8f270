"""Guests who speak to a server in a process of its own, over real TCP."""

import contextlib
import signal
import socket
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import trio

from tests.support.guests import Guest, gather
from tests.support.processes import PATIENCE_S, Terminal, a_process

if TYPE_CHECKING:
    from server.hall import Hall

UNHURRIED = (
    "--commands-per-s=100000",
    "--commands-burst=100000",
    "--chat-per-s=100000",
    "--chat-burst=100000",
    "--reconnects-per-min=100000",
    "--new-local-people-per-min=100000",
)
"""Flags of a server whose limits are not what the test is about."""


class LiveServer:
    """A server in a process of its own."""

    def __init__(self, terminal: Terminal, host: str, port: int) -> None:
        self.terminal, self.host, self.port = terminal, host, port
        self.pid = terminal.process.pid

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self.terminal.process.send_signal(number)

    async def ended(self) -> int:
        """Wait until it has ended; its exit code."""
        with trio.fail_after(PATIENCE_S):
            return await self.terminal.process.wait()


@contextlib.asynccontextmanager
async def a_live_server(
    home: Path, *flags: str, module: str = "server", within: Sequence[str] = ()
) -> AsyncIterator[LiveServer]:
    """A server on a free loopback port, killed at the end of the block if it still runs."""
    async with a_process(
        home, module, "--port=0", "--until-eof", *flags, within=within
    ) as terminal:
        ready = await terminal.wait_for(r"ready on ([\d.]+):(\d+)")
        yield LiveServer(terminal, ready[1], int(ready[2]))


class FarGuest(Guest):
    """A guest whose line is a TCP connection, from `source` if that is given."""

    patience_s = PATIENCE_S  # of the real clock

    def __init__(
        self, server: LiveServer, nursery: trio.Nursery, name: str, *, source: str | None = None
    ) -> None:
        nowhere = cast("Hall", None)  # it is in another process
        super().__init__(nowhere, nursery, name)
        self.server = server
        self._source = source

    async def _call(self, address: str) -> trio.abc.Stream:
        del address
        stream = await trio.open_tcp_stream(
            self.server.host, self.server.port, local_address=self._source
        )
        self._nursery.start_soon(_close_in_the_end, stream)
        return stream


async def _close_in_the_end(stream: trio.abc.Stream) -> None:
    """Guests are left where they are when a test ends; their connections are not."""
    async with stream:
        await trio.sleep_forever()


async def a_far_party(
    server: LiveServer, nursery: trio.Nursery, *names: str, rules: str = "classic"
) -> tuple[FarGuest, ...]:
    """Guests in one lobby, the first of them host; nothing is dealt yet."""
    guests = tuple(FarGuest(server, nursery, name) for name in names)
    await gather(*guests, rules=rules)
    return guests


def deaf(server: LiveServer) -> socket.socket:
    """A connection whose end here takes next to nothing, and has to be read for more."""
    sock = socket.socket()
    sock.setsockopt(
        socket.SOL_SOCKET, socket.SO_RCVBUF, 1
    )  # before connecting: the window it offers
    sock.connect((server.host, server.port))
    return sock
