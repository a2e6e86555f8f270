"""Who was removed stays out after a restart, too, as somebody new from the same address (RULES D6)."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol.refusals import Refusal
from server.journal.records import PersonForgotten
from tests.support.attackers import person_of
from tests.support.guests import Guest, a_hall, code_of
from tests.support.lives import restarted
from tests.support.memory_store import MemoryStore

AT_HOME, HOME = "192.0.2.1", "198.51.100.7"


async def come(guest: Guest, address: str) -> Guest:
    await guest.connect(address=address)
    return guest


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        pytest.param("dee", Refusal.WAS_REMOVED, id="made after the removal"),
        pytest.param("cy", None, id="known before"),
    ],
)
async def test_whoever_was_made_anew_after_a_removal_was_let_in_once_the_server_had_restarted(
    name: str, refusal: Refusal | None, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store)
    host = await come(Guest(hall, nursery, "ana"), AT_HOME)
    bo = await come(Guest(hall, nursery, "bo"), HOME)
    await come(known := Guest(hall, nursery, "cy"), HOME)
    await host.ask(c.CreateLobby)
    assert host.lobby is not None
    code = host.lobby.code
    await bo.ask(c.JoinLobby, code=code)
    await host.ask(c.RemoveSeat, name="bo")
    await come(made_anew := Guest(hall, nursery, "dee"), HOME)
    guest = made_anew if name == "dee" else known
    await guest.vanish()

    guest.hall = restarted(store, nursery)
    await guest.connect(resume=True, address=HOME)
    answer = await guest.ask(c.JoinLobby, code=code)

    assert code_of(answer) is refusal


async def test_after_a_restart_numbers_of_people_went_to_others_where_the_newest_were_forgotten(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store)
    host = await come(Guest(hall, nursery, "ana"), AT_HOME)
    bo, cy = [await come(Guest(hall, nursery, name), HOME) for name in ("bo", "cy")]
    await host.ask(c.CreateLobby)
    assert host.lobby is not None
    code = host.lobby.code
    await bo.ask(c.JoinLobby, code=code)
    await host.ask(c.RemoveSeat, name="bo")
    await store.commit(
        *[PersonForgotten(digest=person_of(hall, guest).digest) for guest in (bo, cy)]
    )

    newcomer = await come(Guest(restarted(store, nursery), nursery, "dee"), HOME)
    answer = await newcomer.ask(c.JoinLobby, code=code)

    assert code_of(answer) is Refusal.WAS_REMOVED
