"""A lobby as it was before a restart: its people without lines, its table waiting for them."""

from collections.abc import Mapping
from random import Random

from protocol import events as e
from protocol.numbers import Seat
from server.bots.registry import TEMPERAMENTS
from server.chairs import Holder, a_holder
from server.config import Settings
from server.halts import Halt
from server.lobby import Hall, Lobby
from server.passwords import PasswordHash
from server.people import Person
from server.records import HolderRecord
from server.recovery import Recovered
from server.store import Store

HOUR_US = 3600 * 1_000_000


def restored(
    was: Recovered,
    people: Mapping[bytes, Person],
    *,
    hall: Hall,
    settings: Settings,
    store: Store,
    rng: Random,
) -> Lobby:
    """Make the lobby and, if a deal runs in it, the table; the hall runs it (RULES D5)."""
    record = was.lobby
    lobby = Lobby(record.state, hall=hall, settings=settings, store=store, rng=rng)
    if record.password is not None:
        lobby.password = PasswordHash(salt=record.password[0], digest=record.password[1])
    lobby.maker = None if record.maker is None else people.get(record.maker)
    lobby.removed = set(record.removed)
    lobby.take_in(
        [people[digest] for _, digest in record.people if digest in people], record.dealer
    )
    if was.deal is not None:
        seats = enumerate(record.holders)
        holders = tuple(_holder(Seat(seat), each, was, people, rng) for seat, each in seats)
        lobby.lay_table(was.deal, holders, at=was.at)
        _park(lobby)
    return lobby


def _holder(
    seat: Seat, record: HolderRecord, was: Recovered, people: Mapping[bytes, Person], rng: Random
) -> Holder:
    owner = None if record.owner is None else people.get(record.owner)
    holder = a_holder(seat, record.name, owner, TEMPERAMENTS[record.temperament], rng)
    holder.gave_up = record.gave_up
    if was.deal is not None:
        holder.chair = was.deal.table.seats[seat].chair
    return holder


def _park(lobby: Lobby) -> None:
    table = lobby.table
    if table is None:
        return
    owners = {holder.owner for holder in table.holders if not holder.gave_up}
    table.halt = Halt(
        reason=e.PauseReason.PARKED,
        since=table.now,
        ends_at=table.now + int(lobby.settings.park_h * HOUR_US),
        missing={owner for owner in owners if owner is not None},
    )
    for holder in table.holders:
        if holder.owner is not None and not holder.gave_up:
            holder.absent_since = table.now
