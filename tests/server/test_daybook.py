"""The daybook: what is in it when a server dies, how it is posted, and what befalls its pages."""

import contextlib
import shutil
import sqlite3
from collections import Counter
from pathlib import Path
from random import Random

import pytest
import trio

from fuzzing.mutations import mutated
from server.checkup import check_folder
from server.journal.database import FILE, LOG, LOG_BYTES
from server.journal.daybook import page_of
from server.journal.records import Kept, PersonForgotten
from server.journal.rows import Row, of_page, written
from server.journal.sqlite_store import SqliteStore
from server.journal.store import OpenFault
from tests.support.changes import (
    FOX,
    OWL,
    a_beginning,
    a_line,
    a_lobby,
    a_person,
    a_running_deal,
    an_action,
    an_answer,
    digest,
)
from tests.support.journals import change_by_hand, frames_in, reopened, sentence_of

EVENING = (
    (a_person(1), a_person(2)),
    a_running_deal(),
    (an_action(1), an_answer(1, 1)),
    (an_action(2), an_answer(1, 2)),
    (an_action(3),),
)


async def commit_all(store: SqliteStore) -> None:
    for changes in EVENING:
        await store.commit(*changes)


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """The folder of a server that was killed after this evening: nothing of it is posted."""
    folder, copy = tmp_path / "alive", tmp_path / "killed"
    folder.mkdir()
    with contextlib.closing(SqliteStore(folder)) as store:
        trio.run(commit_all, store)
        shutil.copytree(folder, copy)
    return copy


def counts_in(folder: Path) -> dict[str, int]:
    """How many rows there are, by table."""
    tables = ("daybook", "people", "answers", "lobbies", "deals", "actions")
    with contextlib.closing(sqlite3.connect(folder / FILE)) as connection:
        return {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
            for table in tables
        }


def check(kept: Kept) -> None:
    """All of the evening is there."""
    (lobby,) = kept.lobbies
    assert lobby.actions == tuple(an_action(at) for at in (1, 2, 3))
    assert lobby.deal == a_beginning().deal
    assert [(p.person, p.answers) for p in kept.people] == [
        (a_person(one, last_command=1), (an_answer(1, one),)) for one in (1, 2)
    ]


def test_each_transaction_is_a_page_until_the_next_server_posts_it(killed: Path) -> None:
    before = counts_in(killed)

    kept = reopened(killed)

    nothing = dict.fromkeys(("people", "answers", "lobbies", "deals", "actions"), 0)
    assert before == {"daybook": len(EVENING), **nothing}
    assert counts_in(killed) == {
        "daybook": 0,
        "people": 2,
        "answers": 2,
        "lobbies": 1,
        "deals": 1,
        "actions": 3,
    }
    check(kept)


def test_a_journal_in_use_is_read_with_its_daybook_and_left_as_it_is(killed: Path) -> None:
    with contextlib.closing(sqlite3.connect(killed / FILE)) as other:
        other.execute("SELECT count(*) FROM people").fetchone()  # the log is in use from here on
        report = check_folder(killed)

        assert "all sound" in report.lines
        assert report.lines[:2] == (
            "people: 2, with 2 answers",
            "lobbies: 1, in 1 of them a deal runs",
        )
        assert f"lobby {FOX}: playing, seats 0, deal 1, play 0, records 3" in report.lines
    assert counts_in(killed)["daybook"] == len(EVENING)


async def test_after_posting_an_action_has_the_next_number(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path, post_at=1)) as store:
        await commit_all(store)
        await store.commit(an_action(4))

        (lobby,) = store.read().lobbies

    assert [action.at for action in lobby.actions] == [1, 2, 3, 4]


async def test_what_was_posted_can_be_built_on_and_what_was_dropped_cannot(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path, post_at=1)) as store:
        await commit_all(store)
        await store.commit(a_lobby())  # the deal is over

        with pytest.raises(LookupError):
            await store.commit(an_action(4))
        await store.commit(a_beginning())
        await store.commit(an_action(5))

        (lobby,) = store.read().lobbies
    assert [action.at for action in lobby.actions] == [5]


async def test_an_answer_to_somebody_who_is_known_only_later_is_not_theirs(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        await store.commit(an_answer(4))
        await store.commit(a_person())
        await store.commit(an_answer(5))
        await store.commit(PersonForgotten(digest=digest(1)))
        await store.commit(an_answer(6))
        await store.commit(a_person())
        await store.commit(an_answer(7))

    (kept,) = reopened(tmp_path).people
    assert kept.answers == (an_answer(7),)


async def test_somebody_who_was_posted_and_looks_different_now_keeps_their_answers(
    tmp_path: Path,
) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        await store.commit(a_person(), an_answer(4))
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        await store.commit(an_answer(5))
        await store.commit(a_person(name="Leo"))

    (kept,) = reopened(tmp_path).people
    assert (kept.person.name, kept.answers) == ("Leo", (an_answer(4), an_answer(5)))


def test_a_damaged_lobby_in_which_something_was_said_is_named_once(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        trio.run(store.commit, a_lobby())
    change_by_hand(tmp_path, "UPDATE lobbies SET checksum = 1")
    put_page(tmp_path, 1, page_of(1, [("line", FOX.encode(), 1, written([a_line(1)])[0][1])]))

    report = check_folder(tmp_path)
    sentence = sentence_of(tmp_path)

    assert [line for line in report.lines if line.startswith("damaged")] == [
        f"damaged: lobby {FOX}: its checksum is wrong"
    ]
    assert f"damaged at lobby {FOX}" in sentence


# --- posting that does not succeed -------------------------------------------------------------------


async def test_a_daybook_that_cannot_be_posted_stays_and_is_posted_later(tmp_path: Path) -> None:
    with contextlib.closing(SqliteStore(tmp_path, post_at=1000)) as store:
        store._connection.execute("PRAGMA busy_timeout = 1")
        store._connection.set_authorizer(refuse_to_begin)
        await commit_all(store)
        for at in range(4, 40):
            await store.commit(an_action(at))
        with store._in_use:
            between = counts_in(tmp_path)
        store._connection.set_authorizer(None)
        for at in range(40, 80):
            await store.commit(an_action(at))
        with store._in_use:
            after = counts_in(tmp_path)

    assert (between["daybook"], between["actions"]) == (len(EVENING) + 36, 0)
    assert after["daybook"] < between["daybook"]
    (lobby,) = reopened(tmp_path).lobbies
    assert [action.at for action in lobby.actions] == list(range(1, 80))


def refuse_to_begin(what: int, *_: object) -> int:
    """For SQLite: no transaction of many statements is allowed."""
    return sqlite3.SQLITE_DENY if what == sqlite3.SQLITE_TRANSACTION else sqlite3.SQLITE_OK


async def test_a_fault_of_ours_in_posting_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def post_wrongly(*_: object) -> None:
        raise ZeroDivisionError

    with contextlib.closing(SqliteStore(tmp_path, post_at=1)) as store:
        with monkeypatch.context() as patch:
            patch.setattr("server.journal.sqlite_store.post", post_wrongly)
            await commit_all(store)
        check(store.read())

    check(reopened(tmp_path))


def test_a_posting_that_is_cut_short_changes_nothing(
    killed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_wrongly(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("server.journal.posting._Summary._write_answers", write_wrongly)
        with pytest.raises(ZeroDivisionError):
            SqliteStore(killed)
    between = counts_in(killed)

    assert (between["daybook"], between["actions"]) == (len(EVENING), 0)
    SqliteStore(killed).close()  # what failed has let go of the folder


# --- damage --------------------------------------------------------------------------------------------


DAMAGES = {
    "a byte of a page": (
        "UPDATE daybook SET body = zeroblob(9) WHERE place = 3",
        "the daybook, page 3: its checksum is wrong",
    ),
    "a page that is gone": (
        "DELETE FROM daybook WHERE place = 2",
        "the daybook, page 3: page 2 should come here",
    ),
    "the first page": (
        "DELETE FROM daybook WHERE place = 1",
        "the daybook, page 2: page 1 should come here",
    ),
    "a page that strayed": (
        "UPDATE daybook SET place = 9 WHERE place = 5",
        "the daybook, page 9: page 5 should come here",
    ),
    "a number for a body": (
        "UPDATE daybook SET body = 7 WHERE place = 4",
        "the daybook, page 4: it cannot be read",
    ),
}


@pytest.mark.parametrize(("statement", "where_and_why"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_page_is_named(killed: Path, statement: str, where_and_why: str) -> None:
    change_by_hand(killed, statement)

    report = check_folder(killed)
    sentence = sentence_of(killed)

    assert not report.is_sound
    assert any(line.startswith(f"damaged: {where_and_why}") for line in report.lines)
    assert sentence.startswith(f"the journal is damaged at {where_and_why}")


def test_each_page_after_one_that_was_missing_was_once_named_too(killed: Path) -> None:
    change_by_hand(killed, "DELETE FROM daybook WHERE place = 3")

    named = [line for line in check_folder(killed).lines if "the daybook" in line]

    assert named == ["damaged: the daybook, page 4: page 3 should come here"]


def test_what_the_other_pages_hold_is_listed_beside_a_damaged_one(killed: Path) -> None:
    change_by_hand(killed, "UPDATE daybook SET checksum = 1 WHERE place = 4")

    report = check_folder(killed)

    assert report.lines == (
        "people: 2, with 1 answers",
        "lobbies: 1, in 1 of them a deal runs",
        f"lobby {FOX}: playing, seats 0",
        "damaged: the daybook, page 4: its checksum is wrong",
        f"damaged: lobby {FOX}, record 3: record 2 should come here",
        "2 damaged: no server can start with it",
    )


def put_page(folder: Path, place: int, row: Row) -> None:
    """Add a page, or put it in the place of another."""
    change_by_hand(folder, "INSERT OR REPLACE INTO daybook VALUES (?, ?, ?, ?)", place, *row)


STRANGE = {
    "of an unknown kind": ([("novel", b"x", 0, b"")], "it is not a page of ours ('novel')"),
    "with a code that is no text": ([("action", b"\xff", 1, b"")], "it is not a page of ours"),
    "of other values": ([("action", 1, 2, 3)], "it cannot be read"),
    "with an action twice": ([("action", FOX.encode(), 3, b"")], "something in it belongs nowhere"),
    "with a line that is none": ([("line", FOX.encode(), 1, b"")], "it is not a page of ours"),
    "with a line of no lobby": (
        [("line", OWL.encode(), 1, written([a_line(1, OWL)])[0][1])],
        "something in it belongs nowhere",
    ),
    "with an action of no deal": (
        [("action", OWL.encode(), 1, b"")],
        "something in it belongs nowhere",
    ),
}


@pytest.mark.parametrize(("entries", "why"), STRANGE.values(), ids=STRANGE)
def test_a_page_with_a_right_checksum_is_refused(
    killed: Path, entries: list[tuple[str, bytes, int, bytes]], why: str
) -> None:
    put_page(killed, 6, page_of(6, entries))

    report = check_folder(killed)
    sentence = sentence_of(killed)

    assert not report.is_sound
    assert why in sentence


@pytest.mark.parametrize("seed", range(3))
def test_a_mutated_page_with_a_right_checksum_is_refused_in_one_line_or_posted(
    killed: Path, tmp_path: Path, seed: int
) -> None:
    rng = Random(seed)
    with contextlib.closing(sqlite3.connect(killed / FILE)) as connection:
        bodies = [body for (body,) in connection.execute("SELECT body FROM daybook")]
    outcomes: Counter[bool] = Counter()

    for _ in range(40):
        folder = tmp_path / "mutant"
        shutil.copytree(killed, folder)
        place = rng.randrange(len(bodies))
        body = mutated(bodies[place], rng, bodies)
        put_page(folder, place + 1, Row.of(of_page(place + 1), body))
        check_folder(folder)
        outcomes[can_start(folder)] += 1
        shutil.rmtree(folder)

    assert min(outcomes[True], outcomes[False]) > 0


def can_start(folder: Path) -> bool:
    """Whether a server starts with this folder; if not, it says so in one line."""
    try:
        reopened(folder)
    except OpenFault as fault:
        refusal = str(fault)
    else:
        return True
    assert refusal.isprintable()
    return False


def test_pages_of_other_rules_are_posted_as_theirs_and_their_deal_is_refused(
    killed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.journal.rows.ENGINE", 2)

    sentence = sentence_of(killed)
    change_by_hand(killed, "DELETE FROM actions")
    change_by_hand(killed, "DELETE FROM deals")

    assert "it rests on rules engine 1, and this server has 2" in sentence
    assert [kept.person.name for kept in reopened(killed).people] == ["Maya", "Maya"]


# --- the log that SQLite keeps ---------------------------------------------------------------------------


async def test_posting_begins_at_the_front_of_the_log_and_never_makes_it_longer(
    tmp_path: Path,
) -> None:
    everybody = range(200)
    with contextlib.closing(SqliteStore(tmp_path, post_at=10**9)) as store:
        await store.commit(*[a_person(one) for one in everybody])
        for n in range(1, 33):
            await store.commit(*[an_answer(n, one) for one in everybody])
        while frames_in(tmp_path / LOG) < 1860:  # nearly all that fit
            await store.commit(*[a_lobby(lines=100)] * 3)

        store._post()

        assert 100 < frames_in(tmp_path / LOG) < 1860
        assert (tmp_path / LOG).stat().st_size == LOG_BYTES
    assert counts_in(tmp_path)["answers"] == 200 * 32
