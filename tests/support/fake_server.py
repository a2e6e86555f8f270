"""A server that says what the test tells it to, over real asyncio streams."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from client.way_in.address import Address
from protocol.answers import Accepted, Stamps, Welcome
from protocol.commands import ClientMessage, Command, Hello, Pong
from protocol.connection import ServerConnection
from protocol.events import Event, HallChanged
from protocol.numbers import EventNumber

Kind = TypeVar("Kind", bound=ClientMessage)
PATIENCE_S = 5.0
SECRET = b"s" * 32


def a_welcome(hello: Hello, **more: object) -> Welcome:
    """A welcome under the name of the hello; a secret for somebody new."""
    usual: dict[str, object] = {
        "server": "fake",
        "title": "Fake",
        "version": "0",
        "minor": 0,
        "epoch": "e1",
        "name": hello.name,
        "stamps": Stamps.KERNEL,
        "secret": None if hello.resume else SECRET,
        "resumed": hello.resume is not None,
        "temperaments": ("casual", "certain", "proof"),
    }
    return Welcome(**{**usual, **more})  # type: ignore[arg-type]


def polite(message: ClientMessage) -> Sequence[Event]:
    """Welcome everybody to an empty hall and accept everything."""
    match message:
        case Hello():
            return (a_welcome(message), HallChanged(online=1, lobbies=()))
        case Command():
            return (Accepted(n=message.n),)
        case _:
            return ()


class FakeServer(AbstractAsyncContextManager["FakeServer"]):
    """Answers each message by `answer`; `hears` waits for one, `say` speaks unasked."""

    def __init__(self, answer: Callable[[ClientMessage], Sequence[Event]] = polite) -> None:
        """Nothing listens before the `async with`."""
        self.answer = answer
        self.heard: list[ClientMessage] = []
        self.connections = 0
        self._number = EventNumber(0)
        self._news = asyncio.Event()
        self._writer: asyncio.StreamWriter | None = None
        self._connection = ServerConnection()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Listen on a free port."""
        await self.listen()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop listening and end every connection."""
        await self.vanish()

    async def listen(self, port: int = 0) -> None:
        """Take connections, again after `vanish`."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self.address = Address(host="127.0.0.1", port=self._server.sockets[0].getsockname()[1])

    async def vanish(self) -> None:
        """Be gone: nobody listens and every line is cut."""
        if self._server:
            self._server.close()
        self.cut()
        for task in tuple(self._tasks):
            await task

    def cut(self) -> None:
        """Break the newest connection."""
        if self._writer:
            self._writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writer, connection = writer, ServerConnection()
        self._connection = connection
        self.connections += 1
        try:
            while data := await reader.read(65536):
                for message in connection.receive(data):
                    self.heard.append(message)
                    self.say(*self.answer(message))
                    self._news.set()
        except OSError:
            pass
        finally:
            writer.close()
            self._tasks.discard(task)

    def say(self, *events: Event) -> None:
        """Tell the newest client these events, numbered unless they are passing."""
        for event in events:
            self._number = EventNumber(self._number + (0 if event.passing else 1))
            number = EventNumber(0) if event.passing else self._number
            self.send(self._connection.send(event, number))

    def send(self, data: bytes) -> None:
        """Send the newest client these bytes, whatever they are."""
        assert self._writer is not None
        self._writer.write(data)

    def have_little_room(self) -> None:
        """Let the kernel keep next to nothing of what those say who connect from now on."""
        assert self._server is not None
        self._server.sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)

    def hear_nothing(self) -> Callable[[], None]:
        """Read nothing more of what the newest client says, until what is given here is called."""
        assert self._writer is not None
        transport: Any = self._writer.transport
        transport.pause_reading()
        return cast("Callable[[], None]", transport.abort)

    async def hears(self, kind: type[Kind], count: int = 1) -> Kind:
        """Wait until this many messages of one kind have come; return the last of them."""
        async with asyncio.timeout(PATIENCE_S):
            while len(found := [one for one in self.heard if isinstance(one, kind)]) < count:
                self._news.clear()
                await self._news.wait()
        return found[count - 1]

    def order(self) -> list[type[ClientMessage]]:
        """What was heard, by kind, without the answers to pings."""
        return [type(message) for message in self.heard if not isinstance(message, Pong)]
