"""What one terminal shows besides what the server told: the open page, the cursors, what is typed."""

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct, field

from client.screens.deeds import Deed
from client.screens.editor import Editor
from client.settings import DEFAULTS, Settings
from client.start.first_run import FirstRun
from client.state import ClientState, LinkState
from client.way_in.address import Recent
from protocol.cards import Rank
from protocol.events import Phase
from protocol.numbers import PlayNumber
from protocol.text import MAX_CHAT, MAX_NAME

if TYPE_CHECKING:
    from client.lessons.tutorial import Tutorial


class Screen(StrEnum):
    """The page underneath, which follows from what the server told."""

    FIRST = "first"  # the questions of the first start
    CONNECT = "connect"
    HALL = "hall"
    LOBBY = "lobby"
    TABLE = "table"
    RESULT = "result"


class Overlay(StrEnum):
    """What may lie over the page; one at a time."""

    HELP = "help"
    MENU = "menu"
    LOG = "log"
    NAMES = "names"
    OLDER = "older"  # choosing an older play to doubt (RULES B14)
    EVENING = "evening"
    CONFESSION = "confession"  # stepping through the plays (RULES B24)
    SETTINGS = "settings"


class Typing(StrEnum):
    """What the open text line is for."""

    SAY = "say"
    CODE = "code"
    PASSWORD = "password"  # noqa: S105 - the name of a prompt
    CREATE = "create"
    NAME = "name"  # the name to be kept, on the settings page
    RANK = "rank"  # not a text: the next rank key names the claim (RULES B5, B6, B8)


class Field(StrEnum):
    """The parts of the connect page, in the order of Tab."""

    RECENT = "recent"
    ADDRESS = "address"
    NAME = "name"


class Question(StrEnum):
    """What has to be asked twice."""

    LEAVE = "leave"
    GIVE_UP = "give_up"
    LEAVE_LOBBY = "leave_lobby"
    START_ANYWAY = "start_anyway"
    REMOVE = "remove"  # whether to remove the person in `asked_about`


class ClaimChoice(Struct, frozen=True, kw_only=True):
    """What was chosen to be said other than the plain claim: another rank due, or fewer than laid."""

    rank: Rank | None = None  # None: follows from what is picked
    sneaked: int = 0  # cards laid beyond the claim (RULES B10)


class Desk(Struct, frozen=True, kw_only=True):
    """Everything local to this terminal. Times are seconds on the local monotonic clock."""

    settings: Settings = DEFAULTS
    overlay: Overlay | None = None
    under: tuple[Overlay, ...] = ()  # what it was laid over, the lowest first
    typing: Typing | None = None
    line: Editor = field(default_factory=lambda: Editor(limit=MAX_CHAT))
    draft: str = ""  # the chat line that was left with Esc
    asking: Question | None = None
    asked_at: float = 0.0
    asked_about: str = ""
    screen: Screen = Screen.CONNECT  # the one that was last painted
    screen_since: float = 0.0

    focus: Field = Field.RECENT
    name: Editor = field(default_factory=lambda: Editor(limit=MAX_NAME))
    address: Editor = field(default_factory=lambda: Editor(limit=80))
    recents: tuple[Recent, ...] = ()
    can_practise: bool = False
    passing: bool = False  # practice: nobody can come back to it

    row: int = 0  # where the cursor is in the list on the page underneath
    hall_at: str = ""  # the code of the lobby in that row; the cursor stays with it
    settings_row: int = 0
    menu_at: Deed | None = None  # the line under the cursor; None: the first
    menu_about: str = ""  # a person, or the computer players; empty: the main menu
    on_seats: bool = False  # lobby: the cursor is among the seats, not the options
    seat_row: int = 0
    seat_at: str = ""  # who sits there; the cursor stays with them
    code: str = ""  # the code of the lobby that wants a password
    watching: bool = False  # that lobby is to be watched, not joined
    page: int = 0  # the page of the help
    scrolled: int = 0  # lines above the end of the log
    logged: int = 0  # lines that it had then: what comes moves nothing that is being read
    step: int = 0  # how far the confession has gone

    claim: ClaimChoice = ClaimChoice()
    column: int | None = None  # the cursor in the hand, as `parts.hand.place_of` counts
    older: PlayNumber | None = None
    result_read: int | None = None  # the deal whose result has been left for the lobby

    first: FirstRun | None = None  # the questions of the first start, until they are answered
    tutorial: "Tutorial | None" = None

    @property
    def kiosk(self) -> bool:
        """Whether this is a guest on an account of many."""
        return self.settings.kiosk


def screen_of(state: ClientState, desk: Desk) -> Screen:
    """The page that belongs to what is known."""
    if desk.first is not None:
        return Screen.FIRST
    if state.welcome is None or state.link.state in {LinkState.OFFLINE, LinkState.REFUSED}:
        return Screen.CONNECT
    if state.table is None or state.lobby is None:
        return Screen.LOBBY if state.lobby else Screen.HALL
    if state.table.table.phase is not Phase.OVER:
        return Screen.TABLE
    return Screen.LOBBY if desk.result_read == state.table.table.deal else Screen.RESULT
