"""A server that is full lets in nobody new, and everybody who has a place there."""

import pytest
import trio

from protocol.answers import Goodbye, Refused, Welcome
from protocol.refusals import Refusal
from server.session import Session
from tests.support.callers import a_hello
from tests.support.doors import a_door


async def test_a_full_server_once_closed_without_a_word(nursery: trio.Nursery) -> None:
    async with a_door(nursery, connections=2) as door:
        ana = await door.enter("ana")
        await door.enter("bo")

        refused = await door.call()
        await refused.say(a_hello("cy"))
        (answer,) = await refused.events_to_the_end()

        assert isinstance(answer, Refused)
        assert answer.code is Refusal.SERVER_FULL
        await ana.stream.aclose()
        await door.wait_for_sessions(1)
        await door.enter("cy")


async def test_strangers_who_say_nothing_once_filled_the_server_for_those_who_came_back(
    nursery: trio.Nursery,
) -> None:
    async with a_door(nursery, connections=2, unauthenticated=2) as door:
        ana = await door.call()
        await ana.say(a_hello("ana"))
        secret = (await ana.wait_for(Welcome)).secret
        for _ in range(9):
            await door.call()

        back = await door.call()
        await back.say(a_hello("ana", secret=secret))

        assert (await back.wait_for(Welcome)).name == "ana"


async def test_a_server_that_has_no_connection_to_spare_says_so_at_once(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_door(nursery, connections=1, unauthenticated=1) as door:
        monkeypatch.setattr(Session, "drop", lambda _: None)  # nobody goes
        for _ in range(3):
            await door.call()

        (goodbye,) = await (await door.call()).events_to_the_end()

        assert isinstance(goodbye, Goodbye)
        assert goodbye.code is Refusal.SERVER_FULL
