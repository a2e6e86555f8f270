"""Settings are written beside the game: in order, all of them, and trouble is told."""

import asyncio
import io
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.kept import config, recents
from client.kept.keeper import Keeper
from client.plain.console import Console
from client.plain.loop import PlainClient
from client.settings import Origins, Settings
from client.start.visit import Visit
from client.state import Hinted
from client.store import AnyEvent
from client.way_in.address import Recent
from protocol.commands import ClientMessage, Say
from protocol.events import Event
from tests.support.fake_server import FakeServer, polite


def test_the_last_of_many_changes_is_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    settings = Settings(origins=Origins(file=str(path)))

    async def story() -> None:
        keeper = Keeper(lambda _: None)
        async with asyncio.TaskGroup() as group:
            for theme in ("dark", "light", "mono"):
                group.create_task(keeper.keep(replace(settings, theme=theme), "theme"))

    asyncio.run(story())

    assert path.read_text() == 'theme = "mono"\n'


def test_trouble_is_told(tmp_path: Path) -> None:
    told: list[AnyEvent] = []

    def tell(events: Sequence[AnyEvent]) -> None:
        told.extend(events)

    (tmp_path / "file").write_text("")
    settings = Settings(origins=Origins(file=str(tmp_path / "file" / "config.toml")))
    asyncio.run(Keeper(tell).keep(settings, "theme"))

    (hint,) = told
    assert isinstance(hint, Hinted)
    assert hint.text.startswith("Not saved")


def test_the_game_does_not_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    written = threading.Event()

    def slow(_: Settings, __: str) -> str:
        assert written.wait(10), "the game has stood still"
        return ""

    monkeypatch.setattr(config, "keep", slow)

    async def story() -> None:
        keeping = asyncio.create_task(Keeper(lambda _: None).keep(Settings(), "theme"))
        await asyncio.sleep(0)
        written.set()  # only a loop that is not held up comes to this
        await keeping

    asyncio.run(story())


def test_nobody_waits_until_it_is_written_which_server_this_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = threading.Event()
    save = recents.save

    def slow(folder: Path, servers: Sequence[Recent]) -> None:
        assert written.wait(10), "the game has stood still"
        save(folder, servers)

    monkeypatch.setattr(recents, "save", slow)
    here = (Recent(address="pi:5252"),)

    async def story() -> None:
        keeping = asyncio.create_task(Keeper(lambda _: None).remember(tmp_path, here))
        await asyncio.sleep(0)
        written.set()  # only a loop that is not held up comes to this
        await keeping

    asyncio.run(story())

    assert recents.load(tmp_path) == here


def test_a_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    asyncio.run(Keeper(lambda _: None).remember(tmp_path / "file", (Recent(address="pi:5252"),)))

    assert recents.load(tmp_path / "file") == ()


def test_line_by_line_the_game_waited_for_the_disk_at_each_welcome_and_each_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone_on, waited = threading.Event(), []

    def slow(*_: object) -> str:
        waited.append(gone_on.wait(10))
        return ""

    def answer(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, Say):
            gone_on.set()  # only a loop that is not held up comes to this
        return polite(message)

    async def story() -> int:
        async with FakeServer(answer) as server:
            typed = io.BytesIO(b"settings theme light\nsay hello\n")
            console = Console(typed, io.StringIO(), is_terminal=False)
            visit = Visit(name="maya", address=server.address, folder=tmp_path)
            return await PlainClient(visit, console).run()

    monkeypatch.setattr(recents, "save", slow)
    monkeypatch.setattr(config, "keep", slow)

    assert asyncio.run(asyncio.wait_for(story(), 30)) == 0
    assert waited == [True, True]


def test_line_by_line_a_setting_that_was_not_saved_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings = Settings(origins=Origins(file=str(tmp_path / "file" / "config.toml")))
    out = io.StringIO()

    async def story() -> int:
        async with FakeServer() as server:
            console = Console(io.BytesIO(b"settings theme light\n"), out, is_terminal=False)
            visit = Visit(name="maya", address=server.address)
            return await PlainClient(visit, console, settings=settings).run()

    assert asyncio.run(asyncio.wait_for(story(), 20)) == 0
    told = [line for line in out.getvalue().splitlines() if line.startswith(("SETTINGS", "NO"))]
    assert told[0] == "SETTINGS: theme is light."
    assert told[1].startswith("NO: Not saved, it holds until you leave: ")
