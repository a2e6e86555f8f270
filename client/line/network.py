"""The line to one server: asyncio streams around `protocol.connection`, kept up by itself.

Commands get their numbers here, and those without an answer are sent again after a reconnect. The
owner runs `Network.run` in its TaskGroup and is told events, all of one read at once.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from enum import Enum
from random import Random

from msgspec.structs import replace

from client import exit_codes
from client.intents.shared import ABOUT_NAMES
from client.kept.identity import Keyring
from client.line.cleaning import cleaned
from client.line.dialling import dialled
from client.line.faults import NO_GREETING, NOBODY_THERE, OTHER_PROGRAM, in_words, next_step
from client.line.hush import Hush
from client.line.unanswered import Unanswered
from client.news import spoken
from client.state import Connecting, LinkLost, LinkRefused, Sent, Unkept
from client.store import AnyEvent
from client.way_in.address import Address
from protocol.answers import MAJOR, MINOR, Accepted, Goodbye, Ping, Refused, Welcome
from protocol.commands import AnyCommand, Challenge, ClientMessage, Command, Hello, Pong, Resume
from protocol.connection import ClientConnection, State
from protocol.errors import RemoteProtocolError
from protocol.events import Event
from protocol.numbers import MICROS, CommandNumber, EventNumber
from protocol.refusals import Refusal

READ_SIZE = 16 * 1024  # no more is told before anybody else has a turn
MOST_UNHEARD = 64 * 1024  # bytes of ours that wait for a server which does not read
CONNECT_S = 10.0
GREETING_S = 10.0
SILENCE_S = 15.0
FIRST_RETRY_S = 0.25
LONGEST_RETRY_S = 10.0
# One that lets us in only to hang up is not called again at once for ever; one that is started again
# and again is still come back to within half a second.
WARY = 2  # so many connections in a row that were too brief make no more difference
GIVE_UP_S = 600.0
# A new process does not know which numbers the one before it had under way; it starts above them.
NUMBERS_SKIPPED = 64

COME_AGAIN = "Connect again when it is back: your seat may still be kept."

# These pass by themselves: a client that was in tries again.
PASSING = {
    Refusal.ADDRESS_FULL,
    Refusal.CLOSING,
    Refusal.SERVER_FULL,
    Refusal.TOO_FAST,
    Refusal.TRY_AGAIN,
}

Tell = Callable[[Sequence[AnyEvent]], None]


class Ending(Enum):
    """How a network came to its end; the value is the exit code of a client that ends with it."""

    CLOSED = 0  # the line was closed on purpose
    UNREACHABLE = exit_codes.UNREACHABLE
    REFUSED = exit_codes.REFUSED
    LOST = exit_codes.LOST  # the line is lost for good


class _Broken(Exception):
    """This connection is over; another may be tried."""


class _ComeAgain(Exception):
    """Another secret may be the one for this server, or none: we connect again at once."""


class _TurnedAway(Exception):
    """The server does not want this client, and another try would be no use."""

    def __init__(self, code: Refusal, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class Network:
    """One server, from the first hello until `close`, a refusal, or giving up."""

    def __init__(
        self,
        address: Address,
        *,
        name: str,
        version: str,
        keyring: Keyring,
        tell: Tell,
        nobody_there: str = "",
        dice: Random | None = None,
    ) -> None:
        """Nothing happens before `run`. `dice` is for the jitter of the retries."""
        self.address = address
        self.ending: Ending | None = None
        self._name = name
        self._version = version
        self._keyring = keyring
        self._tell = tell
        self._nobody_there = nobody_there
        self._was_reached = False  # somebody has taken a call, whoever it was
        self._dice = dice or Random()  # noqa: S311 - jitter is no secret
        self._connection = ClientConnection()
        self._writer: asyncio.StreamWriter | None = None
        self._task: asyncio.Task[None] | None = None
        self._welcome: Welcome | None = None
        self._is_new = self._is_name_taken = self._has_lost_track = False  # until a server says so
        self._last_event, self._number = EventNumber(0), CommandNumber(0)
        self._unanswered = Unanswered()
        self._hush = Hush(self._put)

    # --- what the owner calls ------------------------------------------------------------------

    async def run(self) -> None:
        """Connect and stay connected; return after `close`, a refusal, or giving up."""
        if self.ending is not None:  # it has ended before it began
            return
        self._task = asyncio.current_task()
        try:
            self.ending = await self._keep_connected()
        except asyncio.CancelledError:
            if self.ending is None:
                raise
        finally:
            self._hang_up()
            self._keyring.release()

    def send(self, command: AnyCommand) -> AnyCommand:
        """Give a command its number and send it; without a connection it waits for the next."""
        self._number = CommandNumber(self._number + 1)
        numbered = replace(command, n=self._number)
        self._unanswered.add(numbered)
        self._put(numbered)
        self._tell((Sent(command=numbered),))
        return numbered

    def close(self, ending: Ending = Ending.CLOSED) -> None:
        """End `run` on purpose; the seat is kept."""
        if self.ending is None:
            self.ending = ending
            if self._task:
                self._task.cancel()

    # --- coming back ---------------------------------------------------------------------------

    async def _keep_connected(self) -> Ending:
        loop = asyncio.get_running_loop()
        attempt, too_brief, lost_at = 0, 0, loop.time()
        while True:
            before, began = self._welcome, loop.time()
            try:
                reason = await self._connect_once()
            except _TurnedAway as no:
                return self._over(Ending.REFUSED, no.text, no.code)
            if self._welcome is None:
                step = next_step(reason, self.address.host, self._usual_step())
                text = f"Could not reach {self.address}: {reason}. {step}"
                return self._over(Ending.UNREACHABLE, text)
            if self._welcome is not before:
                attempt, lost_at = 0, loop.time()
                was_brief = lost_at - began < LONGEST_RETRY_S
                too_brief = min(too_brief + 1, WARY) if was_brief else 0
                if given_up := self._unanswered.line_lost(was_brief=was_brief):
                    self._tell(given_up)
            if loop.time() - lost_at > GIVE_UP_S:
                text = f"{self.address} has not come back: {reason}. {COME_AGAIN}"
                return self._over(Ending.LOST, text)
            attempt += 1
            await self._wait_for_retry(reason, attempt, max(0, too_brief - 1))

    def _over(self, ending: Ending, text: str, code: Refusal | None = None) -> Ending:
        """Say why there is no line any more, and that what was asked for will have no answer."""
        self._tell((*self._unanswered.over(), LinkRefused(text=text, code=code)))
        return ending

    def _usual_step(self) -> str:
        if self._has_lost_track:
            return OTHER_PROGRAM
        return self._nobody_there or (NO_GREETING if self._was_reached else NOBODY_THERE)

    async def _connect_once(self) -> str:
        """Connect, again at once while there is another secret to try, or none; why it ended."""
        self._keyring.start_afresh()
        while True:
            try:
                await self._one_connection()
            except _ComeAgain:
                continue
            except _Broken as broken:
                return str(broken)

    async def _wait_for_retry(self, reason: str, attempt: int, wariness: int) -> None:
        longest = min(LONGEST_RETRY_S, FIRST_RETRY_S * 2 ** (attempt - 1 + wariness))
        pause = longest * self._dice.uniform(0.5, 1.0)
        self._tell((LinkLost(reason=reason, attempt=attempt, retry_s=pause),))
        await asyncio.sleep(pause)

    async def _one_connection(self) -> None:
        """Connect, greet and read until the line breaks; always ends with an exception."""
        self._tell((Connecting(address=str(self.address), encrypted=self.address.is_loopback),))
        self._connection = ClientConnection()
        try:
            async with asyncio.timeout(CONNECT_S):
                reader, self._writer = await dialled(
                    self.address.host, self.address.port, CONNECT_S
                )
            self._was_reached = True
            self._write(self._hello())
            await self._read(reader)
        except TimeoutError as silence:
            raise _Broken("no answer") from silence
        except OSError as error:
            raise _Broken(in_words(error)) from error
        except RemoteProtocolError as fault:
            self._has_lost_track = True
            details = f" ({fault})" if self._welcome else ""
            raise _Broken(f"it does not speak our protocol{details}") from fault
        finally:
            self._hang_up()

    def _hello(self) -> Hello:
        known = None if self._is_new else self._keyring.find(str(self.address), self._name)
        return Hello(
            major=MAJOR,
            minor=MINOR,
            client=self._version,
            name=self._name,
            ssh="SSH_CONNECTION" in os.environ,
            brief=self._keyring.brief and known is None,
            resume=Resume(
                secret=known.secret,
                epoch=self._welcome.epoch if self._welcome and not self._has_lost_track else "",
                last_event=self._last_event,
            )
            if known
            else None,
        )

    async def _read(self, reader: asyncio.StreamReader) -> None:
        clock = asyncio.get_running_loop().time
        until = clock() + GREETING_S  # for all of it, however slowly it comes
        while True:
            async with asyncio.timeout_at(until):
                data = await reader.read(READ_SIZE)
            received = self._connection.receive(data or None)
            heard = [(number, cleaned(event)) for number, event in received]
            is_first = self._welcome is None
            told = [one for number, event in heard for one in (*self._heard(number, event), event)]
            self._tell((*told, *self._unkept(heard, is_first=is_first)))
            for _, event in heard:
                self._answered(event)
            self._obey(heard)
            # More may be here already, and then reading it waits for nothing: keys come first.
            await asyncio.sleep(0)
            self._see_whether_heard()
            if not data:
                raise _Broken("the server closed it" if self._welcome else "it hangs up")
            if self._welcome and self._connection.state is State.OPEN:
                until = clock() + (self._welcome.silence_us / MICROS or SILENCE_S)

    def _see_whether_heard(self) -> None:
        """A server that asks for pongs and never reads them would fill our memory."""
        if self._writer and self._writer.transport.get_write_buffer_size() > MOST_UNHEARD:
            raise _Broken("it does not hear us")

    # --- hearing -------------------------------------------------------------------------------

    def _heard(self, number: EventNumber, event: Event) -> tuple[Refused, ...]:
        """Do what this layer itself has to do with an event; what is to be told before it."""
        if number:
            self._last_event = number
        match event:
            case Ping():
                self._put(Pong(nonce=event.nonce))
            case Welcome():
                return self._welcomed(event)
            case _:
                pass
        return ()

    def _welcomed(self, welcome: Welcome) -> tuple[Refused, ...]:
        given_up: tuple[Refused, ...] = ()
        self._keyring.settle(server=welcome.server, name=welcome.name)
        if welcome.secret is not None:
            self._made_known(welcome, welcome.secret)
        is_another = self._welcome is not None and self._welcome.server != welcome.server
        if welcome.secret is not None or is_another:  # what was asked elsewhere is not asked here
            given_up = self._unanswered.elsewhere()
            self._number = CommandNumber(0)
        if not welcome.resumed:
            self._last_event = EventNumber(0)
        if welcome.secret is None and (self._welcome is None or is_another):
            self._number = CommandNumber(welcome.last_command + NUMBERS_SKIPPED)
        self._welcome, self._has_lost_track, self._is_name_taken = welcome, False, False
        for command in self._unanswered:
            self._put(command)
        return given_up

    def _made_known(self, welcome: Welcome, secret: bytes) -> None:
        """To the server we are somebody new; perhaps it has known us before, by its id.

        Raises:
            _ComeAgain: it has.
        """
        self._is_new, address = False, str(self.address)
        known = self._keyring.identity
        if known is not None and known.secret != secret:
            self._keyring.set_aside()  # no honest server does that, and one of us is enough
        self._keyring.keep(server=welcome.server, address=address, name=welcome.name, secret=secret)
        if self._keyring.recall(address, server=welcome.server):
            raise _ComeAgain

    def _unkept(
        self, heard: Sequence[tuple[EventNumber, Event]], *, is_first: bool
    ) -> tuple[AnyEvent, ...]:
        """What is to be said of a secret that could not be stored, as it comes and on a new visit."""
        welcomes = [event for _, event in heard if isinstance(event, Welcome)]
        came = any(is_first or welcome.secret is not None for welcome in welcomes)
        trouble = self._keyring.trouble
        return (Unkept(where=trouble),) if came and trouble else ()

    def _answered(self, event: Event) -> None:
        """Note an answer, once it was told: one that never was is asked for again on the next line."""
        if isinstance(event, Accepted | Refused) and event.n is not None:
            self._unanswered.answered(event.n)
            self._hush.answered(event.n)

    def _obey(self, heard: Sequence[tuple[EventNumber, Event]]) -> None:
        """End the connection if the server has said that it will."""
        for _, event in heard:
            if isinstance(event, Refused) and event.n is None:
                self._turned_away(event)
            elif isinstance(event, Goodbye):
                if event.code not in PASSING or not self._welcome:
                    raise _TurnedAway(event.code, spoken(event))
                raise _Broken(spoken(event).rstrip("."))

    def _turned_away(self, event: Refused) -> None:
        if event.code is Refusal.BAD_SECRET and self._keyring.if_unknown:
            raise _TurnedAway(event.code, self._keyring.if_unknown)
        if event.code is Refusal.BAD_SECRET and self._keyring.identity:
            self._keyring.set_aside()
            # Not as another person of this user, who may come back as well.
            self._is_new = not (self._is_name_taken and self._may_be_ours())
            raise _ComeAgain
        if event.code is Refusal.NAME_TAKEN and self._keyring.identity is None:
            self._is_name_taken, self._is_new = True, not self._may_be_ours()
            if not self._is_new:
                raise _ComeAgain
        if event.code in PASSING and self._welcome:
            raise _Broken(spoken(event).rstrip("."))
        if event.code in ABOUT_NAMES and self._keyring.if_no_name:
            raise _TurnedAway(event.code, self._keyring.if_no_name)
        raise _TurnedAway(event.code, spoken(event))

    def _may_be_ours(self) -> bool:
        """Whether it may be ourselves who have the name here, by a secret that was set aside."""
        return self._keyring.recall(str(self.address), name=self._name)

    # --- speaking ------------------------------------------------------------------------------

    def _put(self, message: ClientMessage) -> None:
        """Send now, or after the answer to a challenge that is under way (RULES C1)."""
        if self._connection.state is not State.OPEN or self._hush.holds_back(message):
            return
        self._write(message)
        if isinstance(message, Command):
            self._unanswered.was_sent(message.n)
        if isinstance(message, Challenge):
            self._hush.begin(message.n)

    def _write(self, message: ClientMessage) -> None:
        if self._writer:
            self._writer.write(self._connection.send(message))

    def _hang_up(self) -> None:
        self._hush.forget()
        if self._writer:
            self._writer.close()
        self._writer = None
        self._connection.receive(None)
