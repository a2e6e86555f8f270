"""A server in the test's own nursery, and guests who speak to it over in-memory streams."""

import contextlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeVar

import trio
import trio.testing

from protocol import commands as c
from protocol import events as e
from protocol.answers import MAJOR, Accepted, Goodbye, Ping, Refused, Stamps, Welcome
from protocol.connection import ClientConnection
from protocol.lobby import follow
from protocol.numbers import CommandNumber, EventNumber, Seat
from protocol.refusals import Refusal
from protocol.views import TableView, apply
from server.arrivals import wall_s
from server.config import Settings
from server.hall import Hall
from server.journal.store import Store
from server.lobby.lobby import Lobby
from tests.support.callers import a_session
from tests.support.memory_store import MemoryStore

Kind = TypeVar("Kind", bound=e.Event)
Anything = Callable[[Any], bool]
LAST_WORDS = 12  # of what was heard, in the message of a test that has waited in vain


def a_hall(
    nursery: trio.Nursery,
    seed: int = 7,
    store: Store | None = None,
    epoch: str = "test-epoch",
    *,
    guest_key: bytes | None = None,
    wall: Callable[[], int] = wall_s,
    **settings: Any,  # noqa: ANN401 - settings are of all types
) -> Hall:
    """A server without a socket; its dice are seeded."""
    hall = Hall(
        Settings(**settings),
        store or MemoryStore(),
        nursery=nursery,
        server_id="test-server",
        epoch=epoch,
        stamps=Stamps.AFTER_READ,
        rng=Random(seed),
        guest_key=guest_key,
        wall=wall,
    )
    nursery.start_soon(hall.run)
    return hall


def code_of(answer: e.Event) -> Refusal | None:
    """Why a command was refused; None if it was not."""
    return answer.code if isinstance(answer, Refused) else None


Some = TypeVar("Some", bound="Guest")


class Guest:
    """A scripted client: it answers pings, folds its events and remembers everything it heard."""

    patience_s = 3600.0  # of the mock clock: a test that waits longer has failed

    def __init__(self, hall: Hall, nursery: trio.Nursery, name: str) -> None:
        self.hall = hall
        self._nursery = nursery
        self.name = name
        self.heard: list[tuple[EventNumber, e.Event]] = []
        self.heard_at: list[float] = []
        self.view: TableView | None = None
        self.lobby: e.LobbyState | None = None
        self.welcome: Welcome | None = None
        self.secret: bytes | None = None
        self.answers_pings = True
        self.is_connected = False
        self._read_up_to = 0
        self._epoch_began = 0
        self._number = 0
        self._news = trio.Event()
        self._sending = trio.Lock()

    # --- the line ---------------------------------------------------------------------------------

    async def connect(
        self, *, resume: bool = False, last_event: int | None = None, address: str = "127.0.0.1"
    ) -> e.Event:
        """Say hello and wait for what the server says to it."""
        self._read_up_to = len(self.heard)  # an old refusal is no answer to this hello
        self._stream: trio.abc.Stream = await self._call(address)
        self._connection = ClientConnection()
        self._nursery.start_soon(self._listen, self._stream, self._connection)
        await self.write(self.hello(resume=resume, last_event=last_event))
        answer = await self.wait_for(e.Event, lambda x: isinstance(x, Welcome | Refused))
        self.is_connected = isinstance(answer, Welcome)
        return answer

    async def _call(self, address: str) -> trio.abc.Stream:
        """A line to the server, on which nothing has been said."""
        near_end, far_end = trio.testing.memory_stream_pair()
        a_session(self.hall, self._nursery, far_end, address=address)
        return near_end

    def hello(self, *, resume: bool, last_event: int | None = None) -> c.Hello:
        """The first message: as somebody new, or as the one who has heard so much."""
        known = None
        if resume:
            assert self.secret is not None
            seen = self.last_event if last_event is None else last_event
            epoch = "" if self.welcome is None else self.welcome.epoch
            known = c.Resume(secret=self.secret, epoch=epoch, last_event=EventNumber(seen))
        return c.Hello(major=MAJOR, minor=0, client="test", name=self.name, resume=known)

    @property
    def last_event(self) -> int:
        """The number of the newest numbered event heard since the server started."""
        return max((number for number, _ in self.heard[self._epoch_began :]), default=0)

    async def write(self, message: c.ClientMessage) -> None:
        """Send one message as it is."""
        async with self._sending:
            await self._stream.send_all(self._connection.send(message))

    async def vanish(self) -> None:
        """Lose the line, as when a cable is pulled."""
        self.is_connected = False
        await self._stream.aclose()
        await trio.testing.wait_all_tasks_blocked()

    async def _listen(self, stream: trio.abc.Stream, connection: ClientConnection) -> None:
        while True:
            try:
                data = await stream.receive_some(65536)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                data = b""
            for number, event in connection.receive(bytes(data) or None):
                if isinstance(event, Ping):
                    await self._answer_ping(event, stream, connection)
                else:
                    self._hear(number, event)
            if not data:
                self.is_connected = self.is_connected and stream is not self._stream
                return

    async def _answer_ping(
        self, ping: Ping, stream: trio.abc.Stream, connection: ClientConnection
    ) -> None:
        if self.answers_pings:
            async with self._sending:
                with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    await stream.send_all(connection.send(c.Pong(nonce=ping.nonce)))

    def _hear(self, number: EventNumber, event: e.Event) -> None:
        match event:
            case Welcome():
                if self.welcome is not None and self.welcome.epoch != event.epoch:
                    self._epoch_began = len(self.heard)
                self.welcome = event
                self.secret = event.secret or self.secret
                self._number = max(self._number, event.last_command)
            case e.LobbyLeft() | e.HallChanged():
                self.lobby = self.view = None
            case _:
                self.lobby = follow(self.lobby, event)
        self.view = apply(self.view, event)
        self.heard.append((number, event))
        self.heard_at.append(trio.current_time())
        self._news.set()

    # --- asking and hearing -----------------------------------------------------------------------

    async def send(self, kind: type[Any], **fields: object) -> int:
        """Send a command under the next number, without waiting for its answer.

        Of a command to the table, what it is aimed at is what this guest sees, unless it is given.
        """
        self._number += 1
        await self.write(kind(n=CommandNumber(self._number), **(self.aim(kind) | fields)))
        return self._number

    def aim(self, kind: type[Any]) -> dict[str, object]:
        """What a command of this kind is aimed at, as this guest sees the table."""
        named = set(kind.__struct_fields__) & {"deal", "seat", "after", "pile", "vote", "pause"}
        if kind is c.SitDown or not named:
            return {}
        table = None if self.view is None else self.view.table
        seen: dict[str, object] = {
            "deal": 1 if table is None else table.deal,
            "seat": 0 if table is None else table.turn,
            "after": 0 if table is None else table.newest,
            "pile": 0 if table is None else table.pile_number,
            "vote": max((event.vote for event in self.all_heard(e.VoteState)), default=0),
            "pause": max((event.pause for event in self.all_heard(e.Paused)), default=0),
        }
        return {name: seen[name] for name in named}

    async def ask(self, kind: type[Any], **fields: object) -> Accepted | Refused:
        """Send a command and wait for its answer."""
        return await self.answer_to(await self.send(kind, **fields))

    async def answer_to(self, number: int) -> Accepted | Refused:
        """Wait for the answer to a command, or find it among what was heard."""
        with self._patience(f"an answer to command {number}"):
            while True:
                for _, event in self.heard:
                    if isinstance(event, Accepted | Refused) and event.n == number:
                        return event
                await self._more()

    async def wait_for(self, kind: type[Kind], such: Anything = lambda _: True) -> Kind:
        """Wait for the next event of this kind, skipping what came before it."""
        with self._patience(f"such a {kind.__name__}"):
            while True:
                while self._read_up_to < len(self.heard):
                    _, event = self.heard[self._read_up_to]
                    self._read_up_to += 1
                    if isinstance(event, kind) and such(event):
                        return event
                await self._more()

    @contextlib.contextmanager
    def _patience(self, what: str) -> Iterator[None]:
        try:
            with trio.fail_after(self.patience_s):
                yield
        except trio.TooSlowError:
            heard = "\n".join(str(event) for _, event in self.heard[-LAST_WORDS:])
            message = f"{self.name} never heard {what}, but last of all:\n{heard}"
            raise AssertionError(message) from None

    async def _more(self) -> None:
        self._news = trio.Event()
        await self._news.wait()

    def all_heard(self, kind: type[Kind]) -> list[Kind]:
        """Everything of this kind that was heard so far."""
        return [event for _, event in self.heard if isinstance(event, kind)]

    def said_goodbye(self) -> bool:
        """Whether the server closed the connection with a word."""
        return bool(self.all_heard(Goodbye))

    # --- at the table -----------------------------------------------------------------------------

    @property
    def seat(self) -> Seat:
        """This guest's seat."""
        assert self.view is not None
        assert self.view.you is not None
        return Seat(self.view.you)

    async def lay(self, *, truth: bool = True, cards: int = 1) -> int:
        """Lay cards for the rank due, true or not as far as the hand allows; the command's number."""
        assert self.view is not None
        rank = self.view.table.due[0]
        fitting = [card.id for card in self.view.hand if card.face.is_a(rank) is truth]
        others = [card.id for card in self.view.hand if card.id not in fitting]
        return await self.send(
            c.PlayCards,
            after=self.view.table.newest,
            pile=self.view.table.pile_number,
            cards=tuple((fitting + others)[:cards]),
            count=cards,
            rank=rank,
        )

    async def doubt(self) -> int:
        """Doubt the newest play; the command's number."""
        assert self.view is not None
        return await self.send(c.Challenge, play=self.view.table.newest)

    async def believe(self) -> Accepted | Refused:
        """Let the newest play go."""
        assert self.view is not None
        return await self.ask(c.LetGoOf, play=self.view.table.newest)


async def gather(*guests: Guest, rules: str = "classic") -> None:
    """Bring these guests into one lobby."""
    for guest in guests:
        await guest.connect()
    await guests[0].ask(c.CreateLobby, rules=rules)
    assert guests[0].lobby is not None
    for guest in guests[1:]:
        await guest.ask(c.JoinLobby, code=guests[0].lobby.code)


def the_lobby(hall: Hall) -> Lobby:
    """The only lobby there is."""
    (lobby,) = hall.lobbies.values()
    return lobby


async def a_newcomer(hall: Hall, nursery: trio.Nursery, name: str) -> Guest:
    """Somebody in the hall."""
    guest = Guest(hall, nursery, name)
    await guest.connect()
    return guest


async def a_watcher(hall: Hall, nursery: trio.Nursery, name: str) -> Guest:
    """Somebody who watches in the only lobby there is."""
    guest = await a_newcomer(hall, nursery, name)
    await guest.ask(c.JoinLobby, code=the_lobby(hall).code, watch=True)
    return guest


def host_of(guests: tuple[Guest, ...]) -> Guest:
    """Which of those at a table is ana, if she has brought them together."""
    return next(guest for guest in guests if guest.name == "ana")


async def a_party(
    hall: Hall, nursery: trio.Nursery, *names: str, rules: str = "classic"
) -> tuple[Guest, ...]:
    """Guests in one lobby, the first of them host; nothing is dealt yet."""
    guests = tuple(Guest(hall, nursery, name) for name in names)
    await gather(*guests, rules=rules)
    return guests


async def deal(*guests: Some) -> tuple[Some, ...]:
    """Deal to the guests of one lobby; they are given in the order in which they play."""
    for guest in guests[1:]:
        await guest.ask(c.SetReady)
    await guests[0].ask(c.StartDeal)
    for guest in guests:
        await guest.wait_for(e.HandDealt)
    view = guests[0].view
    assert view is not None
    by_seat = sorted(guests, key=lambda guest: guest.seat)
    return (*by_seat[view.table.turn :], *by_seat[: view.table.turn])


async def a_table(
    hall: Hall, nursery: trio.Nursery, *names: str, rules: str = "classic"
) -> tuple[Guest, ...]:
    """Guests at a running deal, in the order in which they play: the first is to move."""
    return await deal(*await a_party(hall, nursery, *names, rules=rules))


async def end_by_vote(*guests: Guest) -> None:
    """End the deal that runs, for everybody who is at it."""
    await guests[0].ask(c.CallVote, on=e.VoteOn.END_DEAL)
    for guest in guests[1:]:
        await guest.ask(c.CastVote, yes=True)
    for guest in guests:
        await guest.wait_for(e.DealOver)
        await guest.wait_for(e.StageChanged, lambda x: x.stage is not e.LobbyStage.PLAYING)
