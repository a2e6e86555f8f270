"""Data folders with a journal in them, and what can befall them."""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from server.data_folder import server_id
from server.journal.database import FILE
from server.journal.records import Change, Kept
from server.journal.sqlite_store import SqliteStore
from server.journal.store import OpenFault
from tests.support.changes import (
    FOX,
    OWL,
    a_person,
    a_running_deal,
    an_action,
    an_answer,
)

NOBODY = 65534


def keep(folder: Path, *commits: tuple[Change, ...]) -> Kept:
    """Keep these in the folder, which is then that of a server, and close it."""
    server_id(folder)
    with contextlib.closing(SqliteStore(folder)) as store:
        for changes in commits:
            trio.run(store.commit, *changes)
        return store.read()


def some_of_everything(folder: Path) -> Kept:
    """People, answers and two running deals."""
    begun = [a_running_deal(code, lines=2) for code in (FOX, OWL)]
    people = [(a_person(person), an_answer(1, person)) for person in range(4)]
    actions = [(an_action(at, FOX), an_action(at, OWL), an_answer(at + 2, 1)) for at in range(30)]
    return keep(folder, *begun, *people, *actions)


def reopened(folder: Path) -> Kept:
    """What a server finds that starts with this folder."""
    with contextlib.closing(SqliteStore(folder)) as store:
        return store.read()


def change_by_hand(folder: Path, statement: str, *values: object) -> None:
    """Do to the file what only a fault, or another program, does."""
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.execute(statement, values)


def frames_in(log: Path) -> int:
    """How many pages have been written to SQLite's log since it last began at its front."""
    content, head, page = log.read_bytes(), 24, 4096
    salt = content[16:24]  # in the log's own header, and at the head of each page
    heads = [content[at : at + head] for at in range(32, len(content), head + page)]
    return sum(salt != bytes(8) and salt == each[8:16] for each in heads)


def sentence_of(folder: Path) -> str:
    """The sentence with which a server refuses to start here; it is one line."""
    with pytest.raises(OpenFault) as refused:
        reopened(folder)
    assert "\n" not in str(refused.value)
    return str(refused.value)


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
