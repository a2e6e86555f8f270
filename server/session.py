"""One connected client: hello, then commands in, events out, until the line is gone.

A session lives without a task: the wire calls it when something has come, the alarm clock when it
has been silent for too long. Only while somebody is let in, which has to be kept first, is there one.
Ten thousand people who wait for their turn are then not ten thousand tasks, each with its stack, its
scopes and its place in the scheduler: they would be nearly half of a connection's memory.
"""

import logging
import math
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from random import Random, SystemRandom
from typing import Protocol

import trio
from msgspec.structs import replace

from protocol.answers import MAJOR, Goodbye, Ping, Refused, Welcome
from protocol.codec import encode_event, frame_event
from protocol.commands import AnyCommand, ClientMessage, Hello, Pong, Resume
from protocol.connection import ServerConnection, State
from protocol.errors import RemoteProtocolError
from protocol.events import Event
from protocol.framing import COMMAND_CAP
from protocol.numbers import MICROS, UNNUMBERED
from protocol.refusals import Refusal, explained
from server.alarm_clock import AlarmClock
from server.arrivals import Arrived, Wire, now_us, settle
from server.carry_on import contained
from server.config import Settings
from server.people import Unwelcome
from server.person import Person
from server.writer import Writer

SLOWEST_LINE = 1024  # bytes a second of a line that is worth having
PARTING_S = 2.0  # the last words may take so long
MOST_EARLY = 2 * COMMAND_CAP  # bytes that may come while somebody is let in: as much as two reads
MOST_EARLY_READS = 64  # so many reads may bring them: all are looked through at each
MOST_PIECES = 100  # so many pieces of a hello are taken
NONCES = SystemRandom()
SERIALS = count()  # numbers of connections, in the order in which they were accepted
FAILED = "the session with %s failed"
LOG = logging.getLogger(__name__)
_CLOSED = State.CLOSED  # looked up for every command: a name of its own costs less


class Door(Protocol):
    """What lies behind a session: the hall."""

    alarm_clock: AlarmClock

    async def admit(self, hello: Hello, address: str, serial: int) -> tuple[Person, Welcome]:
        """Let somebody in, unless a newer line is theirs. Raises Unwelcome."""
        ...

    def arrived(self, person: Person, resume: Resume | None) -> None:
        """Somebody's line is up: show them where they are."""
        ...

    def obey(self, person: Person, command: AnyCommand, arrived: Arrived) -> None:
        """Take a command; it is answered sooner or later. The caller flushes."""
        ...

    def lost(self, person: Person) -> None:
        """Somebody's line is down."""
        ...


class Session:
    """One connection. It is the person's line from the hello on."""

    __slots__ = (
        "_connection",
        "_door",
        "_early",
        "_heard_at",
        "_is_closed",
        "_is_dropping",
        "_looked",
        "_nonces",
        "_nursery",
        "_on_close",
        "_person",
        "_pieces",
        "_ping",
        "_said_when_heard",
        "_settings",
        "_wire",
        "_writer",
        "address",
        "flush",
        "has_spoken",
        "is_stranger",
        "listed_at",
        "post",
        "serial",
        "wakes_at",
    )

    def __init__(
        self,
        wire: Wire,
        address: str,
        door: Door,
        settings: Settings,
        *,
        nursery: trio.Nursery,
        on_close: Callable[["Session"], None],
        nonces: Random = NONCES,
    ) -> None:
        """The nursery must last for as long as the session does; `on_close` is called at its end."""
        self._wire = wire
        self.address, self.serial = address, next(SERIALS)
        self._door = door
        self._settings, self._nonces = settings, nonces
        self._connection = ServerConnection()
        self._writer = Writer(
            wire, settings.send_queue, start=self._start_writing, too_slow=self.drop
        )
        self.post, self.flush = self._writer.post, self._writer.flush  # for the person
        self._nursery, self._on_close = nursery, on_close
        self._ping: tuple[int, int] | None = None  # nonce and when it was sent
        self._person: Person | None = None
        self._early: tuple[Arrived, ...] = ()  # the hello, and what comes meanwhile
        self._looked = (0, 0)  # when it was looked, and how many bytes were said by then
        self._heard_at = self._said_when_heard = self._pieces = 0
        self._is_dropping = self._is_closed = False
        self.wakes_at = self.listed_at = math.inf  # read and set by the alarm clock
        self.has_spoken, self.is_stranger = False, True

    # --- how it begins and ends -------------------------------------------------------------------

    def greet(self) -> None:
        """Wait for a hello: from now on the session goes on by itself."""
        self._door.alarm_clock.set(self, trio.current_time() + self._settings.hello_s)
        try:
            self._wire.listen(self._hear)
        except Exception:
            LOG.exception(FAILED, self.address)
            self.close_now()

    def close_now(self) -> None:
        """Close the wire and let go of the person, now. Once is enough; more does no harm.

        No fault of ours is raised: whoever closes a session has others to look after.
        """
        self._is_dropping = True
        was_closed, self._is_closed = self._is_closed, True
        with contained(f"letting {self.address} sleep"):
            self._door.alarm_clock.stop(self)
        with contained(f"closing the line of {self.address}"):
            self._wire.close()
        with contained(f"the session with {self.address}"):
            self._let_go()
        if not was_closed:
            with contained(f"forgetting the session with {self.address}"):
                self._on_close(self)

    def _let_go(self) -> None:
        person, self._person = self._person, None
        if person is not None and person.line is self:
            person.line = None
            self._door.lost(person)

    def _start(self, step: Callable[[], Awaitable[None]]) -> None:
        if not self._is_closed:
            self._nursery.start_soon(self._guarded, step)

    async def _guarded(self, step: Callable[[], Awaitable[None]]) -> None:
        """One session's fault ends that session and nothing else."""
        try:
            await step()
        except Exception:
            LOG.exception(FAILED, self.address)
            self.close_now()

    @property
    def _says_no_more(self) -> bool:
        """After goodbye, a fault of the peer, or its vanishing nothing more may be said."""
        return self._connection.state is _CLOSED

    def say_goodbye(self, refusal: Refusal) -> None:
        """Say goodbye and close."""
        if not self._says_no_more:
            text = explained(refusal).sentence
            self.post(self._connection.send(Goodbye(code=refusal, text=text)))
            self._drop_once_sent()

    def _drop_once_sent(self) -> None:
        self._writer.finish()
        if self._writer.waiting:  # `_write` drops it once all is sent
            self._door.alarm_clock.set(self, trio.current_time() + PARTING_S)
        else:
            self.drop()

    def drop(self) -> None:
        """Close without a word, once whoever is just talking to this session has finished."""
        if not self._is_dropping:
            self._is_dropping = True
            self._writer.mute()
            self._start(self._close_in_turn)

    async def _close_in_turn(self) -> None:
        self.close_now()

    # --- silence ----------------------------------------------------------------------------------

    def wake(self) -> None:
        """Look whether the line was silent, or a hello or the last words took, for too long."""
        self._look()
        if self._says_no_more:
            self.drop()
        elif self._is_overdue:
            self._start(self._drop_if_still_overdue)
        else:
            self._wind()

    def _wind(self) -> None:
        """Look again when the line would count as silent, after `silence_s` at the latest."""
        latest = trio.current_time() + self._settings.silence_s
        self._door.alarm_clock.set(self, min(self._silent_at, latest))

    def _look(self) -> None:
        """Note how much was said, at the most, since something was heard."""
        looked_at, said = self._looked
        if self._heard_at > looked_at:
            self._said_when_heard = said  # at least: more may have been by then
        self._looked = now_us(), self._writer.said

    @property
    def _silent_at(self) -> float:
        """A pong comes after all that was said before its ping, which is much for somebody who has just come back."""
        unheard = self._writer.said - self._said_when_heard
        patience_s = max(self._settings.silence_s, unheard / SLOWEST_LINE)
        return self._heard_at / MICROS + patience_s

    @property
    def _is_overdue(self) -> bool:
        if self.is_stranger:
            return not self.has_spoken
        return self._silent_at <= trio.current_time()

    async def _drop_if_still_overdue(self) -> None:
        """Close, unless what came in time lies in the kernel, as after a stop: it is read first."""
        await settle(2)
        if self._is_overdue:
            self.drop()
        elif not self.is_stranger:
            self._wind()

    # --- until somebody is let in -----------------------------------------------------------------

    def _meet(self, arrived: Arrived) -> None:
        """Take in what somebody says who is not let in yet.

        Raises:
            RemoteProtocolError: it is no hello.
        """
        if self.has_spoken:
            self._put_off(arrived)
        elif not arrived.data:
            self.drop()
        elif not self._is_dropping and (messages := self._connection.receive(arrived.data)):
            self._put_off(arrived)
            self.has_spoken = True  # bytes that dribble in are no hello yet
            self.wakes_at = math.inf  # keeping something may take long, and is not their fault
            self._start(partial(self._let_in, messages[0]))
        else:
            self._pieces += 1
            if self._pieces > MOST_PIECES:
                self.drop()

    def _put_off(self, arrived: Arrived) -> None:
        """Hear it once its sender is let in; by then others are heard who came later."""
        if self._is_dropping:
            return
        self._early += (replace(arrived, settled=False),)
        size = sum([len(early.data) for early in self._early])
        if size > MOST_EARLY or len(self._early) > MOST_EARLY_READS:
            self.drop()

    async def _let_in(self, hello: ClientMessage) -> None:
        try:
            assert isinstance(hello, Hello)  # noqa: S101 - the connection has seen to that
            person, welcome = await self._door.admit(_checked(hello), self.address, self.serial)
        except Unwelcome as no:
            self._turn_away(no.refusal)
            return
        self._attend(person, welcome, hello.resume)
        self._obey_early(person)
        if self._is_dropping:  # before there was a person to let go of
            self.close_now()

    def _turn_away(self, refusal: Refusal) -> None:
        clause, text = explained(refusal)
        self._part_with(self._connection.send(Refused(code=refusal, clause=clause, text=text)))

    def _part_with(self, data: bytes) -> None:
        """Tell a stranger this, and nothing more; nor is anything more heard of them."""
        self.post(data)
        self._connection.receive(None)
        self._drop_once_sent()

    def _attend(self, person: Person, welcome: Welcome, resume: Resume | None) -> None:
        if person.line is not None:
            person.line.say_goodbye(Refusal.ELSEWHERE)
        person.line, self._person = self, person
        self.is_stranger = False
        self._heard_at = now_us()
        self._door.alarm_clock.set(self, self._heard_at / MICROS + self._settings.silence_s)
        self.post(self._connection.send(welcome))
        self._door.arrived(person, resume)
        self.flush()

    def _obey_early(self, person: Person) -> None:
        """Obey what came with the hello and after it; of whoever is turned away it is never read."""
        (hello, *early), self._early = self._early, ()
        try:
            self._obey_all(person, self._connection.receive(b""), hello)
        except RemoteProtocolError:
            self.drop()
        for arrived in early:
            self._hear(arrived)

    # --- hearing ----------------------------------------------------------------------------------

    def _hear(self, arrived: Arrived) -> None:
        """Obey what has come; no data says that the line is gone."""
        person = self._person
        try:
            if person is None:
                self._meet(arrived)
            elif not arrived.data:
                self.drop()
            elif person.line is self:  # else it is another line's by now
                self._heard_at = arrived.at
                messages = self._connection.receive(arrived.data)
                if not messages:  # a piece of one: each read costs as much as a whole message
                    person.tire(now_us())
                self._obey_all(person, messages, arrived)
        except RemoteProtocolError as fault:
            if fault.parting:
                self._part_with(fault.parting)
            else:
                self.drop()
        except Exception:
            LOG.exception(FAILED, self.address)
            self.drop()

    def _obey_all(self, person: Person, messages: list[ClientMessage], arrived: Arrived) -> None:
        for message in messages:
            if self._connection.state is _CLOSED and person.line is self:
                return  # closed on the way, as for a flood: the rest is not heard
            if type(message) is Pong:
                self._measure(person, message, arrived)
            elif type(message) is not Hello:
                self._door.obey(person, message, arrived)
        person.flush()

    # --- saying -----------------------------------------------------------------------------------

    async def _write(self) -> None:
        await self._writer.run()
        if self._says_no_more:
            self.drop()

    def _start_writing(self) -> None:
        self._start(self._write)

    def ping(self, rtt_us: int | None) -> None:
        """Ask for a sign of life, and tell the last round trip."""
        nonce = self._nonces.getrandbits(48)
        self._ping = (nonce, now_us())
        self.tell(Ping(nonce=nonce, rtt_us=rtt_us))

    def tell(self, event: Event) -> None:
        """Send one event at once."""
        self.post(frame_event(UNNUMBERED, encode_event(event)))
        self.flush()

    def _measure(self, person: Person, pong: Pong, arrived: Arrived) -> None:
        if self._ping is not None and self._ping[0] == pong.nonce:
            person.rtt_us = max(0, arrived.at - self._ping[1])
            self._ping = None
        else:
            person.tire(now_us())


def _checked(hello: Hello) -> Hello:
    if hello.major < MAJOR:
        raise Unwelcome(Refusal.OLD_CLIENT)
    if hello.major > MAJOR:
        raise Unwelcome(Refusal.OLD_SERVER)
    return hello
