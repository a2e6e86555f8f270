"""What falls due at a table, when, and what is done then (RULES C2, C6, C10, D1, D2, D6)."""

import math
from collections.abc import Awaitable, Callable
from operator import itemgetter
from typing import TYPE_CHECKING

from protocol import events as e
from protocol.numbers import MICROS, PlayNumber, Seat
from protocol.options import why_not_let_go
from protocol.rules import TableRules
from server.bots.choices import Pass
from server.game import actions as a
from server.game.automatic import automatic_play
from server.game.engine import next_deadline
from server.game.view import view_for
from server.table import halts, seats, voting
from server.table.arbiter import Arrival
from server.table.calls import Contest, Voice
from server.table.halts import Halt
from server.table.holders import AUTOS_TO_STAND_IN, Holder
from server.table.turn_clock import TurnClock, reminded
from server.table.votes import Vote
from server.table.winding import ticking

if TYPE_CHECKING:
    from server.table.table import Table

_OWNER = e.Chair.OWNER

Alarm = Callable[..., Awaitable[None]]
"""What is done then, given the table, the time, and whom or what it is about."""

Timer = tuple[float, Alarm, object]
"""When, since the table began; the alarm; and what it is about."""


def stop_at(rules: TableRules) -> float:
    """When the deal ends by time (RULES B21), in microseconds since the table began."""
    return math.inf if rules.stop_after_min is None else rules.stop_after_min * 60 * MICROS


def next_timer(table: "Table") -> Timer:
    """What falls due first as things stand; of what falls due together, the first in this list."""
    timers = _timers(table)
    if not timers:
        return _NEVER
    return timers[0] if len(timers) == 1 else min(timers, key=_time_of)


_time_of = itemgetter(0)


def _timers(table: "Table") -> list[Timer]:
    vote, halt, contest = table.vote, table.halt, table.calls.contest
    found: list[Timer] = []
    if vote is not None:
        found.append((vote.ends_at, _vote_ends, vote))
    if halt is not None:
        found.append((halt.ends_at, _halt_ends, halt))
        if halt.reason is e.PauseReason.PARKED:
            found.append((halt.hour_ends_at, _hour_ends, halt))
    if contest is not None:
        # While a challenge is being decided, others may still doubt, but nobody may move, and the
        # deal does not end. It is decided even if everybody has gone in the meantime.
        found.append((contest.due, _rule, contest))
        if halt is None:
            found += _doubting(table)
    elif halt is None:
        _add_running(table, found)
    return found


def _add_running(table: "Table", found: list[Timer]) -> None:
    deadline = next_deadline(table.deal)
    if deadline is not None:
        found.append((deadline, _end_phase, None))
    if table.clock is not None and (clock := ticking(table)) is not None:
        found.append((clock.next_at, _clock_speaks, clock))
    if table.stop_at < math.inf:
        found.append((table.stop_at, _time_is_up, None))
    for holder in table.holders:
        if holder.chair is not _OWNER:
            if (at := holder.bot.next_at) is not None:
                found.append((at, _bot_speaks, holder))
        elif holder.absent_since is not None and table.deal.table.is_in(holder.seat):
            missed_at = holder.absent_since + int(table.settings.stand_in_s * MICROS)
            found.append((missed_at, _stand_in, holder))


def _doubting(table: "Table") -> list[Timer]:
    return [
        (at, _bot_speaks, holder)
        for holder in table.holders
        if holder.chair is not _OWNER and (at := holder.bot.doubt_at) is not None
    ]


async def _nothing(table: "Table", at: int, _: None) -> None:
    """Nothing falls due: this is never reached."""


_NEVER: Timer = (math.inf, _nothing, None)


async def _vote_ends(table: "Table", at: int, vote: Vote) -> None:
    await voting.count_votes(table, vote, at, final=True)


async def _halt_ends(table: "Table", at: int, halt: Halt) -> None:
    await halts.end_halt(table, halt, at)


async def _hour_ends(_table: "Table", _at: int, halt: Halt) -> None:
    halts.count_an_hour(halt)  # which is kept with the pace of the table


async def _end_phase(table: "Table", at: int, _: None) -> None:
    protected = table.deal.table.phase is e.Phase.PROTECTED
    await table.do(a.EndProtection() if protected else a.EndReveal(), at)


async def _rule(table: "Table", at: int, contest: Contest) -> None:
    table.claim_waiting_calls()
    deal = table.deal
    decision = table.calls.decide(deal, contest)
    await table.do(
        decision.rule,
        at,
        asked=decision.winner,
        kept=lambda: table.calls.end(deal, contest, decision),
    )


async def _clock_speaks(table: "Table", at: int, clock: TurnClock) -> None:
    if clock.reminders:
        table.clock = reminded(clock)
        table.tell_all(e.TurnClock(seat=clock.seat, left_us=clock.left_us(at)))
        return
    holder = table.holders[clock.seat]
    await table.do(automatic_play(table.deal, table.rng), at, kept=holder.was_played_for)
    if holder.autos >= AUTOS_TO_STAND_IN and not table.over:
        await seats.change_chair(table, holder, e.Chair.STAND_IN, at)


async def _time_is_up(table: "Table", at: int, _: None) -> None:
    if table.deal.table.stopping is None:  # else it ends already
        await table.do(a.Stop(reason=table.stop_reason), at)
    table.stop_at = math.inf


async def _stand_in(table: "Table", at: int, holder: Holder) -> None:
    await seats.change_chair(table, holder, e.Chair.STAND_IN, at)


async def _bot_speaks(table: "Table", at: int, holder: Holder) -> None:
    if holder.bot.doubt_at is not None and holder.bot.doubt_at <= at:
        await _bot_doubts(table, holder, at)
    else:
        await _bot_moves(table, holder, at)


async def _bot_doubts(table: "Table", holder: Holder, at: int) -> None:
    seat, play = holder.seat, holder.bot.doubting
    doubts = holder.bot.doubts(view_for(table.deal, seat))
    if doubts:
        await table.hear(Voice(arrival=Arrival(seat=seat, play=play, at=at)))
    elif doubts is False and _may_let_go(table, seat, play):
        await table.do(a.LetGo(seat=seat, play=play), at)


def _may_let_go(table: "Table", seat: Seat, play: PlayNumber) -> bool:
    open_still = why_not_let_go(table.deal.table, seat, play) is None
    return open_still and table.calls.contest is None


async def _bot_moves(table: "Table", holder: Holder, at: int) -> None:
    seat = holder.seat
    choice = holder.bot.moves(view_for(table.deal, seat))
    if isinstance(choice, Pass):
        await table.do(a.Pass(seat=seat), at)
    elif choice is not None:
        play = a.Play(seat=seat, cards=choice.cards, count=choice.count, rank=choice.rank)
        await table.do(play, at)
