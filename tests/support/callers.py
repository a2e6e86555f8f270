"""Somebody at the far end of a session who sends bytes as they please, and hears bytes."""

from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

import trio
from trio.testing import memory_stream_pair

from protocol.answers import MAJOR, Welcome
from protocol.codec import encode_command
from protocol.commands import ClientMessage, Hello, Resume, Say
from protocol.connection import ClientConnection
from protocol.events import Event
from protocol.numbers import CommandNumber
from server.hall import Hall
from server.person import Person
from server.session import Session
from tests.support.wires import StreamWire

Kind = TypeVar("Kind", bound=Event)
Streams = Callable[[], tuple[trio.StapledStream[Any, Any], trio.StapledStream[Any, Any]]]


class FarEnd:
    """The client's end of one connection."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self._connection = ClientConnection()
        self._unread: deque[Event] = deque()

    async def say(self, *messages: ClientMessage) -> None:
        """Send messages in one piece."""
        await self.send(b"".join(encode_command(message) for message in messages))

    async def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        await self.stream.send_all(data)

    async def hear_to_the_end(self) -> bytes:
        """All bytes until the server closes."""
        heard = bytearray()
        while data := await self.stream.receive_some():
            heard += data
        return bytes(heard)

    async def events_to_the_end(self) -> list[Event]:
        """All events that were not read yet, until the server closes."""
        while await self._hear_more():
            pass
        return list(self._unread)

    async def wait_for(self, kind: type[Kind]) -> Kind:
        """The next event of this kind, skipping what came before it."""
        while True:
            while self._unread:
                event = self._unread.popleft()
                if isinstance(event, kind):
                    return event
            assert await self._hear_more(), f"closed before {kind.__name__}"

    async def _hear_more(self) -> bool:
        data = bytes(await self.stream.receive_some())
        self._unread += (event for _, event in self._connection.receive(data or None))
        return bool(data)


class Caller(FarEnd):
    """The client's end of a connection whose session is in the same process."""

    def __init__(self, stream: trio.abc.Stream, session: Session, closed: trio.Event) -> None:
        super().__init__(stream)
        self.session = session
        self.closed = closed  # by the server


def a_call(
    hall: Hall,
    nursery: trio.Nursery,
    *,
    streams: Streams = memory_stream_pair,
    address: str = "127.0.0.1",
) -> Caller:
    """A new connection, served in the nursery, on which nothing has been said."""
    near, far = streams()
    closed = trio.Event()
    session = a_session(hall, nursery, far, address=address, on_close=closed.set)
    return Caller(near, session, closed)


def a_session(
    hall: Hall,
    nursery: trio.Nursery,
    stream: trio.StapledStream[Any, Any],
    *,
    address: str,
    on_close: Callable[[], None] = lambda: None,
) -> Session:
    """A session at the far end of this stream, served in the nursery."""
    session = Session(
        StreamWire(stream, nursery),
        address,
        hall,
        hall.settings,
        nursery=nursery,
        on_close=lambda _: on_close(),
    )
    session.greet()
    return session


def a_hello(
    name: str = "ana",
    *,
    secret: bytes | None = None,
    major: int = MAJOR,
    minor: int = 0,
    epoch: str = "test-epoch",
    ssh: bool = False,
) -> Hello:
    """A hello that is well formed."""
    resume = None if secret is None else Resume(secret=secret, epoch=epoch)
    return Hello(major=major, minor=minor, client="test", name=name, ssh=ssh, resume=resume)


async def welcomed(hall: Hall, nursery: trio.Nursery, name: str = "ana") -> Caller:
    """Somebody who has said hello and heard the welcome."""
    caller = a_call(hall, nursery)
    await caller.say(a_hello(name))
    await caller.wait_for(Welcome)
    return caller


def say_command(number: int, text: str = "hi") -> Say:
    """Something said under this command number."""
    return Say(n=CommandNumber(number), text=text)


def the_only_person(hall: Hall) -> Person:
    """The one person that the server knows."""
    (person,) = hall.people
    return person
