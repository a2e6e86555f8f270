"""Looking through a journal: what it says of a sound one, and of one that is not."""

import contextlib
import os
import sqlite3
from pathlib import Path

import pytest
import trio

from protocol.numbers import PlayNumber, Seat
from server.checkup import check_folder
from server.data_folder import server_id
from server.game.actions import LetGo
from server.journal.database import FILE
from server.journal.records import ActionDone, Change
from server.journal.sqlite_store import SqliteStore
from server.journal.store import OpenFault
from tests.support.changes import (
    FOX,
    OWL,
    a_lobby,
    a_person,
    a_running_deal,
    an_action,
    an_answer,
)
from tests.support.journals import a_folder_to_read_only, change_by_hand, keep

EVENING: tuple[tuple[Change, ...], ...] = (
    (a_person(1), an_answer(1, 1), an_answer(2, 1), a_person(2)),
    (a_lobby(OWL),),
    a_running_deal(),
    (an_action(1), an_action(2), an_action(3)),
)
COUNTS = (
    "people: 2, with 2 answers",
    "lobbies: 2, in 1 of them a deal runs",
)
OWL_LINE = f"lobby {OWL}: gathering, seats 0"
FOX_LINE = f"lobby {FOX}: playing, seats 0"


def test_a_sound_journal_is_listed(tmp_path: Path) -> None:
    keep(tmp_path, *EVENING)

    report = check_folder(tmp_path)

    assert report.is_sound
    assert report.lines == (
        *COUNTS,
        f"{FOX_LINE}, deal 1, play 0, records 3",
        OWL_LINE,
        "all sound",
    )


def test_nothing_is_changed_by_looking(tmp_path: Path) -> None:
    keep(tmp_path, *EVENING)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    check_folder(tmp_path)

    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_journal_in_use_can_be_looked_at(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        for changes in EVENING:
            trio.run(store.commit, *changes)
        server_id(tmp_path)
        report = check_folder(tmp_path)
        trio.run(store.commit, an_action(4))

    assert report.is_sound
    assert f"{FOX_LINE}, deal 1, play 0, records 3" in report.lines


def test_a_journal_that_cannot_be_written_can_be_looked_at() -> None:
    with a_folder_to_read_only() as folder:
        report = check_folder(folder)

    assert report.is_sound
    assert report.lines[0] == "people: 4, with 34 answers"


def test_every_damaged_record_is_listed(tmp_path: Path) -> None:
    keep(tmp_path, *EVENING)
    change_by_hand(tmp_path, "UPDATE actions SET checksum = 1 WHERE number IN (1, 3)")
    change_by_hand(tmp_path, "UPDATE answers SET checksum = 1 WHERE n = 2")

    report = check_folder(tmp_path)

    assert not report.is_sound
    assert report.lines == (
        "people: 2, with 1 answers",
        COUNTS[1],
        FOX_LINE,
        OWL_LINE,
        f"damaged: person {'01' * 8}, answer 2: its checksum is wrong",
        f"damaged: lobby {FOX}, record 1: its checksum is wrong",
        f"damaged: lobby {FOX}, record 3: its checksum is wrong",
        "3 damaged: no server can start with it",
    )


def test_a_record_that_the_rules_refuse_is_listed(tmp_path: Path) -> None:
    wrong = ActionDone(code=FOX, action=LetGo(seat=Seat(1), play=PlayNumber(9)), at=4)
    keep(tmp_path, *EVENING, (wrong,))

    report = check_folder(tmp_path)

    assert not report.is_sound
    assert FOX_LINE in report.lines
    assert report.lines[-2].startswith(f"damaged: lobby {FOX}, record 4: the rules do not allow it")


def test_a_deal_that_is_gone_is_listed_once(tmp_path: Path) -> None:
    keep(tmp_path, *EVENING)
    change_by_hand(tmp_path, "DELETE FROM deals")

    report = check_folder(tmp_path)

    assert report.lines[-2:] == (
        f"damaged: lobby {FOX}: its deal runs but is not there",
        "1 damaged: no server can start with it",
    )


def test_a_page_that_sqlite_finds_damaged_is_listed(tmp_path: Path) -> None:
    keep(tmp_path, *EVENING)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as connection:
        root, size = connection.execute(
            "SELECT rootpage, (SELECT page_size FROM pragma_page_size) "
            "FROM sqlite_master WHERE name = 'lobbies'"
        ).fetchone()
    with (tmp_path / FILE).open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(os.urandom(8))

    report = check_folder(tmp_path)

    assert not report.is_sound
    assert any(line.startswith("damaged: the file: ") for line in report.lines)


def test_where_there_is_no_journal_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(OpenFault, match=f"there is no journal in {tmp_path}"):
        check_folder(tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_may_not_be_looked_into_was_a_traceback(tmp_path: Path) -> None:
    folder = tmp_path / ("a" * 300)  # nobody at all may look into one with such a name

    with pytest.raises(OpenFault, match=f"cannot look into {folder}: File name too long"):
        check_folder(folder)


@pytest.mark.parametrize("content", ["", "no database" * 100], ids=["empty", "of something else"])
def test_a_file_that_is_no_journal_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)

    with pytest.raises(OpenFault, match=r"is not a journal of Facedown|file is not a database"):
        check_folder(tmp_path)
