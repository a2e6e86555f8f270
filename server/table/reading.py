"""The pause after a ruling, in which everybody reads it, and how it ends before its time (RULES C10)."""

from typing import TYPE_CHECKING

from protocol import events as e
from server.game import actions as a

if TYPE_CHECKING:
    from server.table.table import Table

_REVEAL = e.Phase.REVEAL


async def end_if_read(table: "Table", at: int) -> bool:
    """End it as soon as nobody reads any more; whether it has ended. In a halt it does not (RULES D5)."""
    if table.deal.table.phase is not _REVEAL or table.halt is not None or not _is_read(table):
        return False
    await table.do(a.EndReveal(), at)
    return True


def _is_read(table: "Table") -> bool:
    """Whether everybody connected who still has a seat in the deal has gone on."""
    return all(
        holder.seat in table.gone_on
        for holder in table.holders
        if holder.present and table.deal.table.is_in(holder.seat)
    )
