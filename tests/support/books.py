"""What the journal has of a table's deal, by what the table says of its book."""

from msgspec.structs import replace

from server.game.deal import Deal
from server.table.table import Table


def as_kept(table: Table) -> Deal:
    """The deal of this table as it is kept: what lies ready is kept with the next thing that is."""
    return replace(table.deal, held=None) if table.book.unwritten else table.deal
