"""The play that the server makes for a seat whose time has run out."""

from typing import TYPE_CHECKING

from protocol.cards import Rank
from protocol.ranks import ALL_RANKS
from server.game.actions import Play
from server.game.deal import Deal

if TYPE_CHECKING:
    from random import Random


def automatic_play(deal: Deal, rng: "Random") -> Play:
    """One card for the seat to move (RULES D1).

    A natural card of the due rank if it holds one, else any, claimed as the due rank. Whoever
    leads and may name any rank (RULES B8) names the card's own, a joker as an ace.
    """
    due, hand = deal.table.due, deal.hands[deal.table.turn]
    leads_freely = due == ALL_RANKS
    natural = [card for card in hand if deal.cards[card].face.rank is due[0]]
    card = rng.choice(hand if leads_freely or not natural else natural)
    own = deal.cards[card].face.rank or Rank.ACE
    return Play(
        seat=deal.table.turn,
        cards=(card,),
        count=1,
        rank=own if leads_freely else due[0],
        auto=True,
    )
