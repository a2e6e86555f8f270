"""A table that hits a fault of ours stands still, says so, and goes on when its people want it to.

What it had in hand is answered. A new table takes the deal as it was last kept: a deal is replaced
only once what was done is in the journal, so nothing that half happened comes along. Everybody is
shown it anew, since some of what was kept may not have been told. The clocks stand still until a
player or the host lets them run; a table that fails again and again ends its deal.
"""

import logging
from typing import TYPE_CHECKING

from protocol import events as e
from server import standstills
from server.halts import HOUR_US, Halt
from server.table import Table

if TYPE_CHECKING:
    from server.lobby import Lobby

MOST_MISHAPS = 3  # of one deal; the next one ends it
LOG = logging.getLogger(__name__)


async def played(lobby: "Lobby", table: Table) -> Table:
    """Play a deal to its end, whatever happens on the way; the table at which it ended."""
    while True:
        try:
            await table.run(lobby.attend)
        except Exception:
            LOG.exception("the table of %s failed", lobby.code)
            table.answer_rest()
            if table.mishaps == MOST_MISHAPS:
                lobby.news(e.News.FAULT, lobby.state.host)
                return table
            table = _in_place_of(lobby, table)
        else:
            return table


def _in_place_of(lobby: "Lobby", failed: Table) -> Table:
    table = lobby.lay_table(failed.deal, failed.holders, at=failed.now)
    table.mishaps = failed.mishaps + 1
    table.abandoned, table.no_vote_before = failed.abandoned, failed.no_vote_before
    table.votes, table.halts = failed.votes, failed.halts
    table.pause_wanted_by = standstills.paused_by(failed)
    table.stop_at, table.stop_reason = failed.stop_at, failed.stop_reason
    table.held = failed.held if failed.deal.held is not None else None
    for holder in table.holders:
        holder.bot.start_again()
    table.halt = Halt(
        number=table.next_halt(),
        reason=e.PauseReason.MISTAKE,
        since=table.now,
        ends_at=table.now + int(table.settings.park_h * HOUR_US),
    )
    lobby.put_back(failed.left_over())
    for person in lobby.everybody():
        standstills.show(table, person)
    return table
