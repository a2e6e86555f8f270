"""Shuffle the deck of a deal. The dice come from outside."""

from functools import cache
from typing import TYPE_CHECKING

from protocol.cards import Card, numbered, standard_faces
from protocol.rules import TableRules

if TYPE_CHECKING:
    from random import Random

_faces = cache(standard_faces)


def shuffled(rules: TableRules, players: int, rng: "Random") -> tuple[Card, ...]:
    """The cards for so many players in dealing order (RULES A2, A3, B1, B2).

    The faces are shuffled before the cards get their ids and the cards once more after it, so
    that an id tells neither a face nor who was dealt the card.
    """
    faces = list(_faces(rules.decks_for(players), rules.jokers))
    rng.shuffle(faces)
    cards = list(numbered(faces))
    rng.shuffle(cards)
    return tuple(cards)
