"""What a server refuses to start with, each time in one clear sentence."""

import contextlib
import errno
import fcntl
import os
import sqlite3
import stat
import tempfile
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from server.checkup import check_folder
from server.journal import database
from server.journal.database import FILE, LOG, LOG_BYTES, OLDEST, SCHEMA
from server.journal.lock import LOCK
from server.journal.records import Kept
from server.journal.sqlite_store import SqliteStore
from tests.support.changes import FOX, a_line, a_lobby, a_person, a_running_deal, an_action
from tests.support.journals import (
    a_folder_to_read_only,
    change_by_hand,
    keep,
    reopened,
    sentence_of,
    some_of_everything,
    unprivileged,
)

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


def test_whoever_deleted_the_lock_as_a_leftover_had_two_servers_spoil_one_journal(
    tmp_path: Path,
) -> None:
    with contextlib.closing(SqliteStore(tmp_path)):
        (tmp_path / LOCK).unlink()
        sentence = sentence_of(tmp_path)

    assert sentence.startswith(f"another server is using {tmp_path}.")
    assert reopened(tmp_path) == Kept()


def test_where_a_folder_cannot_be_locked_the_file_in_it_is_enough(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lock = fcntl.flock

    def of_files_only(file: int, how: int) -> None:
        if stat.S_ISDIR(os.fstat(file).st_mode):
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", of_files_only)

    with contextlib.closing(SqliteStore(tmp_path)):
        assert sentence_of(tmp_path).startswith(f"the server with process id {os.getpid()} is")


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


async def commit_more_than_the_log_holds(store: SqliteStore) -> None:
    await store.commit(a_person(), *a_running_deal())
    written = 0
    while written < 2 * LOG_BYTES:
        lobby = a_lobby(deal_runs=True, lines=100)
        await store.commit(*[lobby] * 5, an_action(written))
        written += 100 * 200  # about: each line once, in the pages that it fills


def test_the_log_is_as_long_from_the_start_as_it_ever_gets(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        before = (tmp_path / LOG).stat().st_size
        trio.run(commit_more_than_the_log_holds, store)
        after = (tmp_path / LOG).stat().st_size

    assert before == after == LOG_BYTES


def test_where_room_is_short_no_log_is_laid_out_in_advance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "SPARE", 10**12)

    with contextlib.closing(SqliteStore(tmp_path)) as store:
        trio.run(store.commit, a_person())
        size = (tmp_path / LOG).stat().st_size

    assert size < LOG_BYTES
    assert [kept.person for kept in reopened(tmp_path).people] == [a_person()]


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert sentence_of(tmp_path / "none").startswith(
        f"cannot write in {tmp_path / 'none'}: No such"
    )


def test_a_folder_that_cannot_be_written_is_refused() -> None:
    with a_folder_to_read_only() as folder:
        sentence = sentence_of(folder)

    assert sentence == (
        f"cannot write in {folder}: Permission denied. Give another folder with --data"
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_where_the_lock_was_a_pipe_the_server_ended_in_a_traceback(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / LOCK)

    assert sentence_of(tmp_path).startswith(f"cannot lock {tmp_path}: ")


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


@pytest.mark.parametrize("version", [0, OLDEST - 1, SCHEMA + 1, 99])
def test_a_journal_of_another_version_is_refused_and_left_alone(
    tmp_path: Path, version: int
) -> None:
    some_of_everything(tmp_path)
    change_by_hand(tmp_path, "UPDATE meta SET value = ? WHERE name = 'schema'", version)
    before = (tmp_path / FILE).read_bytes()

    sentence = sentence_of(tmp_path)

    assert (
        f"is a journal of version {version}, and this server knows {OLDEST} to {SCHEMA}" in sentence
    )
    assert (tmp_path / FILE).read_bytes() == before


def schema_of(folder: Path) -> int:
    with contextlib.closing(sqlite3.connect(folder / FILE)) as connection:
        (found,) = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
    return int(found)


@pytest.mark.parametrize("version", range(OLDEST, SCHEMA))
def test_a_journal_that_an_older_server_has_written_is_taken_up(
    tmp_path: Path, version: int
) -> None:
    before = some_of_everything(tmp_path)
    change_by_hand(tmp_path, "UPDATE meta SET value = ? WHERE name = 'schema'", version)
    report = check_folder(tmp_path)
    looked_at = schema_of(tmp_path)

    kept = keep(tmp_path, (a_line(3, FOX),))

    (fox,) = (lobby for lobby in kept.lobbies if lobby.code == FOX)
    assert report.is_sound
    assert (looked_at, schema_of(tmp_path)) == (version, SCHEMA)
    assert fox.lobby.chat[-1] == a_line(3, FOX).said
    assert replace(fox, lobby=replace(fox.lobby, chat=fox.lobby.chat[:-1])) in before.lobbies
    assert kept.people == before.people


@pytest.mark.parametrize("version", range(OLDEST, SCHEMA))
def test_whoever_had_tried_a_newer_server_that_did_not_start_could_not_go_back(
    tmp_path: Path, version: int
) -> None:
    before = some_of_everything(tmp_path)
    change_by_hand(tmp_path, "UPDATE meta SET value = ? WHERE name = 'schema'", version)

    kept = reopened(tmp_path)

    assert kept == before
    assert schema_of(tmp_path) == version


async def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        found = [
            store._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]

    assert found == ["wal", 2, 1]  # 2 is FULL
