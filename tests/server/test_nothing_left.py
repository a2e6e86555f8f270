"""After people have come, played and gone, the server holds no more than before they came."""

import gc
import sys
from collections import Counter
from dataclasses import dataclass

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from server.hall import Hall
from server.journal.store import NoStore
from tests.support.guests import Guest, a_hall, a_party

SHORT = "w0.lw2.r0.t10.plays-8"
REMEMBER_DAYS = 0.001
IDLE_MIN = 1.0
LONGEST_WAIT_S = 90  # of a guest for an answer: until then a scope stands in trio's list
EVENINGS, DEALS = 12, 16
BEFORE = 12  # as many first: all that is made once is made by then, and mailboxes are full


@pytest.fixture(autouse=True)
def nobody_waits_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Guest, "patience_s", LONGEST_WAIT_S)


@dataclass(frozen=True, slots=True)
class Held:
    """What a process holds: objects that can hold others, by type, and blocks of memory."""

    objects: Counter[str]
    blocks: int


async def what_is_held() -> Held:
    """What is held once whatever waits for its time has had it."""
    await trio.sleep(2 * LONGEST_WAIT_S)
    await wait_all_tasks_blocked()
    objects = Counter[str]()
    for _ in range(2):  # the first time is for what Counter itself makes once and keeps
        gc.collect()
        objects = Counter(type(each).__qualname__ for each in gc.get_objects())
    return Held(objects, sys.getallocatedblocks())


async def an_evening(hall: Hall, nursery: trio.Nursery) -> None:
    """Two people and a computer player begin a deal; one leaves, both lose their lines, one is back."""
    ana, bo = await a_party(hall, nursery, "ana", "bo", rules=SHORT)
    await ana.ask(c.AddComputer, temperament="casual")
    await bo.ask(c.SetReady)
    await ana.ask(c.Say, text="hello")
    await ana.ask(c.StartDeal)
    await trio.sleep(7)
    await bo.ask(c.LeaveLobby)
    await bo.vanish()
    await ana.vanish()
    await ana.connect(resume=True)
    await ana.ask(c.LeaveLobby)
    await ana.vanish()
    await trio.sleep(REMEMBER_DAYS * 86_400 + 60)


async def a_deal(host: Guest) -> None:
    """One deal to its end, of which the host remembers nothing."""
    await host.ask(c.StartDeal)
    await host.wait_for(e.DealOver)
    host.heard.clear()
    host.heard_at.clear()
    host._read_up_to = 0


def grown(before: Held, after: Held, least: int) -> dict[str, int]:
    """What there is more of than before, by at least this many; of blocks, ten times as many.

    How many blocks a table holds depends on the newest deal: what is dealt is never the same.
    """
    more = {what: n for what, n in (after.objects - before.objects).items() if n >= least}
    blocks = after.blocks - before.blocks
    return more if blocks < 10 * least else {**more, "blocks of memory": blocks}


async def test_whoever_comes_plays_and_goes_leaves_nothing_behind(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, store=NoStore(), remember_days=REMEMBER_DAYS, idle_min=IDLE_MIN)
    for _ in range(BEFORE):
        await an_evening(hall, nursery)
    before = await what_is_held()

    for _ in range(EVENINGS):
        await an_evening(hall, nursery)
    after = await what_is_held()

    assert grown(before, after, least=EVENINGS) == {}


async def test_deal_after_deal_a_table_holds_no_more(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, store=NoStore())
    (host,) = await a_party(hall, nursery, "ana", rules=SHORT)
    await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.AddComputer, temperament="casual")
    for _ in range(BEFORE):
        await a_deal(host)
    before = await what_is_held()

    for _ in range(DEALS):
        await a_deal(host)
    after = await what_is_held()

    assert grown(before, after, least=DEALS) == {}
