"""The full-screen client against a real server over real TCP: keys through a pipe, pyte looks on."""

import asyncio
from functools import partial

from msgspec.structs import replace
from prompt_toolkit.input import create_pipe_input

from client.full_screen.screen_client import ScreenClient
from client.line import child
from client.settings import DEFAULTS
from client.start.opening import to_practise
from client.start.visit import Visit
from tests.support.keyboard import key_for
from tests.support.screen import Terminal

SHORT = "classic.w1.lw2.r0.plays-6"  # the deal is over after six plays
PATIENCE_S = 50.0


def differs(terminal: Terminal, before: str) -> bool:
    """Whether the screen has changed."""
    return terminal.text != before


async def play_to_the_end(terminal: Terminal, press: "asyncio.Queue[str]") -> None:
    """Press keys as the screen asks for them, until the result is shown."""
    ends_at = asyncio.get_running_loop().time() + PATIENCE_S
    while "1st" not in terminal.text:
        assert asyncio.get_running_loop().time() < ends_at, terminal.text
        before = terminal.text
        key = key_for(before)
        if key:
            await press.put(key)
        await terminal.settles(partial(differs, terminal, before))


async def a_short_evening() -> tuple[str, int]:
    """Practise one deal to its result, then leave with Ctrl-C twice."""
    terminal = Terminal()
    presses: asyncio.Queue[str] = asyncio.Queue()
    with child.practice_server() as server, create_pipe_input() as keyboard:
        visit = Visit(name="maya", address=server.address, plan=to_practise(SHORT))
        settings = replace(DEFAULTS, ascii=True, color="never")
        client = ScreenClient(visit, settings, terminal=(keyboard, terminal.output))

        async def type_keys() -> None:
            while True:
                keyboard.send_text(await presses.get())

        running = asyncio.create_task(client.run())
        typing = asyncio.create_task(type_keys())
        await terminal.shows("YOUR HAND")
        await play_to_the_end(terminal, presses)
        result = terminal.text
        await presses.put("\x03")
        await terminal.shows("again")
        await presses.put("\x03")
        code = await asyncio.wait_for(running, PATIENCE_S)
        typing.cancel()
    return result, code


def test_a_deal_is_played_to_its_result_on_the_full_screen() -> None:
    result, code = asyncio.run(a_short_evening())

    assert "maya" in result
    assert "THE CONFESSION" in result
    assert code == 130
