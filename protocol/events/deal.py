"""The events of a deal, in the order in which things happen."""

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from protocol.cards import Rank, are_as_said
from protocol.events.base import MAX_LOG_PAGE, Event, Faces, Hand, Ids, PerSeat
from protocol.numbers import (
    MAX_CARDS,
    MAX_SEATS,
    MIN_SEATS,
    DealField,
    Micros,
    PlayField,
    Seat,
    SeatField,
    Size,
)
from protocol.rules import TableRules
from protocol.text import Name

Place = Annotated[int, Meta(ge=1, le=MAX_SEATS)]


class Chair(StrEnum):
    """Who plays a seat just now (RULES D2, D3)."""

    OWNER = "owner"  # the person whose seat it is
    STAND_IN = "stand_in"  # a computer player, until the owner is back
    COMPUTER = "computer"  # a computer player; whoever gave the seat up may still come back


class SeatState(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What everybody at the table knows of one seat."""

    name: Name  # of its owner, or of the computer player
    cards: Size  # as claimed, where `sneak` is on (RULES B10)
    chair: Chair = Chair.OWNER  # who plays it now
    place: Place | None = None  # once the seat is out


Seats = Annotated[tuple[SeatState, ...], Meta(min_length=MIN_SEATS, max_length=MAX_SEATS)]


class DealStarted(Event, frozen=True, kw_only=True, tag="deal_started"):
    """A new deal: who sits where, with how many cards (RULES A3 to A5)."""

    deal: DealField  # of this lobby, through all matches
    rules: TableRules  # of this deal, to its end
    dealer: SeatField  # who plays first is in `turn`
    turn: SeatField
    seats: Seats  # from seat 0 on, clockwise


class HandDealt(Event, frozen=True, kw_only=True, tag="hand_dealt"):
    """Private: your cards, sorted by id. Also sent when you take over a seat (RULES D8)."""

    seat: SeatField
    cards: Hand  # the whole hand


class Played(Event, frozen=True, kw_only=True, tag="played"):
    """Cards went down with a claim; the play's window is open from now on (RULES A7, C2)."""

    play: PlayField
    seat: SeatField
    count: Size  # as claimed
    rank: Rank  # as claimed
    left: Size  # the seat's hand now, as claimed; 0 on last cards
    turn: SeatField  # whose turn is next
    protected_us: Micros = 0  # until then the next cards may be held (RULES C3, C4)
    last: bool = False  # these were the seat's last cards (RULES A15)
    auto: bool = False  # played by the server when time ran out (RULES D1)


class Laid(Event, frozen=True, kw_only=True, tag="laid"):
    """Private, before the `Played` it belongs to: the cards that left your hand."""

    play: PlayField
    cards: Hand  # with their faces


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    """The seat passed (RULES B11)."""

    seat: SeatField
    turn: SeatField


class LetGo(Event, frozen=True, kw_only=True, tag="let_go"):
    """How many seats have let the newest play go; who they are is not told (RULES C4)."""

    passing: ClassVar[bool] = True
    play: PlayField
    count: Size  # how many seats


class YouLetGo(Event, frozen=True, kw_only=True, tag="you_let_go"):
    """Private: your own letting go was noted."""

    passing: ClassVar[bool] = True
    play: PlayField


class HeldPlay(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A play (or, with no cards, a pass) laid ready by the next player (RULES C3)."""

    cards: Ids = ()  # by id; none: it is a pass
    count: Size = 0  # as claimed
    rank: Rank | None = None  # as claimed; None: it is a pass


class Held(Event, frozen=True, kw_only=True, tag="held"):
    """Private: your play or pass is held; nobody else sees that it exists (RULES C3)."""

    passing: ClassVar[bool] = True
    held: HeldPlay  # what is laid ready; it takes the place of what was before


class HeldBack(Event, frozen=True, kw_only=True, tag="held_back"):
    """Private: what you had laid ready is in your hand again (RULES C3)."""

    passing: ClassVar[bool] = True


class ProtectionOver(Event, frozen=True, kw_only=True, tag="protection_over"):
    """The protected time of the newest play has ended: the next cards close its window."""

    passing: ClassVar[bool] = True
    play: PlayField


class Stands(Event, frozen=True, kw_only=True, tag="stands"):
    """The newest play's window is closed for good and nobody challenged (RULES A14, C4).

    Under `pick_up` only its protected time has ended (RULES B14); `protected_only` says so.
    """

    play: PlayField
    protected_only: bool = False  # the play can still be challenged, until its pile is taken


class Call(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One challenge in the call order (RULES C8)."""

    seat: SeatField
    after_us: Micros  # after the first challenge; of the first: after the window opened
    rtt_us: Micros | None = None  # as the server measured it; None: not yet, or a computer player
    ssh: bool = False  # the server sees only the leg to the box


class ShownPlay(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """A play with its cards face up (RULES B15, B24)."""

    play: PlayField
    seat: SeatField
    count: Size  # as claimed
    rank: Rank  # as claimed
    faces: Faces  # what the cards really are

    @property
    def is_lie(self) -> bool:
        """A wrong card or a wrong count makes it one (RULES A8)."""
        return not are_as_said(self.faces, self.count, self.rank)


class DeadHeat(StrEnum):
    """Why this challenger was chosen among several (RULES C5, C6)."""

    EQUAL_ARRIVAL = "equal_arrival"  # all arrived in the same microsecond
    PHOTO_FINISH = "photo_finish"  # all arrived within `photo_finish_ms` of the earliest


class Ruled(Event, frozen=True, kw_only=True, tag="ruled"):
    """A challenge was decided (RULES A10 to A13, C8)."""

    shown: ShownPlay  # the challenged play
    challenger: SeatField  # whose challenge counts: the first, unless a photo finish chose another
    lie: bool  # the claim was not true
    taker: SeatField  # who picks up the whole pile
    taken: Size  # the pile's true size (RULES B10)
    left: Size  # the taker's true hand now
    turn: SeatField
    calls: Annotated[tuple[Call, ...], Meta(min_length=1, max_length=MAX_SEATS)]  # as they came
    pile: Annotated[tuple[ShownPlay, ...], Meta(max_length=MAX_CARDS)] = ()  # RULES B15
    reveal_us: Micros = 0  # until then the next play is held (RULES C10)
    unstamped: bool = False  # an arrival was timed after the read, not by the kernel
    dead_heat: DeadHeat | None = None  # None: no other counted as an equal arrival

    def behind_us(self, seat: Seat) -> int | None:
        """How long after the first of the calls a seat's own came; None if it has not called."""
        if self.calls[0].seat == seat:
            return 0
        return next((call.after_us for call in self.calls if call.seat == seat), None)

    @property
    def counted_after_us(self) -> int:
        """How long after the window had opened the challenge that counts came."""
        return self.calls[0].after_us + (self.behind_us(self.challenger) or 0)


class Took(Event, frozen=True, kw_only=True, tag="took"):
    """Private, before the `Ruled` it belongs to: the cards you picked up, sorted by id."""

    cards: Hand  # the whole pile; what you held before is not among them


class LateCall(Event, frozen=True, kw_only=True, tag="late_call"):
    """One more challenge to the play just ruled on; it costs nothing (RULES C8)."""

    play: PlayField
    call: Call  # counted from the first one, as all of them


class RevealOver(Event, frozen=True, kw_only=True, tag="reveal_over"):
    """Everybody has seen it: the next player may play (RULES C10)."""

    passing: ClassVar[bool] = True


class SetAside(Event, frozen=True, kw_only=True, tag="set_aside"):
    """Everybody else passed: the pile goes out of play, unseen (RULES B12)."""

    cards: Size  # as claimed
    turn: SeatField


class WentOut(Event, frozen=True, kw_only=True, tag="went_out"):
    """The seat's last cards stood: it is out, in this place (RULES A15, B16)."""

    seat: SeatField
    place: Place  # 1 is the winner
    turn: SeatField


class StopReason(StrEnum):
    """Why a deal ended (RULES A16, B21)."""

    OUT = "out"  # somebody got rid of all cards; with `play_on`: all but one did
    PLAYS = "plays"  # `stop_after_plays` were made
    TIME = "time"  # `stop_after_min` are over
    VOTE = "vote"  # the players wanted it
    CAP = "cap"  # 2,000 plays were made, which end a deal without `stop_after_plays`


class Stopping(Event, frozen=True, kw_only=True, tag="stopping"):
    """The newest play was the last that counts; its window is the only one left (RULES B21)."""

    reason: StopReason  # why no more plays count


class DealOver(Event, frozen=True, kw_only=True, tag="deal_over"):
    """The deal has ended: places, with shared ones for equal hands, and true sizes (RULES A16)."""

    reason: StopReason  # why it ended
    places: Annotated[tuple[Place, ...], Meta(max_length=MAX_SEATS)]  # of each seat; 1 has won
    cards: PerSeat  # of each seat, truly


class Confession(Event, frozen=True, kw_only=True, tag="confession"):
    """One page of the deal's plays, all face up (RULES B24): whose they were is in the log."""

    play: PlayField  # the first one on this page; the others follow it in order
    faces: Annotated[tuple[Faces, ...], Meta(max_length=MAX_LOG_PAGE)]  # of each play
    more: bool = False  # another page follows


class ChairChanged(Event, frozen=True, kw_only=True, tag="chair_changed"):
    """Somebody else plays this seat from now on (RULES D2, D3, D8)."""

    seat: SeatField
    name: Name  # at that seat from now on
    chair: Chair  # as whom
