"""The pace of a table: clocks, pauses and votes."""

from enum import StrEnum
from typing import ClassVar

from protocol.events.base import Event
from protocol.events.deal import HeldPlay
from protocol.numbers import (
    Count,
    Micros,
    PlayField,
    SeatField,
    Size,
)
from protocol.text import Name, NameOrNone


class Phase(StrEnum):
    """What a deal is waiting for."""

    PROTECTED = "protected"  # the end of the newest play's protected time; cards are held until then, if others may doubt (RULES C2 to C4)
    TO_PLAY = "to_play"  # the seat to move (RULES A7)
    REVEAL = "reveal"  # everybody to read the ruling (RULES C10)
    OVER = "over"  # nothing; the deal has ended


class WindowState(Event, frozen=True, kw_only=True, tag="window_state"):
    """All that events of number 0 said and a resume would miss, and where the clocks stand.

    Sent after a snapshot, after a resume and when the clocks start again (RULES D5, D9).
    """

    passing: ClassVar[bool] = True
    phase: Phase  # what the deal is waiting for
    let_go: Size = 0  # seats that let the newest play go
    you_let_go: bool = False  # you are one of them
    held: HeldPlay | None = None  # what you laid ready
    protected_us: Micros = 0  # left of the protected time
    reveal_us: Micros = 0  # left of the pause after a ruling
    turn_us: Micros | None = None  # None: the turn clock is not running


class TurnClock(Event, frozen=True, kw_only=True, tag="turn_clock"):
    """The clock of the seat to move: at half time, at 10 s, and whenever it is another (RULES D1).

    One that runs for the `turn_s` of the rules starts by itself with the turn: nobody is told.
    """

    passing: ClassVar[bool] = True
    seat: SeatField
    left_us: Micros


class PauseReason(StrEnum):
    """Why the clocks stand still (RULES D5, D9)."""

    ASKED = "asked"  # the host or a vote wanted it
    PARKED = "parked"  # nobody who has a seat is connected
    WAITING = "waiting"  # for people to come back after parking or a restart
    STALLED = "stalled"  # the disk is full; it goes on by itself
    MISTAKE = "mistake"  # of the server; a player or the host lets it go on

    @property
    def ends_by_hand(self) -> bool:
        """Whether somebody's word ends it: the others go on by themselves (RULES D5, D9)."""
        return self in {PauseReason.ASKED, PauseReason.MISTAKE}


class Paused(Event, frozen=True, kw_only=True, tag="paused"):
    """The clocks stand still; no cards go down until `Resumed`."""

    passing: ClassVar[bool] = True
    reason: PauseReason  # why
    left_us: Micros | None = None  # at most this long
    pause: Count = 0  # its number in this deal, from 1; 0: the disk is full
    by: NameOrNone = ""  # who asked for it, and may end it; empty: nobody did
    voted: bool = False  # by a vote that they called, and that passed


class Resumed(Event, frozen=True, kw_only=True, tag="resumed"):
    """The clocks run again after `in_us` microseconds (RULES D9: a count of three)."""

    passing: ClassVar[bool] = True
    in_us: Micros = 0  # 0: at once


class VoteOn(StrEnum):
    """What a majority of the seated people can decide (RULES D6, D9)."""

    END_DEAL = "end_deal"  # to end this deal now
    PAUSE = "pause"  # to stop all clocks for a while


class VoteState(Event, frozen=True, kw_only=True, tag="vote_state"):
    """A vote is open, or has just ended: `passed` says how (RULES D6)."""

    passing: ClassVar[bool] = True
    vote: Count  # its number in this deal, from 1
    on: VoteOn  # what it is about
    by: Name  # who called it
    yes: Size  # votes so far
    no: Size  # votes so far
    needed: Size  # votes for it, to pass
    left_us: Micros
    passed: bool | None = None  # None: it is still open


class VoteOffered(Event, frozen=True, kw_only=True, tag="vote_offered"):
    """The deal has gone on for long: anybody may call a vote to end it (RULES B21)."""

    passing: ClassVar[bool] = True
    plays: PlayField  # made so far
