"""Who is host of a lobby, who stands in for them, and who is host next (RULES D6)."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from protocol import events as e
from protocol.numbers import MICROS
from server.arrivals import now_us
from server.lobby import seating
from server.person import Person

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby


def sat_down(lobby: "Lobby", name: str) -> None:
    """Somebody has got a seat after watching: the others have theirs for longer."""
    lobby.people[name] = lobby.people.pop(name)


def _by_seniority(lobby: "Lobby") -> Iterator[str]:
    """Everybody, the longest seated first, those who watch last."""
    seated = {seat.name for seat in lobby.state.seats}
    yield from (name for name in lobby.people if name in seated)
    yield from (name for name in lobby.people if name not in seated)


def _who_could_act(lobby: "Lobby") -> Iterator[str]:
    """Who has a line, the longest seated first; watchers only where no person has a seat."""
    people = lobby.people
    seats = {seat.name for seat in lobby.state.seats}
    seated = [name for name in people if name in seats]
    yield from (name for name in seated or people if people[name].connected)


def _stays_away(lobby: "Lobby") -> bool:
    """Whether the host has been away for as long as a computer player would wait (RULES D2)."""
    since = lobby.away.get(lobby.state.host)
    return since is not None and now_us() - since >= lobby.settings.stand_in_s * MICROS


def _stands_in(lobby: "Lobby", name: str) -> bool:
    """Whether this person is host as soon as there is something for a host to do.

    That is the longest seated who has a line, once the host has stayed away (RULES D6).
    """
    return _stays_away(lobby) and next(_who_could_act(lobby), None) == name


def may_act(lobby: "Lobby", person: Person) -> bool:
    """Whether this person may do what the host may, as host or in their place."""
    is_host = person.name == lobby.state.host
    return lobby.includes(person) if is_host else _stands_in(lobby, person.name)


def why_not(lobby: "Lobby") -> str:
    """What somebody is told who may not act for a host who is away: who may, or when."""
    host = lobby.state.host
    since, heir = lobby.away.get(host), next(_who_could_act(lobby), None)
    if since is None or heir is None:
        return ""
    left_us = since + lobby.settings.stand_in_s * MICROS - now_us()
    when = f"in {math.ceil(left_us / MICROS)} s" if left_us > 0 else "now"
    has = "watched" if seating.seat_named(lobby.state, heir) is None else "sat"
    return f"{host} is away: {heir} has {has} here longest, and may {when}."


def take_up(lobby: "Lobby", person: Person) -> bool:
    """As `may_act`, for what is done now, and not refused: who stands in for a host is host then."""
    acts = may_act(lobby, person)
    if acts and person.name != lobby.state.host:
        make_host(lobby, person.name)
    return acts


@contextmanager
def acting(lobby: "Lobby", name: str) -> Iterator[None]:
    """Somebody does what a host may: who stands in for one is host from now on, unless it is refused."""
    before = lobby.state.host
    lobby.state = seating.with_host(lobby.state, name)
    try:
        yield
    except seating.NotAllowed:
        lobby.state = seating.with_host(lobby.state, before)
        raise
    if lobby.state.host == name != before:
        lobby.news(e.News.NEW_HOST, name)


def make_host(lobby: "Lobby", name: str) -> None:
    """This person is host from now on."""
    lobby.state = seating.with_host(lobby.state, name)
    lobby.news(e.News.NEW_HOST, name)


def hand_over_if_gone(lobby: "Lobby") -> None:
    """If the host is gone, the longest-seated person is host."""
    if lobby.state.host in lobby.people or lobby.is_closed:
        return
    if (heir := next(_by_seniority(lobby), None)) is not None:
        make_host(lobby, heir)
