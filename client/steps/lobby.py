"""How the news of lobby and hall change the state. Pure steps of `store`."""

from msgspec.structs import replace

from client import news, selectors
from client import state as s
from client.state import ClientState, LineKind
from client.steps.shared import Steps, with_line, without_table
from client.words import LOBBY_GONE, NO_OPEN_LOBBY
from protocol import events as e
from protocol.events import LobbyStage, LobbyState
from protocol.lobby import follow
from protocol.text import clean

MOST_LISTED = 500  # lobbies in the hall; the newest are kept
TURNED = {e.News.RULES, e.News.SETTINGS}  # a host turns through them, and only the last one counts


def _said(state: ClientState, event: e.Said) -> ClientState:
    after = with_line(state, LineKind.CHAT, clean(event.text), clean(event.name))
    here = state.lobby.code if state.lobby is not None and event.line else state.heard_in
    return replace(after, heard_in=here, heard_line=event.line or state.heard_line)


def _talk_so_far(state: ClientState, event: e.TalkSoFar) -> ClientState:
    """What was said before I came; after a restart of the server some of it was heard before."""
    here = selectors.lobby_code(state)
    heard = state.heard_line if here and here == state.heard_in else 0
    for said in event.lines:
        if said.line > heard:
            state = _said(state, said)
    return state


def _lobby_news(state: ClientState, event: e.LobbyNews) -> ClientState:
    before = state.log[:-1] if _is_turned_on(state, event) else state.log
    of_watcher = state.lobby is not None and event.name in state.lobby.watching
    told = news.lobby_news(event, of_watcher=of_watcher)
    return with_line(replace(state, log=before), LineKind.NEWS, told)


def _is_turned_on(state: ClientState, event: e.LobbyNews) -> bool:
    """Whether the newest line tells of the same option, turned by the same host a step before."""
    if event.news not in TURNED or not state.log:
        return False
    newest = state.log[-1]
    lead = news.lobby_news(replace(event, detail=""))
    return newest.kind is LineKind.NEWS and newest.text.startswith(lead)


def _lobby_changed(state: ClientState, event: e.LobbyChanged) -> ClientState:
    same = state.lobby is not None and state.lobby.code == event.lobby.code
    came_first = state.lobby is None and state.table is not None  # a snapshot before its lobby
    kept = state if same or came_first else replace(without_table(state), evening=())
    return _in_lobby(kept, event.lobby)


def _lobby_followed(state: ClientState, event: e.SeatChanged | e.StageChanged) -> ClientState:
    return _in_lobby(state, follow(state.lobby, event))


def _in_lobby(state: ClientState, now: LobbyState | None) -> ClientState:
    """With others there "It takes two" may be true no more, nor that the host alone may do it.

    A deal that is not over by then, and is played no more, has no result: the server has given it up.
    """
    if now is not None and now.stage is not LobbyStage.PLAYING and selectors.dealing(state):
        state = without_table(state)
    return replace(state, lobby=now, hint=state.hint if _who(state.lobby) == _who(now) else "")


def _who(lobby: LobbyState | None) -> tuple[object, ...]:
    """Who is host here, who sits, and who of them is there, and ready."""
    seats = () if lobby is None else lobby.seats
    return (lobby and lobby.host, *((seat.name, seat.connected, seat.ready) for seat in seats))


def _stalled(state: ClientState, event: e.Stalled) -> ClientState:
    if state.stalled is not event.over:
        return state  # it is known
    told = news.KEPT_AGAIN if event.over else news.STALLED
    return with_line(replace(state, stalled=not event.over), LineKind.TABLE, told)


def _lobby_left(state: ClientState, event: e.LobbyLeft) -> ClientState:
    out = replace(without_table(state), lobby=None, evening=(), heard_in="")
    reason = clean(event.reason, news.SENTENCE)
    return with_line(out, LineKind.NEWS, reason) if reason else out


def _hall_changed(state: ClientState, event: e.HallChanged) -> ClientState:
    return replace(state, hall=s.Hall(online=event.online, lobbies=event.lobbies))


def _listed(state: ClientState, event: e.Listed) -> ClientState:
    codes = [listing.code for listing in state.hall.lobbies]
    if event.lobby.code not in codes:
        lobbies = (*state.hall.lobbies, event.lobby)[-MOST_LISTED:]
    else:
        lobbies = tuple(
            event.lobby if listing.code == event.lobby.code else listing
            for listing in state.hall.lobbies
        )
    return _with_lobbies(state, lobbies)


def _unlisted(state: ClientState, event: e.Unlisted) -> ClientState:
    lobbies = tuple(one for one in state.hall.lobbies if one.code != event.code)
    return _with_lobbies(state, lobbies)


def _with_lobbies(state: ClientState, lobbies: tuple[e.Listing, ...]) -> ClientState:
    """With the first lobby "No open lobby" is true no more; with the last one gone there is no other to choose."""
    untrue = NO_OPEN_LOBBY if lobbies else LOBBY_GONE
    hint = "" if state.hint == untrue else state.hint
    return replace(state, hall=replace(state.hall, lobbies=lobbies), hint=hint)


def _online(state: ClientState, event: e.Online) -> ClientState:
    return replace(state, hall=replace(state.hall, online=event.count))


STEPS: Steps = {
    e.Said: _said,
    e.TalkSoFar: _talk_so_far,
    e.LobbyNews: _lobby_news,
    e.LobbyChanged: _lobby_changed,
    e.SeatChanged: _lobby_followed,
    e.StageChanged: _lobby_followed,
    e.Stalled: _stalled,
    e.LobbyLeft: _lobby_left,
    e.HallChanged: _hall_changed,
    e.Listed: _listed,
    e.Unlisted: _unlisted,
    e.Online: _online,
}
