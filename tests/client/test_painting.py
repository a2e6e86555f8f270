"""What is written to the terminal, and how often: little, seldom, and nothing for nothing."""

import asyncio
import time

import pytest

from client.full_screen import stage as module
from client.screens.frame import Frame
from client.screens.page import draw
from client.screens.parts.cells import Page
from client.settings import Settings
from protocol import events as e
from protocol.numbers import PlayNumber, Seat
from tests.support.fake_tables import at_a_table
from tests.support.playing import playing, run


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are pressed as soon as there is something to press them for."""
    monkeypatch.setattr("client.keys.press.STRAY_S", 0.0)


def test_nothing_is_drawn_while_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TICK_S", 0.01)

    async def scenario() -> list[bool]:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            play.server.say(e.VoteOffered(plays=PlayNumber(150)))
            await play.shows("anybody may call a vote")
            asked_to_draw = []
            for _ in range(3):  # a tick that draws nothing is still a tick
                play.client._refresh()
                asked_to_draw.append(play.client.app.invalidated)
            return asked_to_draw

    assert run(scenario) == [False] * 3


def test_a_clock_tick_costs_less_than_a_hundred_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TICK_S", 0.01)

    async def scenario() -> int:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            play.server.say(e.TurnClock(seat=Seat(3), left_us=31_900_000))
            await play.shows("0:31 left")
            before = play.terminal.bytes_written
            await play.shows("0:30 left")
            return play.terminal.bytes_written - before

    assert run(scenario) < 100


def test_a_storm_of_events_is_drawn_thirty_times_a_second_at_most() -> None:
    async def scenario() -> tuple[int, float]:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            began = time.monotonic()
            before = play.client.app.render_counter
            for number in range(200):
                play.server.say(e.Said(name="bo", text=f"word {number}"))
                await asyncio.sleep(0.002)
            await play.shows("word 199")
            return play.client.app.render_counter - before, time.monotonic() - began

    drawn, seconds = run(scenario)

    assert 2 < drawn <= 30 * seconds + 2


def test_a_page_is_drawn_once_for_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    frames: list[Frame] = []

    def counted(frame: Frame) -> Page:
        frames.append(frame)
        return draw(frame)

    monkeypatch.setattr(module, "TICK_S", 60.0)
    monkeypatch.setattr("client.full_screen.painter.draw", counted)

    async def scenario() -> int:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            await asyncio.sleep(0)
            before = len(frames)
            play.type("a")
            await play.shows("picked 1: A")
            return len(frames) - before

    assert run(scenario) == 1


@pytest.mark.parametrize(
    ("theme", "painted"),
    [("auto", False), ("dark", False), ("contrast", True)],
    ids=["of the terminal", "for a dark one", "painted"],
)
def test_each_redraw_went_over_every_cell_for_a_paper_that_is_not_painted(
    theme: str, *, painted: bool
) -> None:
    async def scenario() -> set[bool]:
        async with playing(at_a_table, settings=Settings(theme=theme, kiosk=True)) as play:
            await play.shows("your turn: ACES")
            screen = play.client.app.renderer.last_rendered_screen
            assert screen is not None
            cells = [screen.data_buffer[row][column] for row in range(23) for column in range(80)]
            return {"class:page" in cell.style for cell in cells}

    assert run(scenario) == {painted}
