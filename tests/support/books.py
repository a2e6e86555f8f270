"""What the journal has of a table's deal."""

from msgspec.structs import replace

from server.game.deal import Deal
from server.table.table import Table


def as_kept(table: Table) -> Deal:
    """The deal of this table as it is kept: what lies ready is not kept before it counts."""
    return replace(table.deal, held=None)
