"""The pile and what comes next: how many cards, what was said last, who is to claim what."""

from collections.abc import Iterator

from client.screens.parts.cells import Line, plain, shorten
from client.words import cards, name_of, ranks, short_claim
from protocol.numbers import Seat
from protocol.ranks import own_ranks
from protocol.rules import RankOrder
from protocol.views import PublicTable, TableView

NEXT_SEATS = 2
NEXT_RANKS = 5
ROOMY = 30


def pile_pane(view: TableView, watching: int, width: int) -> tuple[Line, ...]:
    """The pane while no play has to be answered."""
    ranks_shown = NEXT_RANKS if width >= ROOMY else NEXT_RANKS - 1
    texts = _texts(view, watching, ranks_shown)
    return tuple(plain(shorten(f" {text}", width)) for text in texts)


def _texts(view: TableView, watching: int, ranks_shown: int) -> Iterator[str]:
    table = view.table
    yield pile_text(table)
    yield last_text(table)
    yield f"due   {ranks(table.due)}{_held_text(view)}"
    yield from filter(None, (then_text(table), next_ranks_text(view, ranks_shown)))
    if view.held is not None:
        yield "yours is laid ready"
    if watching:
        yield f"{watching} watching"


def _held_text(view: TableView) -> str:
    """How many I hold of the one rank that is due; jokers count as any (RULES B2)."""
    if view.you is None or len(view.table.due) > 1:
        return ""
    held = sum(card.face.is_a(view.table.due[0]) for card in view.hand)
    return f", you hold {held or 'none'}"


def pile_text(table: PublicTable) -> str:
    """How big the pile is, and what was set aside (RULES B12)."""
    aside = f" ({table.aside} aside)" if table.aside else ""
    return f"PILE  {cards(table.pile_cards)}{aside}"


def last_text(table: PublicTable) -> str:
    """The newest claim in the pile."""
    play = table.newest_play
    if play is None:
        return "nothing said yet" if not table.newest else "a new pile"
    return f"last  {name_of(table, play.seat)} said {short_claim(play.count, play.rank)}"


def then_text(table: PublicTable) -> str:
    """Who comes after the seat to move, with their ranks where those are fixed (RULES A6)."""
    coming = following(table, table.turn, NEXT_SEATS)
    if not coming or table.rules.rank_order not in {RankOrder.UP, RankOrder.DOWN}:
        return ""
    names = [
        f"{name_of(table, seat)} ({rank.symbol})"
        for away, seat in enumerate(coming, start=1)
        for rank in own_ranks(table.rules, table.due[0], away, len(table.seats_in), 1)
    ]
    return "then  " + ", ".join(names)


def next_ranks_text(view: TableView, how_many: int) -> str:
    """The ranks this player will have to claim (RULES A6)."""
    table = view.table
    if view.you is None or not table.is_in(view.you):
        return ""
    seats = table.seats_in
    if table.turn not in seats:
        return ""
    away = (seats.index(view.you) - seats.index(table.turn)) % len(seats)
    mine = own_ranks(table.rules, table.due[0], away, len(seats), how_many)
    return f"your next ranks: {' '.join(rank.symbol for rank in mine)}" if mine else ""


def following(table: PublicTable, seat: Seat, how_many: int) -> tuple[Seat, ...]:
    """The seats still in that come after one, in order."""
    after = [other for other in table.seats_in if other > seat]
    before = [other for other in table.seats_in if other < seat]
    return (*after, *before)[:how_many]
