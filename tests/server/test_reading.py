"""The pause after a ruling, in which everybody reads it (RULES C10)."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from tests.support.guests import a_hall, a_table, a_watcher, the_lobby


async def test_a_ruling_that_all_who_were_there_had_read_was_once_shown_to_its_end_after_a_wait(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second = await a_table(hall, nursery, "ana", "bo")
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    await second.doubt()
    await first.wait_for(e.Ruled)
    await first.ask(c.GoOn, play=1)
    await first.vanish()
    await second.vanish()
    await first.connect(resume=True)

    await first.wait_for(e.Resumed)
    went_on = trio.current_time()
    await first.wait_for(e.RevealOver)

    assert trio.current_time() - went_on < 0.1


async def test_a_clock_that_would_have_ended_while_a_ruling_is_read_plays_nothing_and_begins_anew(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, _, third = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.t10")
    await first.lay()
    await third.wait_for(e.ProtectionOver)
    await trio.sleep(9)  # of the ten seconds of who is to move

    await third.doubt()
    await first.wait_for(e.RevealOver)
    went_on = trio.current_time()
    played = await first.wait_for(e.Played, lambda play: play.auto)

    assert played.play == 2
    assert trio.current_time() - went_on == pytest.approx(10, abs=0.1)


async def test_who_took_a_seat_over_once_had_gone_on_already_as_whoever_left_it_had(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    watcher = await a_watcher(hall, nursery, "eve")
    host = next(each for each in (first, second, third) if each.name == the_lobby(hall).state.host)
    await host.ask(c.HandOver, name="eve")
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    await second.doubt()
    ruled_at = trio.current_time()
    await third.wait_for(e.Ruled)
    await second.ask(c.GoOn, play=1)
    seat = second.seat
    await second.ask(c.LeaveLobby)
    await watcher.ask(c.SitDown, deal=1, seat=seat)

    await first.ask(c.GoOn, play=1)
    await third.ask(c.GoOn, play=1)
    await first.wait_for(e.RevealOver)

    assert trio.current_time() - ruled_at > 2.9
