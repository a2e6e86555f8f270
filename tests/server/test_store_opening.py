"""What a server refuses to start with, each time in one clear sentence."""

import contextlib
import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import trio

from server.database import FILE, SCHEMA
from server.records import Change, Kept
from server.sqlite_store import LOCK, SqliteStore
from server.store import OpenFault
from tests.support.changes import (
    FOX,
    OWL,
    a_beginning,
    a_lobby,
    a_person,
    an_action,
    an_answer,
    digest,
)

NOBODY = 65534


def keep(folder: Path, *commits: tuple[Change, ...]) -> Kept:
    """Keep these in the folder, and close it."""
    with contextlib.closing(SqliteStore(folder)) as store:
        for changes in commits:
            trio.run(store.commit, *changes)
        return store.read()


def some_of_everything(folder: Path) -> Kept:
    """People, answers and two running deals."""
    begun = [(a_lobby(code, deal_runs=True, lines=2), a_beginning(code)) for code in (FOX, OWL)]
    people = [(a_person(person), an_answer(1, person)) for person in range(4)]
    actions = [(an_action(at, FOX), an_action(at, OWL), an_answer(at + 2, 1)) for at in range(30)]
    return keep(folder, *begun, *people, *actions)


def reopened(folder: Path) -> Kept:
    with contextlib.closing(SqliteStore(folder)) as store:
        return store.read()


def change_by_hand(folder: Path, statement: str) -> None:
    """Do to the file what only a fault, or another program, does."""
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.execute(statement)


def sentence_of(folder: Path) -> str:
    """The sentence with which a server refuses to start here; it is one line."""
    with pytest.raises(OpenFault) as refused:
        reopened(folder)
    assert "\n" not in str(refused.value)
    return str(refused.value)


# --- two servers -----------------------------------------------------------------------------------


def test_a_second_server_is_told_which_one_has_the_folder(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path)):
        sentence = sentence_of(tmp_path)

    assert sentence.startswith(f"the server with process id {os.getpid()} is using {tmp_path}.")
    assert reopened(tmp_path) == Kept()


def test_a_second_server_is_refused_where_the_first_has_not_said_who_it_is(tmp_path: Path) -> None:
    with (tmp_path / LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        sentence = sentence_of(tmp_path)

    assert sentence.startswith(f"another server is using {tmp_path}.")


def test_a_refused_start_leaves_the_folder_to_the_next(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("no database" * 100)
    sentence_of(tmp_path)
    (tmp_path / FILE).unlink()

    assert reopened(tmp_path) == Kept()


# --- the folder and the file -------------------------------------------------------------------------


def test_only_the_owner_can_read_what_is_kept(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        trio.run(store.commit, a_person())
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}

    assert modes == dict.fromkeys((FILE, f"{FILE}-wal", f"{FILE}-shm", LOCK), 0o600)


def test_an_empty_file_is_a_journal_whose_server_was_killed_in_its_first_moment(
    tmp_path: Path,
) -> None:
    (tmp_path / FILE).touch()

    assert reopened(tmp_path) == Kept()


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert sentence_of(tmp_path / "none").startswith(
        f"cannot write in {tmp_path / 'none'}: No such"
    )


@contextlib.contextmanager
def a_folder_to_read_only() -> Iterator[Path]:
    """A folder with a journal that this process can read and not write, root or not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        some_of_everything(folder)
        modes = {folder: 0o555} | dict.fromkeys(folder.iterdir(), 0o444)
        for path, mode in modes.items():
            path.chmod(mode)
        try:
            with unprivileged():
                yield folder
        finally:
            folder.chmod(0o755)


@contextlib.contextmanager
def unprivileged() -> Iterator[None]:
    """Nothing is writable to root for being root until the block ends."""
    before = os.geteuid()
    os.seteuid(before or NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_folder_that_cannot_be_written_is_refused() -> None:
    with a_folder_to_read_only() as folder:
        sentence = sentence_of(folder)

    assert sentence == (
        f"cannot write in {folder}: Permission denied. Give another folder with --data"
    )


def test_a_file_that_cannot_be_written_is_refused() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        some_of_everything(folder)
        folder.chmod(0o777)
        (folder / FILE).chmod(0o444)
        (folder / LOCK).chmod(0o666)
        with unprivileged():
            sentence = sentence_of(folder)

    assert sentence.startswith(f"cannot use {folder / FILE}: Permission denied.")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("once upon a time " * 100)

    assert sentence_of(tmp_path).startswith(f"cannot use {tmp_path / FILE}: file is not a database")


@pytest.mark.parametrize(
    "table", ["tables (id)", "meta (name, value)"], ids=["of other tables", "that looks alike"]
)
def test_a_database_of_another_program_is_refused_and_left_alone(
    tmp_path: Path, table: str
) -> None:
    change_by_hand(tmp_path, f"CREATE TABLE {table}")
    before = (tmp_path / FILE).read_bytes()

    sentence = sentence_of(tmp_path)

    assert sentence.startswith(f"{tmp_path / FILE} is ")
    assert (tmp_path / FILE).read_bytes() == before


@pytest.mark.parametrize("version", [0, SCHEMA + 1, 99])
def test_a_journal_of_another_version_is_refused_and_left_alone(
    tmp_path: Path, version: int
) -> None:
    some_of_everything(tmp_path)
    change_by_hand(tmp_path, f"UPDATE meta SET value = {version} WHERE name = 'schema'")
    before = (tmp_path / FILE).read_bytes()

    sentence = sentence_of(tmp_path)

    assert f"is a journal of version {version}, and this server knows version {SCHEMA}" in sentence
    assert (tmp_path / FILE).read_bytes() == before


# --- damaged records ---------------------------------------------------------------------------------

DAMAGES = {
    "a byte of an action": (
        f"UPDATE actions SET body = zeroblob(9) WHERE code = '{FOX}' AND number = 17",
        f"lobby {FOX}, record 17: its checksum is wrong",
    ),
    "an action of another engine": (
        f"UPDATE actions SET engine = 2 WHERE code = '{FOX}' AND number = 17",
        f"lobby {FOX}, record 17: its checksum is wrong",
    ),
    "an action that is gone": (
        f"DELETE FROM actions WHERE code = '{FOX}' AND number = 3",
        f"lobby {FOX}, record 4: record 3 should come here",
    ),
    "an action that strayed": (
        f"UPDATE actions SET number = 31 WHERE code = '{OWL}' AND number = 30",
        f"lobby {OWL}, record 31: record 30 should come here",
    ),
    "an action in the wrong lobby": (
        f"UPDATE actions SET code = '{OWL}', number = 31 WHERE code = '{FOX}' AND number = 30",
        f"lobby {OWL}, record 31: its checksum is wrong",
    ),
    "a number for a body": (
        f"UPDATE lobbies SET body = 7 WHERE code = '{OWL}'",
        f"lobby {OWL}: it cannot be read",
    ),
    "a deal's checksum": (
        f"UPDATE deals SET checksum = checksum + 1 WHERE code = '{FOX}'",
        f"lobby {FOX}, its deal: its checksum is wrong",
    ),
    "a person": (
        f"UPDATE people SET body = zeroblob(70) WHERE digest = x'{digest(2).hex()}'",
        f"person {digest(2).hex()[:16]}: its checksum is wrong",
    ),
    "an answer": (
        f"UPDATE answers SET n = 77 WHERE digest = x'{digest(1).hex()}' AND n = 5",
        f"person {digest(1).hex()[:16]}, answer 77: its checksum is wrong",
    ),
    "a key of another kind": (
        f"UPDATE people SET digest = 'who' WHERE digest = x'{digest(0).hex()}'",
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

    monkeypatch.setattr("server.rows.ENGINE", 2)
    sentence = sentence_of(tmp_path)
    change_by_hand(tmp_path, "DELETE FROM actions")
    change_by_hand(tmp_path, "DELETE FROM deals")

    assert "it rests on rules engine 1, and this server has 2" in sentence
    assert reopened(tmp_path).people == kept.people


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


async def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        found = [
            store._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]

    assert found == ["wal", 2, 1]  # 2 is FULL
