"""What a checkup says of a journal whose records are sound and which no server can take up."""

import subprocess
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from server.bots.registry import TEMPERAMENTS
from server.checkup import check_folder
from server.journal.records import Change, HolderRecord
from server.people import People
from tests.server.test_main import COMMAND, a_start_that_fails
from tests.support.changes import FOX, OWL, a_beginning, a_lobby, a_person
from tests.support.journals import keep
from tests.support.mishaps import broken
from tests.support.processes import ROOT


def a_lobby_of(temperament: str, code: str = FOX) -> tuple[Change, ...]:
    """A deal that runs, of four computer players."""
    lobby, begun = a_lobby(code, deal_runs=True), a_beginning(code)
    holders = tuple(
        HolderRecord(name=seat.name, owner=None, temperament=temperament)
        for seat in begun.deal.table.seats
    )
    return replace(lobby, lobby=replace(lobby.lobby, holders=holders)), begun


def test_a_lobby_that_can_be_taken_up_is_sound(tmp_path: Path) -> None:
    keep(tmp_path, (a_person(),), a_lobby_of(min(TEMPERAMENTS)))

    report = check_folder(tmp_path)

    assert report.is_sound
    assert report.lines[-1] == "all sound"


def test_lobbies_that_no_server_could_take_up_were_all_sound(tmp_path: Path) -> None:
    keep(
        tmp_path,
        a_lobby_of("grumpy"),
        a_lobby_of("sulky", OWL),
        a_lobby_of(min(TEMPERAMENTS), "EEL-3"),
    )

    report = check_folder(tmp_path)

    assert not report.is_sound
    assert report.lines[-3:] == (
        f"damaged: lobby {FOX}: it does not fit together (KeyError: 'grumpy')",
        f"damaged: lobby {OWL}: it does not fit together (KeyError: 'sulky')",
        "2 damaged: no server can start with it",
    )


def test_whoever_no_server_could_know_again_was_sound(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keep(tmp_path, (a_person(),))
    monkeypatch.setattr(People, "restore", broken)

    report = check_folder(tmp_path)

    assert report.lines[-2].startswith(f"damaged: person {'01' * 8}: it does not fit together")


def test_a_folder_with_an_id_that_no_server_takes_was_sound(tmp_path: Path) -> None:
    keep(tmp_path, (a_person(),))
    (tmp_path / "server-id").write_text("shopping list")

    report = check_folder(tmp_path)

    assert not report.is_sound
    assert "server-id is damaged. Delete it to start afresh" in report.lines[-2]


def test_a_rehearsal_changes_nothing(tmp_path: Path) -> None:
    keep(tmp_path, (a_person(),), a_lobby_of(min(TEMPERAMENTS)))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    check_folder(tmp_path)

    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_the_check_calls_damaged_keeps_a_server_from_starting(tmp_path: Path) -> None:
    keep(tmp_path, a_lobby_of("grumpy"))

    checked = subprocess.run(
        [*COMMAND, "--check", str(tmp_path)], capture_output=True, cwd=ROOT, check=False
    )
    code, said = trio.run(a_start_that_fails, "--port", "0", "--data", str(tmp_path))

    assert (checked.returncode, code) == (1, 2)
    assert f"damaged at lobby {FOX}: it does not fit together (KeyError: 'grumpy')" in said
    assert said.count("\n") == 1
