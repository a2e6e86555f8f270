"""Where a server can die: after every single commit of an evening, all that is kept makes sense."""

from random import Random

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from server.hall import Hall
from server.lobby.lobby import Lobby
from tests.support.chaos import NO_LIMITS, Crowd
from tests.support.evenings import check_lobby
from tests.support.guests import Guest, a_hall, a_party, a_table, host_of
from tests.support.lives import Lives, Photographer, TroubledStore, come_back, recovered, restarted
from tests.support.memory_store import MemoryStore

STEPS = 120
PAUSES_S = (0.0, 0.0, 0.05, 1.0, 4.0, 25.0)


@pytest.mark.parametrize("seed", range(3))
async def test_a_server_can_die_after_any_commit(
    seed: int, nursery: trio.Nursery, mock_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    dice, store = Random(seed), Photographer()
    hall = a_hall(nursery, seed, store, **NO_LIMITS)
    guests = tuple(Guest(hall, nursery, f"guest {number}") for number in range(4))
    for guest in guests:
        await guest.connect()
    crowd = Crowd(hall, guests, dice, calm=seed % 2 == 0)
    for _ in range(STEPS):
        await crowd.act()
        await wait_all_tasks_blocked()
        mock_clock.jump(dice.choice(PAUSES_S))

    for picture in store.after_each:
        lives = Lives(nursery, picture, **NO_LIMITS)
        hall = await lives.start()
        await wait_all_tasks_blocked()
        _check_hall(hall)
        await lives.kill()

    assert not caplog.records
    assert len(store.after_each) > STEPS / 2


def _check_hall(hall: Hall) -> None:
    for person in hall.people:
        assert person.lobby is None or person.lobby.people[person.name] is person
    for lobby in hall.lobbies.values():
        check_lobby(lobby)
        _check_table(lobby)


def _check_table(lobby: Lobby) -> None:
    assert (lobby.state.stage is e.LobbyStage.PLAYING) == (lobby.table is not None)
    for holder in () if lobby.table is None else lobby.table.holders:
        assert lobby.table is not None
        told = lobby.table.deal.table.seats[holder.seat]
        assert (told.name, told.chair) == (holder.name, holder.chair)
        assert holder.chair is not e.Chair.OWNER or holder.owner in lobby.people.values()


async def test_a_deal_that_was_over_when_the_server_died_is_counted_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = Photographer()
    hall = a_hall(nursery, store=store)
    host, guest = await a_table(hall, nursery, "ana", "bo", rules="evening.plays-1.lw2")
    await host.lay()
    await guest.wait_for(e.DealOver)
    await guest.wait_for(e.StageChanged)
    over = next(picture for picture in store.after_each if _is_over(picture))

    await come_back(restarted(over, nursery), guest)
    lobby = await guest.wait_for(e.LobbyChanged)

    assert host.lobby is not None
    assert [seat.wins for seat in lobby.lobby.seats] == [seat.wins for seat in host.lobby.seats]
    assert sum(seat.wins for seat in lobby.lobby.seats) >= 1
    assert lobby.lobby.stage is e.LobbyStage.BETWEEN_DEALS


def _is_over(store: MemoryStore) -> bool:
    """Whether a deal has ended of which the lobby says that it still runs."""
    deals = [each.deal for each in recovered(store.read()) if each.deal is not None]
    return any(deal.table.outcome is not None for deal in deals)


async def test_a_seat_taken_over_was_once_nobodys_if_the_server_died_in_between(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = Photographer()
    host, watcher = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    await watcher.ask(c.StandUp)
    await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StartDeal)
    seat = 1 - host.seat
    await watcher.ask(c.SitDown, deal=1, seat=seat)
    answer = await host.ask(c.AnswerSeat, name="bo", yes=True)
    first = next(picture for picture in store.after_each if _has_seat(picture, "bo"))

    after = restarted(first, nursery)
    await come_back(after, host, watcher)
    await watcher.wait_for(e.Resumed)

    assert isinstance(answer, Accepted)
    assert watcher.view is not None
    assert watcher.view.you == seat
    assert host.lobby is not None
    assert [each.name for each in host.lobby.seats] == ["ana", "bo"]
    assert any(answer.n == kept.n for each in first.read().people for kept in each.answers)


async def test_a_lobby_was_once_told_as_it_was_for_an_instant_while_a_seat_was_taken_over(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = TroubledStore()
    host, watcher = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    await watcher.ask(c.StandUp)
    await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StartDeal)
    await watcher.ask(c.SitDown, deal=1, seat=1 - host.seat)
    await watcher.ask(c.SitDown)

    await host.ask(c.AnswerSeat, name="bo", yes=True)

    told = [event.lobby for event in host.all_heard(e.LobbyChanged)]
    assert {seat.name for seat in told[-1].seats} == {"ana", "bo"}
    assert [lobby for lobby in told if lobby not in store.lobbies_kept[lobby.code]] == []


def _has_seat(store: MemoryStore, name: str) -> bool:
    deals = [each.deal for each in recovered(store.read()) if each.deal is not None]
    return any(seat.name == name for deal in deals for seat in deal.table.seats)


async def test_a_lobby_that_everybody_had_left_does_not_come_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = Photographer()
    (host,) = await a_party(a_hall(nursery, store=store), nursery, "ana")
    await host.ask(c.LeaveLobby)
    left = next(
        picture
        for picture in store.after_each
        if any(not lobby.lobby.people for lobby in picture.read().lobbies)
    )

    after = restarted(left, nursery)
    await wait_all_tasks_blocked()

    assert after.lobbies == {}
    assert left.read().lobbies == ()


async def test_minutes_that_a_table_was_paused_once_counted_after_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    first, second = await a_table(
        a_hall(nursery, store=store), nursery, "ana", "bo", rules="min-1.t-off"
    )
    host = first if first.name == "ana" else second
    await host.ask(c.PauseTable)
    await trio.sleep(300)
    await host.ask(c.ResumeTable)
    await first.wait_for(e.Resumed, lambda event: not event.in_us)
    await first.ask(c.PlayCards, **a_card(first))

    await come_back(restarted(store, nursery), first, second)
    await second.wait_for(e.Resumed)
    await trio.sleep(20)

    assert second.all_heard(e.Stopping) == []
    await second.wait_for(e.Stopping)


async def test_a_vote_to_end_after_a_pause_once_left_a_journal_that_told_of_another_deal(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    before = a_hall(nursery, store=store)
    first, second = await a_table(before, nursery, "ana", "bo", rules="lw8")
    host = first if first.name == "ana" else second
    await first.lay()
    await trio.sleep(10)  # by then a last play's window would be over
    await host.ask(c.PauseTable)
    await host.ask(c.ResumeTable)
    await second.wait_for(e.Resumed, lambda event: not event.in_us)
    await first.ask(c.CallVote, on=e.VoteOn.END_DEAL)
    await second.ask(c.CastVote, yes=True)
    await second.wait_for(e.Stopping)
    (lobby,) = before.lobbies.values()
    assert lobby.table is not None
    deal = lobby.table.deal

    (kept,) = recovered(store.read())

    assert kept.deal is not None
    assert (kept.deal.table, kept.deal.log) == (deal.table, deal.log)


def a_card(guest: Guest) -> dict[str, object]:
    """One card of a hand, called what is due."""
    assert guest.view is not None
    table = guest.view.table
    return {
        "after": table.newest,
        "pile": table.pile_number,
        "cards": (guest.view.hand[0].id,),
        "count": 1,
        "rank": table.due[0],
    }


async def test_who_was_removed_from_a_deal_was_for_one_commit_removed_and_still_there(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = Photographer()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")

    await host_of(guests).ask(c.RemoveSeat, name="bo")

    for picture in store.after_each:
        for kept in picture.read().lobbies:
            removed = {digest for digest, _, _ in kept.lobby.removed}
            assert removed.isdisjoint(digest for _, digest in kept.lobby.people)
