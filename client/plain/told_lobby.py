"""What the events of lobby, hall and link say, as labelled lines. Pure."""

from collections.abc import Callable, Iterator

from client import selectors
from client.plain.after_lines import match_lines
from client.plain.lobby_reports import (
    hall_lines,
    link_line,
    listing_line,
    lobby_lines,
    next_lines,
    seat_marks,
    thin_lines,
)
from client.plain.reports import NEXT
from client.state import ClientState, LinkLost, LinkState, Sent
from client.store import AnyEvent
from client.suggestions import suggestion_text
from protocol import answers as a
from protocol import commands as c
from protocol import events as e
from protocol.events import LobbyStage, SeatKind
from protocol.refusals import Refusal
from protocol.text import MAX_SHOUT, clean

SENT_LATER = "LINK: what you asked for is sent when the connection is back."


def what_happened(before: ClientState, event: AnyEvent, after: ClientState) -> Iterator[str]:
    """The lines such an event makes, before the news that it brings."""
    tell = _TELLERS.get(type(event))
    if tell:
        yield from tell(before, event, after)


def what_now(before: ClientState, event: AnyEvent, after: ClientState) -> Iterator[str]:
    """What comes of news that have been told: how to answer, what to wait for."""
    tell = _THEN.get(type(event))
    if tell:
        yield from tell(before, event, after)


def _welcome(before: ClientState, _: a.Welcome, after: ClientState) -> Iterator[str]:
    again = "back" if before.link.state is LinkState.LOST else "welcome"
    yield f"HELLO: {again}, {after.name}."
    yield link_line(after)


def _link_lost(_: ClientState, event: LinkLost, after: ClientState) -> Iterator[str]:
    if event.attempt == 1:
        kept = "; your seat is kept" if selectors.my_lobby_seat(after) else ""
        yield f"LINK: trying to come back{kept}. (quit leaves)"
        if after.pending:
            yield SENT_LATER


def _sent(_: ClientState, __: Sent, after: ClientState) -> Iterator[str]:
    if after.link.state is LinkState.LOST:
        yield SENT_LATER


def _hall_changed(_: ClientState, __: e.HallChanged, after: ClientState) -> Iterator[str]:
    if after.lobby is None:
        yield from hall_lines(after)
        yield from next_lines(after)


def _listed(before: ClientState, event: e.Listed, after: ClientState) -> Iterator[str]:
    known = {listing.code for listing in before.hall.lobbies}
    if after.lobby is None and event.lobby.code not in known:
        yield listing_line(event.lobby)


def _lobby_changed(before: ClientState, _: e.Event, after: ClientState) -> Iterator[str]:
    lobby = after.lobby
    if lobby is None:
        return
    if before.lobby is None or before.lobby.code != lobby.code:
        yield from lobby_lines(after)
        yield from next_lines(after)
        return
    if before.lobby.stage is LobbyStage.PLAYING and lobby.stage is not LobbyStage.PLAYING:
        yield from match_lines(after)
        yield from next_lines(after)
    else:
        if lobby.stage is not LobbyStage.PLAYING:
            yield from _seats(before.lobby, lobby)
        if len(before.lobby.seats) != len(lobby.seats):
            yield from thin_lines(lobby)
        yield from _my_new_seat(before, after)
        if selectors.between_deals(after):
            yield from _my_part_as_host(before, after)
    yield from _suggestion(before.lobby, lobby, after)
    if before.lobby.settings != lobby.settings:
        yield from _settings(lobby.settings)


def _seats(before: e.LobbyState, after: e.LobbyState) -> Iterator[str]:
    """Who has become ready, or is no longer."""
    earlier = {seat.name: seat for seat in before.seats}
    for seat in after.seats:
        was = earlier.get(seat.name)
        if was and was.ready != seat.ready and seat.kind is SeatKind.PERSON:
            yield f"SEAT: {clean(seat.name)}, {seat_marks(seat)}."


def _my_new_seat(before: ClientState, after: ClientState) -> Iterator[str]:
    """Whoever sits down or stands up hears what comes next, but for the seat that they asked for."""
    was, now = (
        selectors.my_lobby_seat(before) is not None,
        selectors.my_lobby_seat(after) is not None,
    )
    had_asked = before.lobby is not None and before.name in before.lobby.asking
    if was != now and not (now and had_asked):
        yield from next_lines(after)


def _my_part_as_host(before: ClientState, after: ClientState) -> Iterator[str]:
    """Whoever is host from now on, or may have to act for one who is away, hears so (RULES D6)."""
    sat = selectors.my_lobby_seat(before) is not None  # else it is told with the new seat
    if sat and selectors.acts_as_host(after) and not selectors.acts_as_host(before):
        yield from next_lines(after)


def _suggestion(before: e.LobbyState, lobby: e.LobbyState, after: ClientState) -> Iterator[str]:
    """To the host, once it is another: what would go better with so many players."""
    text = suggestion_text(lobby)
    if text and text != suggestion_text(before) and selectors.is_host(after):
        yield f"SUGGEST: {text}. suggest take takes it."


def _settings(settings: e.LobbySettings) -> Iterator[str]:
    shown = "public" if settings.public else "private"
    watchers = "watchers allowed" if settings.watchers else "no watchers"
    shout = clean(settings.shout, MAX_SHOUT)
    yield f"LOBBY: {shown}, up to {settings.size} seats, {watchers}, a doubter calls {shout}"


def _lobby_left(_: ClientState, __: e.LobbyLeft, ___: ClientState) -> Iterator[str]:
    yield "HALL: you are back in the hall."


def _vote_state(before: ClientState, event: e.VoteState, after: ClientState) -> Iterator[str]:
    """An open vote is told as news; here only that one may answer it."""
    known = before.vote is not None and before.vote.state.vote == event.vote
    opens = event.passed is None and not known
    if opens and event.by != after.name and selectors.my_seat(after) is not None:
        yield "VOTE: answer yes or no."


def _refused(before: ClientState, event: a.Refused, after: ClientState) -> Iterator[str]:
    """Whoever does not get into a lobby hears how to, or where else to go."""
    asked = selectors.asked(before, event.n)
    if not isinstance(asked, c.JoinLobby | c.CreateLobby) or after.lobby is not None:
        return
    if isinstance(asked, c.JoinLobby) and event.code is Refusal.WRONG_PASSWORD:
        yield f"{NEXT} {'watch' if asked.watch else 'join'} {clean(asked.code)} PASSWORD enters it."
    elif isinstance(asked, c.JoinLobby) and event.code is Refusal.LOBBY_FULL:
        secret = " PASSWORD" if asked.password else ""
        yield f"{NEXT} watch {clean(asked.code)}{secret} watches it."
    else:
        yield from next_lines(after)


def _parked(_: ClientState, __: e.Paused, after: ClientState) -> Iterator[str]:
    """Who waits for the next deal is not kept waiting by one that nobody plays."""
    leaves = selectors.pending(after, c.LeaveLobby)
    if selectors.may_end_what_nobody_plays(after) and not leaves:
        yield f"{NEXT} vote end ends the deal."


_TELLERS: dict[type[object], Callable[..., Iterator[str]]] = {
    a.Welcome: _welcome,
    e.HallChanged: _hall_changed,
    e.Listed: _listed,
    e.LobbyChanged: _lobby_changed,
    e.SeatChanged: _lobby_changed,
    e.StageChanged: _lobby_changed,
}
_THEN: dict[type[object], Callable[..., Iterator[str]]] = {
    e.LobbyLeft: _lobby_left,
    LinkLost: _link_lost,
    Sent: _sent,
    e.VoteState: _vote_state,
    e.Paused: _parked,
    a.Refused: _refused,
}
