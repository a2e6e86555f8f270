"""A virtual network: pipes that keep the order of bytes and nothing else.

Each connection is two pipes. What is sent is cut into segments, each of which takes its own time
but never overtakes another, until it is in the kernel of the other end. Lines can stall, break (RST) after so many bytes, or go dead
without a word (half-open).
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from protocol.codec import decode_event, encode_event
from protocol.errors import RemoteProtocolError
from protocol.events import Event
from protocol.framing import EVENT_CAP, PREFIX, FrameReader
from protocol.numbers import EventNumber
from tests.simulation.kernel import SimEars, SimWire
from tests.simulation.world import SECOND, Deed, World

MOST_REMEMBERED = 20_000  # packed events and what they say
BUFFER = 32 * 1024  # bytes that a kernel takes for somebody who does not read, as a rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    """How a line behaves; times in microseconds."""

    name: str
    shortest: int
    longest: int
    hiccups: float = 0.0  # of all segments
    hiccup: int = 0
    cut: float = 0.1  # how much of what is sent is cut into pieces
    pieces: int = 3  # and into how many at most, less one
    even: int = 0  # so long takes all that comes from the server; 0: it varies

    @property
    def down(self) -> "Weather":
        """How it behaves on the way to the client."""
        even = self.even
        return self if not even else replace(self, shortest=even, longest=even, hiccups=0.0)


LAN = Weather(name="LAN", shortest=100, longest=1_500)
WIFI = Weather(name="Wi-Fi", shortest=1_500, longest=30_000, hiccups=0.02, hiccup=300_000)
MOBILE = Weather(
    name="bad mobile", shortest=60_000, longest=400_000, hiccups=0.03, hiccup=6 * SECOND, cut=0.3
)
CRUMBS = Weather(name="crumbs", shortest=100, longest=3_000, cut=0.6, pieces=8)
WEATHERS = (LAN, WIFI, MOBILE, CRUMBS)


class End(Protocol):
    """The client's end of a connection."""

    def hear(self, number: EventNumber, event: Event) -> None:
        """A whole event has come."""
        ...

    def hung_up(self) -> None:
        """The server has closed, or the line is broken."""
        ...


class Pipe:
    """One direction of a connection: in order, in pieces, late."""

    def __init__(self, world: World, weather: Weather, dice: Random, *, cuts: bool) -> None:
        self._world = world
        self._weather = weather
        self._dice = dice
        self._cuts = cuts
        self._last = 0
        self.is_dead = False  # what is put in vanishes
        self.breaks_after: int | None = None  # bytes
        self.under_way = 0  # bytes

    def carry(
        self, data: bytes, arrive: Callable[[bytes], None], landed: Deed | None = None
    ) -> None:
        """Deliver bytes in pieces; `landed` is called with the last of them."""
        pieces = self._pieces(data)
        for piece in pieces[:-1]:
            self._send(piece, arrive, None)
        self._send(pieces[-1], arrive, landed)

    def _send(self, piece: bytes, arrive: Callable[[bytes], None], landed: Deed | None) -> None:
        self.under_way += len(piece)

        def land() -> None:
            self.under_way -= len(piece)
            if not self.is_dead:
                arrive(piece)
                if landed is not None:
                    landed()

        self._world.at(self._next_arrival(), land)

    def close(self, arrive: Callable[[], None]) -> None:
        """Deliver the news of the end, after all bytes."""
        if not self.is_dead:
            self._world.at(self._next_arrival(), arrive)

    def _next_arrival(self) -> int:
        weather, dice = self._weather, self._dice
        takes = dice.randint(weather.shortest, weather.longest)
        if weather.hiccups and dice.random() < weather.hiccups:
            takes += dice.randint(0, weather.hiccup)
        self._last = max(self._last, self._world.now + takes)
        return self._last

    def _pieces(self, data: bytes) -> list[bytes]:
        weather, dice = self._weather, self._dice
        if not self._cuts or len(data) < 2 or dice.random() >= weather.cut:
            return [data]
        cuts = sorted(
            {dice.randrange(1, len(data)) for _ in range(dice.randint(1, weather.pieces))}
        )
        return [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]


class Connection:
    """One client's connection to one server."""

    def __init__(
        self, world: World, weather: Weather, name: str, end: End, address: str = "127.0.0.1"
    ) -> None:
        self.world = world
        self._weather = weather
        self.address = address
        self.name = name
        self.wire: SimWire | None = None  # once the server has accepted it
        self.is_lost = False  # for the server: its machine is gone
        self.is_down = False  # for the client: it has hung up or heard that it is over
        self.buffer = BUFFER
        self.reads = True  # a client that does not read fills its kernel
        self.end = end
        self._frames = FrameReader(EVENT_CAP)
        self._sent = self._arrived = self._unread = 0  # bytes to the client, so far
        self._told: deque[tuple[int, int, EventNumber, Event]] = deque()  # when, and where it ends
        self.told_at = 0  # when the server has told what the client hears now
        self._up = Pipe(world, weather, world.dice(f"{name} up"), cuts=True)
        # A client's reader of frames has tests of its own: here only the server's is put to the test.
        self._down = Pipe(world, weather.down, world.dice(f"{name} down"), cuts=False)
        self.on_told: list[Callable[[EventNumber, Event], None]] = []
        self.after_sending: list[Callable[[], object]] = []

    def accepted(self, ears: SimEars) -> SimWire:
        """The server takes it in."""
        self.wire = SimWire(self, ears)
        return self.wire

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is on its way to the client."""
        return not self._down.under_way

    @property
    def is_heard(self) -> bool:
        """Whether what arrives at the server now is read by it."""
        return self.wire is not None and self.wire.is_open and not self.is_lost

    # --- the server's side --------------------------------------------------------------------------

    def room(self) -> int:
        """How many bytes the kernel would take now."""
        return max(0, self.buffer - self._down.under_way - self._unread)

    def to_client(self, data: bytes) -> None:
        """The server's kernel has taken these bytes."""
        if self.is_lost:
            return
        self.world.look()
        self.world.note(f"< {self.name}", data)
        self._overhear(data)
        self._down.carry(data, self._arrive_at_client)
        self._maybe_break(self._down, len(data))
        for deed in self.after_sending:
            deed()

    def _overhear(self, data: bytes) -> None:
        """What these bytes tell, for those who check the server and for the client to come."""
        end = self._sent - self._frames.waiting
        self._sent += len(data)
        for body in self._frames.receive(data):
            end += PREFIX + len(body)
            try:
                number, event = _event_in(body)
            except RemoteProtocolError as fault:
                self.world.wrong("wire", f"{self.name} cannot read what it is told: {fault}")
                return
            self._told.append((end, self.world.now, number, event))
            for look in self.on_told:
                look(number, event)

    def server_closed(self) -> None:
        """The server has closed its end."""
        if not self.is_lost:
            self._down.close(self._hang_up_client)

    def server_died(self) -> None:
        """The server's process is gone: nothing of it reaches anybody, but that it is gone."""
        if not self.is_lost:
            self._down.close(self._hang_up_client)
            self.is_lost = True

    # --- the client's side --------------------------------------------------------------------------

    def to_server(self, data: bytes, landed: Deed | None = None) -> None:
        """The client sends bytes; `landed` is called when the last of them is in the kernel."""
        if self.is_down:
            return
        self.world.note(f"> {self.name}", data)
        if self.wire is not None:
            self._up.carry(data, self.wire.arrive, landed)
        self._maybe_break(self._up, len(data))

    def drop_in(self, data: bytes, landed: Deed) -> bool:
        """Have bytes in the server's kernel in this very microsecond, if nothing is on its way."""
        if self.is_down or self.wire is None or self._up.under_way or self._up.is_dead:
            return False
        self.world.note(f"> {self.name}", data)
        self.wire.arrive(data)
        landed()
        return True

    def hang_up(self) -> None:
        """The client closes."""
        if not self.is_down:
            self.is_down = True
            if self.wire is not None:
                self._up.close(self.wire.end)

    def read_again(self) -> None:
        """A client that did not read does so again."""
        self.reads = True
        self._read(self._unread)
        self._unread = 0

    def _arrive_at_client(self, data: bytes) -> None:
        if self.reads:
            self._read(len(data))
        else:
            self._unread += len(data)

    def _read(self, size: int) -> None:
        self._arrived += size
        told = self._told
        while told and told[0][0] <= self._arrived and not self.is_down:
            _, self.told_at, number, event = told.popleft()
            self.end.hear(number, event)
        if self.wire is not None and self.wire.waits_for_room:
            self.world.wake(self.wire.wake_writer, self.name)

    def _hang_up_client(self) -> None:
        if not self.is_down:
            self.is_down = True
            self.end.hung_up()

    # --- faults -------------------------------------------------------------------------------------

    def refuse(self) -> None:
        """Nobody listens at the other end."""
        self.world.after(0, self._hang_up_client)

    def break_after(self, up: int, down: int) -> None:
        """Break the line (RST) once so many bytes have gone up or, where it is not even, down."""
        self._up.breaks_after = up
        self._down.breaks_after = None if self._weather.even else down

    def go_dead(self) -> None:
        """From now on nothing gets through, and nobody is told: half-open."""
        self._up.is_dead = self._down.is_dead = True

    def reset(self) -> None:
        """Both ends learn at once that the line is broken; what was under way is lost."""
        self.go_dead()
        if self.wire is not None:
            self.wire.end()
        self._hang_up_client()

    def _maybe_break(self, pipe: Pipe, sent: int) -> None:
        if pipe.breaks_after is not None:
            pipe.breaks_after -= sent
            if pipe.breaks_after < 0:
                pipe.breaks_after = None
                self.world.after(0, self.reset)


_events: dict[bytes, Event] = {}  # a public event comes to many in the same bytes


def _event_in(body: bytes) -> tuple[EventNumber, Event]:
    """Read an event; one that was read before costs little."""
    size = {0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9}.get(body[1], 1)
    number, packed = body[1 : 1 + size], body[1 + size :]
    known = _events.get(packed)
    if known is None:
        if len(_events) > MOST_REMEMBERED:
            _events.clear()
        _, known = decode_event(body)
        if encode_event(known) != packed:  # what no client sees is on the wire all the same
            message = "it is not written as the codec writes it"
            raise RemoteProtocolError(message)
        _events[packed] = known
    return EventNumber(number[0] if size == 1 else int.from_bytes(number[1:])), known
