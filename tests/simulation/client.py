"""A client as protocol/README describes it, without a person: the line, the numbers, the view.

It says hello, answers pings, folds what it is told, sends again after a reconnect what was not
answered, and says nothing between a challenge and its answer. It comes back by itself, and gives
up a line on which nothing has been heard for as long as the server said.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from protocol import commands as c
from protocol import events as e
from protocol.answers import MAJOR, Accepted, Goodbye, Ping, Refused, Welcome
from protocol.codec import encode_command
from protocol.lobby import follow
from protocol.numbers import CommandNumber, EventNumber
from protocol.refusals import Refusal
from protocol.views import TableView, apply
from tests.simulation.machine import Machine
from tests.simulation.network import Connection, Weather
from tests.simulation.world import SECOND, World

SILENT_AFTER_CALL = SECOND  # at most (DESIGN 2)
MOST_UNHEARD = 5
OF_A_LOBBY = (  # what is told of one only once it can be kept
    e.LobbyChanged,
    e.LobbyLeft,
    e.LobbyNews,
    e.SeatChanged,
    e.StageChanged,
    e.TalkSoFar,
)


class Client:
    """One person's client, over all its connections."""

    asks_once = True  # and keeps what is not answered: else nobody can tell what it has asked
    was_too_fast_at: int | None = None  # and was hung up on
    was_let_in = False  # into a lobby, and has not been told of the hall since

    def __init__(self, world: World, machine: Machine, name: str, weather: Weather) -> None:
        self.world = world
        self.machine = machine
        self.name, self.weather = name, weather
        self.address = "127.0.0.1"
        self.knows_password = False  # of the lobby that it asked for last, or there is none
        self.dice = world.dice(f"client {name}")
        self.connection: Connection | None = None
        self.is_open = self.stays_away = self.is_home = False  # the last for good
        self.connections = 0
        self.secret: bytes | None = None
        self.epoch = ""
        self.last_event = 0
        self.number = 0
        self.unanswered: dict[int, c.ClientMessage] = {}
        self.answers: dict[int, Accepted | Refused] = {}
        self.view: TableView | None = None
        self.lobby: e.LobbyState | None = None
        self.is_placed = False  # it was told where it is: the hall, or which lobby
        self.is_paused = self.is_stalled = False
        self.vote = self.pause = 0  # the newest ones told of
        self._silence_us = 15 * SECOND
        self._heard_at = self._called_at = self._unheard = 0  # the last: in a row, by a full server
        self._called: int | None = None  # the number of a challenge that is not answered
        self._owed: list[c.Pong] = []
        self.mistakes: set[int] = set()  # the numbers of pauses that anybody may end who plays
        self.on_landed: list[Callable[[Client, c.ClientMessage, Connection], None]] = []
        self._said_on: dict[int, Connection | None] = {}  # the line on which it was said first
        self.said_again: set[int] = set()  # on another line
        self._may_jump = True  # after a snapshot, numbers go on from anywhere

    @property
    def digest(self) -> bytes | None:
        """By which the server knows this person."""
        return None if self.secret is None else hashlib.sha256(self.secret).digest()

    # --- the line ---------------------------------------------------------------------------------

    def connect(self) -> None:
        """Try to reach the server."""
        if self.connection is not None or self.stays_away or self.is_home:
            return
        self.connections += 1
        name = f"{self.name}.{self.connections}"
        line = Connection(self.world, self.weather, name, self, self.address)
        self.connection = line
        self.world.after(2 * self.weather.shortest, lambda: self._knock(line))

    def _knock(self, line: Connection) -> None:
        self.machine.knock(line)
        if line.is_down or line is not self.connection:
            return
        self._heard_at = self.world.now
        self._write(self.hello())
        self._watch_silence(line)

    def hello(self) -> c.Hello:
        """The first message."""
        resume = None
        if self.secret is not None:
            seen = EventNumber(self.last_event)
            resume = c.Resume(secret=self.secret, epoch=self.epoch, last_event=seen)
        return c.Hello(major=MAJOR, minor=0, client="simulated", name=self.name, resume=resume)

    def _watch_silence(self, line: Connection) -> None:
        if line is not self.connection:
            return
        silent_for = self.world.now - self._heard_at
        if silent_for >= self._silence_us:
            self.vanish()
        else:
            wait = self._silence_us - silent_for
            self.world.after(wait, lambda: self._watch_silence(line))

    def vanish(self) -> None:
        """Hang up, and come back in a while."""
        if self.connection is not None:
            self.connection.hang_up()
            self.hung_up()

    def hung_up(self) -> None:
        """The line is no more."""
        self.connection, self.is_open = None, False
        self.world.after(self.dice.randint(100_000, 2 * SECOND), self.connect)

    # --- saying -----------------------------------------------------------------------------------

    def send(self, kind: type[Any], **fields: object) -> int:
        """Send a command under the next number."""
        self.number += 1
        command = kind(n=CommandNumber(self.number), **fields)
        self.unanswered[self.number] = command
        self._say(command)
        return self.number

    @property
    def is_silent(self) -> bool:
        """Whether a challenge is on its way: until it is answered nothing else is said."""
        waits = self._called is not None and self._called in self.unanswered
        return waits and self.world.now < self._called_at + SILENT_AFTER_CALL

    def _say(self, command: c.ClientMessage) -> None:
        if isinstance(command, c.Command):
            self._said_on.setdefault(command.n, self.connection)
        if isinstance(command, c.Challenge):
            self._called, self._called_at = command.n, self.world.now
            self.world.after(SILENT_AFTER_CALL, self._pay)
        self._write(command)

    def _write(self, message: c.ClientMessage) -> None:
        line = self.connection
        if line is not None:
            line.to_server(encode_command(message), lambda: self.landed(message, line))

    def landed(self, message: c.ClientMessage, line: Connection) -> None:
        """The last byte of a message has reached the server's kernel, perhaps after this has hung up."""
        for look in self.on_landed:
            look(self, message, line)

    def _pay(self) -> None:
        """Answer the pings that came in between."""
        owed, self._owed = self._owed, []
        for pong in owed:
            self._pong(pong)

    def _pong(self, pong: c.Pong) -> None:
        if self.is_silent:
            self._owed.append(pong)
        else:
            self._write(pong)

    # --- hearing ----------------------------------------------------------------------------------

    def hear(self, number: EventNumber, event: e.Event) -> None:
        """A whole event has come."""
        self._heard_at = self.world.now
        match event:
            case Ping():
                self._pong(c.Pong(nonce=event.nonce))
                return
            case Welcome():
                self._welcomed(event)
            case Accepted() | Refused():
                self._answered(event)
            case Goodbye():
                self._dismissed(event)
            case _:
                self._follow(number, event)
        self.heard(event)

    def heard(self, event: e.Event) -> None:
        """For whoever makes up this client's mind."""

    def _welcomed(self, welcome: Welcome) -> None:
        self.is_open, self._unheard = True, 0
        self._silence_us = welcome.silence_us
        self.secret = welcome.secret or self.secret
        self.number = max(self.number, welcome.last_command)
        self._owed.clear()
        self.is_stalled = False  # else it is told anew
        if welcome.epoch != self.epoch:
            self.epoch, self.last_event = welcome.epoch, 0
        self._may_jump = not welcome.resumed
        if not welcome.resumed:
            self.lobby = self.view = None
        self.is_placed = False  # it is told anew, and perhaps they had heard of the hall last
        self.said_again.update(self.unanswered)
        for number in sorted(self.unanswered):
            self._say(self.unanswered[number])

    def _answered(self, answer: Accepted | Refused) -> None:
        if answer.n is None:
            self._turned_away(answer)
            return
        # It may come twice, if the command was sent again while it was on its way.
        known = self.answers.setdefault(answer.n, answer)
        if known != answer:
            what = f"{self.name} is told {known} and then {answer}"
            self.world.wrong("DESIGN 3: each command is answered once", what)
        command = self.unanswered.pop(answer.n, None)
        if isinstance(answer, Accepted) and isinstance(command, c.CreateLobby | c.JoinLobby):
            self.was_let_in = True
        self._check_number(answer)
        self._pay()

    def _check_number(self, answer: Accepted | Refused) -> None:
        first_said_on = self._said_on.pop(answer.n or 0, None)
        is_old = isinstance(answer, Refused) and answer.code is Refusal.OLD_NUMBER
        if is_old and first_said_on is self.connection:
            what = f"{self.name} says number {answer.n} for the first time and hears: {answer}"
            self.world.wrong("DESIGN 3: each command is carried out once", what)

    def _dismissed(self, goodbye: Goodbye) -> None:
        self._unheard += goodbye.code is Refusal.SERVER_FULL
        if goodbye.code is Refusal.TOO_FAST:
            self.was_too_fast_at = self.world.now
        if self._unheard > MOST_UNHEARD:
            what = f"{self.name} is turned away unheard, time after time"
            self.world.wrong("DESIGN 6: whoever has a place can take it", what)
        # On a line that this client has not given up.
        if goodbye.code is Refusal.ELSEWHERE:
            what = f"somebody else has taken the place of {self.name}"
            self.world.wrong("DESIGN 4: the secret alone resumes a seat", what)

    def _turned_away(self, refused: Refused) -> None:
        self._unheard = 0
        if refused.code is Refusal.BAD_SECRET:
            what = f"{self.name} is not known any more"
            self.world.wrong("DESIGN 5: what was told is kept", what)

    def _follow(self, number: EventNumber, event: e.Event) -> None:
        if number:
            self._count(number)
        if self.is_stalled and isinstance(event, OF_A_LOBBY):
            what = f"{self.name} is told {event}, and thinks that nothing can be kept"
            self.world.wrong("DESIGN 5: what was told is kept", what)
        match event:
            case e.LobbyLeft() | e.HallChanged():
                self.lobby = self.view = None
                self.is_placed, self.was_let_in = True, False
            case _:
                self.lobby = follow(self.lobby, event)
                self.is_placed |= self.lobby is not None
        self.view = apply(self.view, event)
        if isinstance(event, e.VoteState):
            self.vote = event.vote
        elif isinstance(event, e.Paused):
            self._pause(event)
        elif isinstance(event, e.Resumed | e.DealStarted | e.WindowState):
            self.is_paused = False
        elif isinstance(event, e.Stalled):
            self.is_stalled = not event.over

    def _pause(self, event: e.Paused) -> None:
        self.pause, self.is_paused = event.pause, True
        if event.reason is e.PauseReason.MISTAKE:
            self.mistakes.add(event.pause)

    def _count(self, number: EventNumber) -> None:
        follows = number == self.last_event + 1 or (self._may_jump and number > self.last_event)
        if not follows:
            what = f"{self.name} heard number {number} after {self.last_event}"
            self.world.wrong("DESIGN 3: event numbers increase", what)
        self._may_jump = False
        self.last_event = number
