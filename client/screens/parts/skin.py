"""The two skins: Unicode lines and suits, or plain ASCII."""

from msgspec import Struct

from client.screens.parts.cells import Fragment, Line, plain
from protocol.cards import Face, Suit


class Skin(Struct, frozen=True, kw_only=True):
    """The glyphs that differ between the skins, each one cell wide."""

    suits: dict[Suit, str]
    across: str
    down: str
    tee_up: str  # a horizontal rule that a vertical one ends on from above
    full: str
    empty: str
    card: str
    corners: tuple[str, str, str, str]  # top left, top right, bottom left, bottom right
    finish: tuple[str, str]  # the ends of a line of time

    def suit_of(self, face: Face) -> Fragment:
        """The suit in its colour; a joker is a star."""
        if face.suit is None:
            return "class:joker", "*"
        return f"class:{face.suit.name.lower()}", self.suits[face.suit]

    def face(self, face: Face) -> Line:
        """A card face up, such as 10 of hearts or JK."""
        if face.rank is None:
            return plain("JK", "class:joker")
        return ("class:face", face.rank.symbol), self.suit_of(face)

    def rule(self, width: int, tees: dict[int, str] | None = None) -> Line:
        """A horizontal rule with the given glyphs at their columns."""
        marks = tees or {}
        text = "".join(marks.get(column, self.across) for column in range(width))
        return plain(text, "class:rule")


UNICODE = Skin(
    suits={Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"},
    across="─",
    down="│",
    tee_up="┴",
    full="█",
    empty="░",
    card="■",  # also in the old code pages: a Linux console has it
    corners=("┌", "┐", "└", "┘"),
    finish=("├", "┤"),
)

ASCII = Skin(
    suits={suit: suit.value for suit in Suit},
    across="-",
    down="|",
    tee_up="+",
    full="#",
    empty=".",
    card="#",
    corners=("+", "+", "+", "+"),
    finish=("|", "|"),
)
