"""Doubts that come a moment after the deal has ended are late like any other (RULES C7)."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Refused
from protocol.refusals import Refusal
from tests.support.attackers import arrive_together
from tests.support.guests import a_hall, a_table, code_of, deal


@pytest.mark.parametrize(
    ("ended_by", "code"),
    [
        pytest.param("a ruling", Refusal.NOT_FIRST, id="a ruling"),
        pytest.param("time", Refusal.TOO_LATE, id="time"),
    ],
)
async def test_a_doubt_just_after_the_deal_had_ended_was_once_told_that_no_deal_runs(
    nursery: trio.Nursery, autojump_clock: MockClock, ended_by: str, code: Refusal
) -> None:
    hall = a_hall(nursery, refusals_burst=1, refusals_per_s=0.001)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.plays-1")
    first, second, third = guests
    await first.lay()
    await second.wait_for(e.Played)
    if ended_by == "a ruling":
        await second.doubt()
    await third.wait_for(e.DealOver)
    await trio.sleep(0.03)

    late = [await third.ask(c.Challenge, play=1) for _ in range(3)]
    await wait_all_tasks_blocked()

    assert [code_of(each) for each in late] == [code] * 3
    assert isinstance(late[0], Refused)
    assert late[0].late_us == pytest.approx(30_000, abs=1_000)
    assert not third.said_goodbye()


async def test_whoever_only_watched_a_deal_that_is_over_hears_that_none_runs(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.plays-1")
    first, second, third = guests
    await third.ask(c.GiveUpSeat)
    await first.lay()
    await second.wait_for(e.DealOver)

    assert code_of(await third.ask(c.Challenge, play=1)) is Refusal.NO_DEAL


async def test_a_win_was_once_nobodys_if_the_winner_gave_up_the_seat_in_the_breath_that_ended_the_deal(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second = await a_table(hall, nursery, "ana", "bo", rules="classic.plays-1")
    await first.lay()
    await second.wait_for(e.Played)

    aim = {"deal": 1, "play": 1}
    arrive_together(hall, (second, c.LetGoOf, aim), (first, c.GiveUpSeat, {"deal": 1}))
    await second.wait_for(e.StageChanged)

    assert second.lobby is not None
    assert [seat.wins for seat in second.lobby.seats if seat.name == first.name] == [1]


async def test_what_was_kept_of_a_former_deal_once_lasted_through_the_next(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", rules="classic.plays-1")
    (lobby,) = hall.lobbies.values()
    during_the_first = lobby.former
    await guests[0].lay()
    await guests[1].wait_for(e.DealOver)
    between = lobby.former

    await deal(*sorted(guests, key=lambda guest: guest.name))  # ana is host

    assert during_the_first is None
    assert between is not None
    assert lobby.former is None
