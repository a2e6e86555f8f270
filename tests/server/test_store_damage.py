"""A damaged record is found when a server starts, and the sentence says where it is."""

import contextlib
import shutil
from pathlib import Path
from random import Random

import pytest

from server.checkup import check_folder
from server.journal.database import FILE, LOG
from server.journal.records import Kept
from server.journal.sqlite_store import SqliteStore
from server.journal.store import OpenFault
from tests.support.changes import FOX, OWL, a_person, digest
from tests.support.journals import change_by_hand, reopened, sentence_of, some_of_everything

DAMAGES = {
    "a byte of an action": (
        "UPDATE actions SET body = zeroblob(9) WHERE code = 'FOX-42' AND number = 17",
        f"lobby {FOX}, record 17: its checksum is wrong",
    ),
    "an action of another engine": (
        "UPDATE actions SET engine = 2 WHERE code = 'FOX-42' AND number = 17",
        f"lobby {FOX}, record 17: its checksum is wrong",
    ),
    "an action that is gone": (
        "DELETE FROM actions WHERE code = 'FOX-42' AND number = 3",
        f"lobby {FOX}, record 4: record 3 should come here",
    ),
    "an action that strayed": (
        "UPDATE actions SET number = 31 WHERE code = 'OWL-7' AND number = 30",
        f"lobby {OWL}, record 31: record 30 should come here",
    ),
    "an action in the wrong lobby": (
        "UPDATE actions SET code = 'OWL-7', number = 31 WHERE code = 'FOX-42' AND number = 30",
        f"lobby {OWL}, record 31: its checksum is wrong",
    ),
    "a number for a body": (
        "UPDATE lobbies SET body = 7 WHERE code = 'OWL-7'",
        f"lobby {OWL}: it cannot be read",
    ),
    "a deal's checksum": (
        "UPDATE deals SET checksum = checksum + 1 WHERE code = 'FOX-42'",
        f"lobby {FOX}, its deal: its checksum is wrong",
    ),
    "a person": (
        "UPDATE people SET body = zeroblob(70) WHERE substr(digest, 1, 1) = x'02'",
        f"person {digest(2).hex()[:16]}: its checksum is wrong",
    ),
    "an answer": (
        "UPDATE answers SET n = 77 WHERE substr(digest, 1, 1) = x'01' AND n = 5",
        f"person {digest(1).hex()[:16]}, answer 77: its checksum is wrong",
    ),
    "a key of another kind": (
        "UPDATE people SET digest = 'who' WHERE substr(digest, 1, 1) = x'00'",
        "a record that belongs nowhere",
    ),
}


@pytest.mark.parametrize(("statement", "where_and_why"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_record_is_named(tmp_path: Path, statement: str, where_and_why: str) -> None:
    some_of_everything(tmp_path)
    change_by_hand(tmp_path, statement)

    sentence = sentence_of(tmp_path)

    assert sentence.startswith(f"the journal is damaged at {where_and_why}")
    assert sentence.endswith(". facedown-server --check DATA lists all that is in it")


def test_a_deal_under_other_rules_is_refused_and_people_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = some_of_everything(tmp_path)

    monkeypatch.setattr("server.journal.rows.ENGINE", 2)
    sentence = sentence_of(tmp_path)
    change_by_hand(tmp_path, "DELETE FROM actions")
    change_by_hand(tmp_path, "DELETE FROM deals")

    assert "it rests on rules engine 1, and this server has 2" in sentence
    assert reopened(tmp_path).people == kept.people


def test_a_deal_under_other_rules_was_said_to_be_damage_for_which_nothing_can_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_of_everything(tmp_path)

    monkeypatch.setattr("server.journal.rows.ENGINE", 2)
    sentence = sentence_of(tmp_path)
    *_, found, verdict = check_folder(tmp_path).lines

    assert sentence.endswith("Start the server that wrote it, let its deals end, and upgrade then")
    assert found.startswith("of other rules: lobby ")
    assert "only the server that wrote it can start with it" in verdict
    assert "damage" not in sentence + verdict


@pytest.mark.parametrize("seed", range(8))
def test_a_flipped_bit_is_noticed_or_hurts_nothing(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    whole = some_of_everything(tmp_path)
    file = (tmp_path / FILE).read_bytes()

    noticed = [is_noticed(tmp_path / "flipped", flipped(file, rng), whole) for _ in range(12)]

    assert any(noticed)


def flipped(file: bytes, rng: Random) -> bytes:
    """The file with one bit that is not as it was."""
    place = rng.randrange(len(file))
    return file[:place] + bytes([file[place] ^ 1 << rng.randrange(8)]) + file[place + 1 :]


def is_noticed(folder: Path, file: bytes, whole: Kept) -> bool:
    """Whether a server refuses to start with this file; if not, nothing of the whole is wrong."""
    folder.mkdir()
    (folder / FILE).write_bytes(file)
    try:
        assert reopened(folder) == whole
    except OpenFault:
        return True
    finally:
        shutil.rmtree(folder)
    return False


@pytest.mark.parametrize("name", [FILE, LOG])
async def test_a_journal_that_was_deleted_while_it_was_in_use_went_on_keeping_without_a_word(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("server.journal.sqlite_store.LOOK_EVERY_S", 0.0)
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        await store.commit(a_person())
        assert not caplog.records
        (tmp_path / name).rename(tmp_path / "elsewhere")
        await store.commit(a_person())
        await store.commit(a_person())
        (tmp_path / "elsewhere").rename(tmp_path / name)
        await store.commit(a_person())
        await store.commit(a_person())

    (record,) = caplog.records
    assert f"{tmp_path / name} is gone, or a copy is in its place" in record.getMessage()


@pytest.mark.parametrize("name", [FILE, LOG])
async def test_a_copy_in_the_place_of_a_journal_in_use_was_taken_for_what_is_written(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("server.journal.sqlite_store.LOOK_EVERY_S", 0.0)
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        shutil.copy(tmp_path / name, tmp_path / "copy")
        (tmp_path / "copy").replace(tmp_path / name)
        await store.commit(a_person())
        await store.commit(a_person())

    (record,) = caplog.records
    assert f"{tmp_path / name} is gone, or a copy is in its place" in record.getMessage()
