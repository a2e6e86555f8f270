"""The journal on disk: group commit, cancelled tasks, faults of the disk, closing."""

import contextlib
import resource
import select
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server.journal.database import FILE, LOG
from server.journal.records import STORED_ANSWERS, Change, Kept
from server.journal.sqlite_store import SqliteStore
from server.journal.store import JournalFault
from tests.support.changes import (
    a_lobby,
    a_person,
    a_running_deal,
    an_action,
    an_answer,
)
from tests.support.journals import frames_in

PATIENCE_S = 30


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with contextlib.closing(SqliteStore(tmp_path)) as opened:
        yield opened


@contextlib.contextmanager
def a_slow_disk(store: SqliteStore) -> Iterator[None]:
    """No transaction can begin until the block ends."""
    with store._in_use:
        yield


def actions_in(kept: Kept) -> list[int]:
    """When the actions of the only lobby were done."""
    (lobby,) = kept.lobbies
    return [action.at for action in lobby.actions]


async def begin_deal(store: SqliteStore) -> None:
    await store.commit(*a_running_deal())


def reopened(tmp_path: Path) -> Kept:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        return store.read()


# --- together ------------------------------------------------------------------------------------


async def test_all_who_wait_share_a_transaction(store: SqliteStore) -> None:
    await begin_deal(store)

    async with trio.open_nursery() as nursery:
        with a_slow_disk(store):
            for at in range(50):
                nursery.start_soon(store.commit, an_action(at))
            await wait_all_tasks_blocked()

    assert sorted(actions_in(store.read())) == list(range(50))
    assert store.statistics().commits == 51
    assert store.statistics().transactions <= 3  # one may have begun with the first alone


async def test_a_task_that_does_one_thing_after_the_other_finds_them_in_order(
    store: SqliteStore,
) -> None:
    await begin_deal(store)

    for at in range(20):
        await store.commit(an_action(at))

    assert actions_in(store.read()) == list(range(20))
    assert store.statistics().transactions == 21


async def test_the_fault_of_one_commit_is_no_fault_of_those_it_was_written_with(
    store: SqliteStore,
) -> None:
    refused: list[LookupError] = []

    async def offer_homeless() -> None:
        try:
            await store.commit(a_person(9), an_action(1, "NONE"))
        except LookupError as fault:
            refused.append(fault)

    async with trio.open_nursery() as nursery:
        with a_slow_disk(store):
            nursery.start_soon(store.commit, a_person(1))
            nursery.start_soon(offer_homeless)
            nursery.start_soon(store.commit, a_person(2))
            await wait_all_tasks_blocked()

    assert len(refused) == 1
    assert [kept.person for kept in store.read().people] == [a_person(1), a_person(2)]
    assert store.statistics().faults == 1


async def test_whoever_is_cancelled_leaves_the_changes_behind_to_be_kept(
    store: SqliteStore,
) -> None:
    await begin_deal(store)

    with a_slow_disk(store):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(store.commit, an_action(1))
            nursery.start_soon(store.commit, an_action(2), a_person())
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    await store.commit(an_action(3))

    assert sorted(actions_in(store.read())) == [1, 2, 3]
    assert len(store.read().people) == 1


async def test_no_more_than_the_queue_holds_are_handed_over(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path, most_waiting=3)) as store:
        await begin_deal(store)

        async with trio.open_nursery() as nursery:
            with a_slow_disk(store):
                for at in range(10):
                    nursery.start_soon(store.commit, an_action(at))
                await wait_all_tasks_blocked()
                waiting = store.statistics().waiting

        assert waiting <= 3
        assert sorted(actions_in(store.read())) == list(range(10))


async def test_whoever_is_cancelled_before_there_was_a_place_keeps_nothing(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path, most_waiting=1)) as store:
        async with trio.open_nursery() as nursery:
            with a_slow_disk(store):
                nursery.start_soon(store.commit, a_person(1))
                await wait_all_tasks_blocked()
                with trio.CancelScope() as impatient:
                    impatient.cancel()
                    await store.commit(a_person(2))

        await store.commit(a_person(3))
        assert [kept.person for kept in store.read().people] == [a_person(1), a_person(3)]


@pytest.mark.parametrize("listens", [False, True], ids=["asleep", "who listens"])
async def test_a_place_given_to_somebody_just_cancelled_was_lost_and_raised_an_error_in_their_task(
    tmp_path: Path,
    listens: bool,  # noqa: FBT001 - a parameter
) -> None:
    with contextlib.closing(SqliteStore(tmp_path, most_waiting=1)) as store:
        async with trio.open_nursery() as nursery:
            first, impatient = trio.CancelScope(), trio.CancelScope()
            with a_slow_disk(store):
                for person, scope in enumerate((first, impatient)):
                    nursery.start_soon(commit_within, scope, store, a_person(person))
                    await wait_all_tasks_blocked()
                if listens:
                    first.cancel()
                    await wait_all_tasks_blocked()
            assert select.select([store._bell._ear], [], [], PATIENCE_S)[0]
            impatient.cancel()
            store._bell._take_in()
            store._bell.ring(())  # whoever listens goes on as well

        with trio.fail_after(PATIENCE_S):
            await store.commit(a_person(2))
        assert [kept.person for kept in store.read().people] == [a_person(0), a_person(2)]


async def commit_within(scope: trio.CancelScope, store: SqliteStore, change: Change) -> None:
    with scope:
        await store.commit(change)


async def test_places_of_those_who_were_cancelled_are_free_again(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path, most_waiting=2)) as store:
        with a_slow_disk(store):
            async with trio.open_nursery() as nursery:
                for person in range(2):
                    nursery.start_soon(store.commit, a_person(person))
                await wait_all_tasks_blocked()
                nursery.cancel_scope.cancel()

        with trio.fail_after(PATIENCE_S):
            for person in range(2, 6):
                await store.commit(a_person(person))

        assert len(store.read().people) == 6


def test_a_store_outlives_the_loop_that_used_it(store: SqliteStore) -> None:
    trio.run(store.commit, a_person(1))

    trio.run(store.commit, a_person(2))

    assert len(store.read().people) == 2


# --- how it fares ----------------------------------------------------------------------------------


async def test_how_long_a_write_takes_is_known_from_the_start(store: SqliteStore) -> None:
    assert (store.statistics().commits, store.statistics().waiting) == (0, 0)
    assert 0 < (store.statistics().trial_us or 0) < 60_000_000


# --- the end ---------------------------------------------------------------------------------------


async def test_what_was_handed_over_is_kept_before_the_end(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)

    async with trio.open_nursery() as nursery:
        with a_slow_disk(store):
            for person in range(8):
                nursery.start_soon(store.commit, a_person(person))
            await wait_all_tasks_blocked()
        store.close()

    assert len(reopened(tmp_path).people) == 8


async def test_after_the_end_nothing_is_kept(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path, most_waiting=1)
    store.close()
    store.close()

    for _ in range(2):  # the first one's place in the queue is free again
        with pytest.raises(JournalFault, match="closed"):
            await store.commit(a_person())

    assert reopened(tmp_path) == Kept()


# --- a disk that is full or broken -------------------------------------------------------------------


def limit_pages(store: SqliteStore, pages: int) -> None:
    """From now on SQLite takes the disk to be full when the file would be longer."""
    with store._in_use:
        store._connection.execute(f"PRAGMA max_page_count = {pages}")


def a_long_talk() -> Change:
    """More than fits into the pages that there are."""
    return a_lobby(deal_runs=True, lines=100)


async def test_when_the_disk_is_full_nothing_of_the_commit_is_kept_and_later_it_works(
    store: SqliteStore, tmp_path: Path
) -> None:
    await begin_deal(store)
    limit_pages(store, 1)  # that is, no more than there are

    with pytest.raises(JournalFault, match="full"):
        await store.commit(an_action(1), a_long_talk(), a_person())
    before = store.read()
    limit_pages(store, 100_000)
    await store.commit(an_action(2), a_long_talk())
    store.close()

    assert (actions_in(before), before.people) == ([], ())
    assert actions_in(reopened(tmp_path)) == [2]
    assert reopened(tmp_path).lobbies[0].lobby == a_lobby(deal_runs=True, lines=100).lobby
    assert store.statistics().faults == 1


async def test_a_full_disk_costs_exactly_the_commits_of_one_transaction(
    store: SqliteStore,
) -> None:
    await begin_deal(store)
    limit_pages(store, 1)
    faults: list[JournalFault] = []

    async def offer(change: Change) -> None:
        try:
            await store.commit(change)
        except JournalFault as fault:
            faults.append(fault)

    async with trio.open_nursery() as nursery:
        with a_slow_disk(store):
            for change in (an_action(1), a_long_talk(), a_person()):
                nursery.start_soon(offer, change)
                await wait_all_tasks_blocked()  # so that the talk is not the one that goes alone
    await store.commit(an_action(2))  # which needs no new page

    kept = store.read()
    went_well = 3 - len(faults)  # the first may have gone ahead alone
    assert len(faults) in {2, 3}
    assert len(actions_in(kept)) + len(kept.people) == went_well + 1
    assert kept.lobbies[0].lobby.chat == ()


async def test_a_write_that_the_system_refuses_is_a_fault_and_later_it_works(
    store: SqliteStore, tmp_path: Path
) -> None:
    await begin_deal(store)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    written = len((tmp_path / LOG).read_bytes().rstrip(b"\0"))  # of what was laid out in advance

    resource.setrlimit(resource.RLIMIT_FSIZE, (written, hard))
    try:
        for at in range(3):
            with pytest.raises(JournalFault, match="I/O"):
                await store.commit(an_action(at))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    await store.commit(an_action(3))
    store.close()

    assert actions_in(reopened(tmp_path)) == [3]


def outsider(tmp_path: Path) -> sqlite3.Connection:
    """Somebody who opens the file beside the server."""
    return sqlite3.connect(tmp_path / FILE, isolation_level=None)


async def test_somebody_who_locks_the_file_from_outside_costs_only_what_came_meanwhile(
    store: SqliteStore, tmp_path: Path
) -> None:
    await begin_deal(store)
    store._connection.execute("PRAGMA busy_timeout = 1")

    with contextlib.closing(outsider(tmp_path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalFault, match="locked"):
            await store.commit(an_action(1))
    await store.commit(an_action(2))

    assert actions_in(store.read()) == [2]


async def test_a_mistake_of_ours_in_the_thread_costs_one_transaction_whole(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_wrongly(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("server.journal.entries.page_of", write_wrongly)
        with pytest.raises(JournalFault, match="fault of the server"):
            await store.commit(a_person(1), an_answer(1, 1))
    await store.commit(a_person(2), an_answer(1, 2))

    assert [kept.person for kept in store.read().people] == [a_person(2, last_command=1)]


async def test_answers_that_are_no_longer_needed_leave_the_file(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path, post_at=500)) as store:
        await store.commit(a_person(1), a_person(2))
        for n in range(1, 200):
            await store.commit(an_answer(n, 1), an_answer(n, 2))

        with store._in_use:
            (rows,) = store._connection.execute("SELECT count(*) FROM answers").fetchone()
            (size,) = store._connection.execute("SELECT sum(length(body)) FROM daybook").fetchone()

    assert rows == 2 * STORED_ANSWERS
    assert (size or 0) < 2 * 500


# --- what a commit costs -------------------------------------------------------------------------------


async def test_a_commit_is_one_statement_and_one_page_of_the_log(
    store: SqliteStore, tmp_path: Path
) -> None:
    await begin_deal(store)
    await store.commit(a_person())
    statements: list[str] = []
    store._connection.set_trace_callback(statements.append)
    before = frames_in(tmp_path / LOG)

    for at in range(5):
        await store.commit(an_action(at), an_answer(at + 1))

    assert len(statements) == 5
    assert frames_in(tmp_path / LOG) - before == 5
