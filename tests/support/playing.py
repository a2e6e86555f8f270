"""A full-screen client at a terminal that is not there, connected to a fake server, in one event loop."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace
from prompt_toolkit.input import PipeInput, create_pipe_input

from client.full_screen.screen_client import ScreenClient
from client.settings import DEFAULTS, Settings
from client.start.visit import Visit
from protocol.commands import ClientMessage
from protocol.events import Event
from tests.support.fake_server import FakeServer, polite
from tests.support.screen import Terminal

Result = TypeVar("Result")
SOLID = replace(DEFAULTS, ascii=True, color="never", kiosk=True)
HOME = replace(SOLID, kiosk=False)


@dataclass(slots=True, kw_only=True)
class Play:
    """A client at a terminal, and the server it is connected to."""

    client: ScreenClient
    terminal: Terminal
    keyboard: PipeInput
    server: FakeServer
    ended: asyncio.Task[int]

    def type(self, keys: str) -> None:
        """Press keys, one after the other."""
        self.keyboard.send_text(keys)

    async def shows(self, text: str) -> None:
        """Wait until a text can be seen; a client that crashed says so at once."""
        waiting = asyncio.ensure_future(self.terminal.shows(text))
        await asyncio.wait({waiting, self.ended}, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            self.ended.result()
        await waiting


def run(scenario: Callable[[], Awaitable[Result]]) -> Result:
    """Run a scenario in an asyncio loop: the client is no trio program."""

    async def whole() -> Result:
        return await scenario()

    return asyncio.run(whole())


@asynccontextmanager
async def playing(
    answer: Callable[[ClientMessage], Sequence[Event]] = polite,
    settings: Settings = SOLID,
    folder: Path | None = None,
) -> AsyncIterator[Play]:
    """A client that is connected to a fake server, at a terminal of 80x24."""
    terminal = Terminal()
    with create_pipe_input() as keyboard:
        async with FakeServer(answer) as server:
            visit = Visit(name="maya", address=server.address, folder=folder)
            client = ScreenClient(visit, settings, terminal=(keyboard, terminal.output))
            ended = asyncio.ensure_future(client.run())
            yield Play(
                client=client, terminal=terminal, keyboard=keyboard, server=server, ended=ended
            )
            if not ended.done():
                keyboard.send_text("\x03\x03")
            async with asyncio.timeout(10):
                await asyncio.wait({ended})
