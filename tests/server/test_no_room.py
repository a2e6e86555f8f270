"""A server with as many lobbies as it may have: one that nobody is in any more makes room."""

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.refusals import Refusal
from server.entrance import MOST_CLOSING
from server.journal.keeping import RETRY_S
from tests.support.guests import a_hall, a_newcomer, a_party, a_table, code_of
from tests.support.lives import FullDisk, restarted
from tests.support.memory_store import MemoryStore


async def test_a_few_hundred_who_had_vanished_once_held_all_lobbies_for_half_an_hour(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store, lobbies=2)
    vanished = [(await a_party(hall, nursery, name))[0] for name in ("ana", "bo")]
    for guest in vanished:
        await guest.vanish()
        await trio.sleep(30)
    await trio.sleep(30)
    newcomer = await a_newcomer(hall, nursery, "zed")

    created = await newcomer.ask(c.CreateLobby)
    await wait_all_tasks_blocked()
    await vanished[0].connect(resume=True)
    await vanished[1].connect(resume=True)

    assert isinstance(created, Accepted)
    assert vanished[0].all_heard(e.HallChanged)  # whose lobby was without anybody for the longest
    assert vanished[0].lobby is None
    assert vanished[1].lobby is not None
    assert len(hall.lobbies) == len(store.read().lobbies) == 2


async def test_whoever_is_there_or_just_away_or_in_a_deal_that_another_can_go_before_keeps_the_lobby(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, lobbies=4)
    players = await a_table(hall, nursery, "ana", "bo", rules="t-off")
    for player in players:
        await player.vanish()
    await trio.sleep(3600)
    here = (await a_party(hall, nursery, "cy"))[0]
    (gone,) = await a_party(hall, nursery, "dee")
    await gone.vanish()
    await trio.sleep(60)
    (just_away,) = await a_party(hall, nursery, "eve")
    await just_away.vanish()

    first = await (await a_newcomer(hall, nursery, "zed")).ask(c.CreateLobby)
    await wait_all_tasks_blocked()
    left = {lobby.state.host for lobby in hall.lobbies.values()}
    second = await (await a_newcomer(hall, nursery, "yan")).ask(c.CreateLobby)
    third = await (await a_newcomer(hall, nursery, "xi")).ask(c.CreateLobby)
    await wait_all_tasks_blocked()

    assert [code_of(answer) for answer in (first, second, third)] == [
        None,
        None,
        Refusal.TOO_MANY_LOBBIES,
    ]
    assert left == {"ana", "cy", "eve", "zed"}
    assert {lobby.state.host for lobby in hall.lobbies.values()} == {"cy", "eve", "zed", "yan"}
    assert here.lobby is not None


async def test_whoever_left_deals_with_computers_behind_once_had_the_tables_of_friends_closed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, lobbies=3)
    friends = await a_table(hall, nursery, "ana", "bo", rules="t-off")
    gathering = await a_party(hall, nursery, "cy", "dee")
    for friend in (*friends, *gathering):
        await friend.vanish()
    (loner,) = await a_party(hall, nursery, "eve", rules="t-off")
    await loner.ask(c.AddComputer, temperament="casual")
    await loner.ask(c.StartDeal, anyway=True)
    await loner.vanish()
    await trio.sleep(60)

    await (await a_newcomer(hall, nursery, "zed")).ask(c.CreateLobby)
    await wait_all_tasks_blocked()

    assert {lobby.state.host for lobby in hall.lobbies.values()} == {"ana", "cy", "zed"}


async def test_a_deal_that_made_room_is_over_after_a_restart_too(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store, lobbies=1)
    for player in await a_table(hall, nursery, "ana", "bo"):
        await player.vanish()
    await trio.sleep(60)

    await (await a_newcomer(hall, nursery, "zed")).ask(c.CreateLobby)
    await wait_all_tasks_blocked()

    assert [lobby.state.host for lobby in restarted(store, nursery).lobbies.values()] == ["zed"]


async def test_whoever_may_not_open_a_lobby_anyway_closes_none(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, lobbies=1)
    (gone,) = await a_party(hall, nursery, "ana")
    await gone.vanish()
    await trio.sleep(60)
    newcomer = await a_newcomer(hall, nursery, "zed")

    refused = await newcomer.ask(c.CreateLobby, rules="no such rules")

    assert code_of(refused) is Refusal.BAD_RULES
    assert [lobby.state.host for lobby in hall.lobbies.values()] == ["ana"]


async def test_on_a_full_disk_no_more_lobbies_pile_up_than_a_few(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store, empty = FullDisk(), MOST_CLOSING + 5
    hall = a_hall(nursery, store=store, lobbies=empty)
    for number in range(empty):
        (guest,) = await a_party(hall, nursery, f"guest {number}")
        await guest.vanish()
    makers = [await a_newcomer(hall, nursery, f"maker {number}") for number in range(empty)]
    await trio.sleep(60)
    store.is_full = True

    numbers = [await maker.send(c.CreateLobby) for maker in makers]
    await trio.sleep(10)
    most = len(hall.lobbies)
    store.is_full = False
    answers = [await maker.answer_to(n) for maker, n in zip(makers, numbers, strict=True)]

    await trio.sleep(2 * RETRY_S)  # each that is closing tries again by itself

    assert most == empty + MOST_CLOSING
    assert [code_of(answer) for answer in answers].count(None) == MOST_CLOSING
    assert len(hall.lobbies) == empty
