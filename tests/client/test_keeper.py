"""Settings are written beside the game: in order, all of them, and trouble is told."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.full_screen.keeper import Keeper
from client.kept import config, recents
from client.settings import Origins, Settings
from client.state import Hinted
from client.store import AnyEvent
from client.way_in.address import Recent


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
