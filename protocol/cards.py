"""Cards: ranks, suits and faces, and how they are written and read."""

from collections.abc import Collection, Iterable
from enum import IntEnum, StrEnum

from msgspec import Struct

from protocol.numbers import CardField


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
        """The rank `steps` places on in the cycle; a king is followed by an ace."""
        return _CYCLE[(self - 1 + steps) % len(_CYCLE)]


_CYCLE = tuple(Rank)
_SYMBOLS = {Rank.ACE: "A", Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K"}


class Suit(StrEnum):
    """The four suits. They never matter in this game (RULES A2)."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Face(IntEnum):
    """What is printed on a card: spades from the ace up, hearts, diamonds, clubs, then the joker."""

    ACE_OF_SPADES = 1
    TWO_OF_SPADES = 2
    THREE_OF_SPADES = 3
    FOUR_OF_SPADES = 4
    FIVE_OF_SPADES = 5
    SIX_OF_SPADES = 6
    SEVEN_OF_SPADES = 7
    EIGHT_OF_SPADES = 8
    NINE_OF_SPADES = 9
    TEN_OF_SPADES = 10
    JACK_OF_SPADES = 11
    QUEEN_OF_SPADES = 12
    KING_OF_SPADES = 13
    ACE_OF_HEARTS = 14
    TWO_OF_HEARTS = 15
    THREE_OF_HEARTS = 16
    FOUR_OF_HEARTS = 17
    FIVE_OF_HEARTS = 18
    SIX_OF_HEARTS = 19
    SEVEN_OF_HEARTS = 20
    EIGHT_OF_HEARTS = 21
    NINE_OF_HEARTS = 22
    TEN_OF_HEARTS = 23
    JACK_OF_HEARTS = 24
    QUEEN_OF_HEARTS = 25
    KING_OF_HEARTS = 26
    ACE_OF_DIAMONDS = 27
    TWO_OF_DIAMONDS = 28
    THREE_OF_DIAMONDS = 29
    FOUR_OF_DIAMONDS = 30
    FIVE_OF_DIAMONDS = 31
    SIX_OF_DIAMONDS = 32
    SEVEN_OF_DIAMONDS = 33
    EIGHT_OF_DIAMONDS = 34
    NINE_OF_DIAMONDS = 35
    TEN_OF_DIAMONDS = 36
    JACK_OF_DIAMONDS = 37
    QUEEN_OF_DIAMONDS = 38
    KING_OF_DIAMONDS = 39
    ACE_OF_CLUBS = 40
    TWO_OF_CLUBS = 41
    THREE_OF_CLUBS = 42
    FOUR_OF_CLUBS = 43
    FIVE_OF_CLUBS = 44
    SIX_OF_CLUBS = 45
    SEVEN_OF_CLUBS = 46
    EIGHT_OF_CLUBS = 47
    NINE_OF_CLUBS = 48
    TEN_OF_CLUBS = 49
    JACK_OF_CLUBS = 50
    QUEEN_OF_CLUBS = 51
    KING_OF_CLUBS = 52
    JOKER = 53

    @property
    def rank(self) -> Rank | None:
        """The rank; None for a joker."""
        return _RANK_OF_FACE[self]

    @property
    def suit(self) -> Suit | None:
        """The suit; None for a joker."""
        return _SUIT_OF_FACE[self]

    def __str__(self) -> str:
        """Short form: "QS", "10H", "JK" for a joker."""
        return _TEXT_OF_FACE[self]

    def __format__(self, form: str) -> str:
        """The short form, where an `IntEnum` would give its number."""
        return format(str(self), form)

    def is_a(self, rank: Rank) -> bool:
        """Whether a claim of this rank is true of the card; a joker is any rank (RULES B2)."""
        return self is JOKER or _RANK_OF_FACE[self] is rank


JOKER = Face.JOKER
_IN_ORDER = [(rank, suit) for suit in Suit for rank in Rank]
# By the number of a face, which begins with 1.
_RANK_OF_FACE = (None, *(rank for rank, _ in _IN_ORDER), None)
_SUIT_OF_FACE = (None, *(suit for _, suit in _IN_ORDER), None)
_TEXT_OF_FACE = ("", *(f"{rank.symbol}{suit}" for rank, suit in _IN_ORDER), "JK")
_FACE_OF_TEXT = {str(face): face for face in Face}


def are_as_said(faces: Collection[Face], count: int, rank: Rank) -> bool:
    """Whether a claim is true of cards: there are so many, and all are of that rank (RULES A8)."""
    return len(faces) == count and all(face.is_a(rank) for face in faces)


class Card(Struct, frozen=True, array_like=True, gc=False):
    """One card of a deal, as its holder sees it."""

    id: CardField  # of this card in this deal; it says nothing about its face
    face: Face  # what is printed on it

    def __str__(self) -> str:
        """The face; the id says nothing to a person."""
        return str(self.face)


def read_face(text: str) -> Face:
    """Read "QS", "10h" or "JK".

    Raises:
        ValueError: the text is no face.
    """
    face = _FACE_OF_TEXT.get(text.strip().upper())
    if face is None:
        message = f"not a card: {text!r}"
        raise ValueError(message)
    return face


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
    """All faces of this many decks, with this many jokers in each (RULES A2, B1, B2)."""
    one = [face for face in Face if face is not JOKER] + [JOKER] * jokers
    return tuple(one * decks)
