"""The pile and what comes next: how many cards, what was said last, who is to claim what."""

from collections.abc import Iterator

from client.screens.parts.cells import Line, cells, plain, shorten, wrapped
from client.words import cards, name_of, provided, ranks, short_claim
from protocol.numbers import Seat
from protocol.turns import foretold, next_ranks
from protocol.views import PublicTable, TableView

NEXT_SEATS = 2
NEXT_RANKS = 5
ROOMY = 30
GAP = "   "  # the space behind a word that stands alone
LEAD = 3  # cells of such a word
SHORTEST_NAME = 4
THEN = "then  "


def pile_pane(
    view: TableView, watching: int, width: int, rows: int, *, says_last: bool = True
) -> tuple[Line, ...]:
    """The pane while no play has to be answered, its sentences whole; the most useful come first.

    Long names are shortened; a sentence for which no rows are left stays away.
    """
    lines: tuple[Line, ...] = ()
    for text in _texts(view, watching, width - 1, says_last=says_last):
        more = tuple(plain(f" {line}") for line in wrapped(text, width - 1))
        if len(lines) + len(more) <= rows:
            lines = (*lines, *more)
    return lines


def _texts(view: TableView, watching: int, width: int, *, says_last: bool) -> Iterator[str]:
    table = view.table
    yield pile_text(table)
    if says_last:
        yield last_text(table, width)
    yield due_text(view, width)
    ranks_shown = NEXT_RANKS if width >= ROOMY else NEXT_RANKS - 1
    yield from then_texts(table, width)
    if mine := next_ranks_text(view, ranks_shown):
        yield mine
    if view.held is not None:
        yield "yours is laid ready" if view.held.rank else "your pass is ready"
    if watching:
        yield f"{watching} watching"


def due_text(view: TableView, width: int) -> str:
    """What has to be said, and how many I hold of it where it is one rank (RULES A6, B2)."""
    due = ranks(view.table.due)
    if view.you is None or not view.hand or len(view.table.due) > 1:
        return f"due{GAP}{due}"
    held = sum(card.face.is_a(view.table.due[0]) for card in view.hand)
    of_any = sum(card.face.rank is None for card in view.hand)
    jokers = f" ({of_any} JK)" if of_any else ""
    text = f"{due}, you hold {held or 'none'}{jokers}"
    return f"due{GAP}{text}" if cells(GAP + text) + LEAD <= width else f"due {text}"


def pile_text(table: PublicTable) -> str:
    """How big the pile is, and what was set aside (RULES B12)."""
    aside = f" ({table.aside} aside)" if table.aside else ""
    return f"PILE  {cards(table.pile_cards)}{aside}"


def last_text(table: PublicTable, width: int) -> str:
    """The newest claim in the pile, in so many cells."""
    play = table.newest_play
    if play is None:
        return "nothing said yet" if not table.newest else "a new pile"
    said = f" said {short_claim(play.count, play.rank)}"
    space = max(SHORTEST_NAME, width - cells("last  " + said))
    return f"last  {shorten(name_of(table, play.seat), space)}{said}"


def then_texts(table: PublicTable, width: int) -> tuple[str, ...]:
    """Who comes after the seat to move, with their ranks where those are fixed (RULES A6, B11).

    In one line, or each in a line of their own where that is too long, with a name that fits.
    """
    coming = following(table, table.turn, NEXT_SEATS)
    if not any(next_ranks(table, seat, 1) for seat in coming):
        return ()
    named = [(name_of(table, seat), _rank_of(table, seat)) for seat in coming]
    in_one = THEN + ", ".join(name + rank for name, rank in named)
    if cells(in_one) <= width:
        return (in_one,)
    longest = max(cells(name + rank) for name, rank in named)
    first = THEN if cells(THEN) + longest <= width else THEN[:-1]
    leads = (first, *[" " * cells(first)] * (len(named) - 1))
    return tuple(
        lead + shorten(name, max(SHORTEST_NAME, width - cells(lead + rank))) + rank
        for lead, (name, rank) in zip(leads, named, strict=True)
    )


def _rank_of(table: PublicTable, seat: Seat) -> str:
    return "".join(f" ({rank.symbol})" for rank in foretold(table, seat))


def next_ranks_text(view: TableView, how_many: int) -> str:
    """The ranks this player will have to claim (RULES A6)."""
    mine = () if view.you is None else next_ranks(view.table, view.you, how_many)
    symbols = " ".join(rank.symbol for rank in mine)
    return f"your next ranks{provided(view.table.rules)}: {symbols}" if mine else ""


def following(table: PublicTable, seat: Seat, how_many: int) -> tuple[Seat, ...]:
    """The seats still in that come after one, in order."""
    after = [other for other in table.seats_in if other > seat]
    before = [other for other in table.seats_in if other < seat]
    return (*after, *before)[:how_many]
