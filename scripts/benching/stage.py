"""A server for one client, without a game behind it: it says what a measurement wants shown."""

import contextlib
import socket
from collections.abc import Iterator

from protocol import events as e
from protocol.answers import Stamps, Welcome
from protocol.cards import Card, read_faces
from protocol.commands import ClientMessage, Hello
from protocol.connection import ServerConnection
from protocol.events import Event
from protocol.numbers import CardId, EventNumber, Seat
from protocol.rules import TableRules

PATIENCE_S = 30.0
NAMES = ("ana", "bo", "cy", "maya")
HAND = "AS 3H 3D 5C 5D 7S 9H 10C JD QS KH KC"
YOU = Seat(3)
HOUR_US = 3_600_000_000


class Stage:
    """The line to the one client."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._line.settimeout(PATIENCE_S)
        self._connection = ServerConnection()
        self._number = 0

    def say(self, *events: Event) -> None:
        """Tell the client these events, all in one write."""
        data = b""
        for event in events:
            self._number += 0 if event.passing else 1
            number = EventNumber(0 if event.passing else self._number)
            data += self._connection.send(event, number)
        self._line.sendall(data)

    def greet(self) -> None:
        """Take in the hello and welcome the client to the hall.

        Raises:
            RuntimeError: it says something else.
        """
        heard: list[ClientMessage] = []
        while not heard:
            heard += self._connection.receive(self._line.recv(65536))
        hello = heard[0]
        if not isinstance(hello, Hello):
            message = f"the client began with {type(hello).__name__}"
            raise RuntimeError(message)  # noqa: TRY004 - of the client, not of an argument
        self.say(_welcome(hello.name), e.HallChanged(online=1, lobbies=()))

    def deal(self, rules: TableRules) -> None:
        """Seat the client at a table of four where it is to move."""
        seats = tuple(e.SeatState(name=name, cards=12) for name in NAMES)
        lobby = e.LobbyState(
            code="FOX-42",
            rules=rules,
            settings=e.LobbySettings(),
            host="ana",
            stage=e.LobbyStage.PLAYING,
            seats=tuple(e.LobbySeat(name=name) for name in NAMES),
        )
        cards = tuple(Card(CardId(n), face) for n, face in enumerate(read_faces(HAND)))
        self.say(
            e.LobbyChanged(lobby=lobby),
            e.DealStarted(deal=1, rules=rules, dealer=Seat(2), turn=YOU, seats=seats),
            e.HandDealt(seat=YOU, cards=cards),
        )


@contextlib.contextmanager
def a_stage() -> Iterator[tuple[str, socket.socket]]:
    """A listening socket on a free loopback port, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(PATIENCE_S)
        yield f"127.0.0.1:{door.getsockname()[1]}", door


def enter(door: socket.socket) -> Stage:
    """Let the client in."""
    line, _ = door.accept()
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    stage = Stage(line)
    stage.greet()
    return stage


def _welcome(name: str) -> Welcome:
    return Welcome(
        server="bench",
        title="Bench",
        version="0",
        minor=0,
        epoch="e1",
        name=name,
        stamps=Stamps.KERNEL,
        secret=b"s" * 32,
        silence_us=HOUR_US,
    )
