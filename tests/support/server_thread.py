"""The fake server in a thread of its own, for tests that look at a client from outside and wait."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from protocol.commands import ClientMessage
from protocol.events import Event
from tests.support.fake_server import FakeServer, Kind

Result = TypeVar("Result")
PATIENCE_S = 30.0


class ThreadedServer:
    """A `FakeServer` that is told what to do from another thread."""

    def __init__(self, server: FakeServer, loop: asyncio.AbstractEventLoop) -> None:
        """Both belong to the thread in which the server runs."""
        self._server = server
        self._loop = loop

    @property
    def address(self) -> str:
        """Where it listens, as a person types it."""
        return str(self._server.address)

    def say(self, *events: Event) -> None:
        """Tell the client these events, all in one write."""

        async def speak() -> None:
            self._server.say(*events)

        self._wait_for(speak())

    def hears(self, kind: type[Kind], count: int = 1) -> Kind:
        """Wait until this many messages of one kind have come; return the last of them."""
        return self._wait_for(self._server.hears(kind, count))

    def order(self) -> list[type[ClientMessage]]:
        """What was heard so far, by kind, without the answers to pings."""
        return self._server.order()

    def vanish(self) -> None:
        """Be gone: nobody listens and every line is cut."""
        self._wait_for(self._server.vanish())

    def _wait_for(self, what: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE_S)


@contextmanager
def a_server_beside(
    answer: Callable[[ClientMessage], Sequence[Event]],
) -> Iterator[ThreadedServer]:
    """A fake server that runs until the end of the block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = ThreadedServer(FakeServer(answer), loop)
    try:
        server._wait_for(server._server.listen())
        yield server
    finally:
        server._wait_for(server._server.vanish())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
