"""What falls due at a table, when, and what is done then (RULES C2, C6, C10, D1, D2, D6)."""

import math
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from protocol import events as e
from protocol.numbers import PlayNumber, Seat
from protocol.options import why_not_let_go
from server import standstills
from server.arbiter import Arrival
from server.bots.choices import Pass
from server.calls import Contest, Voice
from server.chairs import AUTOS_TO_STAND_IN, Holder
from server.game import actions as a
from server.game.automatic import automatic_play
from server.game.engine import next_deadline
from server.game.view import view_for
from server.turn_clock import TurnClock, reminded

if TYPE_CHECKING:
    from server.table import Table

_OWNER = e.Chair.OWNER

Alarm = Callable[[int], Awaitable[None]]
Timer = tuple[float, Alarm]


def timers(table: "Table") -> list[Timer]:
    """All that falls due as things stand, with the time of each since the table began."""
    vote, halt, contest = table.vote, table.halt, table.calls.contest
    found: list[Timer] = []
    if vote is not None:
        found.append(
            (vote.ends_at, lambda at: standstills.count_votes(table, vote, at, final=True))
        )
    if halt is not None:
        found.append((halt.ends_at, lambda at: standstills.end_halt(table, halt, at)))
    if contest is not None:
        # While a challenge is being decided, others may still doubt, but nobody may move, and the
        # deal does not end. It is decided even if everybody has gone in the meantime.
        found.append((contest.due, lambda at: _rule(table, contest, at)))
    if halt is None:
        found += _running_timers(table) if contest is None else _doubting_timers(table)
    return found


def _running_timers(table: "Table") -> list[Timer]:
    found: list[Timer] = []
    deadline = next_deadline(table.deal)
    if deadline is not None:
        found.append((deadline, lambda at: _end_phase(table, at)))
    clock = table.ticking
    if clock is not None:
        found.append((clock.next_at, lambda at: _clock_speaks(table, clock, at)))
    if table.stop_at < math.inf:
        found.append((table.stop_at, lambda at: _time_is_up(table, at)))
    for holder in table.holders:
        if holder.chair is not _OWNER:
            if (at := holder.bot.next_at) is not None:
                found.append((at, _bot_alarm(table, holder)))
        elif holder.absent_since is not None:
            at = holder.absent_since + table.stand_in_us
            found.append((at, _stand_in_alarm(table, holder)))
    return found


def _doubting_timers(table: "Table") -> list[Timer]:
    return [
        (at, _bot_alarm(table, holder))
        for holder in table.holders
        if holder.chair is not _OWNER and (at := holder.bot.doubt_at) is not None
    ]


async def _end_phase(table: "Table", at: int) -> None:
    protected = table.deal.table.phase is e.Phase.PROTECTED
    await table.do(a.EndProtection() if protected else a.EndReveal(), at)


async def _rule(table: "Table", contest: Contest, at: int) -> None:
    table.claim_waiting_calls()
    deal = table.deal
    decision = table.calls.decide(deal, contest)
    await table.do(
        decision.rule,
        at,
        asked=decision.winner,
        kept=lambda: table.calls.end(deal, contest, decision),
    )


async def _clock_speaks(table: "Table", clock: TurnClock, at: int) -> None:
    if clock.reminders:
        table.clock = reminded(clock)
        table.tell_all(e.TurnClock(seat=clock.seat, left_us=clock.left_us(at)))
        return
    holder = table.holders[clock.seat]
    holder.autos += 1
    await table.do(automatic_play(table.deal, table.rng), at)
    if holder.autos >= AUTOS_TO_STAND_IN and not table.over:
        await standstills.seat(table, holder, e.Chair.STAND_IN, at)


async def _time_is_up(table: "Table", at: int) -> None:
    table.stop_at = math.inf
    if table.deal.table.stopping is None:  # else it ends already
        await table.do(a.Stop(reason=table.stop_reason), at)


def _stand_in_alarm(table: "Table", holder: Holder) -> Alarm:
    return lambda at: standstills.seat(table, holder, e.Chair.STAND_IN, at)


def _bot_alarm(table: "Table", holder: Holder) -> Alarm:
    async def speak(at: int) -> None:
        if holder.bot.doubt_at is not None and holder.bot.doubt_at <= at:
            await _bot_doubts(table, holder, at)
        else:
            await _bot_moves(table, holder, at)

    return speak


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
