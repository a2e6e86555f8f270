"""What people may ask of a lobby: seats, rules, host's tools, chat (RULES D6 to D8)."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol import commands as c
from protocol import events as e
from protocol.codes import BadRulesCode, parse_rules, rules_code
from protocol.refusals import Refusal
from protocol.rules import TableRules
from protocol.text import MAX_SHOUT, clean
from server.arrivals import now_us
from server.bots.registry import TEMPERAMENTS
from server.errand import Errand, LineDown, LineUp
from server.lobby import hosts, seating, takeovers
from server.lobby.changes import settings_words
from server.lobby.deals import let_absent_watchers_go
from server.lobby.seating import NotAllowed
from server.person import Person
from server.table import seats, showing

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby


async def obey(lobby: "Lobby", errand: Errand) -> bool:
    """Carry out one lobby command, or refuse it; whether it was done, and is to be accepted."""
    handler = _HANDLERS.get(type(errand.command))
    if not lobby.includes(errand.person) and not isinstance(errand.command, _FROM_OUTSIDE):
        errand.refuse(Refusal.NOT_IN_A_LOBBY)  # gone since: of what came after, nothing counts
        return False
    if handler is None:
        if lobby.former is None or not lobby.former.refuse(errand):
            errand.refuse(Refusal.NO_DEAL)
        return False
    for_the_host = type(errand.command) in _FOR_THE_HOST
    if for_the_host and not lobby.may_act(errand.person):
        errand.refuse(Refusal.NOT_HOST, hosts.why_not(lobby))
        return False
    try:
        with hosts.acting(lobby, errand.person.name) if for_the_host else nullcontext():
            await handler(lobby, errand, errand.command)
    except NotAllowed as no:
        is_kept_out = not lobby.includes(errand.person)
        if is_kept_out:
            errand.person.lobby = None  # not before: after a fault of ours they are seen off
        errand.refuse(no.refusal, no.detail)
        if is_kept_out:
            lobby.hall.kept_out(errand.person)
        return False
    return True


# --- coming and going -------------------------------------------------------------------------


async def _create(lobby: "Lobby", errand: Errand, _command: c.CreateLobby) -> None:
    _sit(lobby, errand, e.News.CREATED)


async def _join(lobby: "Lobby", errand: Errand, command: c.JoinLobby) -> None:
    if lobby.removed.bars(errand.person):
        raise NotAllowed(Refusal.WAS_REMOVED)
    if command.watch:
        _watch(lobby, errand)
    else:
        _sit(lobby, errand, e.News.JOINED)


def _sit(lobby: "Lobby", errand: Errand, news: e.News) -> None:
    name = errand.person.name
    lobby.state = seating.with_person(lobby.state, name)
    lobby.welcome(errand.person)
    lobby.news(news, name)


def _watch(lobby: "Lobby", errand: Errand) -> None:
    name = errand.person.name
    lobby.state = seating.with_watcher(lobby.state, name, lobby.settings.watchers)
    lobby.welcome(errand.person)
    lobby.news(e.News.WATCHES, name)


async def _leave(lobby: "Lobby", errand: Errand, _command: c.LeaveLobby) -> None:
    person = errand.person
    await seats.leave(lobby.table, person)
    lobby.news(e.News.LEFT, person.name)
    lobby.dismiss(person)
    lobby.changed()


async def _line_down(lobby: "Lobby", errand: Errand, _command: LineDown) -> None:
    person = errand.person
    if not lobby.includes(person):
        _see_to_hall(lobby, person)
        return
    if person.connected:
        return
    lobby.away[person.name] = now_us()
    lobby.state = seating.connected(lobby.state, person.name, is_connected=False)
    lobby.news(e.News.LOST, person.name)
    if lobby.table is not None:
        await seats.lost(lobby.table, person)
    elif seating.seat_named(lobby.state, person.name) is None:
        lobby.dismiss(person)  # a watcher keeps no seat
    lobby.changed()


async def _line_up(lobby: "Lobby", errand: Errand, command: LineUp) -> None:
    person = errand.person
    if not lobby.includes(person):
        _see_to_hall(lobby, person)
        return
    lobby.state = seating.connected(lobby.state, person.name, is_connected=True)
    lobby.tell(person, e.LobbyChanged(lobby=lobby.state))
    lobby.changed()
    if not command.resumed:
        lobby.repeat_talk(person)
    if lobby.away.pop(person.name, None) is not None:
        lobby.news(e.News.BACK, person.name)
    if lobby.table is not None:
        if command.resumed:
            showing.show_clocks(lobby.table, person)
        else:
            showing.show(lobby.table, person)
        await seats.back(lobby.table, person)


def _see_to_hall(lobby: "Lobby", person: Person) -> None:
    """Somebody whose line changed while there was no place for them here is in the hall."""
    if person.lobby is None:
        lobby.hall.left(person, "")


# --- before the deal --------------------------------------------------------------------------


async def _ready(lobby: "Lobby", errand: Errand, command: c.SetReady) -> None:
    lobby.state = seating.ready(lobby.state, errand.person.name, is_ready=command.ready)
    lobby.changed()


async def _start(lobby: "Lobby", _errand: Errand, command: c.StartDeal) -> None:
    _refuse_while_a_deal_runs(lobby)
    lobby.players = seating.who_plays(lobby.state, anyway=command.anyway)
    let_absent_watchers_go(lobby)


async def _rules(lobby: "Lobby", errand: Errand, command: c.SetRules) -> None:
    rules = rules_of(command.rules)
    if rules == lobby.state.rules:
        return  # nothing to tell, and nothing to keep
    lobby.state = replace(lobby.state, rules=rules)
    lobby.changed()
    lobby.news(e.News.RULES, errand.person.name, rules_code(rules))


def rules_of(code: str) -> TableRules:
    """The rules that somebody wants.

    Raises:
        NotAllowed: it is no code of any.
    """
    try:
        return parse_rules(code)
    except BadRulesCode as fault:
        raise NotAllowed(Refusal.BAD_RULES, str(fault)) from fault


async def _settings(lobby: "Lobby", errand: Errand, command: c.SetSettings) -> None:
    wanted = command.settings
    if wanted.size < len(lobby.state.seats):
        raise NotAllowed(Refusal.TOO_FEW_SEATS)
    shout = clean(wanted.shout, MAX_SHOUT) or lobby.state.settings.shout
    settings = replace(wanted, shout=shout)
    if not (changes := settings_words(lobby.state.settings, settings)):
        return
    lobby.state = replace(lobby.state, settings=settings)
    lobby.changed()
    lobby.news(e.News.SETTINGS, errand.person.name, changes)


async def _add_computer(lobby: "Lobby", _errand: Errand, command: c.AddComputer) -> None:
    if command.temperament not in TEMPERAMENTS:
        raise NotAllowed(Refusal.NO_SUCH_TEMPERAMENT, f"There are: {', '.join(TEMPERAMENTS)}.")
    lobby.state, name = seating.with_computer(lobby.state, command.temperament)
    lobby.changed()
    lobby.news(e.News.COMPUTER, name)


async def _shuffle(lobby: "Lobby", errand: Errand, _command: c.ShuffleSeats) -> None:
    _refuse_while_a_deal_runs(lobby)
    lobby.state = seating.shuffled(lobby.state, lobby.rng)
    lobby.changed()
    lobby.news(e.News.SEATS, errand.person.name)


# --- the host's tools ---------------------------------------------------------------------------


async def _remove(lobby: "Lobby", errand: Errand, command: c.RemoveSeat) -> None:
    person = lobby.people.get(command.name)
    if person is errand.person:
        raise NotAllowed(Refusal.YOURSELF)
    if person is not None:
        await _remove_person(lobby, command.name)
        return
    if seating.seat_named(lobby.state, command.name) is None:
        raise NotAllowed(Refusal.NO_SUCH_PERSON)
    lobby.state = seating.without(lobby.state, command.name)
    lobby.changed()
    lobby.news(e.News.COMPUTER_LEFT, command.name)


async def _remove_person(lobby: "Lobby", name: str) -> None:
    person = lobby.people[name]
    await seats.leave(lobby.table, person)  # kept on its own: until they are gone they are here
    lobby.removed.add(person, lobby.hall.known_so_far)
    lobby.news(e.News.REMOVED, name)
    lobby.dismiss(person, "The host has removed you from the lobby.")
    lobby.changed()


async def _hand_over(lobby: "Lobby", _errand: Errand, command: c.HandOver) -> None:
    if command.name not in lobby.people:
        raise NotAllowed(Refusal.NO_SUCH_PERSON)
    if command.name != lobby.state.host:  # else there is nothing to tell
        hosts.make_host(lobby, command.name)
        lobby.changed()


# --- seats --------------------------------------------------------------------------------------


async def _sit_down(lobby: "Lobby", errand: Errand, command: c.SitDown) -> None:
    name = errand.person.name
    if command.seat is not None:
        await takeovers.ask(lobby, errand, command.seat, command.deal)
    elif seating.seat_named(lobby.state, name) is None:
        lobby.state = seating.with_person(lobby.state, name)
        hosts.sat_down(lobby, name)
        lobby.changed()
        lobby.news(e.News.SAT_DOWN, name)


async def _stand_up(lobby: "Lobby", errand: Errand, _command: c.StandUp) -> None:
    _refuse_while_a_deal_runs(lobby)
    name = errand.person.name
    if seating.seat_named(lobby.state, name) is not None:
        lobby.state = seating.with_watcher(lobby.state, name, lobby.settings.watchers)
        lobby.changed()
        lobby.news(e.News.WATCHES, name)


# --- talk ---------------------------------------------------------------------------------------


async def _say(lobby: "Lobby", errand: Errand, command: c.Say) -> None:
    text = clean(command.text)
    if not text:
        raise NotAllowed(Refusal.EMPTY_TEXT)
    lobby.say(errand.person.name, text)


def _refuse_while_a_deal_runs(lobby: "Lobby") -> None:
    if lobby.table is not None:
        raise NotAllowed(Refusal.DEAL_RUNS)


# Each handler is given the command of its key.
_HANDLERS: dict[type, Callable[..., Awaitable[None]]] = {
    c.CreateLobby: _create,
    c.JoinLobby: _join,
    c.LeaveLobby: _leave,
    LineDown: _line_down,
    LineUp: _line_up,
    c.SetReady: _ready,
    c.StartDeal: _start,
    c.SetRules: _rules,
    c.SetSettings: _settings,
    c.AddComputer: _add_computer,
    c.ShuffleSeats: _shuffle,
    c.RemoveSeat: _remove,
    c.HandOver: _hand_over,
    c.SitDown: _sit_down,
    c.AnswerSeat: takeovers.answer,
    c.StandUp: _stand_up,
    c.Say: _say,
}
_FROM_OUTSIDE = (c.CreateLobby, c.JoinLobby, LineDown, LineUp)
_FOR_THE_HOST = frozenset(
    {
        c.StartDeal,
        c.SetRules,
        c.SetSettings,
        c.AddComputer,
        c.ShuffleSeats,
        c.RemoveSeat,
        c.HandOver,
        c.AnswerSeat,
    }
)
