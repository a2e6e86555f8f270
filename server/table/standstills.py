"""People who go and come back, pauses and votes: what stops a table's clocks (RULES D2, D5, D9)."""

from dataclasses import replace as changed
from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol import events as e
from protocol.numbers import MICROS
from server.errand import Errand
from server.game import actions as a
from server.game.deal import Deal
from server.game.engine import restart_window
from server.game.view import secrets_for, state_for, window_state_for
from server.person import Person
from server.table.halts import COUNT_IN_US, HOUR_US, Halt
from server.table.votes import Vote

if TYPE_CHECKING:
    from server.table.holders import Holder
    from server.table.table import Table


# --- lines that go down and up ----------------------------------------------------------------


async def lost(table: "Table", person: Person) -> None:
    """Somebody's line is down: the seat is kept, and the table waits if nobody is left."""
    holder = table.holder_of(person)
    if holder is None:
        return
    if not holder.gave_up:
        holder.absent_since = table.now
    await _without_voter(table, person)
    await park_if_empty(table, person)
    await _end_reveal_if_read(table)


async def _end_reveal_if_read(table: "Table") -> None:
    """Whoever has gone was perhaps the last one who had not gone on (RULES C10)."""
    reads = table.deal.table.phase is e.Phase.REVEAL and table.halt is None
    if reads and table.all_have_gone_on():
        await table.do(a.EndReveal(), table.now)


async def back(table: "Table", person: Person) -> None:
    """Somebody's line is up again: the seat is theirs at once (RULES D2)."""
    holder = table.holder_of(person)
    if holder is None or holder.gave_up:
        return
    await take_seat_back(table, holder)
    halt = table.halt
    if halt is None or halt.reason not in {e.PauseReason.PARKED, e.PauseReason.WAITING}:
        return
    halt.missing.discard(person)
    if not halt.missing:
        await go_on(table, halt, table.now)
    elif halt.reason is e.PauseReason.PARKED:
        halt.reason = e.PauseReason.WAITING
        halt.ends_at = table.now + int(table.settings.return_s * MICROS)
        table.tell_all(halt.event(table.now))


async def seat(
    table: "Table",
    holder: "Holder",
    chair: e.Chair,
    at: int,
    *,
    new_owner: bool = False,
    asked: Errand | None = None,
) -> None:
    """Somebody else plays the seat from now on (RULES D2, D3, D8); kept with the lobby."""
    holder.chair = chair
    holder.bot.start_again()
    action = a.Seated(seat=holder.seat, name=holder.name, chair=chair, new_owner=new_owner)
    await table.do(action, at, asked=asked)
    clock = table.ticking
    if table.halt is None and clock is not None and clock.seat == holder.seat:
        table.tell_all(e.TurnClock(seat=clock.seat, left_us=clock.left_us(table.now)))


def note_presence(holder: "Holder") -> None:
    """The owner is there; after an automatic play the clock stays short (RULES D1)."""
    holder.absent_since = None
    if holder.autos:
        holder.autos = 1


async def take_seat_back(table: "Table", holder: "Holder", asked: Errand | None = None) -> None:
    """The owner plays the seat again (RULES D2)."""
    note_presence(holder)
    if holder.chair is not e.Chair.OWNER and not table.over:
        holder.gave_up = False
        await seat(table, holder, e.Chair.OWNER, table.now, asked=asked)


async def give_up(table: "Table", holder: "Holder", asked: Errand | None = None) -> None:
    """The owner hands the seat to a computer player for the rest of the deal (RULES D3)."""
    person = holder.owner
    holder.gave_up, holder.absent_since = True, None
    if not table.over:
        await seat(table, holder, e.Chair.COMPUTER, table.now, asked=asked)
    if person is not None:
        await _without_voter(table, person)
        await park_if_empty(table, person)


async def park_if_empty(table: "Table", person: Person) -> None:
    """Stop the clocks if nobody with a seat is connected any more (RULES D5).

    A pause, running or asked for, begins anew once people are back (RULES D9). What a fault of ours
    has stopped stands still anyway: whoever comes back lets it go on, by asking for it.
    """
    if table.over or any(holder.present for holder in table.holders):
        return
    if table.halt is not None and table.halt.waits_for_a_word:
        return
    table.pause_wanted_by = paused_by(table)
    missing = table.halt.missing if table.halt is not None else set[Person]()
    since = table.halt.since if table.halt is not None else table.now
    table.halt = Halt(
        number=table.next_halt(),
        reason=e.PauseReason.PARKED,
        since=since,
        ends_at=table.now + int(table.settings.park_h * HOUR_US),
        missing=missing | {person},
    )
    table.tell_all(table.halt.event(table.now))


# --- pauses -----------------------------------------------------------------------------------


def begin_wanted_pause(table: "Table") -> None:
    """Pause once no window is protected and nobody is reading a ruling (RULES D9)."""
    if table.pause_wanted_by is None or table.halt is not None:
        return
    if table.deal.table.phase is not e.Phase.TO_PLAY or table.calls.contest is not None:
        return
    table.halt = Halt(
        number=table.next_halt(),
        reason=e.PauseReason.ASKED,
        since=table.now,
        ends_at=table.now + int(table.settings.pause_min * 60 * MICROS),
        by=table.pause_wanted_by,
    )
    table.pause_wanted_by = None
    table.tell_all(table.halt.event(table.now))


def paused_by(table: "Table") -> str | None:
    """Who has paused the table, or is about to; None if nobody has."""
    halt = table.halt
    paused = halt is not None and halt.reason is e.PauseReason.ASKED and not halt.counting_in
    return halt.by if halt is not None and paused else table.pause_wanted_by


def count_in(table: "Table", halt: Halt, at: int) -> None:
    """Go on after a count of three (RULES D9)."""
    halt.counting_in = True
    halt.ends_at = at + COUNT_IN_US
    table.tell_all(e.Resumed(in_us=COUNT_IN_US))


async def end_halt(table: "Table", halt: Halt, at: int) -> None:
    """The table's standstill has lasted as long as it may."""
    if halt.reason is e.PauseReason.PARKED or halt.waits_for_a_word:
        table.abandoned = True
    elif halt.reason is e.PauseReason.ASKED and not halt.counting_in:
        count_in(table, halt, at)
    else:
        await go_on(table, halt, at)


async def go_on(table: "Table", halt: Halt, at: int) -> None:
    """After this halt all clocks and the open window start again in full (RULES D5, D9)."""
    table.halt = None
    _start_clocks_again(table, at, at - halt.since, restart_window(table.deal, at))
    begin_wanted_pause(table)  # one that a standstill of another kind has put off (RULES D9)


def go_on_after_stall(table: "Table", stalled_us: int) -> None:
    """The disk is back: all clocks and the open window start again in full (RULES D5).

    What was announced before stays open to who called meanwhile, and no time of it counts.
    """
    table.look_at_clocks()
    halt, vote, deal = table.halt, table.vote, table.deal
    if vote is not None:
        table.vote = changed(vote, ends_at=vote.ends_at + stalled_us)
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
    for holder in table.holders:
        if holder.absent_since is not None:
            holder.absent_since = min(at, holder.absent_since + stood_still)
        holder.bot.start_again()
    if table.calls.contest is None:  # else what was doubted in time is still to be decided
        table.deal = restarted
    table.clock = None
    table.tell_all(e.Resumed())
    table.wind_clock(table.now)
    table.wake_bots(table.now)
    for person in table.company.everybody():
        table.company.tell(person, window_state(table, person))


def show(table: "Table", person: Person) -> None:
    """Show somebody the whole deal as they may know it."""
    holder = table.holder_of(person)
    seat = holder.seat if holder is not None and holder.listener is person else None
    table.company.tell(person, state_for(table.deal, seat))
    for page in table.public_log.pages(table.deal.log):
        table.company.tell_packed(person, page)
    for event in secrets_for(table.deal, seat):
        table.company.tell(person, event)
    show_clocks(table, person)


def show_clocks(table: "Table", person: Person) -> None:
    """Show somebody where the clocks stand, and what passing events have told the others."""
    table.company.tell(person, window_state(table, person))
    if table.halt is not None:
        table.company.tell(person, table.halt.event(table.now))
    if table.vote is not None:
        table.company.tell(person, table.vote.state(table.now, passed=None))


def window_state(table: "Table", person: Person) -> e.WindowState:
    """Where the clocks stand, as this person may know it."""
    holder = table.holder_of(person)
    seat = holder.seat if holder is not None and holder.listener is person else None
    turn_us = None if table.ticking is None else table.ticking.left_us(table.now)
    return window_state_for(table.deal, seat, table.now, turn_us)


# --- votes ------------------------------------------------------------------------------------


async def count_votes(table: "Table", vote: Vote, at: int, *, final: bool = False) -> None:
    """Tell how a vote stands now and, once it is decided or over, do what it says (RULES D6)."""
    passed = False if final and vote.passed is None else vote.passed
    table.vote = vote if passed is None else None
    table.tell_all(vote.state(at, passed=passed))
    if passed is False:
        table.no_vote_before[vote.by] = at + int(table.settings.vote_s * MICROS)
    elif passed and vote.on is e.VoteOn.PAUSE and table.halt is None:
        table.pause_wanted_by = vote.by
        begin_wanted_pause(table)
    elif passed and vote.on is e.VoteOn.END_DEAL:
        await _end_deal(table, at)


async def _end_deal(table: "Table", at: int) -> None:
    """End the deal as soon as no challenge is being decided, even if the table is paused."""
    if table.halt is not None:
        await go_on(table, table.halt, at)
    table.stop_at, table.stop_reason = min(at, table.stop_at), e.StopReason.VOTE


async def _without_voter(table: "Table", person: Person) -> None:
    if table.vote is not None and person.name in table.vote.voters:
        await count_votes(table, table.vote.without(person.name), table.now)
