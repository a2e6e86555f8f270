"""Both ends of a connection as state machines over bytes. No socket and no clock live here."""

from collections.abc import Iterable, Mapping
from enum import Enum, auto

from protocol.answers import Goodbye, Refused, Welcome
from protocol.codec import (
    COMMANDS,
    EVENTS,
    UnknownEvent,
    decode_command,
    decode_event,
    encode_command,
    encode_event,
    frame_event,
)
from protocol.commands import ClientMessage, Hello
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.events import Event
from protocol.framing import COMMAND_CAP, EVENT_CAP, HELLO_CAP, FrameReader
from protocol.numbers import UNNUMBERED, EventNumber

PARTING = (
    b"This is a Facedown server: a card game, with a protocol of its own. "
    b"Join it with: facedown join HOST:PORT\r\n"
)


class State(Enum):
    """Where one end of a connection is."""

    EXPECT_HELLO = auto()
    EXPECT_WELCOME = auto()
    OPEN = auto()
    CLOSED = auto()


# Looked up for every message: names of their own cost less.
_OPEN, _CLOSED = State.OPEN, State.CLOSED

Steps = Mapping[State, Mapping[type, State]]
"""For each state the messages that are allowed in it, and where each of them leads."""


def _each(kinds: Iterable[type], leads_to: State) -> dict[type, State]:
    return dict.fromkeys(kinds, leads_to)


SERVER_HEARS: Steps = {
    State.EXPECT_HELLO: {Hello: State.OPEN},
    State.OPEN: _each(set(COMMANDS.values()) - {Hello}, State.OPEN),
    State.CLOSED: {},
}
SERVER_SAYS: Steps = {
    State.EXPECT_HELLO: {Goodbye: State.CLOSED},
    State.OPEN: {**_each(EVENTS.values(), State.OPEN), Goodbye: State.CLOSED},
    State.CLOSED: {},
}
_HEARD_WHEN_OPEN = SERVER_HEARS[State.OPEN]

CLIENT_SAYS: Steps = {
    State.EXPECT_WELCOME: {Hello: State.EXPECT_WELCOME},
    State.OPEN: SERVER_HEARS[State.OPEN],
    State.CLOSED: {},
}
CLIENT_HEARS: Steps = {
    State.EXPECT_WELCOME: {
        UnknownEvent: State.EXPECT_WELCOME,
        Refused: State.EXPECT_WELCOME,
        Welcome: State.OPEN,
        Goodbye: State.CLOSED,
    },
    State.OPEN: {
        UnknownEvent: State.OPEN,
        **_each(set(EVENTS.values()) - {Welcome}, State.OPEN),
        Goodbye: State.CLOSED,
    },
    State.CLOSED: {},
}


class ServerConnection:
    """The server's end: hears one hello, then commands; says events.

    Once it is `CLOSED` it reads nothing more, and saying something is an error.
    """

    __slots__ = ("_reader", "state")

    def __init__(self) -> None:
        self.state = State.EXPECT_HELLO
        self._reader = FrameReader(HELLO_CAP)

    def receive(self, data: bytes | None) -> list[ClientMessage]:
        """Take in bytes as they came, in pieces of any size; None says that the peer vanished.

        A hello comes alone: what follows it is kept and not looked at before the next call, so that
        whoever is not let in has nothing else read.

        Raises:
            RemoteProtocolError: the peer broke the protocol, or speaks another one; its `parting`
                is then what to write before closing. Messages in the same bytes are lost with it.
        """
        if data is None or self.state is _CLOSED:
            self.state = State.CLOSED
            return []
        heard = []
        try:
            if self.state is not _OPEN:
                return self._first_words(data)
            for body in self._reader.receive(data):
                heard.append(self._heard(body))  # noqa: PERF401 - a list made at once costs a frame
        except RemoteProtocolError:
            self.state = State.CLOSED
            raise
        return heard

    def send(self, event: Event, number: EventNumber = UNNUMBERED) -> bytes:
        """The bytes that tell this event under the recipient's number for it.

        Raises:
            LocalProtocolError: it may not be said in this state, or is too long.
        """
        leads_to = _said(SERVER_SAYS, self.state, event)
        data = frame_event(number, encode_event(event))
        self.state = leads_to
        return data

    def _first_words(self, data: bytes) -> list[ClientMessage]:
        self._refuse_strangers(data)
        body = self._reader.first(data)
        return [] if body is None else [self._heard(body)]

    def _refuse_strangers(self, data: bytes) -> None:
        # A hello is under 1 KiB, so it starts with a zero byte. HTTP, TLS, SSH and text do not.
        if not self._reader.waiting and data[:1] > b"\0":
            message = "the peer speaks another protocol"
            raise RemoteProtocolError(message, PARTING)

    def _heard(self, body: bytes) -> ClientMessage:
        message = decode_command(body)
        if self.state is _OPEN and _HEARD_WHEN_OPEN.get(type(message)) is _OPEN:
            return message
        self.state = _heard(SERVER_HEARS, self.state, message)
        self._reader.cap = COMMAND_CAP
        return message


class ClientConnection:
    """The client's end: says one hello, then commands; hears events with their numbers."""

    __slots__ = ("_reader", "state")

    def __init__(self) -> None:
        self.state = State.EXPECT_WELCOME
        self._reader = FrameReader(EVENT_CAP)

    def receive(self, data: bytes | None) -> list[tuple[EventNumber, Event]]:
        """Take in bytes as they came, in pieces of any size; None says that the server vanished.

        Raises:
            RemoteProtocolError: the server broke the protocol, or is no Facedown server.
        """
        if data is None or self.state is State.CLOSED:
            self.state = State.CLOSED
            return []
        try:
            return [self._heard(body) for body in self._reader.receive(data)]
        except RemoteProtocolError:
            self.state = State.CLOSED
            raise

    def send(self, message: ClientMessage) -> bytes:
        """The bytes that say this to the server.

        Raises:
            LocalProtocolError: it may not be said in this state, or is too long.
        """
        leads_to = _said(CLIENT_SAYS, self.state, message)
        data = encode_command(message)
        self.state = leads_to
        return data

    def _heard(self, body: bytes) -> tuple[EventNumber, Event]:
        number, event = decode_event(body)
        self.state = _heard(CLIENT_HEARS, self.state, event)
        return number, event


def _heard(steps: Steps, state: State, message: object) -> State:
    leads_to = steps[state].get(type(message))
    if leads_to is None:
        fault = f"{type(message).__name__} was heard in state {state.name}"
        raise RemoteProtocolError(fault)
    return leads_to


def _said(steps: Steps, state: State, message: object) -> State:
    leads_to = steps[state].get(type(message))
    if leads_to is None:
        fault = f"{type(message).__name__} may not be said in state {state.name}"
        raise LocalProtocolError(fault)
    return leads_to
