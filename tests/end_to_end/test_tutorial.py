"""The tutorial from its welcome to its end, at a real table: by keys on the screen, and line by line."""

import asyncio
import re
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace
from prompt_toolkit.input import PipeInput, create_pipe_input

from client.full_screen.screen_client import ScreenClient
from client.line import child
from client.settings import DEFAULTS
from client.start.opening import to_learn
from client.start.visit import Visit
from tests.support.processes import Terminal as Lines
from tests.support.processes import a_process
from tests.support.screen import Terminal

SHORT = "classic.w20.lw30.t-off.r10.plays-6"  # as the lessons have it, but over after six plays
PATIENCE_S = 50.0
AGAIN_S = 0.5


def key_for(shown: str) -> str:
    """What a learner presses who reads each lesson, lays one card, and believes everybody."""
    if "Enter go on" in shown.splitlines()[-1]:
        return "\r"
    if "picked" in shown:
        return "\r"
    if "your turn" in shown:
        return "\x1b[C "  # Right, to a card; Space picks it
    return "y" if "y believe" in shown.splitlines()[-1] else ""


async def learn(terminal: Terminal, keyboard: PipeInput) -> list[str]:
    """Press keys as the screen asks for them, until the last lesson; the titles of all of them."""
    ends_at = asyncio.get_running_loop().time() + PATIENCE_S
    titles: list[str] = []
    while "THE END OF THE DEAL" not in titles:
        assert asyncio.get_running_loop().time() < ends_at, terminal.text
        before = terminal.text
        found = re.search(r"\+- ([A-Z ]+) -+\+", before)
        if found and found[1] not in titles:
            titles.append(found[1])
        await press_once(terminal, keyboard, key_for(before))
    return titles


async def press_once(terminal: Terminal, keyboard: PipeInput, key: str) -> None:
    """Press a key and see what comes of it; one pressed as a lesson comes up does nothing."""
    before = terminal.text
    keyboard.send_text(key)
    with suppress(AssertionError):
        await terminal.changes_from(before, AGAIN_S)


async def a_lesson_on_the_screen() -> tuple[list[str], str, int]:
    """The tutorial, and what is seen after it."""
    terminal = Terminal(60, 20)
    with child.practice_server() as server, create_pipe_input() as keyboard:
        visit = Visit(name="maya", address=server.address, plan=to_learn(SHORT), learn=True)
        settings = replace(DEFAULTS, ascii=True, color="never")
        client = ScreenClient(visit, settings, terminal=(keyboard, terminal.output))

        running = asyncio.create_task(client.run())
        await terminal.shows("WELCOME")
        titles = await learn(terminal, keyboard)
        while "Enter goes on" in terminal.text:
            await press_once(terminal, keyboard, "\r")
        await terminal.settles(lambda: client.state.lobby is not None and not client.state.pending)
        rules = client.state.lobby.rules if client.state.lobby else None
        assert rules is not None
        result = f"{terminal.text}\nturn time {rules.turn_s}"
        keyboard.send_text("\x03")
        await terminal.shows("again")
        keyboard.send_text("\x03")
        code = await asyncio.wait_for(running, PATIENCE_S)
    return titles, result, code


def test_the_tutorial_is_played_to_its_end_by_keys() -> None:
    titles, result, code = asyncio.run(a_lesson_on_the_screen())

    assert titles[:2] == ["WELCOME", "YOUR HAND"]
    assert {"DOUBT OR BELIEVE", "YOUR TURN", "THE END OF THE DEAL"} <= set(titles)
    assert "1st" in result
    assert "turn time 45" in result  # the next deal has the usual rules
    assert code == 130


async def lessons_from_the_first_page() -> str:
    """Choose the lessons where a server would be chosen; what is seen then."""
    terminal = Terminal()
    with create_pipe_input() as keyboard:
        settings = replace(DEFAULTS, ascii=True, color="never")
        client = ScreenClient(Visit(name="maya"), settings, terminal=(keyboard, terminal.output))
        running = asyncio.create_task(client.run())
        await terminal.shows("learn the game here")
        keyboard.send_text("\x1b[B\r")
        await terminal.shows("WELCOME")
        welcome = terminal.text
        keyboard.send_text("\x03")
        await terminal.shows("again")
        keyboard.send_text("\x03")
        await asyncio.wait_for(running, PATIENCE_S)
        client.close()
    return welcome


def test_the_lessons_can_be_chosen_on_the_first_page() -> None:
    assert "rid of all cards wins" in asyncio.run(lessons_from_the_first_page())


def reads_skips_and_asks_again(terminal: Lines, line: str) -> str | None:
    """A learner who reads two lessons, skips the others, wants them again, and leaves."""
    told = [line for line in terminal.lines if line.startswith("LESSON: ")]
    if line.startswith("LESSON: no more of them"):
        return "lessons"
    if not line.startswith("LESSON: Enter goes on"):
        return None
    if any(line.startswith("LESSON: no more of them") for line in told):
        return "quit"
    return "skip" if told[-2].startswith("LESSON: your hand") else ""


async def test_the_tutorial_is_read_skipped_and_had_again_line_by_line(tmp_path: Path) -> None:
    arguments = ("client", "play", "--tutorial", "--name", "maya", "--plain")
    async with a_process(tmp_path, *arguments) as terminal:
        terminal.on_line = reads_skips_and_asks_again
        for title in ("welcome", "your hand", "no more of them", "your hand"):
            await terminal.wait_for(f"^LESSON: {title}")
        await terminal.ended.wait()
        await terminal.process.wait()

    assert terminal.process.returncode == 0
