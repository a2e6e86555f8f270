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
        others = [call for call in ruled.calls if call.seat != you]
        second = min(others, key=lambda call: call.after_us, default=None)
        return _first(doubt, second)
    own = next((call for call in ruled.calls if call.seat == you), None)
    return replace(
        doubt,
        stage=DoubtStage.BEATEN,
        margin_us=own.after_us if own else None,
        other=ruled.challenger,
    )


def _first(doubt: Doubt, second: e.Call | None) -> Doubt:
    if second is None:
        return replace(doubt, stage=DoubtStage.FIRST)
    return replace(doubt, stage=DoubtStage.FIRST, margin_us=second.after_us, other=second.seat)


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
        margin = refused.late_us if doubt.margin_us is None else doubt.margin_us
        return replace(doubt, stage=DoubtStage.BEATEN, margin_us=margin)
    if refused.code is Refusal.TOO_LATE:
        return replace(doubt, stage=DoubtStage.LATE, margin_us=refused.late_us)
    return None if doubt.stage is DoubtStage.SENT else doubt
