"""A lobby as it was before a restart: its people without lines, its table waiting for them."""

import contextlib
from collections.abc import Iterator, Mapping
from random import Random

from protocol import events as e
from protocol.numbers import MICROS, Seat
from server.bots.registry import TEMPERAMENTS
from server.config import Settings
from server.game.deal import Deal
from server.journal.records import HolderRecord, KeptLobby, LobbyRecord
from server.journal.recovery import recovered_lobby
from server.journal.store import Complain, Damaged, Store, one_line
from server.lobby.lobby import Lobby
from server.lobby.records import pause_kept, take_up, take_up_seats
from server.outside import Hall
from server.person import Person
from server.table.halts import HOUR_US, Halt
from server.table.holders import Holder, a_holder
from server.table.table import Table


@contextlib.contextmanager
def fitting(where: str, complain: Complain) -> Iterator[None]:
    """Complain of what cannot be taken up. It was written by a server that ran: nothing of it can fail."""
    try:
        yield
    except Damaged as damage:
        complain(damage)
    except Exception as fault:  # noqa: BLE001 - whatever it is, the record is to blame
        why = f"it does not fit together ({type(fault).__name__}: {fault})"
        complain(Damaged(where, one_line(why)))


def restored(
    kept: KeptLobby,
    people: Mapping[bytes, Person],
    *,
    hall: Hall,
    settings: Settings,
    store: Store,
    rng: Random,
) -> Lobby:
    """Make the lobby and, if a deal runs in it, the table; the hall runs it (RULES D5).

    Raises:
        Damaged: the rules do not allow what is recorded.
    """
    was = recovered_lobby(kept)
    record = was.lobby
    lobby = Lobby(record.state, hall=hall, settings=settings, store=store, rng=rng)
    lobby.maker = None if record.maker is None else people.get(record.maker)
    take_up(lobby, record, people)
    if was.deal is not None:
        holders = _holders(record.holders, was.deal, people, rng)
        table = lobby.lay_table(was.deal, holders, at=was.at)
        table.votes, table.halts = record.votes, record.halts
        table.pause_wanted = pause_kept(record)  # it begins once people are back
        table.stop_at, table.stop_reason = record.stops_at(was.at), record.stop_reason
        _wait_for_people(table, record)
    lobby.see_whether_empty()
    return lobby


def _holders(
    records: tuple[HolderRecord, ...], deal: Deal, people: Mapping[bytes, Person], rng: Random
) -> tuple[Holder, ...]:
    holders = tuple(
        a_holder(Seat(seat), record.name, None, TEMPERAMENTS[record.temperament], rng)
        for seat, record in enumerate(records)
    )
    take_up_seats(holders, records, deal, people)
    for holder in holders:
        holder.autos = int(_was_played_for(deal, holder.seat))
    return holders


def _was_played_for(deal: Deal, seat: Seat) -> bool:
    """Whether the newest move of its owner was the server's: the clock is short then (RULES D1)."""
    moves = (entry for entry in reversed(deal.log) if isinstance(entry, e.Played | e.Passed))
    newest = next((move for move in moves if move.seat == seat), None)
    return isinstance(newest, e.Played) and newest.auto and newest.play > deal.owned_since[seat]


def _wait_for_people(table: Table, kept: LobbyRecord) -> None:
    """All clocks stand still until those are back who were here; where nobody has a seat, for half a minute."""
    away = {seat.name for seat in kept.state.seats if not seat.connected}
    missing = {
        holder.owner
        for holder in table.holders
        if holder.owner is not None and not holder.gave_up
        # Some had yet to come back already when the server ended.
        if holder.name not in away or holder.owner.digest in kept.missing
    }
    has_owners = any(holder.owner is not None for holder in table.holders)
    return_us, park_us = table.settings.return_s * MICROS, table.settings.park_h * HOUR_US
    left_us = min(park_us, max(return_us, park_us - kept.parked_h * HOUR_US))
    table.halt = Halt(
        number=table.next_halt(),
        reason=e.PauseReason.PARKED if has_owners else e.PauseReason.WAITING,
        since=table.now,
        ends_at=table.now + int(left_us if has_owners else return_us),
        missing=missing,
        parked_h=kept.parked_h,
        hour_ends_at=table.now + HOUR_US,
    )
    for holder in table.holders:
        if holder.owner is not None and not holder.gave_up:
            holder.absent_since = table.now
