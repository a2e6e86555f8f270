"""Computer players at a running table: what they were thinking about may be past by then."""

import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from tests.support.guests import a_hall, a_party


async def test_who_laid_cards_while_thinking_about_a_play_that_can_still_be_doubted_lets_nothing_go(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (host,) = await a_party(a_hall(nursery), nursery, "ana", rules="until-pickup.w0.t-off")
    for _ in range(3):
        await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StandUp)
    await host.ask(c.StartDeal)

    await host.wait_for(e.DealOver)

    assert not host.all_heard(e.Paused)  # as after a mistake of the server
