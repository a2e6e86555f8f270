"""Cards with ids that a test can foretell, where a deal draws them."""

from collections.abc import Iterable

from protocol.cards import Card, Face
from protocol.numbers import CardId


def numbered(faces: Iterable[Face]) -> tuple[Card, ...]:
    """Name the faces by their places."""
    return tuple(Card(CardId(number), face) for number, face in enumerate(faces))
