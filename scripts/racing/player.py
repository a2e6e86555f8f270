"""One scripted player: a socket, the client's end of the protocol, and what this player knows."""

import contextlib
import socket

from msgspec.structs import replace

from protocol import commands as c
from protocol import events as e
from protocol.answers import MAJOR, MINOR, Accepted, Goodbye, Ping, Refused, Welcome
from protocol.connection import ClientConnection
from protocol.events import Event
from protocol.lobby import follow
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from protocol.views import PublicTable, TableView, apply
from racing.stamps import ask_for_stamps, receive, sent_stamps

Address = tuple[str, int]
Answer = Accepted | Refused


class LineLost(Exception):
    """The server has closed a connection."""


class Player:
    """A client that keeps the rules of the protocol: after a challenge it says nothing more.

    So pongs wait until all that was asked is answered. All times are nanoseconds of the wall clock.
    """

    def __init__(self, address: Address, name: str) -> None:
        self.name = name
        self.socket = socket.create_connection(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.is_stamped = ask_for_stamps(self.socket)
        self.socket.settimeout(0)
        self.welcome: Welcome | None = None
        self.lobby: e.LobbyState | None = None
        self.view: TableView | None = None
        self.deals = 0  # that this player has seen begin
        self.news: list[Event] = []  # public and private events, for whoever clears them
        self.answers: dict[int, Answer] = {}
        self.played_at = 0  # when the newest `Played` came
        self.loose_end = False  # a pong is on its way that nothing has followed yet
        self.bytes_sent = 0
        self._connection = ClientConnection()
        self._number = 0
        self._unanswered: set[int] = set()
        self._owed: list[Ping] = []
        self._stamps: dict[int, int] = {}
        self.write(self._connection.send(_hello(name)))

    def fileno(self) -> int:
        """For a selector."""
        return self.socket.fileno()

    @property
    def table(self) -> PublicTable:
        """The public part of the deal that is running."""
        assert self.view is not None  # noqa: S101 - asked for during a deal only
        return self.view.table

    @property
    def is_at_rest(self) -> bool:
        """Whether all that was asked is answered."""
        return not self._unanswered

    # --- saying ---------------------------------------------------------------------------------

    def number(self) -> CommandNumber:
        """The number of a new command, which from now on waits for its answer."""
        self._number += 1
        self._unanswered.add(self._number)
        return CommandNumber(self._number)

    def packed(self, command: c.ClientMessage) -> bytes:
        """The bytes of a message, to be written later."""
        return self._connection.send(command)

    def say(self, command: c.ClientMessage) -> None:
        """Write a message at once."""
        self.write(self.packed(command))

    def write(self, data: bytes) -> None:
        """Write bytes."""
        self.socket.send(data)
        self.bytes_sent += len(data)

    def stamp_of_newest(self) -> int | None:
        """When the kernel sent the last byte written; None if it does not say."""
        if not self.is_stamped:
            return None
        self._stamps |= sent_stamps(self.socket)
        stamp = self._stamps.get((self.bytes_sent - 1) % 2**32)
        self._stamps.clear()
        return stamp

    # --- hearing --------------------------------------------------------------------------------

    def read(self) -> None:
        """Take in what has come.

        Raises:
            LineLost: the server has closed the connection.
        """
        if self.is_stamped:
            self._stamps |= sent_stamps(self.socket)
        with contextlib.suppress(BlockingIOError):
            data, came_at = self._receive()
            for _, event in self._connection.receive(data):
                self._hear(event, came_at)
        self._pay_pongs()

    def _receive(self) -> tuple[bytes, int]:
        try:
            data, came_at = receive(self.socket)
        except ConnectionError as fault:
            raise LineLost(self.name) from fault
        if not data:
            raise LineLost(self.name)
        return data, came_at

    def _hear(self, event: Event, came_at: int) -> None:
        match event:
            case Welcome():
                self.welcome = event
            case Goodbye(text=why):
                raise LineLost(f"{self.name} was told: {why}")
            case Ping():
                self._owed.append(event)
            case Accepted(n=int(number)) | Refused(n=int(number)):
                self._answered(number, event)
            case e.LobbyChanged() | e.SeatChanged() | e.StageChanged():
                self.lobby = follow(self.lobby, event)
            case _:
                self._follow(event, came_at)

    def _answered(self, number: int, answer: Answer) -> None:
        self.answers[number] = answer
        self._unanswered.discard(number)
        self.loose_end = False

    def _follow(self, event: Event, came_at: int) -> None:
        self.news.append(event)
        view = apply(self.view, event)
        self.view = (
            None if view is None else replace(view, log=())
        )  # nobody reads it: keep it short
        if isinstance(event, e.DealStarted):
            self.deals += 1
        elif isinstance(event, e.Played):
            self.played_at = came_at

    def _pay_pongs(self) -> None:
        while self._owed and self.is_at_rest:
            self.say(c.Pong(nonce=self._owed.pop().nonce))
            self.loose_end = True

    def why_not(self, number: int) -> Refusal | None:
        """The refusal of a command that was answered; None if it was accepted."""
        answer = self.answers[number]
        return answer.code if isinstance(answer, Refused) else None


def _hello(name: str) -> c.Hello:
    return c.Hello(major=MAJOR, minor=MINOR, client="scripts/race", name=name)
