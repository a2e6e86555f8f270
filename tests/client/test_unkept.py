"""Where a secret cannot be stored one plays on all the same, and is told what that costs."""

import asyncio
import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from client.kept import identity
from client.kept.identity import SLOTS, Keyring, Unstored
from client.plain.console import Console
from client.plain.loop import PlainClient
from client.screens.desk import Desk, Overlay, Question
from client.screens.parting import parting_text
from client.start.visit import Visit
from client.state import LinkClosed, LinkLost, Unkept
from client.steps.link import UNKEPT
from protocol.answers import Welcome
from protocol.commands import Hello
from tests.support.cuts import SIZES, losses_seen, shown, words
from tests.support.fake_server import SECRET, FakeServer
from tests.support.looking import seen
from tests.support.network_ears import connected, run
from tests.support.playing import HOME, playing
from tests.support.playing import run as in_a_loop
from tests.support.screen_states import WELCOME, dealt, folded, in_lobby, online

HERE = "127.0.0.1:5252"
WHERE = f"/home/maya/{'deep/' * 12}identities/default (no space left on device)"
NEW = replace(WELCOME, secret=SECRET)
SAID = UNKEPT.format(WHERE)

Spoil = Callable[[Path, pytest.MonkeyPatch], object]


def a_file_in_the_way(folder: Path, _: pytest.MonkeyPatch) -> None:
    """Where the folder should be."""
    (folder / "identities").write_text("")


def a_full_disk(_: Path, patch: pytest.MonkeyPatch) -> None:
    """Names of files have room on it, what is in them has not."""

    def full(_: Path, __: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    patch.setattr(identity, "write_whole", full)


def a_disk_that_is_read_only(_: Path, patch: pytest.MonkeyPatch) -> None:
    """Nothing on it can be made, changed or deleted."""
    opened = os.open

    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def only_to_read(path: Path, flags: int, *more: Any) -> int:  # noqa: ANN401
        if flags & (os.O_RDWR | os.O_CREAT):
            read_only()
        return opened(path, flags, *more)

    patch.setattr(os, "open", only_to_read)
    for change in ("unlink", "mkdir"):
        patch.setattr(Path, change, read_only)
    patch.setattr(identity, "write_whole", read_only)


def no_place_left(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """As many clients as may be have a secret each for this server."""
    patch.setattr(identity, "SLOTS", 1)
    Keyring(folder).keep(server="fake", address="elsewhere:5252", name="bo", secret=SECRET)


SPOILS = [
    pytest.param(a_file_in_the_way, "not a directory", id="a file in the way"),
    pytest.param(a_full_disk, "no space left on device", id="a full disk"),
    pytest.param(a_disk_that_is_read_only, "read-only file system", id="a disk to read only"),
    pytest.param(no_place_left, "it has 1 for this server already", id="no place left"),
]


# --- the line --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spoil", "why"), SPOILS)
def test_whose_secret_could_not_be_stored_was_told_that_no_server_runs_there(
    spoil: Spoil, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(tmp_path, monkeypatch)

    async def story(server: FakeServer) -> None:
        async with connected(server, tmp_path) as (_, ears):
            told = await ears.hear(Unkept)
            server.cut()
            await ears.hear(Welcome, 2)

            assert told == Unkept(where=f"{tmp_path / 'identities' / 'default'} ({why})")
            again = await server.hears(Hello, 2)
            assert again.resume is not None
            assert again.resume.secret == SECRET
            assert sum(isinstance(event, Unkept) for event in ears.events) == 1

    run(story)


def test_a_folder_that_may_not_be_looked_into_is_none(tmp_path: Path) -> None:
    folder = tmp_path / ("a" * 300)  # nobody at all may look into one with such a name

    async def story(server: FakeServer) -> None:
        async with connected(server, folder) as (_, ears):
            told = await ears.hear(Unkept)
            assert told == Unkept(where=f"{folder / 'identities' / 'default'} (file name too long)")

    run(story)


def test_a_secret_that_is_stored_is_not_worth_a_word(tmp_path: Path) -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server, tmp_path) as (_, ears):
            await ears.hear(Welcome)
            assert not any(isinstance(event, Unkept) for event in ears.events)

    run(story)


# --- the keyring -----------------------------------------------------------------------------------


def a_stored_secret(folder: Path) -> None:
    ring = Keyring(folder)
    ring.keep(server="s1", address=HERE, name="maya", secret=SECRET)
    ring.release()


def test_a_stored_secret_serves_on_a_disk_that_is_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_stored_secret(tmp_path)
    a_disk_that_is_read_only(tmp_path, monkeypatch)

    first, second = Keyring(tmp_path), Keyring(tmp_path)

    assert first.find(HERE) is not None
    assert second.find(HERE) is None  # it is in use
    first.settle(server="s1", name="Maya")
    assert first.identity is not None
    assert first.identity.name == "Maya"


def test_one_that_cannot_be_locked_is_left_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_stored_secret(tmp_path)
    for lock in tmp_path.rglob("*.lock"):
        lock.unlink()
    a_disk_that_is_read_only(tmp_path, monkeypatch)

    assert Keyring(tmp_path).find(HERE) is None


def test_another_server_never_gets_a_secret_that_cannot_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_stored_secret(tmp_path)
    a_disk_that_is_read_only(tmp_path, monkeypatch)
    ring = Keyring(tmp_path)
    ring.find(HERE)

    ring.settle(server="impostor", name="maya")

    assert ring.identity is None
    assert ring.find(HERE) is None


def test_a_place_that_was_free_again_is_found_again(tmp_path: Path) -> None:
    a_stored_secret(tmp_path)
    ring = Keyring(tmp_path)
    ring.find(HERE)
    ring.forget()
    ring.keep(server="s1", address=HERE, name="maya", secret=b"n" * 32)
    ring.release()

    found = ring.find(HERE)

    assert found is not None
    assert found.secret == b"n" * 32


def test_there_is_a_place_for_each_of_many_clients(tmp_path: Path) -> None:
    rings = [Keyring(tmp_path) for _ in range(SLOTS + 1)]

    for number, ring in enumerate(rings):
        ring.keep(server="s1", address=HERE, name="maya", secret=bytes([number]) * 32)

    assert [bool(ring.trouble) for ring in rings] == [False] * SLOTS + [True]
    for ring in rings:
        ring.release()


# --- what is said ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("begin", [online, in_lobby], ids=["hall", "lobby"])
def test_where_and_why_is_on_the_page_to_the_last_word(
    begin: Callable[[], Any], size: tuple[int, int]
) -> None:
    state = folded((Unkept(where=WHERE),), begin())

    with losses_seen():
        page = shown(state, Desk(), size)

    assert SAID.replace(" ", "") in page.replace(" ", "").replace("\n", "")


def test_whoever_cannot_come_back_was_promised_that_the_seat_is_kept() -> None:
    state = folded((Unkept(where=WHERE),), dealt())
    lost = LinkLost(reason="it broke", attempt=1, retry_s=4.0)

    assert "again leaves; you lose your seat." in seen(state, Desk(asking=Question.LEAVE))
    assert "quit (you lose your seat)" in seen(state, Desk(overlay=Overlay.MENU))
    assert "you lose your seat." in seen(state, Desk(), (40, 12))
    assert "Your seat is kept as long as you stay;" in seen(folded((lost,), state), Desk())
    parting = parting_text(state, Desk())
    assert parting.startswith(
        f"You cannot come back to your seat: its secret could not be kept in {WHERE}."
    )
    assert "To come as somebody new:\n  facedown join " in parting


def test_it_holds_for_one_server_and_one_secret() -> None:
    unkept = folded((Unkept(where=WHERE),), dealt())

    assert folded((replace(WELCOME, secret=None, resumed=True),), unkept).unkept == WHERE
    assert folded((NEW,), unkept).unkept == ""
    assert folded((LinkClosed(),), unkept).unkept == ""


def test_line_by_line_it_is_a_note(tmp_path: Path) -> None:
    (tmp_path / "identities").write_text("")
    out = io.StringIO()

    async def story() -> int:
        async with FakeServer() as server:
            console = Console(io.BytesIO(b"say hello\n"), out, is_terminal=False)
            visit = Visit(name="maya", address=server.address, folder=tmp_path)
            return await PlainClient(visit, console).run()

    assert asyncio.run(asyncio.wait_for(story(), 20)) == 0
    told = words(out.getvalue())
    assert f"NOTE: Your secret cannot be kept in {tmp_path / 'identities' / 'default'} (" in told


# --- leaving the server, and coming back --------------------------------------------------------------


def test_who_left_a_server_and_came_back_at_once_was_somebody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("client.keys.press.STRAY_S", 0.0)

    async def scenario() -> Hello:
        async with playing(settings=HOME) as play:
            await play.shows("the hall")
            play.type("q")
            await play.shows("Choose a server")
            play.type("\r")
            hello = await play.server.hears(Hello, 2)
            await play.shows("the hall")
            return hello

    hello = in_a_loop(scenario)

    assert hello.resume is not None
    assert hello.resume.secret == SECRET


def test_on_the_second_visit_nobody_was_told_any_more_that_the_secret_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_full_disk(tmp_path, monkeypatch)
    monkeypatch.setattr("client.keys.press.STRAY_S", 0.0)

    async def scenario() -> str:
        async with playing(settings=HOME, folder=tmp_path) as play:
            await play.shows("Your secret cannot be kept in")
            play.type("q")
            await play.shows("Choose a server")
            play.type("\r")
            await play.server.hears(Hello, 2)
            await play.shows("Your secret cannot be kept in")
            return play.client.state.unkept

    assert "no space left on device" in in_a_loop(scenario)


def test_a_secret_that_the_server_has_forgotten_is_not_found_again() -> None:
    unstored: Unstored = {}
    ring = Keyring(None, unstored=unstored)
    ring.keep(server="fake", address=HERE, name="maya", secret=SECRET)
    ring.release()
    again = Keyring(None, unstored=unstored)
    found = again.find(HERE)

    again.forget()

    assert found is not None
    assert found.secret == SECRET
    assert Keyring(None, unstored=unstored).find(HERE) is None


def test_a_secret_was_not_stored_on_the_next_visit_either_though_it_could_be(
    tmp_path: Path,
) -> None:
    in_the_way = tmp_path / "identities"
    in_the_way.write_text("")
    unstored: Unstored = {}
    first = Keyring(tmp_path, unstored=unstored)
    first.keep(server="fake", address=HERE, name="maya", secret=SECRET)
    in_the_way.unlink()

    again = Keyring(tmp_path, unstored=unstored)
    found = again.find(HERE)
    again.release()
    later = Keyring(tmp_path).find(HERE)

    assert first.trouble
    assert found is not None
    assert (found.secret, again.trouble, unstored) == (SECRET, "", {})
    assert later == found
