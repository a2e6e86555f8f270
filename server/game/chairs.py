"""Who plays a seat: stand-ins, computer players, and people who take over a hand in mid-deal."""

from msgspec.structs import replace

from protocol.events import ChairChanged, HandDealt, YouLetGo
from protocol.numbers import PlayNumber, Seat
from server.game import actions as a
from server.game.deal import Deal, Telling, Told, faced, give_back, tell


def seated(deal: Deal, action: a.Seated, _at: int) -> Told:
    """Put somebody else on a seat (RULES D2, D3, D8)."""
    changed = ChairChanged(seat=action.seat, name=action.name, chair=action.chair)
    deal, told = tell(deal, Telling(changed))
    if not action.new_owner:
        return deal, told
    deal, own = _hand_over(deal, action.seat)
    return deal, told + own


def _hand_over(deal: Deal, seat: Seat) -> Told:
    """The new owner gets the hand, but not what the seat laid before (RULES D8)."""
    back: tuple[Telling, ...] = ()
    if deal.held is not None and deal.held.seat == seat:
        deal, back = give_back(deal)
    newest = deal.table.newest
    told = [Telling(HandDealt(seat=seat, cards=faced(deal, deal.hands[seat])), to=seat)]
    if seat in deal.let_go - deal.silently:
        told.append(Telling(YouLetGo(play=newest), to=seat))
    owned_since = (*deal.owned_since[:seat], newest, *deal.owned_since[seat + 1 :])
    return replace(deal, owned_since=owned_since), (*back, *told)


def owned(deal: Deal, seat: Seat, play: PlayNumber) -> bool:
    """Whether the seat's present owner may know what it laid in this play (RULES D8)."""
    return deal.laid[play - 1].seat == seat and play > deal.owned_since[seat]
