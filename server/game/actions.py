"""What can be done to a deal. The table turns commands, clocks and rulings into these."""

from msgspec import Struct

from protocol.cards import Rank
from protocol.events import Call, Chair, DeadHeat, Ids, StopReason
from protocol.numbers import PlayField, SeatField, Size
from protocol.text import Name


class _Action(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="do"):
    """Something done to a deal; the tag lets a journal write it down."""


class Play(_Action, frozen=True, kw_only=True, tag="play"):
    """Lay cards under a claim (RULES A7); `auto` when the clock did it (RULES D1)."""

    seat: SeatField
    cards: Ids
    count: Size
    rank: Rank
    auto: bool = False


class Pass(_Action, frozen=True, kw_only=True, tag="pass"):
    """Pass instead of playing (RULES B11)."""

    seat: SeatField


class TakeBack(_Action, frozen=True, kw_only=True, tag="take_back"):
    """Take a held play or pass back (RULES C3)."""

    seat: SeatField


class LetGo(_Action, frozen=True, kw_only=True, tag="let_go"):
    """Believe the newest play (RULES C4)."""

    seat: SeatField
    play: PlayField


class Rule(_Action, frozen=True, kw_only=True, tag="rule"):
    """Decide a challenge. Who was first is settled before (RULES A10, C5, C6)."""

    play: PlayField
    challenger: SeatField
    calls: tuple[Call, ...]
    unstamped: bool = False
    dead_heat: DeadHeat | None = None


class AddLateCall(_Action, frozen=True, kw_only=True, tag="add_late_call"):
    """Add a late challenge to the call order of the newest ruling (RULES C8)."""

    play: PlayField
    call: Call


class EndProtection(_Action, frozen=True, kw_only=True, tag="end_protection"):
    """The protected time of the newest play is over (RULES C2)."""


class EndReveal(_Action, frozen=True, kw_only=True, tag="end_reveal"):
    """Everybody has read the ruling, or its time is over (RULES C10)."""


class Stop(_Action, frozen=True, kw_only=True, tag="stop"):
    """End the deal by time or by vote (RULES B21)."""

    reason: StopReason


class Seated(_Action, frozen=True, kw_only=True, tag="seated"):
    """Somebody else plays a seat; `new_owner` when it is now another person's (RULES D2, D8)."""

    seat: SeatField
    name: Name
    chair: Chair
    new_owner: bool = False


Move = Play | Pass
"""What the seat to move does, and what can be held (RULES C3)."""

Action = Move | TakeBack | LetGo | Rule | AddLateCall | EndProtection | EndReveal | Stop | Seated
"""Everything that `engine.apply` understands."""
