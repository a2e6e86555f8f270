"""Servers that say more than anybody can want to hear, or never listen."""

import asyncio
from itertools import pairwise

import pytest

from client import state as s
from client.line import network
from protocol import events as e
from protocol.answers import Ping, Welcome
from protocol.commands import Hello
from protocol.framing import PREFIX
from tests.support.fake_server import FakeServer
from tests.support.network_ears import connected, run


def test_a_stream_of_events_once_left_no_turn_for_a_key() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (_, ears):
            await ears.hear(Welcome)
            told = [len(ears.batches)]  # at each turn of somebody else

            server.say(*[e.RevealOver()] * 20_000)
            async with asyncio.timeout(5):
                while sum(ears.batches) < 20_000:
                    await asyncio.sleep(0)
                    told.append(len(ears.batches))

            assert max(after - before for before, after in pairwise(told)) == 1

    run(story)


def test_answers_to_a_server_that_never_reads_them_once_filled_the_memory() -> None:
    async def story(server: FakeServer) -> None:
        server.have_little_room()
        async with connected(server) as (_, ears):
            await ears.hear(Welcome)

            give_up = server.hear_nothing()
            while not any(isinstance(event, s.LinkLost) for event in ears.events):
                server.say(*[Ping(nonce=2**53)] * 1_000)
                await asyncio.sleep(0)
            lost = await ears.hear(s.LinkLost)
            give_up()

            assert isinstance(lost, s.LinkLost)
            assert lost.reason == "it does not hear us"

    run(story)


def test_a_server_that_let_in_only_to_hang_up_was_once_called_again_at_once_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(network, "FIRST_RETRY_S", 0.001)

    async def story(server: FakeServer) -> None:
        async with connected(server) as (_, ears):
            for number in range(1, 7):
                await ears.hear(Welcome, number)
                server.cut()
                await ears.hear(s.LinkLost, number)

            lost = [event for event in ears.events if isinstance(event, s.LinkLost)]
            assert [each.attempt for each in lost] == [1] * 6  # each is told of
            waits = [each.retry_s / network.FIRST_RETRY_S for each in lost]
            most = [1, 2, 2, 2, 2, 2]
            assert all(0.5 * m <= wait <= m for wait, m in zip(waits, most, strict=True))

    run(story)


def test_a_welcome_that_came_in_drops_was_awaited_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(network, "GREETING_S", 0.1)

    async def story(server: FakeServer) -> None:
        async with connected(server) as (_, ears), asyncio.timeout(5):
            await server.hears(Hello)
            server.send((60_000).to_bytes(PREFIX))
            while not any(isinstance(event, s.LinkRefused) for event in ears.events):
                server.send(b"\0")
                await asyncio.sleep(0.01)

            (refused,) = ears.events[-1:]
            assert isinstance(refused, s.LinkRefused)
            assert "no answer" in refused.text

    run(story, lambda _: ())
