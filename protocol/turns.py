"""Whose turn comes when, and with which ranks, as far as the public table tells. Pure."""

from protocol.numbers import Seat
from protocol.ranks import RANK_STAYS, Ranks, own_ranks
from protocol.views import PublicTable


def turns_away(table: PublicTable, seat: Seat) -> int | None:
    """How many turns come before that seat's; 0 for the seat to move, None for one that is out."""
    if not table.is_in(seat) or not table.is_in(table.turn):
        return None
    seats = table.seats_in
    return (seats.index(seat) - seats.index(table.turn)) % len(seats)


def next_ranks(table: PublicTable, seat: Seat, how_many: int) -> Ranks:
    """The ranks that seat will have to claim if nobody passes or goes out (RULES A6, B11, B16).

    None where the order is not fixed.
    """
    away = turns_away(table, seat)
    if away is None:
        return ()
    return own_ranks(table.rules, table.due[0], away, len(table.seats_in), how_many)


def passes_may_come(table: PublicTable, seat: Seat) -> bool:
    """Whether somebody may pass before it is that seat's turn, which would change its rank (RULES B11)."""
    least = 1 if table.pile else 2  # whoever starts a pile lays
    return table.rules.passing and (turns_away(table, seat) or 0) >= least


def foretold(table: PublicTable, seat: Seat) -> Ranks:
    """The ranks that this seat may claim when its turn comes, as far as that is known before.

    The order may say so (RULES A6), or all follow the rank that was named (RULES B7, B8).
    """
    if table.rules.rank_order in RANK_STAYS and len(table.due) == 1:
        return table.due
    return () if passes_may_come(table, seat) else next_ranks(table, seat, 1)
