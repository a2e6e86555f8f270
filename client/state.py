"""The values a client keeps: one frozen `ClientState`, and the local events that only it knows.

Times are seconds on the local monotonic clock; they come in with each event and are never read
here. `store.reduce` is the one function that makes a new state; `selectors` answers questions.
"""

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from protocol.answers import Welcome
from protocol.cards import Card
from protocol.commands import AnyCommand
from protocol.events import DeadHeat, LateCall, Listing, LobbyState, PauseReason, Ruled, VoteState
from protocol.numbers import CardId, CommandNumber, PlayNumber, Seat
from protocol.options import Turn
from protocol.refusals import Refusal
from protocol.views import TableView

if TYPE_CHECKING:
    from client.stats import DealTally

MAX_LINES = 500
MAX_DEALS = 200  # so many deals of an evening are remembered
NO_PLAY = PlayNumber(0)


class LinkState(StrEnum):
    """How the client stands with its server."""

    OFFLINE = "offline"  # nothing tried yet, or left on purpose
    CONNECTING = "connecting"
    ONLINE = "online"
    LOST = "lost"  # trying again by itself
    REFUSED = "refused"  # the server said no, or cannot be reached: only a person can help


class Link(Struct, frozen=True, kw_only=True):
    """The connection, as a person is told of it."""

    state: LinkState = LinkState.OFFLINE
    address: str = ""  # host:port as shown
    attempt: int = 0  # which attempt to come back this is, from 1
    retry_at: float | None = None  # when the next attempt is made
    code: Refusal | None = None  # why the server refused, if it did
    text: str = ""  # why it was lost or refused, a sentence
    ended: bool = False  # LOST: this client has started the server, and it does not run any more
    encrypted: bool = False  # loopback and SSH count as encrypted


class LineKind(StrEnum):
    """What a line of the client's own log is about."""

    CHAT = "chat"
    NEWS = "news"  # news of the lobby, the hall, the people
    TABLE = "table"  # said by the table: votes, pauses, clocks
    LINK = "link"  # how the connection stands
    NOTICE = "notice"  # said by this client itself, or on being let in
    ANSWER = "answer"  # the answer to something this player asked


class Line(Struct, frozen=True, kw_only=True):
    """One line to show. Its text is already cleaned and carries no style."""

    kind: LineKind
    text: str
    who: str = ""  # the speaker of a chat line
    at: float = 0.0  # seconds on the local monotonic clock


class DoubtStage(StrEnum):
    """What has become of my challenge."""

    SENT = "sent"  # waiting for the ruling
    FIRST = "first"  # mine counted
    BEATEN = "beaten"  # somebody else was first; it costs nothing (RULES A10)
    LATE = "late"  # the play could no longer be doubted (RULES C7)


class Doubt(Struct, frozen=True, kw_only=True):
    """My newest challenge and its outcome; kept until the next play is announced."""

    play: PlayNumber
    n: CommandNumber
    stage: DoubtStage = DoubtStage.SENT
    margin_us: int | None = None  # FIRST: ahead of `other`; BEATEN, LATE: behind
    other: Seat | None = None  # FIRST: the second caller; BEATEN: whose challenge counted
    heat: DeadHeat | None = None  # why time did not settle it; then `margin_us` is the other way


class Clocks(Struct, frozen=True, kw_only=True):
    """Deadlines on the local monotonic clock; None where no clock runs."""

    opened_at: float | None = None  # since when the newest play counts (RULES C2, D5)
    window_ends: float | None = None  # of the protected time (RULES C2)
    window_s: float = 0.0  # its whole length, for a bar
    reveal_ends: float | None = None  # RULES C10
    turn_ends: float | None = None  # RULES D1
    turn_seat: Seat | None = None  # whose clock that is
    turn: Turn | None = None  # the turn for which it was started; there is one for each
    resumes_at: float | None = None  # the count of three after a pause (RULES D9)


class Pause(Struct, frozen=True, kw_only=True):
    """The table stands still (RULES D5, D9)."""

    reason: PauseReason
    by: str = ""  # who asked for it; empty: nobody did
    voted: bool = False  # by a vote that they called
    number: int = 0  # which of this deal's pauses it is
    ends: float | None = None  # when the pause ends at the latest


class Vote(Struct, frozen=True, kw_only=True):
    """An open vote (RULES D6)."""

    state: VoteState
    ends: float
    mine: bool | None = None  # how I voted, once sent


class PutBy(Struct, frozen=True, kw_only=True):
    """Cards that were picked when the table was lost from sight, and in which deal."""

    code: str  # the code of the lobby
    deal: int
    cards: tuple[Card, ...]


class Hall(Struct, frozen=True, kw_only=True):
    """The open lobbies and how many people are connected."""

    online: int = 0
    lobbies: tuple[Listing, ...] = ()


class ClientState(Struct, frozen=True, kw_only=True):
    """All that one client knows. A screen is drawn from it and from nothing else."""

    now: float = 0.0  # when the newest event arrived
    heard_at: float = 0.0  # when the newest one from the server did
    link: Link = Link()
    name: str = ""  # mine; the server's spelling once welcomed
    unkept: str = ""  # where my secret could not be stored, and why: who leaves cannot come back
    phrase: str = ""  # what brings me back where nothing can be stored; to be written down
    set_out_for: str = ""  # the server of the command line, to which the next two belong
    hosted_at: tuple[str, ...] = ()  # where others find the server, if this client hosts it
    ssh: str = ""  # how others get here by SSH: the command line up to a lobby's code
    welcome: Welcome | None = None
    rtt_us: int | None = None  # the newest round trip, as the server measured it
    hall: Hall = Hall()
    lobby: LobbyState | None = None
    stalled: bool = False  # the server can keep nothing just now: what I ask for waits
    table: TableView | None = None  # kept after the deal is over, for the result
    heard_in: str = ""  # the lobby whose talk was heard last
    heard_line: int = 0  # the number of the newest line heard there
    log: tuple[Line, ...] = ()  # the newest MAX_LINES
    hint: str = ""  # why the last key did nothing; gone with the next thing that works
    doubt: Doubt | None = None
    ruling: Ruled | None = None  # the newest, until the next play
    late: tuple[LateCall, ...] = ()  # calls that came after the ruling (RULES C8)
    gone_on: bool = False  # I have read the ruling (RULES C10)
    pending: tuple[AnyCommand, ...] = ()  # sent and not answered, oldest first
    picks: tuple[CardId, ...] = ()  # cards picked from the hand, in the order of picking
    put_by: PutBy | None = None  # what was picked before the deal is shown anew
    believe_all: bool = False  # let every play go until my turn
    believed: PlayNumber = NO_PLAY  # the newest play I asked to let go
    painted: PlayNumber = NO_PLAY  # the newest play that was on the screen
    painted_at: float = 0.0
    clocks: Clocks = Clocks()
    vote: Vote | None = None
    evening: "tuple[DealTally, ...]" = ()  # deals of this lobby before the one in `table`
    vote_offered: bool = False  # the deal is long: a vote to end it may be called (RULES B21)
    pause: Pause | None = None


# --- what happens in the client itself -----------------------------------------------------------


class Connecting(Struct, frozen=True, kw_only=True):
    """The network tries an address."""

    address: str
    encrypted: bool = False


class LinkLost(Struct, frozen=True, kw_only=True):
    """The line broke; the network tries again in `retry_s` seconds."""

    reason: str
    attempt: int
    retry_s: float
    ended: bool = False  # the server is our own, and does not run any more


class LinkRefused(Struct, frozen=True, kw_only=True):
    """The network has given up: refused by the server, or nobody there."""

    text: str
    code: Refusal | None = None


class LinkClosed(Struct, frozen=True, kw_only=True):
    """This client closed the line on purpose; everything of that server is forgotten."""


class Unkept(Struct, frozen=True, kw_only=True):
    """The secret for this server could not be stored: it lasts as long as this client runs."""

    where: str  # where my secret could not be stored, and why


class Sent(Struct, frozen=True, kw_only=True):
    """A numbered command was handed to the network."""

    command: AnyCommand


class Picked(Struct, frozen=True, kw_only=True):
    """These cards, and no others, are picked now."""

    cards: tuple[CardId, ...] = ()


class Painted(Struct, frozen=True, kw_only=True):
    """This play is on the screen now (or printed); says when `b` may mean it."""

    play: PlayNumber


class BelieveAll(Struct, frozen=True, kw_only=True):
    """Let every play go until it is my turn, or stop doing so."""

    on: bool


class Hinted(Struct, frozen=True, kw_only=True):
    """A key or word did nothing, and why."""

    text: str


class Noted(Struct, frozen=True, kw_only=True):
    """The client itself has something to say in the log."""

    text: str
    kind: LineKind = LineKind.NOTICE


class Renamed(Struct, frozen=True, kw_only=True):
    """The person chose this name before connecting."""

    name: str


LocalEvent = (
    Connecting
    | LinkLost
    | LinkRefused
    | LinkClosed
    | Unkept
    | Sent
    | Picked
    | Painted
    | BelieveAll
    | Hinted
    | Noted
    | Renamed
)
