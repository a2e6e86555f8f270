"""What has become of my challenge, told from the ruling, the late calls and the answer. Pure."""

from msgspec.structs import replace

from client.state import Doubt, DoubtStage
from protocol import events as e
from protocol.answers import Refused
from protocol.numbers import Seat
from protocol.refusals import Refusal


def after_ruling(doubt: Doubt | None, ruled: e.Ruled, you: Seat | None) -> Doubt | None:
    """The doubt after a ruling; one about another play is left as it is (RULES C8)."""
    if doubt is None or doubt.play != ruled.shown.play:
        return doubt
    if ruled.challenger == you:
        return _counted(doubt, ruled, you)
    return _beaten(doubt, ruled, None if you is None else ruled.behind_us(you))


def _counted(doubt: Doubt, ruled: e.Ruled, you: Seat) -> Doubt:
    """Mine counted: by how much before the next, or how long after the first (RULES C6)."""
    first, *others = ruled.calls
    if later_us := ruled.behind_us(you):
        stage, heat = DoubtStage.FIRST, e.DeadHeat.PHOTO_FINISH
        return replace(doubt, stage=stage, margin_us=later_us, other=first.seat, heat=heat)
    second = others[0] if others and first.seat == you else None
    equal = second is not None and second.after_us == 0 and ruled.dead_heat is not None
    return replace(_first(doubt, second), heat=e.DeadHeat.EQUAL_ARRIVAL if equal else None)


def _first(doubt: Doubt, second: e.Call | None) -> Doubt:
    if second is None:
        return replace(doubt, stage=DoubtStage.FIRST)
    return replace(doubt, stage=DoubtStage.FIRST, margin_us=second.after_us, other=second.seat)


def _beaten(doubt: Doubt, ruled: e.Ruled, own_us: int | None) -> Doubt:
    """Another's counted: by how much before mine, or in a dead heat how long after it, if it was."""
    doubt = replace(doubt, stage=DoubtStage.BEATEN, other=ruled.challenger, margin_us=own_us)
    theirs_us = ruled.behind_us(ruled.challenger)
    if own_us is None or theirs_us is None:
        return doubt
    if theirs_us > 0:
        later_us = theirs_us - own_us if theirs_us > own_us else None
        return replace(doubt, margin_us=later_us, heat=e.DeadHeat.PHOTO_FINISH)
    if own_us == 0:
        return replace(doubt, margin_us=None, heat=e.DeadHeat.EQUAL_ARRIVAL)
    return doubt


def after_late_call(doubt: Doubt | None, late: e.LateCall, you: Seat | None) -> Doubt | None:
    """The doubt after one more call: my own margin, or that of the first to come after me."""
    if doubt is None or doubt.play != late.play:
        return doubt
    if doubt.stage is DoubtStage.BEATEN and late.call.seat == you:
        return replace(doubt, margin_us=late.call.after_us)
    if doubt.stage is DoubtStage.FIRST and doubt.margin_us is None and late.call.seat != you:
        return _first(doubt, late.call)
    return doubt


def after_refusal(doubt: Doubt, refused: Refused) -> Doubt | None:
    """The doubt after its command was refused; what the ruling said of it stays.

    None if the play was not closed to me: then it is as if I had not doubted it, and I may again.
    """
    if refused.code is Refusal.NOT_FIRST or doubt.stage is DoubtStage.BEATEN:
        told = doubt.margin_us is not None or doubt.heat is not None
        margin = doubt.margin_us if told else refused.late_us
        return replace(doubt, stage=DoubtStage.BEATEN, margin_us=margin)
    if refused.code is Refusal.TOO_LATE:
        return replace(doubt, stage=DoubtStage.LATE, margin_us=refused.late_us)
    return None if doubt.stage is DoubtStage.SENT else doubt
