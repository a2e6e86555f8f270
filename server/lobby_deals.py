"""Who holds which seat of a lobby's next deal, who deals, and what of a lobby is kept."""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from protocol import events as e
from protocol.numbers import Seat
from server.bots.registry import TEMPERAMENTS
from server.chairs import Holder, a_holder
from server.people import Person
from server.records import HolderRecord, LobbyRecord

if TYPE_CHECKING:
    from server.lobby import Lobby

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


def record_of(lobby: "Lobby") -> LobbyRecord:
    """What is kept of a lobby, its secrets included."""
    table, password = lobby.table, lobby.password
    return LobbyRecord(
        state=lobby.state,
        password=None if password is None else (password.salt, password.digest),
        maker=None if lobby.maker is None else lobby.maker.digest,
        removed=tuple(sorted(lobby.removed)),
        dealer=lobby.dealer,
        people=tuple((name, person.digest) for name, person in lobby.people.items()),
        holders=() if table is None else tuple(map(_holder_record, table.holders)),
        deal_runs=table is not None,
    )


def _holder_record(holder: Holder) -> HolderRecord:
    return HolderRecord(
        name=holder.name,
        owner=None if holder.owner is None else holder.owner.digest,
        temperament=holder.bot.temperament.name,
        gave_up=holder.gave_up,
    )
