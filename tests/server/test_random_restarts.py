"""Random evenings on a server that dies now and then, and on a disk that is slow or full.

Beside the simulation (tests/simulation), which compares hands and tables with the journal, this alone
compares all of a lobby before a restart with what is there after it: chat, who was removed, who asks
for a seat, the dealer, the chairs; and it has people who ask for anything at any moment.
"""

from random import Random

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import events as e
from server.game.deal import Deal
from server.hall import Hall
from server.lobby.lobby import Lobby
from tests.support.books import as_kept
from tests.support.chaos import NO_LIMITS, Crowd
from tests.support.evenings import check_all, check_answers, everybody_leaves
from tests.support.lives import Lives, Stubborn, TroubledStore

STEPS = 250
DEATHS = 0.03  # of all steps
PAUSES_S = (0.0, 0.0, 0.0, 0.001, 0.05, 0.3, 1.0, 2.0, 4.0, 35.0)


@pytest.mark.parametrize("seed", range(10))
async def test_what_was_told_is_what_is_there_after_each_restart(
    seed: int, nursery: trio.Nursery, mock_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    dice, store = Random(seed), TroubledStore()
    lives = Lives(nursery, store, **NO_LIMITS)
    crowd, guests = await _an_evening(lives, dice, calm=seed % 2 == 0)

    for _ in range(STEPS):
        await crowd.act()
        await check_all(lives.hall, guests)
        mock_clock.jump(dice.choice(PAUSES_S))
        await check_all(lives.hall, guests)
        _check_kept(lives.hall, store)
        if dice.random() < DEATHS:
            before = lives.hall
            await lives.kill()
            crowd.move_to(await lives.start(*guests))
            _check_same(before, lives.hall)
    await everybody_leaves(lives.hall, guests)

    assert not caplog.records
    assert not store.read().lobbies
    assert not any(person.pending for person in lives.hall.people)


@pytest.mark.parametrize("seed", range(10))
async def test_nothing_is_told_before_it_is_kept_however_slow_the_disk_is(
    seed: int, nursery: trio.Nursery, mock_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    dice, store = Random(seed), TroubledStore()
    lives = Lives(nursery, store, **NO_LIMITS)
    crowd, guests = await _an_evening(lives, dice, calm=seed % 2 == 0)
    store.dice = Random(seed)

    for _ in range(STEPS):
        if all(guest.is_connected or dice.random() < 0.5 for guest in guests):
            await _act_in_time(crowd, mock_clock)
        mock_clock.jump(dice.choice(PAUSES_S))
        await wait_all_tasks_blocked()
        for guest in guests:
            check_answers(guest)
            _check_told(guest, store)
        if dice.random() < DEATHS:
            await lives.kill()
            crowd.move_to(await lives.start(*guests))
    store.dice = None
    for _ in range(3):  # until what was tried with the old dice is kept
        mock_clock.jump(2.0)
        await wait_all_tasks_blocked()
    await everybody_leaves(lives.hall, guests)

    assert [record for record in caplog.records if "no space left" not in record.getMessage()] == []
    assert not store.read().lobbies


async def _an_evening(
    lives: Lives, dice: Random, *, calm: bool
) -> tuple[Crowd, tuple[Stubborn, ...]]:
    await lives.start()
    guests = tuple(lives.guest(f"guest {number}") for number in range(5))
    for guest in guests:
        await guest.connect()
    return Crowd(lives.hall, guests, dice, calm=calm), guests


async def _act_in_time(crowd: Crowd, mock_clock: MockClock) -> None:
    """Somebody does something; who comes back may have to wait for the disk."""
    async with trio.open_nursery() as nursery:

        async def act() -> None:
            await crowd.act()
            nursery.cancel_scope.cancel()

        nursery.start_soon(act)
        while True:
            await wait_all_tasks_blocked()
            mock_clock.jump(0.1)


def _check_kept(hall: Hall, store: TroubledStore) -> None:
    kept = store.recovered()
    assert set(kept) == set(hall.lobbies)
    for code, lobby in hall.lobbies.items():
        assert _without_lines(kept[code].lobby.state) == _without_lines(lobby.state)
        deal = kept[code].deal
        assert (deal is None) == (lobby.table is None)
        if deal is not None and lobby.table is not None:
            _check_same_deal(as_kept(lobby.table), deal)


def _check_same(before: Hall, after: Hall) -> None:
    assert set(before.lobbies) == set(after.lobbies)
    for code, was in before.lobbies.items():
        _check_same_lobby(was, after.lobbies[code])


def _check_same_lobby(was: Lobby, now: Lobby) -> None:
    assert _without_lines(was.state) == _without_lines(now.state)
    assert {name: person.digest for name, person in was.people.items()} == {
        name: person.digest for name, person in now.people.items()
    }
    assert (was.asking_for, was.dealer) == (now.asking_for, now.dealer)
    assert was.removed.kept() == now.removed.kept()
    assert was.talk.lines == now.talk.lines
    assert (was.table is None) == (now.table is None)
    if was.table is None or now.table is None:
        return
    _check_same_deal(as_kept(was.table), now.table.deal)
    for holder, again in zip(was.table.holders, now.table.holders, strict=True):
        assert (holder.name, holder.chair, holder.gave_up) == (
            again.name,
            again.chair,
            again.gave_up,
        )


def _check_same_deal(old: Deal, new: Deal) -> None:
    assert (old.hands, old.laid, old.table, old.log) == (new.hands, new.laid, new.table, new.log)
    assert (old.held, old.let_go, old.aside) == (new.held, new.let_go, new.aside)


def _without_lines(state: e.LobbyState) -> tuple[object, ...]:
    """The lobby, but for who is connected, and so may be ready."""
    seats = [(seat.name, seat.kind, seat.wins) for seat in state.seats]
    whole = (state.host, state.rules, state.settings, state.stage, state.deals, state.watching)
    return (*whole, seats, state.asking)


def _check_told(guest: Stubborn, store: TroubledStore) -> None:
    """What a guest knows of a lobby and a deal was kept before."""
    if guest.lobby is None or not guest.was_shown_the_lobby:
        return
    code = guest.lobby.code
    assert guest.lobby in store.lobbies_kept[code]
    kept = store.recovered().get(code)
    deal = None if kept is None else kept.deal
    if deal is not None and guest.view is not None and guest.view.table.deal == deal.table.deal:
        assert guest.view.log == deal.log[: len(guest.view.log)]
