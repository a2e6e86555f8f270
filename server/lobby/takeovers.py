"""A seat taken over or back in the middle of a deal: asked for, granted, denied (RULES D3, D8)."""

from typing import TYPE_CHECKING

from protocol import commands as c
from protocol import events as e
from protocol.numbers import Seat
from protocol.refusals import Refusal
from server.errand import Errand
from server.lobby import hosts, seating
from server.lobby.seating import NotAllowed
from server.person import Person
from server.table import seats

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.table.table import Table


async def ask(lobby: "Lobby", errand: Errand, seat: Seat, deal: int | None) -> None:
    """Somebody asks for a seat in this deal; whoever may grant it takes it over at once."""
    name = errand.person.name
    table = _table_of(lobby, deal)
    _refuse_unless_free(table, seat, errand.person)
    lobby.asking_for[name] = seat
    if lobby.may_act(errand.person):
        with hosts.acting(lobby, name):
            await _take_over(lobby, table, name, errand)
        return
    lobby.state = seating.with_asking(lobby.state, name)
    lobby.changed()
    lobby.news(e.News.ASKS_FOR_SEAT, name, table.holders[seat].name)


async def answer(lobby: "Lobby", errand: Errand, command: c.AnswerSeat) -> None:
    """The host grants the seat that somebody has asked for, or denies it."""
    person = lobby.people.get(command.name)
    if person is None or command.name not in lobby.asking_for:
        raise NotAllowed(Refusal.NO_SUCH_PERSON)
    table = _table_of(lobby, command.deal)
    if command.yes and not person.connected:
        raise NotAllowed(Refusal.LINE_DOWN)  # they still ask: no stand-in would come for them (D2)
    if command.yes:
        await _take_over(lobby, table, command.name, errand)
    else:
        _forget_asking(lobby, command.name)
        lobby.news(e.News.SEAT_DENIED, command.name)
        lobby.changed()


async def _take_over(lobby: "Lobby", table: "Table", name: str, errand: Errand) -> None:
    """Somebody plays on with the hand of a computer player."""
    person = lobby.people[name]
    seat = lobby.asking_for[name]
    _forget_asking(lobby, name)  # also if it is refused now
    _refuse_unless_free(table, seat, person)
    holder = table.holders[seat]
    state = seating.taken_over(lobby.state, holder.name, name)
    if seating.seat_named(lobby.state, name) is None:
        hosts.sat_down(lobby, name)
    lobby.state = state
    holder.owner, holder.name, holder.gave_up = person, name, False
    holder.autos, holder.absent_since = 0, None
    table.gone_on.discard(seat)  # whoever had it may have read the ruling (RULES C10)
    await seats.change_chair(table, holder, e.Chair.OWNER, table.now, new_owner=True, asked=errand)
    lobby.hall.dealt_in(person)
    lobby.changed()
    lobby.news(e.News.SAT_DOWN, name)
    await seats.back(table, person)


def sit_again(lobby: "Lobby", name: str) -> None:
    """Whoever plays again after leaving, and had only watched, has a seat here, if one is free (RULES D3)."""
    seats = lobby.state.seats
    if seating.seat_named(lobby.state, name) or len(seats) >= lobby.state.settings.size:
        return
    lobby.state = seating.with_person(lobby.state, name)
    hosts.sat_down(lobby, name)
    lobby.changed()
    lobby.news(e.News.SAT_DOWN, name)


def _table_of(lobby: "Lobby", deal: int | None) -> "Table":
    """The table at which this deal is played."""
    if lobby.table is None or lobby.table.over:
        raise NotAllowed(Refusal.NO_DEAL)
    if lobby.table.number != deal:
        raise NotAllowed(Refusal.OTHER_DEAL)
    return lobby.table


def _refuse_unless_free(table: "Table", seat: Seat, person: Person) -> None:
    """A seat can be asked for while a computer player has it and you have none."""
    if seat >= len(table.holders):
        raise NotAllowed(Refusal.NO_SUCH_SEAT)
    plays_already = table.holder_of(person) is not None
    holder = table.holders[seat]
    by_computer = holder.chair is e.Chair.COMPUTER
    # Whoever gave a seat up and is still here may come back to it (RULES D3).
    kept = holder.owner is not None and table.company.includes(holder.owner)
    if not by_computer or kept or plays_already or not table.deal.table.is_in(seat):
        raise NotAllowed(Refusal.NO_COMPUTER_THERE)


def _forget_asking(lobby: "Lobby", name: str) -> None:
    lobby.asking_for.pop(name, None)
    lobby.state = seating.without_asking(lobby.state, name)
