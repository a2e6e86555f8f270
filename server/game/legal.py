"""Why an action is not allowed. What follows from the public table alone is in `protocol.options`."""

from protocol import options as o
from protocol.events import Phase
from protocol.refusals import Refusal
from server.game import actions as a
from server.game.deal import Deal
from server.game.rulings import newest_ruling


def why_not_play(deal: Deal, play: a.Play) -> Refusal | None:
    """Turn, rank and number first, then whether the cards are in the hand (RULES A7)."""
    if no := o.why_not_play(deal.table, play.seat, len(play.cards), (play.count, play.rank)):
        return no
    cards = frozenset(play.cards)
    is_theirs = len(cards) == len(play.cards) and cards.issubset(deal.hands[play.seat])
    return None if is_theirs else Refusal.NOT_YOUR_CARDS


def why_not_pass(deal: Deal, action: a.Pass) -> Refusal | None:
    """Passing must be on and the pile not empty (RULES B11)."""
    return o.why_not_pass(deal.table, action.seat)


def why_not_take_back(deal: Deal, action: a.TakeBack) -> Refusal | None:
    """There must be something held, and it must be yours (RULES C3)."""
    held = deal.held
    return None if held is not None and held.seat == action.seat else Refusal.NOTHING_HELD


def why_not_let_go(deal: Deal, action: a.LetGo) -> Refusal | None:
    """Only who could challenge the newest play can let it go (RULES C4)."""
    return o.why_not_let_go(deal.table, action.seat, action.play)


def why_not_rule(deal: Deal, action: a.Rule) -> Refusal | None:
    """The challenger must be allowed to challenge this play now (RULES A9, C7, C9)."""
    return o.why_not_challenge(deal.table, action.challenger, action.play)


def why_not_add(deal: Deal, action: a.AddLateCall) -> Refusal | None:
    """A late challenge belongs to the newest ruling (RULES C8)."""
    ruled = newest_ruling(deal)
    known = ruled is not None and ruled.shown.play == action.play
    return None if known else Refusal.TOO_LATE


def why_not_end_protection(deal: Deal, _action: a.EndProtection) -> Refusal | None:
    """There must be a protected time to end (RULES C2)."""
    return None if deal.table.phase is Phase.PROTECTED else Refusal.STALE


def why_not_end_reveal(deal: Deal, _action: a.EndReveal) -> Refusal | None:
    """There must be a reveal to end (RULES C10)."""
    return None if deal.table.phase is Phase.REVEAL else Refusal.STALE


def why_not_stop(deal: Deal, _action: a.Stop) -> Refusal | None:
    """A deal ends once (RULES B21)."""
    if deal.table.phase is Phase.OVER:
        return Refusal.NO_DEAL
    return None if deal.table.stopping is None else Refusal.STOPPING


def why_not_seat(_deal: Deal, _action: a.Seated) -> Refusal | None:
    """The lobby decides who may sit where (RULES D6, D8); the rules do not mind."""
    return None
