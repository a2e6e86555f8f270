"""A lobby as it is kept, taken up again from what is kept, and as the hall lists it."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol import events as e
from protocol.numbers import PlayNumber
from server.arrivals import now_us
from server.game.deal import Deal
from server.journal.records import HolderRecord, LineSaid, LobbyKept, LobbyRecord
from server.lobby import seating
from server.lobby.removed import Removed
from server.lobby.talk import Talk
from server.passwords import PasswordHash
from server.person import Person
from server.table.halts import paused_by
from server.table.holders import Holder

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.table.table import Table


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
        clocks_since=0 if table is None else _clocks_since(table),
        clocks_stand=table is not None and table.halt is not None,
    )


def _clocks_since(table: "Table") -> int:
    return table.ran_since if table.halt is None else table.halt.since


def differences(
    code: str, kept: LobbyRecord | None, record: LobbyRecord
) -> tuple[LobbyKept | LineSaid, ...]:
    """What makes of what is kept of a lobby this record: what was said since, or all of it anew."""
    if kept == record:
        return ()
    if kept is None or replace(record, chat=kept.chat) != kept:
        return (LobbyKept(code=code, lobby=record),)
    heard = kept.chat[-1].line if kept.chat else 0
    return tuple([LineSaid(code=code, said=said) for said in record.chat if said.line > heard])


def take_up(lobby: "Lobby", record: LobbyRecord, known: Mapping[bytes, Person]) -> None:
    """Make the lobby, except for its table, what was kept of it; whoever has no line now is away.

    `known` are its people by digest: of anybody else nothing is taken up.
    """
    password = record.password
    lobby.state = record.state
    lobby.password = (
        None if password is None else PasswordHash(salt=password[0], digest=password[1])
    )
    if lobby.removed.kept() != record.removed:
        lobby.removed = Removed(record.removed, now_us())
    lobby.dealer, lobby.dealt, lobby.talk = record.dealer, record.dealt, Talk(record.chat)
    lobby.asking_for = dict(record.asking)
    lobby.people.clear()
    since, lobby.away = lobby.away, {}
    for name, digest in record.people:
        person = known.get(digest)
        if person is None:  # not known any more: nobody could come back to this seat
            lobby.state = seating.without(lobby.state, name)
            lobby.dealer = seating.still_there(record.state, lobby.state, lobby.dealer)
            continue
        person.lobby, person.name = lobby, name
        lobby.people[name] = person
        lobby.state = seating.connected(lobby.state, name, is_connected=person.connected)
        if not person.connected:
            lobby.away[name] = since.get(name, now_us())
    lobby.was_kept(record)
    lobby.hand_over_if_needed()


def take_up_seats(
    holders: tuple[Holder, ...],
    records: tuple[HolderRecord, ...],
    deal: Deal,
    known: Mapping[bytes, Person],
) -> None:
    """Make the seats of a running deal what was kept of them; `known` are people by digest."""
    for holder, record in zip(holders, records, strict=True):
        owner = None if record.owner is None else known.get(record.owner)
        holder.owner, holder.name, holder.gave_up = owner, record.name, record.gave_up
        holder.chair = deal.table.seats[holder.seat].chair


def pace_is_kept(lobby: "Lobby") -> bool:
    """Whether what is kept of the running deal's votes and pauses is what they are now."""
    table, kept = lobby.table, lobby.kept
    if table is None or kept is None:
        return True
    same_numbers = table.votes == kept.votes and table.halts == kept.halts
    return same_numbers and paused_by(table) == kept.paused_by


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
