"""Halts, in which all clocks of a table stand still: how they begin and end (RULES D5, D9).

A *pause* is a halt that was asked for. The others: nobody with a seat is there, people have yet to come
back, the server has made a mistake. A full disk stops the clocks as well, for as long as it is full.
"""

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol import events as e
from protocol.events import Paused, PauseReason
from protocol.numbers import MICROS
from server.game.deal import Deal
from server.game.engine import restart_window
from server.person import Person
from server.table.reading import end_if_read
from server.table.showing import window_state
from server.table.winding import wind_again

if TYPE_CHECKING:
    from server.table.table import Table

HOUR_US = 3_600_000_000
COUNT_IN_US = 3_000_000  # before going on after a pause (RULES D9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Who wants a pause: the host or, after a vote, who called it (RULES D9); by the name all know."""

    by: str
    voted: bool = False


NOBODYS = Wish(by="")


@dataclass(slots=True, kw_only=True)
class Halt:
    """One of them, in microseconds since the table began.

    `ends_at` is when it ends by itself; `wish` is whose a pause is; `missing` are the people it waits for.
    """

    number: int  # of this deal's halts, from 1
    reason: PauseReason
    since: int
    ends_at: int
    wish: Wish = NOBODYS
    missing: set[Person] = field(default_factory=set)
    counting_in: bool = False
    parked_h: int = 0  # so many hours of a table without people are kept
    hour_ends_at: int = 0  # when there is one more

    @property
    def waits_for_a_word(self) -> bool:
        """Whether it never goes on by itself: a fault of ours, and nobody has asked it to yet."""
        return self.reason is PauseReason.MISTAKE and not self.counting_in

    @property
    def may_be_the_end(self) -> bool:
        """Whether the deal is let go unless somebody comes, or asks for it to go on."""
        return self.reason is PauseReason.PARKED or self.waits_for_a_word

    def event(self, now: int) -> Paused | e.Resumed:
        """What everybody is told of it; also whoever comes while the table is counted in."""
        left_us = max(0, self.ends_at - now)
        if self.counting_in:
            return e.Resumed(in_us=max(1, left_us))  # with 0 it would go on already
        return Paused(
            reason=self.reason,
            left_us=left_us,
            pause=self.number,
            by=self.wish.by,
            voted=self.wish.voted,
        )


def park_if_empty(table: "Table", person: Person) -> None:
    """Stop the clocks if nobody with a seat is connected any more (RULES D5).

    A pause, running or asked for, begins anew once people are back (RULES D9). What a fault of ours
    has stopped stands still anyway: whoever comes back lets it go on, by asking for it.
    """
    if table.over or any(holder.present for holder in table.holders):
        return
    if table.halt is not None and table.halt.waits_for_a_word:
        return
    table.pause_wanted = paused_by(table)
    missing = table.halt.missing if table.halt is not None else set[Person]()
    since = table.halt.since if table.halt is not None else table.now
    table.halt = Halt(
        number=table.next_halt(),
        reason=PauseReason.PARKED,
        since=since,
        ends_at=table.now + int(table.settings.park_h * HOUR_US),
        missing=missing | {person},
        hour_ends_at=table.now + HOUR_US,
    )
    table.tell_all(table.halt.event(table.now))


def count_an_hour(halt: Halt) -> None:
    """A table without people is not kept for a day more after each restart (RULES D5)."""
    halt.parked_h += 1
    halt.hour_ends_at += HOUR_US


async def do_without(table: "Table", person: Person) -> None:
    """Somebody has given up their seat: nobody waits for them to come back to it (RULES D3, D5)."""
    halt = table.halt
    if halt is None:
        return
    halt.missing.discard(person)
    if halt.reason is PauseReason.WAITING and not halt.missing:
        await go_on(table, halt, table.now)


def begin_wanted_pause(table: "Table") -> None:
    """Pause once no window is protected and nobody is reading a ruling (RULES D9)."""
    if table.pause_wanted is None or table.halt is not None:
        return
    if table.deal.table.phase is not e.Phase.TO_PLAY or table.calls.contest is not None:
        return
    table.halt = Halt(
        number=table.next_halt(),
        reason=PauseReason.ASKED,
        since=table.now,
        ends_at=table.now + int(table.settings.pause_min * 60 * MICROS),
        wish=table.pause_wanted,
    )
    table.pause_wanted = None
    table.tell_all(table.halt.event(table.now))


def paused_by(table: "Table") -> Wish | None:
    """Who has paused the table, or is about to; None if nobody has."""
    return table.halt.wish if table.halt is not None and is_paused(table) else table.pause_wanted


def stands_still(table: "Table") -> bool:
    """Whether the clocks stand still, for whatever reason, and are not counted in yet."""
    return table.halt is not None and not table.halt.counting_in


def is_paused(table: "Table") -> bool:
    """Whether they do because somebody has asked for it."""
    asked = table.halt is not None and table.halt.reason is PauseReason.ASKED
    return asked and stands_still(table)


def count_in(table: "Table", halt: Halt, at: int) -> None:
    """Go on after a count of three (RULES D9)."""
    halt.counting_in = True
    halt.ends_at = at + COUNT_IN_US
    table.tell_all(e.Resumed(in_us=COUNT_IN_US))


async def end_halt(table: "Table", halt: Halt, at: int) -> None:
    """The halt has lasted as long as it may."""
    if halt.may_be_the_end:
        table.abandoned = True
    elif halt.reason is PauseReason.ASKED and not halt.counting_in:
        count_in(table, halt, at)
    else:
        await go_on(table, halt, at)


async def go_on(table: "Table", halt: Halt, at: int) -> None:
    """After this halt all clocks and the open window start again in full (RULES D5, D9)."""
    table.halt = None
    _start_clocks_again(table, at, at - halt.since, restart_window(table.deal, at))
    begin_wanted_pause(table)  # one that another halt has put off (RULES D9)
    await end_if_read(table, at)  # everybody who is there may have gone on before it (RULES C10)


def go_on_after_stall(table: "Table", stalled_us: int) -> None:
    """The disk is back: all clocks and the open window start again in full (RULES D5).

    What was announced before stays open to who called meanwhile, and no time of it counts.
    """
    table.forget_due()
    halt, vote, deal = table.halt, table.vote, table.deal
    if vote is not None:
        table.vote = dataclasses.replace(vote, ends_at=vote.ends_at + stalled_us)
        table.tell_all(table.vote.state(table.now, passed=None))
    if halt is not None:
        halt.ends_at += stalled_us
        table.tell_all(halt.event(table.now))
        return  # it has stopped the clocks anyway
    now = table.now
    restarted = replace(restart_window(deal, now), opened_at=deal.opened_at)
    _start_clocks_again(table, now, stalled_us, restarted)


def _start_clocks_again(table: "Table", at: int, stood_still: int, restarted: Deal) -> None:
    """Let all clocks run, none of which counts these microseconds; `restarted` is the deal then."""
    table.stop_at += stood_still
    table.ran_since = at
    for holder in table.holders:
        if holder.absent_since is not None:
            holder.absent_since = min(at, holder.absent_since + stood_still)
        holder.bot.start_again()
    if table.calls.contest is None:  # else what was doubted in time is still to be decided
        table.restart(restarted)
    table.tell_all(e.Resumed())
    wind_again(table)
    table.wake_bots(table.now)
    for person in table.company.everybody():
        table.company.tell(person, window_state(table, person))
