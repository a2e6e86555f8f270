"""Who holds which seat of a lobby's next deal, who deals it, who has won it, and its end."""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from protocol import events as e
from protocol.numbers import Seat
from server.bots.registry import TEMPERAMENTS
from server.game.deal import Told
from server.game.engine import new_deal
from server.lobby import seating
from server.person import Person
from server.table.former import FormerDeal
from server.table.holders import Holder, a_holder

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.table.table import Table

STAND_IN = "certain"  # the plain player that stands in for people (RULES D2)


class Dealer(NamedTuple):
    """Who dealt last, or has that seat by now; once it is gone, who sat on its left."""

    name: str
    has_left: bool = False


def holders_for(
    players: tuple[e.LobbySeat, ...], people: Mapping[str, Person], rng: Random
) -> tuple[Holder, ...]:
    """The holders of a deal's seats, in order; a person's seat has a stand-in at hand."""
    return tuple(
        a_holder(
            Seat(number),
            seat.name,
            people.get(seat.name) if seat.kind is e.SeatKind.PERSON else None,
            TEMPERAMENTS[seat.temperament or STAND_IN],
            rng,
        )
        for number, seat in enumerate(players)
    )


def next_dealer(
    state: e.LobbyState, last: Dealer | None, players: tuple[e.LobbySeat, ...], rng: Random
) -> str:
    """The first dealer is drawn; then the deal passes to the left (RULES A4).

    That goes for each match that is longer than a deal, and for the deals of an evening without one.
    """
    everybody = [seat.name for seat in state.seats]
    names = [seat.name for seat in players]
    if last is None or last.name not in everybody or state.deals == 1:
        return rng.choice(names)
    start = everybody.index(last.name) + (not last.has_left)
    return next(name for name in everybody[start:] + everybody if name in names)


def follow_dealer(lobby: "Lobby", before: e.LobbyState) -> None:
    """The deal passes on from the seat of who dealt last, whoever has it by now (RULES A4).

    Once that seat is gone who sat on its left deals next, and not whoever sits down in between.
    """
    if lobby.dealer is None:
        return
    name, has_left = lobby.dealer
    there = seating.still_there(before, lobby.state, name)
    if there is None:
        there, has_left = seating.left_of(before, lobby.state, name), True
    lobby.dealer = None if there is None else Dealer(there, has_left)


def a_deal(lobby: "Lobby", holders: tuple[Holder, ...], players: tuple[e.LobbySeat, ...]) -> Told:
    """Find who deals the lobby's next deal; shuffle and deal for these players."""
    dealer = next_dealer(lobby.state, lobby.dealer, players, lobby.rng)
    lobby.dealer = Dealer(dealer)
    lobby.dealt += 1
    seats = tuple(holder.state() for holder in holders)
    dealing = Seat([seat.name for seat in players].index(dealer))
    return new_deal(lobby.state.rules, seats, dealing, lobby.dealt, lobby.rng)


def end_deal(lobby: "Lobby", table: "Table") -> None:
    """A deal is over: count it, tell it, and let go of whoever had no seat to keep."""
    table.let_go_of_commands()
    goal = table.deal.table.rules.match_wins  # of the deal played: other rules come next (RULES D7)
    lobby.state = seating.deal_over(lobby.state, winners_of(table), goal)
    if lobby.state.match_winner is not None:
        lobby.news(e.News.MATCH_WON, lobby.state.match_winner)
    lobby.asking_for.clear()
    let_absent_watchers_go(lobby)
    lobby.table, lobby.former = None, FormerDeal(table)
    lobby.changed()


def abandon_if_deserted(lobby: "Lobby") -> None:
    """Nobody comes back to a deal whose players have all left, and whose watchers are gone as well.

    One that goes on by itself, as among computer players, its watchers may find again.
    """
    table = lobby.table
    if table is None or table.halt is None or not table.halt.may_be_the_end:
        return
    if not any(
        person.connected or seating.seat_named(lobby.state, person.name) is not None
        for person in lobby.everybody()
    ):
        table.abandoned = True


def let_absent_watchers_go(lobby: "Lobby") -> None:
    """A watcher whose line was lost during a deal, or with a restart, had no seat to keep."""
    for person in lobby.everybody():
        seated = seating.seat_named(lobby.state, person.name) is not None
        if not person.connected and not seated:
            lobby.dismiss(person)


def winners_of(table: "Table") -> tuple[str, ...]:
    """Who has won a deal that is over (RULES B22); nobody if it was not played to its end."""
    outcome = table.deal.table.outcome
    places = outcome.places if outcome is not None else ()
    first = (holder for holder, place in zip(table.holders, places, strict=False) if place == 1)
    return tuple(holder.scores_for for holder in first if holder.scores_for is not None)
