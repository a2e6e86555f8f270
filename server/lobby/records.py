"""A lobby as it is kept, taken up again from what is kept, and as the hall lists it."""

import math
from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from protocol import events as e
from protocol.numbers import PlayNumber
from server.arrivals import now_us
from server.game import actions as a
from server.game.deal import Deal
from server.journal.records import (
    ActionDone,
    Change,
    HolderRecord,
    LineSaid,
    LobbyKept,
    LobbyRecord,
)
from server.lobby import deals, hosts, seating
from server.lobby.removed import Removed
from server.lobby.talk import Talk
from server.passwords import PasswordHash
from server.person import Person
from server.table.halts import Wish, paused_by
from server.table.holders import Holder

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby
    from server.table.table import Table

_AROUND = frozenset({a.Seated, a.Stop})  # steps that come with a change of the lobby's record
_PACE = (  # what is kept of a running deal's votes, pauses and minutes
    "votes",
    "halts",
    "paused_by",
    "paused_by_vote",
    "stop_at",
    "stop_reason",
    "clocks_since",
    "clocks_stand",
    "missing",
    "parked_h",
)
_kept_pace = attrgetter(*_PACE)


def record_of(lobby: "Lobby") -> LobbyRecord:
    """What is kept of a lobby, its secrets included."""
    table, password = lobby.table, lobby.password
    return LobbyRecord(
        state=lobby.state,
        password=None if password is None else (password.salt, password.digest),
        maker=None if lobby.maker is None else lobby.maker.digest,
        removed=lobby.removed.kept(),
        barred_after=lobby.removed.barred_after(),
        dealer=None if lobby.dealer is None else lobby.dealer.name,
        dealer_left=lobby.dealer is not None and lobby.dealer.has_left,
        dealt=lobby.dealt,
        people=tuple((name, person.digest) for name, person in lobby.people.items()),
        holders=() if table is None else tuple(map(_holder_record, table.holders)),
        deal_runs=table is not None,
        chat=lobby.talk.lines,
        asking=tuple(lobby.asking_for.items()),
        **({} if table is None else dict(zip(_PACE, _pace_of(table), strict=True))),
    )


def _pace_of(table: "Table") -> tuple[Any, ...]:
    """What is to be kept under the names in `_PACE`."""
    halt, wish = table.halt, paused_by(table)
    return (
        table.votes,
        table.halts,
        None if wish is None else wish.by,
        wish is not None and wish.voted,
        None if table.stop_at == math.inf else int(table.stop_at),
        table.stop_reason,
        table.ran_since if halt is None else halt.since,
        halt is not None,
        () if halt is None else tuple(sorted(person.digest for person in halt.missing)),
        0 if halt is None or halt.reason is not e.PauseReason.PARKED else halt.parked_h,
    )


def pause_kept(record: LobbyRecord) -> Wish | None:
    """Who had paused the running deal, or was about to; None if nobody had."""
    by = record.paused_by
    return None if by is None else Wish(by=by, voted=record.paused_by_vote)


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
        so_far = lobby.hall.known_so_far
        lobby.removed = Removed(record.removed, record.barred_after, known_so_far=so_far)
    lobby.dealer, lobby.dealt, lobby.talk = _dealer(record), record.dealt, Talk(record.chat)
    lobby.asking_for = dict(record.asking)
    lobby.people.clear()
    since, lobby.away = lobby.away, {}
    for name, digest in record.people:
        person = known.get(digest)
        if person is None:  # not known any more: nobody could come back to this seat
            lobby.state = seating.without(lobby.state, name)
            deals.follow_dealer(lobby, record.state)
            continue
        person.lobby, person.name = lobby, name
        lobby.people[name] = person
        lobby.state = seating.connected(lobby.state, name, is_connected=person.connected)
        if not person.connected:
            lobby.away[name] = since.get(name, now_us())
    lobby.was_kept(record)
    hosts.hand_over_if_gone(lobby)


def _dealer(record: LobbyRecord) -> deals.Dealer | None:
    return None if record.dealer is None else deals.Dealer(record.dealer, record.dealer_left)


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


def looks_as_kept(lobby: "Lobby") -> bool:
    """Whether what all may see of the lobby, and the pace of its running deal, is what is kept of it."""
    kept = lobby.kept
    if kept is None or lobby.state is not kept.state:
        return False
    table = lobby.table
    return table is None or _pace_of(table) == _kept_pace(kept)


def record_beside(lobby: "Lobby", changes: tuple[Change, ...]) -> LobbyRecord:
    """What is to be kept of a lobby beside these changes.

    Most are steps of a deal that leave all around it as it is: then it is what is kept already.
    """
    kept = lobby.kept
    if kept is not None and _change_cards_alone(changes) and looks_as_kept(lobby):
        return kept
    return record_of(lobby)


def _change_cards_alone(changes: tuple[Change, ...]) -> bool:
    for change in changes:
        if type(change) is not ActionDone or type(change.action) in _AROUND:
            return False
    return bool(changes)


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
