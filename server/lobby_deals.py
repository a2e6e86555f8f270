"""Who holds which seat of a lobby's next deal, who deals, and what of a lobby is kept and listed."""

import math
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from protocol import events as e
from protocol.numbers import PlayNumber, Seat
from server.bots.registry import TEMPERAMENTS
from server.chairs import Holder, a_holder
from server.game.deal import Told
from server.game.engine import new_deal
from server.people import Person
from server.records import HolderRecord, LobbyRecord
from server.standstills import paused_by

if TYPE_CHECKING:
    from server.lobby import Lobby
    from server.table import Table

STAND_IN = "certain"  # the plain player that stands in for people (RULES D2)


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
    state: e.LobbyState, last: str | None, players: tuple[e.LobbySeat, ...], rng: Random
) -> str:
    """The first dealer is drawn; then the deal passes to the left (RULES A4)."""
    everybody = [seat.name for seat in state.seats]
    names = [seat.name for seat in players]
    if last not in everybody or state.deals == 1:
        return rng.choice(names)
    start = everybody.index(last) + 1
    return next(name for name in everybody[start:] + everybody if name in names)


def a_deal(
    lobby: "Lobby",
    holders: tuple[Holder, ...],
    players: tuple[e.LobbySeat, ...],
    dealer: str,
) -> Told:
    """Shuffle and deal for these players."""
    seats = tuple(holder.state() for holder in holders)
    dealing = Seat([seat.name for seat in players].index(dealer))
    return new_deal(lobby.state.rules, seats, dealing, lobby.dealt, lobby.rng)


def winners_of(table: "Table") -> tuple[str, ...]:
    """Who has won a deal that is over (RULES B22); nobody if it was not played to its end."""
    outcome = table.deal.table.outcome
    places = outcome.places if outcome is not None else ()
    first = (holder for holder, place in zip(table.holders, places, strict=False) if place == 1)
    return tuple(holder.scores_for for holder in first if holder.scores_for is not None)


def record_of(lobby: "Lobby") -> LobbyRecord:
    """What is kept of a lobby, its secrets included."""
    table, password = lobby.table, lobby.password
    return LobbyRecord(
        state=lobby.state,
        password=None if password is None else (password.salt, password.digest),
        maker=None if lobby.maker is None else lobby.maker.digest,
        removed=lobby.removed.kept(),
        dealer=lobby.dealer,
        dealt=lobby.dealt,
        people=tuple((name, person.digest) for name, person in lobby.people.items()),
        holders=() if table is None else tuple(map(_holder_record, table.holders)),
        deal_runs=table is not None,
        chat=lobby.talk.lines,
        asking=tuple(lobby.asking_for.items()),
        votes=0 if table is None else table.votes,
        halts=0 if table is None else table.halts,
        paused_by=None if table is None else paused_by(table),
        stop_at=None if table is None or table.stop_at == math.inf else int(table.stop_at),
        stop_reason=e.StopReason.TIME if table is None else table.stop_reason,
    )


def pace_is_kept(lobby: "Lobby") -> bool:
    """Whether all votes and pauses of the running deal are kept, as far as they are."""
    table, kept = lobby.table, lobby.kept
    if table is None or kept is None:
        return True
    now = (table.votes, table.halts, paused_by(table))
    return now == (kept.votes, kept.halts, kept.paused_by)


def listing_of(lobby: "Lobby") -> e.Listing | None:
    """The lobby as the hall shows it, if it does; nothing of it before it is kept."""
    kept = lobby.kept
    if lobby.is_closed or kept is None or not kept.state.settings.public or not kept.people:
        return None
    state = kept.state
    return e.Listing(
        code=state.code,
        host=state.host,
        stage=state.stage,
        rules=state.rules,
        size=state.settings.size,
        seated=tuple(seat.name for seat in state.seats),
        watching=len(state.watching),
        watchers=state.settings.watchers,
        password=state.password,
        plays=PlayNumber(0) if lobby.table is None else lobby.table.deal.table.newest,
    )


def _holder_record(holder: Holder) -> HolderRecord:
    return HolderRecord(
        name=holder.name,
        owner=None if holder.owner is None else holder.owner.digest,
        temperament=holder.bot.temperament.name,
        gave_up=holder.gave_up,
    )
