"""The folder for what the server keeps: made, looked over, and complained of in a sentence."""

import os
from pathlib import Path

import pytest

from server.config import BadSettings, Settings
from server.data_folder import data_folder


def test_a_missing_data_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = data_folder(Settings(data=str(tmp_path / "a" / "b")))

    assert folder.is_dir()
    assert folder.stat().st_mode & 0o077 == 0


def test_a_data_folder_that_is_there_is_used(tmp_path: Path) -> None:
    assert data_folder(Settings(data=str(tmp_path))) == tmp_path


def test_a_data_folder_may_be_in_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    assert data_folder(Settings(data="~/cards")) == tmp_path / "cards"


def test_a_data_folder_in_nobodys_home_is_answered_with_a_sentence() -> None:
    with pytest.raises(BadSettings, match="cannot make the data folder ~no-such-person/cards"):
        data_folder(Settings(data="~no-such-person/cards"))


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
