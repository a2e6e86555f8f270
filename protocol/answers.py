"""What the server says to one connection: the welcome, pings, and the answer to each command."""

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Meta

from protocol.commands import Nonce, Secret, Temperament
from protocol.events import Event
from protocol.numbers import LARGEST, CommandField, CommandNumber, Micros
from protocol.refusals import Refusal
from protocol.text import Name, Sentence

MAJOR = 1
MINOR = 0


LastCommand = Annotated[CommandNumber, Meta(ge=0, le=LARGEST)]
Temperaments = Annotated[tuple[Temperament, ...], Meta(max_length=20)]


class Stamps(StrEnum):
    """How arrivals are timed (RULES C1)."""

    KERNEL = "kernel"  # by the kernel, as they come in
    AFTER_READ = "after_read"  # by the server, after it has read them


class Welcome(Event, frozen=True, kw_only=True, tag="welcome"):
    """You are in. `secret` is given once, to a new identity: keep it, it alone resumes a seat."""

    passing: ClassVar[bool] = True
    server: Annotated[str, Meta(max_length=64)]  # the same after a restart
    title: Annotated[str, Meta(max_length=40)]  # of the server, as its host named it
    version: Annotated[str, Meta(max_length=40)]  # of the server's program
    minor: Annotated[int, Meta(ge=0, le=1000)]  # the server's: send nothing newer
    epoch: Annotated[str, Meta(max_length=32)]  # another one: event numbers start again
    name: Name  # under which you are known here
    stamps: Stamps  # how challenges are timed
    secret: Secret | None = None  # only to somebody new: 32 bytes to keep
    resumed: bool = False  # the missed events follow; if not, a snapshot does where one is due
    last_command: LastCommand = CommandNumber(0)  # the highest number had from you: go on after it
    temperaments: Temperaments = ()  # of the computer players that can be added, the gentlest first
    chat_per_s: Annotated[int, Meta(ge=0, le=LARGEST)] = 1  # lines that you may say each second
    silence_us: Micros = 15_000_000  # after this long without a word the connection counts as lost


class Accepted(Event, frozen=True, kw_only=True, tag="accepted"):
    """The command was carried out."""

    passing: ClassVar[bool] = True
    n: CommandField


class Refused(Event, frozen=True, kw_only=True, tag="refused"):
    """The command changed nothing, and why. The answer to a refused hello has no `n`."""

    passing: ClassVar[bool] = True
    n: CommandField | None = None  # your own number of the command; None: it was the hello
    code: Refusal  # why
    clause: Annotated[str, Meta(max_length=8)] = ""  # of the rules, where one decides
    text: Sentence = ""  # for a person
    late_us: Micros | None = None  # of a challenge: by how much it was late (RULES C7)


class Ping(Event, frozen=True, kw_only=True, tag="ping"):
    """Answer with a `Pong` and the same nonce; `rtt_us` is your last round trip."""

    passing: ClassVar[bool] = True
    nonce: Nonce  # to be sent back
    rtt_us: Micros | None = None  # your last round trip; None: not measured yet


class Goodbye(Event, frozen=True, kw_only=True, tag="goodbye"):
    """The server closes this connection, and why."""

    passing: ClassVar[bool] = True
    code: Refusal  # why
    text: Sentence = ""  # for a person
