"""When a transaction of the journal waits for more commits, and when it does not."""

import contextlib
from pathlib import Path

import pytest
import trio

from server.journal.rush import MANY, SHORTLY_S, Rush
from server.journal.sqlite_store import SqliteStore
from server.journal.store import JournalFault
from tests.support.changes import a_person, an_action
from tests.support.mishaps import broken

PATIENCE_S = 30

CODES = ("FOX-11", "OWL-22", "ELK-33", "BEE-44", "CAT-55")


class Hands:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def a_rush(*codes: str, apart_s: float = 0.0) -> Rush:
    """After one commit of each of these tables, so far apart."""
    hands = Hands()
    rush = Rush(hands)
    for code in codes:
        hands.now += apart_s
        rush.note([an_action(1, code)])
    return rush


def test_one_table_never_waits_however_fast_it_is() -> None:
    assert not a_rush(*[CODES[0]] * 50).is_on()


def test_two_tables_in_turn_do_not_wait() -> None:
    assert not a_rush(*CODES[:2] * 10).is_on()


def test_as_many_tables_as_make_a_rush_wait_for_more() -> None:
    assert MANY == 4
    assert a_rush(*CODES[:4]).is_on()
    assert not a_rush(*CODES[:3]).is_on()


def test_many_in_one_transaction_are_a_rush() -> None:
    rush = Rush(Hands())
    rush.note([an_action(1, code) for code in CODES])
    assert rush.is_on()


def test_a_thousand_commits_a_second_are_a_rush_though_no_two_come_at_once() -> None:
    assert a_rush(*CODES, apart_s=0.001).is_on()


def test_few_commits_a_second_are_none() -> None:
    assert not a_rush(*CODES, apart_s=SHORTLY_S).is_on()


def test_a_rush_is_over_once_nobody_comes() -> None:
    hands = Hands()
    rush = Rush(hands)
    rush.note([an_action(1, code) for code in CODES])
    hands.now += 2 * SHORTLY_S
    assert not rush.is_on()


def test_people_who_come_together_are_a_rush() -> None:
    rush = Rush(Hands())
    rush.note([a_person(person) for person in range(4)])
    assert rush.is_on()


async def test_after_a_fault_of_ours_beside_a_commit_all_tables_waited_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        with monkeypatch.context() as patch:
            patch.setattr(Rush, "note", broken)
            with trio.fail_after(PATIENCE_S), pytest.raises(JournalFault, match="of the server"):
                await store.commit(a_person(1))

        await store.commit(a_person(2))
        kept = store.read()

    assert [each.person for each in kept.people] == [a_person(2)]
    assert "the journal failed" in caplog.text
