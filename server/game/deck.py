"""Shuffle the deck of a deal. The dice come from outside."""

import struct
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from protocol.cards import Card, standard_faces
from protocol.numbers import CardId
from protocol.rules import TableRules

if TYPE_CHECKING:
    from random import Random

_faces = cache(standard_faces)


def shuffled(rules: TableRules, players: int, rng: "Random") -> tuple[Card, ...]:
    """The cards for this many players in dealing order (RULES A2, A3, B1, B2).

    The ids come from a second shuffle, so that one tells neither a face nor who was dealt the card.
    """
    faces = _faces(rules.decks_for(players), rules.jokers)
    places = range(len(faces))
    ids = _in_random_order(places, rng)
    return tuple(
        [
            Card(CardId(name), faces[place])
            for name, place in zip(ids, _in_random_order(places, rng), strict=True)
        ]
    )


def _in_random_order(places: Sequence[int], rng: "Random") -> list[int]:
    """Sort by random keys: every order is as likely as any other, at a third of `shuffle`'s cost."""
    # All are drawn at once: each draw from the system's dice is a call to the kernel.
    keys = struct.unpack(f"{len(places)}Q", rng.randbytes(8 * len(places)))
    return sorted(places, key=keys.__getitem__)
