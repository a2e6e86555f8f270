"""Seats that are out of a running deal, where a test wants them."""

from msgspec.structs import replace

from protocol.numbers import Seat
from server.table.table import Table


def let_out(table: Table, seat: Seat) -> None:
    """This seat is out, as the winner."""
    public = table.deal.table
    winner = replace(public.seats[seat], place=1)
    seats = (*public.seats[:seat], winner, *public.seats[seat + 1 :])
    table.deal = replace(table.deal, table=replace(public, seats=seats))
