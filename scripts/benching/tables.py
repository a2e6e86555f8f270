"""Tables of four scripted players, and the loop that keeps them busy and takes the times."""

import select
import socket
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from benching.frames import cut, framed, kind_of
from benching.players import ACTIONS_OF_A_DEAL, Script
from benching.score import PLAYERS, Step
from protocol.answers import MAJOR, MINOR, Ping
from protocol.codec import decode_event, encode_command
from protocol.commands import ClientMessage, Hello, Pong

READ_SIZE = 64 * 1024
PATIENCE_S = 30.0  # with a server that owes an answer
NOBODY_WAITS = 0
EVERYBODY_WAITS = 2**PLAYERS - 1

Address = tuple[str, int]
Tape = list[tuple[Step, list[bytes]]]
"""Each step, and the frames that each seat heard of it."""


class Line:
    """One connection: waited for while people gather, then read only when there is something."""

    def __init__(self, address: Address, name: str) -> None:
        self.socket = socket.create_connection(address, timeout=PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = 0  # bytes
        self._rest = b""
        self._unheard: list[bytes] = []
        self.say(Hello(major=MAJOR, minor=MINOR, client="bench", name=name))

    def say(self, message: ClientMessage) -> None:
        """Send a message."""
        self.socket.sendall(encode_command(message))

    def wait_for(self, kind: bytes) -> bytes:
        """Wait for an event of this kind; those before it are passed over, pings answered."""
        while True:
            while self._unheard:
                body = self._unheard.pop(0)
                if kind_of(body) == kind:
                    return body
                answer_rare(self, kind_of(body), body)
            self._unheard = self.receive()

    def receive(self) -> list[bytes]:
        """Read once and give out the frames that are complete.

        Raises:
            ConnectionError: the server has closed the connection.
        """
        data = self.socket.recv(READ_SIZE)
        if not data:
            message = "the server closed a connection"
            raise ConnectionError(message)
        self.received += len(data)
        bodies, self._rest = cut(self._rest + data)
        if self._unheard:
            bodies, self._unheard = self._unheard + bodies, []
        return bodies


RARE = frozenset({b"ping", b"refused", b"goodbye"})


def answer_rare(line: Line, kind: bytes, body: bytes) -> None:
    """Answer a ping; a refusal or a goodbye means that the load itself is wrong.

    Raises:
        RuntimeError: the server refused something.
    """
    if kind not in RARE:
        return
    match decode_event(body)[1]:
        case Ping(nonce=nonce):
            line.say(Pong(nonce=nonce))
        case other:
            message = f"the server said {other}"
            raise RuntimeError(message)


class Table:
    """Four lines and a script; one action is under way at most."""

    def __init__(self, lines: tuple[Line, ...], script: Script) -> None:
        self.lines = lines
        self.took_s = 0.0  # of the newest action, from the write to the last of four updates
        self.tape: Tape | None = None  # for a score
        self._script = script
        self._steps = script.steps()
        self._step = Step(seat=0, command=b"", update=b"")
        self._waiting = NOBODY_WAITS  # a bit for each seat without its update
        self._unanswered = False
        self._began = 0.0

    def begin(self) -> None:
        """Send the next action."""
        self._step = next(self._steps)
        self._waiting = EVERYBODY_WAITS
        self._unanswered = True
        if self.tape is not None:
            self.tape.append((self._step, [b""] * PLAYERS))
        self._began = time.perf_counter()
        self.lines[self._step.seat].socket.send(self._step.command)

    def read(self, seat: int) -> bool:
        """Take in what has come to a seat; whether the action is complete by that."""
        under_way = self._under_way
        for body in self.lines[seat].receive():
            self._hear(seat, body)
        if under_way and not self._under_way:
            self.took_s = time.perf_counter() - self._began
            return True
        return False

    @property
    def _under_way(self) -> bool:
        return self._unanswered or self._waiting != NOBODY_WAITS

    def _hear(self, seat: int, body: bytes) -> None:
        kind = kind_of(body)
        if self.tape and kind not in RARE:
            self.tape[-1][1][seat] += framed(body)
        if kind == self._step.update:
            self._waiting &= ~(1 << seat)
        elif kind == b"accepted":
            self._unanswered = False
        elif kind in RARE:
            answer_rare(self.lines[seat], kind, body)
        if kind in self._script.wanted:
            self._script.hear(seat, body)


@dataclass(slots=True, kw_only=True)
class Slice:
    """What a stretch of load came to. `busy_s` is the driver's own processor time."""

    actions: int
    received: int  # bytes, by all seats
    seconds: float
    busy_s: float
    p50_us: float
    p99_us: float
    connections: int


@dataclass(slots=True)
class Pace:
    """When actions are due: all at once without a rate, else `rate` of them a second."""

    rate: float | None
    _begun: float = field(default_factory=time.perf_counter)
    _given: int = 0

    def due(self, now: float, free: int) -> int:
        """How many to begin now, with this many tables free."""
        if self.rate is None:
            return free
        owed = int((now - self._begun) * self.rate) - self._given
        given = max(0, min(free, owed))
        self._given += given
        return given

    def wait_s(self, now: float, free: int) -> float:
        """How long there is nothing to begin."""
        if self.rate is None or not free:
            return PATIENCE_S
        return max(0.0, self._begun + (self._given + 1) / self.rate - now)


class Load:
    """All tables of one driver."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = tuple(tables)
        self._poll = select.epoll()
        self._moved_at = time.perf_counter()  # when the newest action was complete
        self._by_file: dict[int, tuple[Table, int]] = {}
        for table in self._tables:
            for seat, line in enumerate(table.lines):
                line.socket.setblocking(False)  # noqa: FBT003 - the socket's own word
                self._by_file[line.socket.fileno()] = (table, seat)
                self._poll.register(line.socket, select.EPOLLIN)

    def spread_out(self) -> None:
        """Bring each table to another place in its deal, so that any second is like any other."""
        self._moved_at = time.perf_counter()
        for number, table in enumerate(self._tables):
            for _ in range(ACTIONS_OF_A_DEAL * number // len(self._tables)):
                table.begin()
                while table not in self._attend(PATIENCE_S):
                    pass

    def run(self, seconds: float, rate: float | None = None) -> Slice:
        """Begin actions for this long, as fast as the tables go or at `rate` a second in all.

        Returns when the last of them is complete.
        """
        received, busy = self._received, time.process_time()
        began = time.perf_counter()
        times = self._drive(began + seconds, Pace(rate))
        times.sort()
        return Slice(
            actions=len(times),
            received=self._received - received,
            seconds=time.perf_counter() - began,
            busy_s=time.process_time() - busy,
            p50_us=times[len(times) // 2] * 1e6,
            p99_us=times[len(times) * 99 // 100] * 1e6,
            connections=len(self._by_file),
        )

    def _drive(self, until: float, pace: Pace) -> list[float]:
        times: list[float] = []
        free = deque(self._tables)
        now = self._moved_at = time.perf_counter()
        while now < until or len(free) < len(self._tables):
            if now < until:
                for _ in range(pace.due(now, len(free))):
                    free.popleft().begin()
            for table in self._attend(pace.wait_s(now, len(free)) if now < until else PATIENCE_S):
                times.append(table.took_s)
                free.append(table)
            now = time.perf_counter()
        return times

    def _attend(self, wait_s: float) -> list[Table]:
        """Read what comes within `wait_s`; return the tables whose actions are now complete.

        Raises:
            TimeoutError: no action was completed for as long as one may wait for an answer.
        """
        seats = [self._by_file[file] for file, _ in self._poll.poll(wait_s)]
        complete = [table for table, seat in seats if table.read(seat)]
        now = time.perf_counter()
        if complete:
            self._moved_at = now
        elif now - self._moved_at > PATIENCE_S:
            message = f"the server has completed nothing for {PATIENCE_S:.0f} s"
            raise TimeoutError(message)
        return complete

    def rest_until(self, file: int) -> None:
        """Answer pings until there is something to read from this file."""
        self._poll.register(file, select.EPOLLIN)
        ready: list[int] = []
        while file not in ready:
            ready = [each for each, _ in self._poll.poll()]
            for table, seat in (self._by_file[each] for each in ready if each != file):
                table.read(seat)
        self._poll.unregister(file)

    @property
    def _received(self) -> int:
        return sum(line.received for table in self._tables for line in table.lines)
