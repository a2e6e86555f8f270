"""What must hold at every moment of an evening, whatever people do."""

from collections import Counter

from trio.testing import wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from server.game.view import view_for
from server.hall import Hall
from server.lobby.lobby import Lobby
from server.person import Person
from server.table.table import Table
from tests.support.attackers import person_of
from tests.support.guests import Guest


async def everybody_leaves(hall: Hall, guests: tuple[Guest, ...]) -> None:
    """All come back if need be, and leave their lobbies."""
    for guest in guests:
        if not guest.is_connected:
            await guest.connect(resume=True)
    await wait_all_tasks_blocked()
    for guest in guests:
        await guest.send(c.LeaveLobby)
    await check_all(hall, guests)


async def check_all(hall: Hall, guests: tuple[Guest, ...]) -> None:
    """Once nothing more happens: each is answered once and knows what they may know, no more."""
    await wait_all_tasks_blocked()
    for lobby in hall.lobbies.values():
        check_lobby(lobby)
    for guest in guests:
        check_answers(guest)
        if guest.is_connected:
            _check_guest(guest, person_of(hall, guest))


def check_answers(guest: Guest) -> None:
    """No command is answered twice, not even across restarts."""
    answers = [event for event in _heard(guest) if isinstance(event, Accepted | Refused)]
    times = Counter(answer.n for answer in answers if answer.n is not None)
    assert set(times.values()) <= {1}, f"{guest.name} was answered twice"


def _heard(guest: Guest) -> list[e.Event]:
    return [event for _, event in guest.heard]


def check_lobby(lobby: Lobby) -> None:
    """Seats, watchers and people are the same people."""
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
