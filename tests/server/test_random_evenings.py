"""Random evenings: whatever people do, nothing breaks, and everybody knows what they may know."""

from collections import Counter
from random import Random

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from server.game.view import view_for
from server.hall import Hall
from server.lobby import Lobby
from server.people import Person
from server.table import Table
from tests.support.attackers import person_of
from tests.support.chaos import NO_LIMITS, Crowd
from tests.support.guests import Guest, a_hall

STEPS = 400
PAUSES_S = (0.0, 0.0, 0.0, 0.001, 0.05, 0.3, 1.0, 2.0, 4.0)
LONG_PAUSE_S = 30.0


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_people_do_every_command_is_answered_and_every_view_is_right(
    seed: int, nursery: trio.Nursery, mock_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    dice = Random(seed)
    hall = a_hall(nursery, seed, replay=dice.choice([5, 512]), **NO_LIMITS)
    guests = tuple(Guest(hall, nursery, f"guest {number}") for number in range(6))
    for guest in guests:
        await guest.connect()
    crowd = Crowd(hall, guests, dice, calm=seed % 2 == 1)

    for _ in range(STEPS):
        for _ in range(dice.choice([1, 1, 1, 3])):
            await crowd.act()
        await _check_all(hall, guests)
        mock_clock.jump(LONG_PAUSE_S if dice.random() < 0.01 else dice.choice(PAUSES_S))
        await _check_all(hall, guests)
    await _everybody_leaves(hall, guests)

    assert not caplog.records
    assert not hall.lobbies
    assert not any(person.pending for person in hall.people)


async def _everybody_leaves(hall: Hall, guests: tuple[Guest, ...]) -> None:
    for guest in guests:
        if not guest.is_connected:
            await guest.connect(resume=True)
    await wait_all_tasks_blocked()
    for guest in guests:
        await guest.send(c.LeaveLobby)
    await _check_all(hall, guests)


async def _check_all(hall: Hall, guests: tuple[Guest, ...]) -> None:
    await wait_all_tasks_blocked()
    for lobby in hall.lobbies.values():
        _check_lobby(lobby)
    for guest in guests:
        answers = [event for event in _heard(guest) if isinstance(event, Accepted | Refused)]
        times = Counter(answer.n for answer in answers if answer.n is not None)
        assert set(times.values()) <= {1}, f"{guest.name} was answered twice"
        if guest.is_connected:
            _check_guest(guest, person_of(hall, guest))


def _heard(guest: Guest) -> list[e.Event]:
    return [event for _, event in guest.heard]


def _check_lobby(lobby: Lobby) -> None:
    state = lobby.state
    seated = [seat.name for seat in state.seats]
    persons = {seat.name for seat in state.seats if seat.kind is e.SeatKind.PERSON}
    assert not lobby.is_closed
    assert len(set(seated)) == len(seated), "a name has two seats"
    assert persons | set(state.watching) == set(lobby.people), "a ghost, or somebody in limbo"
    assert state.host in lobby.people


def _check_guest(guest: Guest, person: Person) -> None:
    assert person.connected
    lobby = person.lobby
    if lobby is None:
        assert guest.lobby is None
        return
    assert guest.lobby == lobby.state
    if lobby.table is not None:
        _check_view(guest, person, lobby.table)


def _check_view(guest: Guest, person: Person, table: Table) -> None:
    holder = table.holder_of(person)
    assert guest.view is not None
    if holder is not None and holder.gave_up:
        assert guest.view.table == table.deal.table  # the private part is what it was
    else:
        seat = None if holder is None else holder.seat
        assert guest.view == view_for(table.deal, seat)
