"""A table or a lobby that hits a fault of ours stands still, says so, and goes on.

What it had in hand is answered, and it becomes again what was last kept of it: a change is told only
once it is in the journal, so nothing that half happened comes along. Everybody is shown it anew,
since some of what was kept may not have been told.

* The clocks of a table stand still until a player or the host lets them run; one that fails again
  and again ends its deal.
* A lobby between deals has no clocks, and goes on at once. Only one that fails without being asked
  for anything, again and again, is closed.
"""

import logging
from typing import TYPE_CHECKING

from protocol import events as e
from server.carry_on import contained
from server.journal.records import LobbyKept, LobbyRecord
from server.lobby.records import pause_kept, record_of, take_up, take_up_seats
from server.person import Person
from server.table import showing
from server.table.halts import HOUR_US, Halt
from server.table.table import Table

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby

MOST_MISHAPS = 3  # one more ends a deal, or a lobby that nobody asked for anything
CLOSED = "The lobby is closed."
LOG = logging.getLogger(__name__)


async def played(lobby: "Lobby", table: Table) -> Table:
    """Play a deal to its end, whatever happens on the way; the table at which it ended."""
    table.abandoned |= lobby.is_closed  # it may have closed while a full disk kept the deal waiting
    while True:
        try:
            await table.run(lobby.attend)
        except Exception:
            LOG.exception("the table of %s failed", lobby.code)
            table.answer_all_after_fault()
            if lobby.kept is not None:
                _as_kept(lobby, lobby.kept, table)
            if table.mishaps >= MOST_MISHAPS:
                lobby.news(e.News.DEAL_LOST, lobby.state.host)
                await lobby.keep()  # what is told here of the lobby, before its deal ends
                return table
            table = _in_place_of(lobby, table)
        else:
            return table


def _in_place_of(lobby: "Lobby", failed: Table) -> Table:
    table = failed.successor()
    kept = lobby.kept
    table.pause_wanted = None if kept is None else pause_kept(kept)
    if kept is not None and _goes_on_otherwise(failed, kept):
        table.stop_at, table.stop_reason = kept.stops_at(failed.now), kept.stop_reason
    for holder in table.holders:
        holder.bot.start_again()
        if holder.present or holder.listener is None:
            holder.absent_since = None
        elif holder.absent_since is None:  # their line was lost with the fault
            holder.absent_since = table.now
    table.halt = Halt(
        number=table.next_halt(),
        reason=e.PauseReason.MISTAKE,
        since=table.now if failed.halt is None else failed.halt.since,
        ends_at=table.now + int(table.settings.park_h * HOUR_US),
    )
    lobby.table = table  # only now: half of a table in its place would know half of its deal
    for person in lobby.everybody():
        showing.show(table, person)
    return table


def _goes_on_otherwise(failed: Table, kept: LobbyRecord) -> bool:
    """Whether a vote has passed, or the clocks run again, and that was not kept."""
    runs_again = kept.clocks_stand and failed.halt is None
    return runs_again or kept.stop_reason is not failed.stop_reason


async def mend(lobby: "Lobby") -> None:
    """Make a lobby again what was last kept of it, say so, and let it go on; or close it."""
    lobby.mishaps += 1
    try:
        if lobby.kept is not None and lobby.mishaps <= MOST_MISHAPS:
            await _mended(lobby, lobby.kept)
            return
    except Exception:
        LOG.exception("the lobby %s could not be mended", lobby.code)
    lobby.is_closed = True
    lobby.forget_what_is_not_kept()
    _see_off(lobby, _people_of(lobby))


def let_all_go(lobby: "Lobby") -> None:
    """A lobby could not even be closed: its people are in the hall, and no command waits for good."""
    for person in _people_of(lobby):
        with contained(f"telling somebody that the lobby {lobby.code} is closed"):
            lobby.see_out(person, CLOSED)  # whoever cannot be told is in the hall all the same
    lobby.turn_rest_away()


async def _mended(lobby: "Lobby", kept: LobbyRecord) -> None:
    _as_kept(lobby, kept, lobby.table)
    lobby.news(e.News.MISTAKE, lobby.state.host)
    table = lobby.table if kept.deal_runs else None
    lobby.table = table if table is None or table.over else _in_place_of(lobby, table)
    # Kept also where it looks the same: what failed may have got as far as the journal.
    await lobby.keep(LobbyKept(code=lobby.code, lobby=record_of(lobby)))
    lobby.deliver()
    lobby.flush()
    lobby.see_whether_empty()


def _as_kept(lobby: "Lobby", kept: LobbyRecord, table: Table | None) -> None:
    """Make it what is kept of it, and say all of it anew: some may not have been told."""
    if table is not None:
        lobby.put_back(table.left_over())  # who is on the way in with these has not left
    here = _people_of(lobby)
    lobby.forget_what_is_not_kept()
    take_up(lobby, kept, {person.digest: person for person in here})
    if table is not None and kept.deal_runs:
        known = {person.digest: person for person in lobby.hall.people}
        take_up_seats(table.holders, kept.holders, table.deal, known)
    _see_off(lobby, here)
    lobby.changed()
    for person in lobby.everybody():
        lobby.repeat_talk(person)


def _people_of(lobby: "Lobby") -> tuple[Person, ...]:
    """Who belongs to it, is on the way into it, or was just about to leave it."""
    return tuple([person for person in lobby.hall.people if person.lobby is lobby])


def _see_off(lobby: "Lobby", people: tuple[Person, ...]) -> None:
    """Tell those who left, or never got in, that they are in the hall."""
    for person in people:
        if not lobby.includes(person) and not lobby.is_coming(person):
            lobby.see_out(person)
