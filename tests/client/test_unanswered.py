"""Commands without an answer: how often they are sent again, and what is said of those given up."""

from collections.abc import Sequence

import pytest

from client.intents.shared import UNNUMBERED
from client.line import network as module
from client.line.unanswered import GIVEN_UP, MOST_LINES
from protocol import commands as c
from protocol.answers import Accepted, Refused, Welcome
from protocol.commands import ClientMessage, Hello
from protocol.events import Event
from protocol.numbers import CommandNumber
from tests.support.fake_server import FakeServer, polite
from tests.support.network_ears import connected, run

READY = c.SetReady(n=UNNUMBERED)


def test_a_command_at_which_a_server_hangs_up_was_sent_again_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "FIRST_RETRY_S", 0.001)
    monkeypatch.setattr(module, "LONGEST_RETRY_S", 10.0)  # so briefly each line lasts

    async def story(server: FakeServer) -> None:
        def hang_up(message: ClientMessage) -> Sequence[Event]:
            if isinstance(message, c.SetReady):
                server.cut()
                return ()
            return polite(message)

        server.answer = hang_up
        async with connected(server) as (network, ears):
            await ears.hear(Welcome)
            network.send(READY)

            refused = await ears.hear(Refused)
            await ears.hear(Welcome, MOST_LINES + 1)
            network.send(c.StandUp(n=UNNUMBERED))
            await ears.hear(Accepted)

        assert isinstance(refused, Refused)
        assert (refused.n, refused.text) == (1, GIVEN_UP)
        assert server.order().count(c.SetReady) == MOST_LINES

    run(story)


def test_a_command_is_not_given_up_for_lines_that_had_lasted_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LONGEST_RETRY_S", 0.0)  # no line is too brief

    async def story(server: FakeServer) -> None:
        async with connected(server) as (network, ears):
            await ears.hear(Welcome)
            network.send(READY)

            for times in range(1, MOST_LINES + 2):
                await server.hears(c.SetReady, times)
                server.cut()

            assert (await server.hears(c.SetReady, MOST_LINES + 2)).n == CommandNumber(1)
            assert not any(isinstance(event, Refused) for event in ears.events)

    run(story, lambda message: polite(message) if isinstance(message, Hello) else ())
