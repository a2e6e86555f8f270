"""The hand, ranks first: one column for each rank, its suits below, and what is picked."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from client.screens.parts.cells import CURSOR, Fragment, Line, pad
from client.screens.parts.skin import Skin
from protocol.cards import Card, Rank, Suit
from protocol.numbers import CardId

Column = Rank | None
"""A rank, or None for the jokers."""

WIDEST = 8
NARROWEST = 4


class HandRow(Struct, frozen=True, kw_only=True):
    """A hand and what the player is doing with it."""

    cards: Sequence[Card]
    picked: Collection[CardId] = ()
    ready: Collection[CardId] = ()  # laid ready, still in the hand (RULES C3)
    due: Collection[Rank] = ()
    jokers: bool = False
    by_size: bool = False
    cursor: int | None = None  # a column by its `place_of`


def columns_of(row: HandRow) -> tuple[Column, ...]:
    """The columns in the order in which they are shown."""
    ranks: tuple[Column, ...] = tuple(Rank)
    jokers = row.jokers or any(card.face.rank is None for card in row.cards)
    everything = (*ranks, None) if jokers else ranks
    if not row.by_size:
        return everything
    return tuple(sorted(everything, key=lambda column: -len(cards_in(row.cards, column))))


def place_of(column: Column) -> int:
    """A number for a column that stays the same in every order: aces 0, kings 12, jokers 13."""
    return len(Rank) if column is None else column - 1


def column_at(place: int) -> Column:
    """The column of such a number."""
    return Rank(place + 1) if place < len(Rank) else None


def cards_in(cards: Sequence[Card], column: Column) -> tuple[Card, ...]:
    """The cards of one column."""
    return tuple(card for card in cards if card.face.rank is column)


def hand_lines(row: HandRow, columns: int, skin: Skin) -> tuple[Line, Line, Line]:
    """Three lines: the ranks, the suits, and what is picked of each."""
    shown = columns_of(row)
    width = max(NARROWEST, min(WIDEST, (columns - 2) // len(shown)))
    ranks: list[Fragment] = [("", " ")]
    suits: list[Fragment] = [("", " ")]
    picks: list[Fragment] = [("", " ")]
    for column in shown:
        here = place_of(column) == row.cursor
        ranks.extend(_label(row, column, width, here=here))
        suits.extend(_suits(cards_in(row.cards, column), width, skin))
        picks.append(_marks(row, column, width, here=here))
    return tuple(ranks), tuple(suits), tuple(picks)


def _label(row: HandRow, column: Column, width: int, *, here: bool) -> Line:
    name = "*" if column is None else column.symbol
    due = column is not None and column in row.due
    held = bool(cards_in(row.cards, column))
    style = "class:due" if due else "class:rank" if held else "class:rank.none"
    text = f">{name}<" if due else f" {name} "
    mark: Line = ((CURSOR, ""),) if here else ()
    lead = pad(text[:1], 1)
    return (("", lead), *mark, (style, text[1:-1]), ("", pad(text[-1:], width - len(text) + 1)))


def _suits(cards: Sequence[Card], width: int, skin: Skin) -> Line:
    if len(cards) >= width:
        return (("class:rank", pad(f" x{len(cards)}", width)),)
    in_order = sorted(cards, key=lambda card: _SUITS.index(card.face.suit))
    suits = tuple(skin.suit_of(card.face) for card in in_order)
    return (("", " "), *suits, ("", " " * (width - 1 - len(suits))))


def _marks(row: HandRow, column: Column, width: int, *, here: bool) -> Fragment:
    ids = {card.id for card in cards_in(row.cards, column)}
    ready, picked = len(ids.intersection(row.ready)), len(ids.intersection(row.picked))
    text = f"({ready})" if ready else f"[{picked}]" if picked else ""
    return "class:picked", pad((text or " ") + ("^" if here else ""), width)


_SUITS = (*Suit, None)
