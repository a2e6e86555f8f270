"""Nobody sees, not even by a time, that somebody has laid cards ready or taken them back (RULES C3)."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.commands import AnyCommand
from protocol.numbers import CommandNumber
from server.hall import Hall
from server.journal.records import ActionDone
from tests.support.evenings import check_all
from tests.support.guests import Guest, a_hall, a_table
from tests.support.lives import come_back, recovered, restarted
from tests.support.memory_store import MemoryStore
from tests.support.mishaps import table_of


async def a_window(nursery: trio.Nursery) -> tuple[Hall, MemoryStore, tuple[Guest, ...]]:
    """Four people, of whom the first has just lied."""
    store = MemoryStore()
    hall = a_hall(nursery, store=store)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", "dee")
    await guests[0].lay(truth=False)
    for guest in guests:
        await guest.wait_for(e.Played)
    return hall, store, guests


async def lay_ready(guest: Guest) -> AnyCommand:
    """Lay a card ready; the command, to be said again."""
    assert guest.view is not None
    number = await guest.lay()
    await guest.wait_for(e.Held)
    return c.PlayCards(
        n=CommandNumber(number),
        deal=guest.view.table.deal,
        after=guest.view.table.newest,
        pile=guest.view.table.pile_number,
        cards=guest.all_heard(e.Held)[-1].held.cards,
        count=1,
        rank=guest.view.table.due[0],
    )


async def test_others_once_waited_for_the_disk_while_somebody_laid_cards_ready_or_took_them_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, store, (_, second, *_) = await a_window(nursery)
    before = store.statistics().commits

    for _ in range(3):
        await lay_ready(second)
        await second.ask(c.TakeBack)

    assert store.statistics().commits == before


async def test_others_once_waited_for_second_thoughts_as_soon_as_anything_else_had_been_kept(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, store, (_, second, _, fourth) = await a_window(nursery)
    await lay_ready(second)
    await fourth.believe()
    before = store.statistics().commits

    await lay_ready(second)
    await second.ask(c.TakeBack)

    assert store.statistics().commits == before


async def test_what_lies_ready_is_not_kept_with_what_others_do(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, store, (_, second, _, fourth) = await a_window(nursery)
    await lay_ready(second)
    await fourth.believe()

    kept = table_of(restarted(store, nursery)).deal

    assert kept.held is None
    assert kept.let_go == {fourth.seat}


@pytest.mark.parametrize("then", ["says nothing more", "says something"])
async def test_what_lay_ready_when_the_server_died_is_said_again_and_answered_once(
    then: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, store, guests = await a_window(nursery)
    second = guests[1]
    said = await lay_ready(second)
    if then == "says something":  # which is kept: the number before it was too old once
        await second.ask(c.Say, text="hm")

    after = restarted(store, nursery)
    await come_back(after, *guests)
    await second.write(said)
    answer = await second.answer_to(said.n)

    assert isinstance(answer, Accepted)
    assert len(guests[2].all_heard(e.Played)) == 2
    await check_all(after, guests)


@pytest.mark.parametrize("meanwhile", ["nothing", "a belief", "all believe"])
async def test_what_lies_ready_takes_effect_and_is_kept_as_ever(
    meanwhile: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, store, (_, second, third, fourth) = await a_window(nursery)
    said = await lay_ready(second)
    for guest in {"nothing": (), "a belief": (fourth,), "all believe": (fourth, third)}[meanwhile]:
        await guest.believe()

    answer = await second.answer_to(said.n)
    await third.wait_for(e.Played, lambda played: played.play == 2)
    kept = table_of(restarted(store, nursery)).deal

    assert isinstance(answer, Accepted)
    assert (kept.hands, kept.laid, kept.log) == (
        table_of(hall).deal.hands,
        table_of(hall).deal.laid,
        table_of(hall).deal.log,
    )


async def test_cards_that_an_older_server_had_kept_as_lying_ready_lay_there_again_once_taken_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, store, guests = await a_window(nursery)
    await lay_ready(guests[1])
    table, (code,) = table_of(hall), hall.lobbies
    assert table.deal.held is not None
    await store.commit(ActionDone(code=code, action=table.deal.held, at=table.now))
    await come_back(restarted(store, nursery), *guests)
    for guest in guests:
        await guest.wait_for(e.Resumed)

    taken = await guests[1].ask(c.TakeBack)
    found = recovered(store.read())[0].deal

    assert isinstance(taken, Accepted)
    assert found is not None
    assert found.held is None
