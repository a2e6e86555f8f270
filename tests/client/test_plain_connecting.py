"""Line by line, while a server is called that does not answer: it is said, and one can leave."""

import asyncio
import io

import pytest

from client.line import network
from client.plain import loop
from client.plain.console import Console
from client.plain.loop import PlainClient
from client.start.visit import Visit
from tests.support.fake_server import FakeServer


def called_in_vain(typed: str, *, is_terminal: bool) -> tuple[int, list[str]]:
    """The exit code, and what was printed."""
    out = io.StringIO()

    async def told() -> int:
        async with FakeServer(lambda _: ()) as server:
            console = Console(io.BytesIO(typed.encode()), out, is_terminal=is_terminal)
            return await PlainClient(Visit(name="maya", address=server.address), console).run()

    code = asyncio.run(asyncio.wait_for(told(), 20))
    return code, [line.removeprefix("\r").removeprefix("> ") for line in out.getvalue().split("\n")]


def test_nothing_was_said_while_a_server_did_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "SLOW_S", 0.01)
    monkeypatch.setattr(network, "GREETING_S", 0.3)

    code, lines = called_in_vain("", is_terminal=False)

    assert code == 3
    labels = [line.partition(":")[0] for line in lines]
    assert labels.index("LINK") < labels.index("NOTE")


def test_quit_was_heard_only_once_a_server_that_did_not_answer_was_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(network, "GREETING_S", 0.3)

    code, lines = called_in_vain("quit\n", is_terminal=True)

    assert code == 0
    assert not any(line.startswith("NOTE: Could not reach") for line in lines)
