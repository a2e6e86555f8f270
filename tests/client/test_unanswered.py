"""Commands without an answer: how often they are sent again, and what is said of those given up."""

from collections.abc import Callable, Sequence

import pytest

from client.intents.shared import UNNUMBERED
from client.line import network as module
from client.line.unanswered import ELSEWHERE, GIVEN_UP, MOST_LINES, NEVER_ANSWERED
from client.state import LinkLost
from protocol import commands as c
from protocol.answers import Accepted, Refused, Welcome
from protocol.commands import ClientMessage, Hello
from protocol.events import Event
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from tests.support.fake_server import FakeServer, a_welcome, polite
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


def a_stranger(message: ClientMessage) -> Sequence[Event]:
    """What a server answers that has never met anybody."""
    if not isinstance(message, Hello):
        return polite(message)
    if message.resume:
        return (Refused(n=None, code=Refusal.BAD_SECRET),)
    return (a_welcome(message, server="another", secret=b"t" * 32),)


def dismissive(message: ClientMessage) -> Sequence[Event]:
    """What a server answers that is about to be updated."""
    return (Refused(n=None, code=Refusal.OLD_CLIENT),) if isinstance(message, Hello) else ()


@pytest.mark.parametrize(
    ("comes_back", "why"),
    [
        pytest.param(a_stranger, ELSEWHERE, id="another server"),
        pytest.param(dismissive, NEVER_ANSWERED, id="a server that wants nobody"),
    ],
)
def test_what_was_said_without_a_line_vanished_when_somebody_else_answered(
    monkeypatch: pytest.MonkeyPatch,
    comes_back: Callable[[ClientMessage], Sequence[Event]],
    why: str,
) -> None:
    monkeypatch.setattr(module, "FIRST_RETRY_S", 0.001)

    async def story(server: FakeServer) -> None:
        async with connected(server) as (network, ears):
            await ears.hear(Welcome)
            port = server.address.port
            await server.vanish()
            await ears.hear(LinkLost)
            network.send(c.Say(n=UNNUMBERED, text="hello"))
            server.answer = comes_back
            await server.listen(port)

            refused = await ears.hear(Refused, 2)  # the first is that of the hello

        assert isinstance(refused, Refused)
        assert (refused.n, refused.text) == (1, why)
        assert c.Say not in server.order()

    run(story)
