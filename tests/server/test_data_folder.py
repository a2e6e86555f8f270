"""The folder for what the server keeps: made, looked over, and complained of in a sentence."""

import os
import sys
from pathlib import Path

import pytest

from server.config import BadSettings, Settings
from server.data_folder import ID_FILE, data_folder, server_id
from server.journal.database import FILE, LOG
from server.journal.lock import LOCK
from tests.support.power_cuts import note_what_lasts

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only on Linux")


def test_a_missing_data_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = data_folder(Settings(data=str(tmp_path / "a" / "b")))

    assert folder.is_dir()
    assert folder.stat().st_mode & 0o077 == 0


def test_with_a_umask_of_zero_any_account_could_put_a_folder_in_the_place_of_a_new_one(
    tmp_path: Path,
) -> None:
    before = os.umask(0)
    try:
        folder = data_folder(Settings(data=str(tmp_path / "a" / "b" / "c")))
    finally:
        os.umask(before)

    made = (folder, folder.parent, folder.parent.parent)
    assert [each.stat().st_mode & 0o777 for each in made] == [0o700, 0o755, 0o755]


def test_a_data_folder_that_is_there_is_used(tmp_path: Path) -> None:
    assert data_folder(Settings(data=str(tmp_path))) == tmp_path


def test_a_data_folder_may_be_in_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    assert data_folder(Settings(data="~/cards")) == tmp_path / "cards"


def test_a_data_folder_in_nobodys_home_is_answered_with_a_sentence() -> None:
    with pytest.raises(
        BadSettings, match="cannot make the data folder ~no-such-person/cards"
    ) as bad:
        data_folder(Settings(data="~no-such-person/cards"))

    assert ".." not in str(bad.value)


@pytest.mark.parametrize("inside", [".", "below"], ids=["a file", "below a file"])
def test_a_data_folder_that_cannot_be_made_is_named_with_a_way_out(
    inside: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("here already", encoding="utf-8")
    wanted = tmp_path / "file" / inside

    with pytest.raises(BadSettings) as bad:
        data_folder(Settings(data=str(wanted)))

    assert f"cannot make the data folder {wanted}" in str(bad.value)
    assert "--data" in str(bad.value)


def test_a_data_folder_that_cannot_be_written_is_named_with_a_way_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # the superuser may write anywhere

    with pytest.raises(BadSettings, match=r"cannot be written\. Give another with --data"):
        data_folder(Settings(data=str(tmp_path)))


# --- damage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("empty", "beside"),
    [
        pytest.param([FILE], LOG, id="cut to nothing, beside its log"),
        pytest.param([FILE], ID_FILE, id="cut to nothing after a clean end"),
        pytest.param([], LOG, id="gone, but for its log"),
    ],
)
def test_where_a_journal_was_lost_a_new_one_was_begun_and_its_log_thrown_away(
    empty: list[str], beside: str, tmp_path: Path
) -> None:
    for name in empty:
        (tmp_path / name).touch()
    (tmp_path / beside).write_text("what was kept", encoding="ascii")

    with pytest.raises(BadSettings, match=r"a server has kept things there\. Put a copy .* back"):
        data_folder(Settings(data=str(tmp_path)))

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*empty, beside])


@pytest.mark.parametrize(
    ("empty", "beside"),
    [
        pytest.param([FILE], LOCK, id="a first start that was killed"),
        pytest.param([], ID_FILE, id="a journal that was deleted"),
        pytest.param([LOG], ID_FILE, id="a journal that was deleted, its log empty"),
    ],
)
def test_where_nothing_was_lost_a_journal_is_begun(
    empty: list[str], beside: str, tmp_path: Path
) -> None:
    for name in empty:
        (tmp_path / name).touch()
    (tmp_path / beside).write_text("12345", encoding="ascii")

    assert data_folder(Settings(data=str(tmp_path))) == tmp_path


@on_linux
def test_a_server_whose_id_had_become_a_pipe_never_started(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ID_FILE)
    os.mkfifo(tmp_path / f".{ID_FILE}-draft")

    made = server_id(tmp_path)

    assert server_id(tmp_path) == made


# --- after a power cut ----------------------------------------------------------------------------


@on_linux
def test_after_a_power_cut_soon_after_the_first_start_nobody_found_their_seat(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = note_what_lasts(monkeypatch)

    server_id(tmp_path)

    assert done == ["a draft", "renamed to server-id", tmp_path.name]
    assert [path.name for path in tmp_path.iterdir()] == ["server-id"]


@on_linux
def test_after_a_power_cut_a_new_data_folder_was_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = note_what_lasts(monkeypatch)

    data_folder(Settings(data=str(tmp_path / "a" / "b")))

    assert done == ["a", tmp_path.name]


@on_linux
def test_a_server_id_that_is_known_is_not_written_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = server_id(tmp_path)
    done = note_what_lasts(monkeypatch)

    assert server_id(tmp_path) == known
    assert done == []


def test_of_an_id_that_could_not_be_written_nothing_is_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(BadSettings, match="No space left"):
        server_id(tmp_path)

    assert list(tmp_path.iterdir()) == []
