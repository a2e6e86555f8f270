"""Settings in plain mode: all of them as lines, and one changed by a word."""

import asyncio
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from client.plain.console import Console
from client.plain.loop import PlainClient
from client.plain.settings_words import changed_line
from client.plain.typed import understand
from client.plain.word import Changed, Outcome, Reply
from client.settings import ON_PAGE, Origins, Settings, value_of
from client.start.visit import Visit
from client.state import ClientState, Hinted
from protocol.answers import Refused
from protocol.commands import ClientMessage, Hello
from protocol.events import Event
from protocol.refusals import Refusal
from tests.support.fake_server import FakeServer, polite

FILE = Origins(file="/home/maya/config.toml", said={"bell": "--no-bell"})
SETTINGS = Settings(name="maya", bell=False, origins=FILE)


def typed(line: str, settings: Settings = SETTINGS) -> Outcome:
    return understand(ClientState(name="maya"), line, 0.0, settings)


def lines(outcome: Outcome) -> str:
    assert isinstance(outcome, Reply)
    return "\n".join(outcome.lines)


def test_all_are_told_with_their_values_and_who_said_so() -> None:
    told = lines(typed("settings"))

    assert all(f"SETTINGS: {setting.name} " in told for setting in ON_PAGE)
    assert "SETTINGS: bell false (--no-bell): " in told
    assert "SETTINGS: theme auto (default): " in told
    assert told.endswith("kept in /home/maya/config.toml. Example: settings theme dark")


def test_without_a_file_it_says_that_nothing_is_kept() -> None:
    assert "nowhere: a change holds until you leave" in lines(typed("settings", Settings()))


def test_one_is_told_with_what_it_may_be() -> None:
    assert "theme is one of auto, dark, light, contrast, mono." in lines(typed("settings theme"))


@pytest.mark.parametrize(
    ("line", "name", "value", "told"),
    [
        ("settings theme dark", "theme", "dark", "SETTINGS: theme is dark."),
        ("settings MOUSE yes", "mouse", True, "SETTINGS: mouse is true."),
        ("settings name zoe", "name", "zoe", "SETTINGS: name is zoe from the next connection on."),
        (
            "settings spectate yes",
            "spectate",
            True,
            "SETTINGS: spectate is true from the next start on.",
        ),
    ],
)
def test_one_is_changed(line: str, name: str, *, value: str | bool, told: str) -> None:
    outcome = typed(line)

    assert isinstance(outcome, Changed)
    assert outcome.name == name
    assert value_of(outcome.settings, name) == value
    assert outcome.settings.origins.of(name) == "config.toml"
    assert changed_line(outcome.settings, name) == told


def test_what_stands_over_the_file_is_still_told_to() -> None:
    outcome = typed("settings bell yes")

    assert isinstance(outcome, Changed)
    assert outcome.settings.origins.of("bell") == "--no-bell"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("settings theme pink", "theme pink is not possible: theme is one of auto, dark"),
        ("settings colour never", "colour is not a setting. There are: name, theme"),
        ("settings kiosk yes", "kiosk is not a setting."),
        ("settings name a/b", "name is 1 to 16 letters A to Z, digits"),
    ],
)
def test_what_cannot_be_is_answered_with_what_can(line: str, told: str) -> None:
    outcome = typed(line)

    assert isinstance(outcome, Hinted)
    assert told in outcome.text


def test_a_change_is_kept_and_told_of(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    out = io.StringIO()
    settings = Settings(origins=Origins(file=str(path)))

    async def story() -> int:
        async with FakeServer() as server:
            typed = io.BytesIO(b"settings theme light\nsettings theme\n")
            console = Console(typed, out, is_terminal=False)
            visit = Visit(name="maya", address=server.address)
            return await PlainClient(visit, console, settings=settings).run()

    assert asyncio.run(asyncio.wait_for(story(), 20)) == 0
    assert path.read_text() == 'theme = "light"\n'
    assert "SETTINGS: theme is light.\n" in out.getvalue()
    assert "SETTINGS: theme light (config.toml)" in out.getvalue()


def test_line_by_line_nobody_whose_name_was_taken_could_choose_another(tmp_path: Path) -> None:
    out = io.StringIO()

    def answer(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, Hello) and message.name == "maya":
            return (Refused(code=Refusal.NAME_TAKEN),)
        return polite(message)

    async def story() -> list[str]:
        async with FakeServer(answer) as server:
            connect = f"connect {server.address}\n"
            typed = io.BytesIO(f"{connect}settings name zoe\n{connect}say hi\n".encode())
            console = Console(typed, out, is_terminal=False)
            visit = Visit(name="maya", folder=tmp_path)
            await PlainClient(visit, console, settings=Settings(name="maya")).run()
            return [hello.name for hello in server.heard if isinstance(hello, Hello)]

    assert asyncio.run(asyncio.wait_for(story(), 20)) == ["maya", "zoe"]
    assert "NEXT: settings name and another one, then connect once more.\n" in out.getvalue()
