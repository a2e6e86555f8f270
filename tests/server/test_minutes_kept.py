"""The minutes of a deal that is limited (RULES B21) do not count while it stands still, whoever dies meanwhile."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.refusals import Refusal
from server.game.deal import Deal
from server.hall import Hall
from tests.support.guests import Guest, a_hall, a_table, code_of, host_of
from tests.support.lives import come_back, restarted
from tests.support.memory_store import MemoryStore
from tests.support.mishaps import break_commands, break_once, broken, hears_of_it, table_of

MINUTE = 60
LIMIT = 10
LATE_S = 6  # too little for a line to count as silent
RULES = f"classic.t-off.min-{LIMIT}"


async def goes_on(guest: Guest) -> None:
    """Wait until the clocks run."""
    await guest.wait_for(e.Resumed, lambda event: event.in_us == 0)


async def minutes_left(guest: Guest) -> float:
    """For how long the deal then goes on."""
    began = trio.current_time()
    await guest.wait_for(e.DealOver)
    return (trio.current_time() - began) / MINUTE


async def a_long_pause(hall: Hall, nursery: trio.Nursery) -> tuple[Guest, ...]:
    """Three who have played for four minutes, and paused for eight; the host comes first."""
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules=RULES)
    host = host_of(guests)
    await trio.sleep(4 * MINUTE)
    await host.ask(c.PauseTable)
    await trio.sleep(8 * MINUTE)
    return host, *[guest for guest in guests if guest is not host]


@pytest.mark.parametrize("meanwhile", ["nothing", "a seat is given up", "somebody speaks"])
async def test_a_pause_in_which_the_server_died_once_counted(
    meanwhile: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_long_pause(a_hall(nursery, store=store), nursery)
    host, other, _ = guests
    if meanwhile == "a seat is given up":
        await other.ask(c.GiveUpSeat)
    elif meanwhile == "somebody speaks":
        await other.ask(c.Say, text="well")

    await come_back(restarted(store, nursery), *guests)
    await host.wait_for(e.Paused, lambda event: event.reason is e.PauseReason.ASKED)
    await host.ask(c.ResumeTable)
    await goes_on(host)

    assert await minutes_left(host) == pytest.approx(LIMIT - 4, abs=0.1)


async def test_a_pause_before_the_server_died_once_counted_double(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_long_pause(a_hall(nursery, store=store), nursery)
    host, *_ = guests
    await host.ask(c.ResumeTable)
    await goes_on(host)
    await host.ask(c.Say, text="well")

    await come_back(restarted(store, nursery), *guests)
    await goes_on(host)

    assert await minutes_left(host) == pytest.approx(LIMIT - 4, abs=0.1)


async def test_a_pause_in_which_we_failed_once_counted(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, *_ = await a_long_pause(hall, nursery)
    break_commands(hall)
    await host.send(c.GoOn, play=0)
    await hears_of_it(host)

    await host.ask(c.ResumeTable)
    await host.wait_for(e.Paused, lambda event: event.reason is e.PauseReason.ASKED)
    await host.ask(c.ResumeTable)
    await goes_on(host)

    assert await minutes_left(host) == pytest.approx(LIMIT - 4, abs=0.1)


async def test_a_vote_that_was_never_kept_once_ended_the_deal(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules=RULES)
    host = host_of(guests)
    other = next(guest for guest in guests if guest is not host)
    await trio.sleep(4 * MINUTE)
    await host.ask(c.CallVote, on=e.VoteOn.END_DEAL)
    await other.wait_for(e.VoteState)
    break_once(table_of(hall).company, "keep")
    refused = await other.ask(c.CastVote, yes=True)
    await hears_of_it(host)

    await host.ask(c.ResumeTable)
    await goes_on(host)

    assert code_of(refused) is Refusal.TRY_AGAIN
    assert await minutes_left(host) == pytest.approx(LIMIT - 4, abs=0.1)
    assert host.all_heard(e.DealOver)[0].reason is e.StopReason.TIME


async def test_a_table_that_failed_as_a_pause_ended_late_lost_what_the_server_was_late(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, *_ = await a_long_pause(hall, nursery)

    def fail_late(deal: Deal) -> None:
        autojump_clock.jump(LATE_S)
        broken()

    table_of(hall).restart = fail_late  # type: ignore[method-assign]
    await host.ask(c.ResumeTable)
    await hears_of_it(host)

    await host.ask(c.ResumeTable)
    await goes_on(host)

    assert await minutes_left(host) == pytest.approx(LIMIT - 4, abs=0.05)
