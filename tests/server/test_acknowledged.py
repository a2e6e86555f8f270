"""What is accepted is kept, all but what would mean nothing after a restart, as protocol/README lists it."""

import hashlib
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from server.hall import Hall
from tests.support.guests import Guest, a_hall, a_table, host_of
from tests.support.lives import restarted
from tests.support.memory_store import MemoryStore
from tests.support.mishaps import break_rulings, hears_of_it

PAGE = (Path(__file__).resolve().parents[2] / "protocol" / "README.md").read_text(encoding="utf-8")
Asked = tuple[Guest, int]
"""Who has asked, and the number of the command."""


def is_kept(store: MemoryStore, guest: Guest, number: int) -> bool:
    """Whether a server that starts now would know the answer to this command."""
    assert guest.secret is not None
    digest = hashlib.sha256(guest.secret).digest()
    answers = (each for person in store.read().people for each in person.answers)
    return any((each.digest, each.n) == (digest, number) for each in answers)


async def go_on(_: Hall, guests: tuple[Guest, ...]) -> Asked:
    first, second, third = guests
    await first.lay()
    await second.wait_for(e.Played)
    await second.doubt()
    await third.wait_for(e.Ruled)
    return third, await third.send(c.GoOn, play=1)


async def start_clock(_: Hall, guests: tuple[Guest, ...]) -> Asked:
    asks = next(guest for guest in guests[1:] if guest is not host_of(guests))
    return asks, await asks.send(c.StartClock)


async def cast_vote(_: Hall, guests: tuple[Guest, ...]) -> Asked:
    await guests[0].ask(c.CallVote, on=e.VoteOn.END_DEAL)
    await guests[2].wait_for(e.VoteState)
    return guests[2], await guests[2].send(c.CastVote, yes=False)


async def resume_table(hall: Hall, guests: tuple[Guest, ...]) -> Asked:
    first, second, third = guests
    await first.lay()
    await second.wait_for(e.Played)
    break_rulings(hall)
    await second.doubt()
    await hears_of_it(third)
    return third, await third.send(c.ResumeTable)


async def take_back(_: Hall, guests: tuple[Guest, ...]) -> Asked:
    first, second, _third = guests
    await first.lay()
    await second.wait_for(e.Played)
    await second.lay()
    await second.wait_for(e.Held)
    return second, await second.send(c.TakeBack)


async def say(_: Hall, guests: tuple[Guest, ...]) -> Asked:
    await guests[2].ask(c.LeaveLobby)
    return guests[2], await guests[2].send(c.Say, text="hello")


NOT_KEPT: tuple[Callable[[Hall, tuple[Guest, ...]], Awaitable[Asked]], ...] = (
    go_on,
    start_clock,
    cast_vote,
    resume_table,
    take_back,
    say,
)


@pytest.mark.parametrize("ask", NOT_KEPT, ids=lambda ask: ask.__name__)
async def test_what_is_accepted_and_not_kept(
    ask: Callable[[Hall, tuple[Guest, ...]], Awaitable[Asked]],
    nursery: trio.Nursery,
    autojump_clock: MockClock,
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.t-off")

    guest, number = await ask(hall, guests)

    assert isinstance(await guest.answer_to(number), Accepted)
    assert not is_kept(store, guest, number)


async def test_a_vote_that_is_called_is_not_open_after_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store)
    guests = await a_table(hall, nursery, "ana", "bo", "cy")
    number = await guests[0].send(c.CallVote, on=e.VoteOn.PAUSE)

    assert isinstance(await guests[0].answer_to(number), Accepted)
    assert is_kept(store, guests[0], number)
    (lobby,) = restarted(store, nursery).lobbies.values()
    assert lobby.table is not None
    assert lobby.table.vote is None


def test_protocol_readme_once_said_that_all_that_is_accepted_is_kept() -> None:
    section = PAGE.partition("**Accepted** means")[2].partition("Nor is")[0]

    named = re.findall(r"`(\w+)`", section)

    assert sorted(named) == sorted([*(ask.__name__ for ask in NOT_KEPT), "call_vote"])
