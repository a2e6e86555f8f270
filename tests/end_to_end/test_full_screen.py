"""The full-screen client against a real server over real TCP: keys through a pipe, pyte looks on."""

import asyncio

from msgspec.structs import replace
from prompt_toolkit.input import PipeInput, create_pipe_input

from client.full_screen.screen_client import ScreenClient
from client.line import child
from client.settings import DEFAULTS
from client.start.opening import to_practise
from client.start.visit import Visit
from tests.support.keyboard import key_for
from tests.support.screen import Terminal

SHORT = "classic.w1.lw2.r0.plays-6"  # the deal is over after six plays
PATIENCE_S = 50.0


async def play_to_the_end(terminal: Terminal, keyboard: PipeInput) -> None:
    """Press keys as the screen asks for them, until the result is shown."""
    ends_at = asyncio.get_running_loop().time() + PATIENCE_S
    while "1st" not in terminal.text:
        assert asyncio.get_running_loop().time() < ends_at, terminal.text
        before = terminal.text
        keyboard.send_text(key_for(before))
        await terminal.changes_from(before)


async def a_short_evening() -> tuple[str, int]:
    """Practise one deal to its result, then leave with Ctrl-C twice."""
    terminal = Terminal()
    with child.practice_server() as server, create_pipe_input() as keyboard:
        visit = Visit(name="maya", address=server.address, plan=to_practise(SHORT))
        settings = replace(DEFAULTS, ascii=True, color="never")
        client = ScreenClient(visit, settings, terminal=(keyboard, terminal.output))

        running = asyncio.create_task(client.run())
        await terminal.shows("YOUR HAND")
        await play_to_the_end(terminal, keyboard)
        result = terminal.text
        keyboard.send_text("\x03")
        await terminal.shows("again")
        keyboard.send_text("\x03")
        code = await asyncio.wait_for(running, PATIENCE_S)
    return result, code


def test_a_deal_is_played_to_its_result_on_the_full_screen() -> None:
    result, code = asyncio.run(a_short_evening())

    assert "maya" in result
    assert "THE CONFESSION" in result
    assert code == 130
