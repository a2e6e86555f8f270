"""What comes back to the desk with an event: words that were not said, and the claim of a play. Pure."""

from msgspec.structs import replace

from client import selectors
from client.screens.desk import ClaimChoice, Desk
from client.state import ClientState
from protocol.answers import Refused
from protocol.commands import Say
from protocol.events import HeldBack, HeldPlay


def returned(desk: Desk, before: ClientState, event: object) -> Desk:
    """The desk, on which what this event gives back can be sent again; `before` knows what that is."""
    held = selectors.laid_ready(before)
    match event:
        case Refused() if not desk.draft:
            return replace(desk, draft=_unsaid(before, event))
        case HeldBack() if held is not None and not before.picks:  # its cards are picked again
            return replace(desk, claim=_claimed(held))
        case _:
            return desk


def _unsaid(before: ClientState, refused: Refused) -> str:
    asked = selectors.asked(before, refused.n)
    return asked.text if isinstance(asked, Say) else ""


def _claimed(held: HeldPlay) -> ClaimChoice:
    return ClaimChoice(rank=held.rank, sneaked=max(0, len(held.cards) - held.count))
