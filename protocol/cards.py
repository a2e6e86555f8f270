"""Cards: ranks, suits and faces, and how they are written and read."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum

from msgspec import Struct

from protocol.numbers import CardField, CardId


class Rank(IntEnum):
    """Ace to king; the number is the place in the cycle of RULES A6."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def symbol(self) -> str:
        """The rank as it is printed on a card; ten is always 10."""
        return _SYMBOLS.get(self, str(self.value))

    @property
    def word(self) -> str:
        """One card of this rank: "ace", "ten"."""
        return self.name.lower()

    @property
    def plural(self) -> str:
        """Several cards of this rank: "aces", "sixes"."""
        return f"{self.word}es" if self is Rank.SIX else f"{self.word}s"

    def up(self, steps: int = 1) -> "Rank":
        """The rank so many steps on in the cycle; a king is followed by an ace."""
        return _CYCLE[(self - 1 + steps) % len(_CYCLE)]


_CYCLE = tuple(Rank)
_SYMBOLS = {Rank.ACE: "A", Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K"}
_RANK_OF_SYMBOL = {rank.symbol: rank for rank in Rank}


class Suit(StrEnum):
    """The four suits. They never matter in this game (RULES A2)."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Face(Struct, frozen=True, array_like=True):
    """What is printed on a card. A joker has neither rank nor suit (RULES B2)."""

    rank: Rank | None = None
    suit: Suit | None = None

    def __post_init__(self) -> None:
        """Refuse half a face."""
        if (self.rank is None) != (self.suit is None):
            message = "a face has a rank and a suit, or neither"
            raise ValueError(message)

    def __str__(self) -> str:
        """Short form: "QS", "10H", "JK" for a joker."""
        if self.rank is None or self.suit is None:
            return "JK"
        return f"{self.rank.symbol}{self.suit}"

    def is_a(self, rank: Rank) -> bool:
        """Whether a claim of this rank is true of the card; a joker is any rank (RULES B2)."""
        return self.rank is rank or self.rank is None


JOKER = Face()


class Card(Struct, frozen=True, array_like=True):
    """One card of a deal, as its holder sees it."""

    id: CardField
    face: Face

    def __str__(self) -> str:
        """The face; the id says nothing to a person."""
        return str(self.face)


def read_face(text: str) -> Face:
    """Read "QS", "10h" or "JK".

    Raises:
        ValueError: the text is no face.
    """
    word = text.strip().upper()
    if word == "JK":
        return JOKER
    symbol, suit = word[:-1], word[-1:]
    if symbol not in _RANK_OF_SYMBOL or suit not in tuple(Suit):
        message = f"not a card: {text!r}"
        raise ValueError(message)
    return Face(_RANK_OF_SYMBOL[symbol], Suit(suit))


def read_faces(text: str) -> tuple[Face, ...]:
    """Read faces with spaces between them, such as "AS 10H JK"."""
    return tuple(read_face(word) for word in text.split())


def read_rank(text: str) -> Rank:
    """Read a rank as people type it: "a", "10", "t", "0", "queen", "queens".

    Raises:
        ValueError: the text is no rank.
    """
    word = text.strip().lower()
    if word not in _RANK_OF_WORD:
        message = f"not a rank: {text!r}"
        raise ValueError(message)
    return _RANK_OF_WORD[word]


def _rank_words() -> Iterable[tuple[str, Rank]]:
    for rank in Rank:
        yield from ((rank.symbol.lower(), rank), (rank.word, rank), (rank.plural, rank))
    yield from (("t", Rank.TEN), ("0", Rank.TEN))


_RANK_OF_WORD = dict(_rank_words())


def standard_faces(decks: int, jokers: int) -> tuple[Face, ...]:
    """All faces of so many decks with so many jokers in each (RULES A2, B1, B2)."""
    one = [Face(rank, suit) for suit in Suit for rank in Rank] + [JOKER] * jokers
    return tuple(one * decks)


def numbered(faces: Iterable[Face]) -> tuple[Card, ...]:
    """Name the faces by their places: the deal shuffles first, so the ids say nothing."""
    return tuple(Card(CardId(number), face) for number, face in enumerate(faces))
