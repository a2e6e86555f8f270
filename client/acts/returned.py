"""What comes back to the desk with an event: words that were not said, and the claim of a play. Pure."""

from msgspec.structs import replace

from client.screens.desk import ClaimChoice, Desk
from client.state import ClientState
from protocol.answers import Refused
from protocol.commands import Say
from protocol.events import HeldBack, HeldPlay


def returned(desk: Desk, before: ClientState, event: object) -> Desk:
    """The desk, on which what this event gives back can be sent again; `before` knows what that is."""
    held = before.table.held if before.table else None
    match event:
        case Refused() if not desk.draft:
            return replace(desk, draft=_unsaid(before, event))
        case HeldBack() if held is not None and not before.picks:  # its cards are picked again
            return replace(desk, claim=_claimed(held))
        case _:
            return desk


def _unsaid(before: ClientState, refused: Refused) -> str:
    asked = (one for one in before.pending if one.n == refused.n)
    return next((one.text for one in asked if isinstance(one, Say)), "")


def _claimed(held: HeldPlay) -> ClaimChoice:
    return ClaimChoice(rank=held.rank, sneaked=max(0, len(held.cards) - held.count))
