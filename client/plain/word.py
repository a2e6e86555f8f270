"""A word of the plain client: the line that it is typed in, and what may come of it. Pure values."""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct

from client.intents.shared import Intent
from client.settings import DEFAULTS, Settings
from client.state import ClientState
from client.way_in.address import Address, Recent


class Here(Struct, frozen=True, kw_only=True):
    """What this program knows that no server told it."""

    connected: bool = False
    can_practise: bool = False
    recents: tuple[Recent, ...] = ()  # the servers of before
    passing: bool = False  # practice: nobody can come back to it


class TypedLine(Struct, frozen=True, kw_only=True):
    """A typed line: its first word is known, the rest are its arguments."""

    state: ClientState
    now: float  # seconds on the local monotonic clock, when Enter was pressed
    rest: str = ""  # what stood behind the first word
    settings: Settings = DEFAULTS
    here: Here = Here()

    @property
    def arguments(self) -> list[str]:
        """The rest, word by word."""
        return self.rest.split()


class Reply(Struct, frozen=True, kw_only=True):
    """Lines to print; nothing is sent."""

    lines: tuple[str, ...] = ()


class Quit(Struct, frozen=True):
    """Leave the program; a seat is kept."""


class Changed(Struct, frozen=True, kw_only=True):
    """A setting holds from now on and is to be kept."""

    settings: Settings
    name: str


class Way(StrEnum):
    """Where to go."""

    CONNECT = "connect"
    PRACTISE = "practise"
    LEARN = "learn"
    AWAY = "away"


class Go(Struct, frozen=True, kw_only=True):
    """Go to a server, or away from it."""

    way: Way
    address: Address | None = None  # where CONNECT goes


Outcome = Intent | Reply | Changed | Go | Quit


class Topic(StrEnum):
    """The parts of the help."""

    PLAY = "play"
    LOOK = "look"
    LOBBY = "lobby"
    HOST = "host"
    TABLE = "table"
    WAY = "way"


class Word(Struct, frozen=True, kw_only=True):
    """One command of the plain client."""

    name: str
    letter: str = ""
    usage: str = ""  # the arguments, for help
    about: str
    topic: Topic
    act: Callable[[TypedLine], Outcome]
