"""Scenes in which several call close after each other, for `tests.support.times`.

Whether the machine was quick enough is seen by the stamps and the clock, not hoped for: a scene is
played again, by new people, until once it was.
"""

from dataclasses import dataclass
from itertools import count

import trio

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.numbers import MICROS, Seat
from protocol.refusals import Refusal
from server.table.calls import LATE_CALLS_US
from tests.support.guests import Guest
from tests.support.times import Stage

PHOTO_US = 500_000
JUST_OVER_S = 0.001


# --- a photo finish -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """Two have called, first the one who sits farther from the player."""

    began: float  # before the first of them did
    nearer: Accepted | Refused
    dead_heat: e.DeadHeat | None

    @property
    def nearer_has_won(self) -> bool:
        """Whether the second call was as good as the first."""
        return isinstance(self.nearer, Accepted)


async def photo_finish(stage: Stage) -> None:
    """The ruling waits for the nearer of two, and no longer than it says; who comes then, loses."""
    finish = await _two_call(stage, "late", apart_s=PHOTO_US / MICROS + JUST_OVER_S)
    assert (finish.nearer_has_won, finish.dead_heat) == (False, None)
    for number in count():
        finish = await _two_call(stage, f"close{number}", apart_s=0)
        stage.note("photo_finish_ms", finish.began, PHOTO_US / MICROS)
        assert finish.nearer_has_won == (finish.dead_heat is not None)
        assert finish.nearer_has_won or _late_us(finish.nearer) > PHOTO_US
        if finish.nearer_has_won and stage.was_quick("photo_finish_ms"):
            return


async def _two_call(stage: Stage, name: str, *, apart_s: float) -> Finish:
    first, near, far = await stage.table(
        f"{name}-a", f"{name}-b", f"{name}-c", rules="classic.w0.pf500.t-off"
    )
    await _lay(first, near, far)
    began = trio.current_time()
    await far.doubt()
    if apart_s:
        await far.ask(c.Say, text="I have called")  # answered: so the call has come
        await trio.sleep(apart_s)
    number = await near.doubt()
    ruled = await first.wait_for(e.Ruled)
    return Finish(began=began, nearer=await near.answer_to(number), dead_heat=ruled.dead_heat)


async def _lay(player: Guest, *others: Guest) -> None:
    """Lay a card, and let all others see it."""
    await player.lay()
    for each in others:
        await each.wait_for(e.Played)


def _late_us(answer: Accepted | Refused) -> int:
    """By how much somebody was not the first."""
    assert isinstance(answer, Refused)
    assert answer.code is Refusal.NOT_FIRST
    assert answer.late_us is not None
    return answer.late_us


# --- late calls -----------------------------------------------------------------------------------


async def late_calls(stage: Stage) -> None:
    """Whoever calls within a second of the first is listed, and nobody who calls later."""
    for number in count():
        party = await stage.table(
            *(f"list{number}-{each}" for each in "abcd"), rules="classic.w0.r0.t-off"
        )
        late_us, listed = await _two_call_again(*party)
        assert {seat for seat, late in late_us.items() if late <= LATE_CALLS_US} == listed
        stage.took["late calls"] = (LATE_CALLS_US / MICROS, max(late_us.values()) / MICROS)
        if listed and stage.was_quick("late calls"):
            return


async def _two_call_again(
    first: Guest, second: Guest, *others: Guest
) -> tuple[dict[Seat, int], set[Seat]]:
    """One of them at once, one just too late; how late they were, and who of them was listed."""
    await _lay(first, second, *others)
    await second.doubt()
    numbers: list[int] = []
    for each, later_s in zip(others, (0, LATE_CALLS_US / MICROS + JUST_OVER_S), strict=True):
        await each.wait_for(e.Ruled)
        await trio.sleep(later_s)
        numbers.append(await each.doubt())
    late_us = {
        each.seat: _late_us(await each.answer_to(number))
        for each, number in zip(others, numbers, strict=True)
    }
    await second.lay()
    await first.wait_for(e.Played, lambda play: play.seat == second.seat)  # all was told by then
    return late_us, {late.call.seat for late in first.all_heard(e.LateCall)}
