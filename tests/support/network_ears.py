"""The line of a client to a fake server, and what it tells."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from client.kept.identity import Keyring
from client.line.network import Network
from client.store import AnyEvent
from client.way_in.address import Address
from protocol.commands import ClientMessage
from protocol.errors import RemoteProtocolError
from protocol.events import Event
from tests.support.fake_server import FakeServer, polite


class Ears:
    """Collects what a network tells."""

    def __init__(self) -> None:
        self.events: list[AnyEvent] = []
        self.cannot_be: type[AnyEvent] | None = None  # what comes with it is not taken in either
        self.batches: list[int] = []
        self._news = asyncio.Event()

    def tell(self, events: Sequence[AnyEvent]) -> None:
        """Take in events.

        Raises:
            RemoteProtocolError: one of them cannot be.
        """
        if self.cannot_be is not None and any(isinstance(one, self.cannot_be) for one in events):
            message = "that cannot be"
            raise RemoteProtocolError(message)
        self.events.extend(events)
        self.batches.append(len(events))
        self._news.set()

    async def hear(self, kind: type[AnyEvent], count: int = 1) -> AnyEvent:
        """Wait for this many events of a kind; return the last of them."""
        async with asyncio.timeout(5):
            while len(found := [one for one in self.events if isinstance(one, kind)]) < count:
                self._news.clear()
                await self._news.wait()
        return found[count - 1]


@asynccontextmanager
async def connected(
    server: FakeServer,
    folder: Path | None = None,
    address: Address | None = None,
    name: str = "maya",
) -> AsyncIterator[tuple[Network, Ears]]:
    """A network that is closed at the end."""
    ears = Ears()
    network = Network(
        address or server.address,
        name=name,
        version="test",
        keyring=Keyring(folder),
        tell=ears.tell,
        dice=Random(7),
    )
    async with asyncio.TaskGroup() as group:
        group.create_task(network.run())
        yield network, ears
        network.close()


def run(
    story: Callable[[FakeServer], Awaitable[None]],
    answer: Callable[[ClientMessage], Sequence[Event]] = polite,
) -> None:
    """Run one story with a fake server."""

    async def told() -> None:
        async with FakeServer(answer) as server:
            await story(server)

    asyncio.run(told())
