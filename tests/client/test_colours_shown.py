"""Which colours reach the terminal, and that a change on the settings page is seen and kept."""

from pathlib import Path

import pytest

from client.kept.config import load
from client.settings import Origins, Settings
from protocol.cards import Rank
from tests.support.fake_tables import at_a_table
from tests.support.playing import playing, run
from tests.support.screen_states import played

SIXTEEN = {
    f"{bright}{name}"
    for bright in ("", "bright")
    for name in ("black", "red", "green", "brown", "yellow", "blue", "magenta", "cyan", "white")
}


def colours_of(settings: Settings) -> set[str]:
    """All colours on the table's page."""

    async def scenario() -> set[str]:
        async with playing(at_a_table, settings=settings) as play:
            await play.shows("your turn: ACES")
            return play.terminal.colours

    return run(scenario)


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(load(None, {"NO_COLOR": "1"}), id="NO_COLOR"),
        pytest.param(Settings(color="never"), id="never"),
        pytest.param(Settings(theme="mono"), id="mono"),
    ],
)
def test_without_colours_none_reaches_the_terminal(settings: Settings) -> None:
    assert colours_of(settings) == set()


@pytest.mark.parametrize("theme", ["auto", "dark", "light", "contrast"])
def test_sixteen_colours_are_the_terminals_own(theme: str) -> None:
    colours = colours_of(Settings(theme=theme, color="16"))

    assert colours
    assert colours <= SIXTEEN


def test_more_colours_are_exact() -> None:
    assert "2b4c73" in colours_of(Settings(theme="dark", color="true"))
    assert colours_of(Settings(theme="dark", color="256")) - SIXTEEN


def test_a_change_on_the_page_is_seen_at_once_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    settings = Settings(color="true", theme="dark", origins=Origins(file=str(path)))

    async def scenario() -> set[str]:
        async with playing(at_a_table, settings=settings) as play:
            await play.shows("your turn: ACES")
            play.type("S")
            await play.shows("Your name;")
            play.type("j")
            await play.shows("dark: for a dark background.")
            play.type("+")
            await play.shows("light: for a light background.")
            await play.terminal.settles(lambda: "24518a" in play.terminal.colours)
            return play.terminal.colours

    colours = run(scenario)

    assert "2b4c73" not in colours
    assert path.read_text() == 'theme = "light"\n'


@pytest.mark.parametrize("theme", ["auto", "dark", "light", "contrast", "mono"])
def test_a_tick_of_the_window_is_cheap_in_every_theme(
    theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.full_screen.stage.TICK_S", 0.01)
    settings = Settings(theme=theme, color="true")

    async def scenario() -> tuple[int, int]:
        async with playing(at_a_table, settings=settings) as play:
            await play.shows("your turn: ACES")
            play.server.say(played(1, 2, 1, Rank.KING, turn=3, protected_us=10_400_000))
            await play.shows("10 s")
            written, drawn = play.terminal.bytes_written, play.client.app.render_counter
            await play.terminal.settles(lambda: "10 s" not in play.terminal.text)
            ticks = play.client.app.render_counter - drawn
            return play.terminal.bytes_written - written, ticks

    written, ticks = run(scenario)

    assert ticks
    assert written < 100 * max(2, ticks)  # a busy machine draws bar and seconds in one tick
