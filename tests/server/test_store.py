"""What any journal keeps and gives back: in memory and on disk it is the same."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from protocol.events import MAX_TALK
from server.journal.keeping import keep
from server.journal.records import (
    STORED_ANSWERS,
    Change,
    Kept,
    LobbyClosed,
    PersonForgotten,
)
from server.journal.rows import written
from server.journal.sqlite_store import POST_AT, SqliteStore
from server.journal.store import JournalFault, Store
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
from tests.support.memory_store import MemoryStore
from tests.support.mishaps import break_once

PATIENCE_S = 10.0
RUNNING = a_running_deal()


@pytest.fixture(params=["in memory", "on disk"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened: Store = MemoryStore() if request.param == "in memory" else SqliteStore(tmp_path)
    with contextlib.closing(opened):
        yield opened


async def test_at_first_nothing_is_kept(store: Store) -> None:
    assert store.read() == Kept()


async def test_a_person_comes_back_with_their_answers(store: Store) -> None:
    await store.commit(a_person(last_command=3))
    await store.commit(an_answer(4), an_answer(5))

    (kept,) = store.read().people

    assert kept.person == a_person(last_command=5)
    assert kept.answers == (an_answer(4), an_answer(5))


async def test_only_the_last_answers_are_kept(store: Store) -> None:
    await store.commit(a_person())
    for n in range(1, 2 * STORED_ANSWERS + 2):
        await store.commit(an_answer(n))

    (kept,) = store.read().people

    assert [answer.n for answer in kept.answers] == list(
        range(STORED_ANSWERS + 2, 2 * STORED_ANSWERS + 2)
    )


async def test_a_held_command_answered_after_many_newer_ones_is_among_the_last(
    store: Store,
) -> None:
    await store.commit(a_person(), *(an_answer(n) for n in range(2, 81)), an_answer(1))

    (kept,) = store.read().people

    assert [answer.n for answer in kept.answers] == [*range(50, 81), 1]
    assert kept.person.last_command == 80


async def test_the_last_command_is_known_after_its_answer_is_dropped(store: Store) -> None:
    held = range(1, STORED_ANSWERS + 20)

    await store.commit(a_person(), an_answer(1000), *(an_answer(n) for n in held))

    (kept,) = store.read().people
    assert kept.person.last_command == 1000
    assert [answer.n for answer in kept.answers] == list(held[-STORED_ANSWERS:])


async def test_a_person_with_a_new_name_keeps_their_answers(store: Store) -> None:
    await store.commit(a_person(), an_answer(4))

    await store.commit(a_person(name="Leo"))

    (kept,) = store.read().people
    assert (kept.person.name, kept.person.last_command) == ("Leo", 4)
    assert kept.answers == (an_answer(4),)


async def test_a_forgotten_person_leaves_nothing_behind(store: Store) -> None:
    await store.commit(a_person(1), an_answer(4, 1), a_person(2))

    await store.commit(PersonForgotten(digest=digest(1)))
    await store.commit(a_person(1), PersonForgotten(digest=digest(3)))

    assert [(p.person, p.answers) for p in store.read().people] == [
        (a_person(1), ()),
        (a_person(2), ()),
    ]


async def test_an_answer_to_somebody_forgotten_is_not_kept(store: Store) -> None:
    await store.commit(an_answer(4), a_person(2))

    (kept,) = store.read().people
    assert (kept.person, kept.answers) == (a_person(2), ())


async def test_a_running_deal_comes_back_with_its_actions_in_order(store: Store) -> None:
    await store.commit(*RUNNING)
    for at in range(12):
        await store.commit(an_action(at))

    (kept,) = store.read().lobbies

    assert (kept.code, kept.lobby, kept.deal) == (FOX, RUNNING[0].lobby, RUNNING[1].deal)
    assert kept.actions == tuple(an_action(at) for at in range(12))


async def test_a_lobby_that_changes_during_its_deal_keeps_the_deal(store: Store) -> None:
    await store.commit(*RUNNING, an_action(1))

    await store.commit(a_lobby(deal_runs=True, lines=3), an_action(2))

    (kept,) = store.read().lobbies
    assert len(kept.lobby.chat) == 3
    assert kept.actions == (an_action(1), an_action(2))


async def test_what_was_done_in_a_former_deal_is_dropped(store: Store) -> None:
    await store.commit(*RUNNING, an_action(1))

    await store.commit(a_lobby(deal_runs=True), a_beginning(seed=8), an_action(2))

    (kept,) = store.read().lobbies
    assert kept.deal == a_beginning(seed=8).deal
    assert kept.actions == (an_action(2),)


async def test_a_deal_that_is_over_is_dropped(store: Store) -> None:
    await store.commit(*RUNNING, an_action(1))

    await store.commit(a_lobby())

    (kept,) = store.read().lobbies
    assert (kept.deal, kept.actions) == (None, ())


@pytest.mark.parametrize("deal_runs", [False, True])
async def test_what_is_said_in_a_lobby_is_added_to_what_was_kept_with_it(
    store: Store, *, deal_runs: bool
) -> None:
    lobby, deal = a_running_deal(lines=1)
    await store.commit(*((lobby, deal, an_action(1)) if deal_runs else (a_lobby(lines=1),)))
    for line in range(2, 5):
        await store.commit(a_line(line))
    few = store.read().lobbies[0]
    for line in range(5, MAX_TALK + 3):
        await store.commit(a_line(line))

    (many,) = store.read().lobbies

    assert [said.line for said in few.lobby.chat] == [0, 2, 3, 4]
    assert [said.line for said in many.lobby.chat] == list(range(3, MAX_TALK + 3))
    assert many.deal == (deal.deal if deal_runs else None)
    assert many.actions == ((an_action(1),) if deal_runs else ())


async def test_a_lobby_that_is_kept_anew_has_no_line_twice(store: Store) -> None:
    await store.commit(a_lobby())
    await store.commit(a_line(1), a_line(2))

    await store.commit(a_lobby(lines=2), a_line(3))

    (kept,) = store.read().lobbies
    assert [said.line for said in kept.lobby.chat] == [0, 0, 3]


async def test_a_closed_lobby_leaves_the_others_alone(store: Store) -> None:
    others = a_running_deal(OWL)
    await store.commit(*RUNNING, an_action(1), *others, an_action(2, OWL))

    await store.commit(LobbyClosed(code=FOX))

    (kept,) = store.read().lobbies
    assert (kept.code, kept.actions) == (OWL, (an_action(2, OWL),))


@pytest.mark.parametrize(
    "homeless",
    [a_beginning(OWL), an_action(1, OWL), an_action(1, FOX), a_line(1, OWL)],
    ids=[
        "a deal without a lobby",
        "an action without a lobby",
        "an action without a deal",
        "a line without a lobby",
    ],
)
async def test_what_belongs_nowhere_is_refused_with_all_that_came_with_it(
    store: Store, homeless: Change
) -> None:
    await store.commit(a_lobby())
    before = store.read()

    with pytest.raises(LookupError, match="nothing is kept of lobby"):
        await store.commit(a_person(), a_lobby(lines=1), homeless)

    assert store.read() == before


@pytest.mark.parametrize("first", [[], [LobbyClosed(code=OWL)]], ids=["in its place", "anew"])
async def test_a_new_deal_that_was_not_posted_yet_had_the_actions_of_the_last_one(
    first: list[Change], tmp_path: Path
) -> None:
    beginning: list[Change] = [a_lobby(OWL, deal_runs=True), a_beginning(OWL)]
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        await store.commit(*beginning, an_action(1, OWL))

    with contextlib.closing(SqliteStore(tmp_path)) as store:
        await store.commit(*first, *beginning)
        (kept,) = store.read().lobbies

    assert (kept.deal, kept.actions) == (a_beginning(OWL).deal, ())


@pytest.mark.parametrize("post_at", [1, POST_AT], ids=["posted at once", "posted at the end"])
async def test_what_is_said_is_posted_into_the_lobby_whether_that_is_in_the_daybook_or_not(
    tmp_path: Path, post_at: int
) -> None:
    with contextlib.closing(SqliteStore(tmp_path, post_at=post_at)) as store:
        await store.commit(*RUNNING)
        await store.commit(a_line(1))
        await store.commit(a_line(2), an_action(1))

    with contextlib.closing(SqliteStore(tmp_path, post_at=post_at)) as store:
        await store.commit(a_line(3))
        (kept,) = store.read().lobbies

    assert [said.line for said in kept.lobby.chat] == [1, 2, 3]
    assert kept.actions == (an_action(1),)


PEOPLE = st.integers(1, 2)
CODES = st.sampled_from((FOX, OWL))
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(lambda person, last: a_person(person, last_command=last), PEOPLE, st.integers(0, 60)),
    st.builds(lambda person: PersonForgotten(digest=digest(person)), PEOPLE),
    st.builds(an_answer, st.integers(1, 50), PEOPLE),
    st.builds(lambda code, runs: a_lobby(code, deal_runs=runs), CODES, st.booleans()),
    st.builds(lambda code: a_lobby(code, deal_runs=True), CODES),
    st.builds(lambda code: LobbyClosed(code=code), CODES),
    st.builds(a_beginning, CODES),
    st.builds(an_action, st.integers(0, 9), CODES),
    st.builds(a_line, st.integers(1, 60), CODES),
)
BEGINNINGS = st.builds(lambda code: [*a_running_deal(code)], CODES)
COMMITS = st.lists(st.one_of(st.lists(CHANGES, min_size=1, max_size=4), BEGINNINGS), max_size=25)


@settings(max_examples=40)
@given(commits=COMMITS, post_at=st.sampled_from((1, 600, POST_AT)))
def test_on_disk_the_same_is_kept_as_in_memory(commits: list[list[Change]], post_at: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        disk, memory = SqliteStore(Path(folder), post_at=post_at), MemoryStore()
        with contextlib.closing(disk):
            refused = [trio.run(refusals, store, commits) for store in (disk, memory)]
            while_open = disk.read()
        with contextlib.closing(SqliteStore(Path(folder))) as disk:
            kept = disk.read()

    assert refused[0] == refused[1]
    assert while_open == kept == memory.read()


async def refusals(store: Store, commits: list[list[Change]]) -> list[bool]:
    """Try each commit; answer which were refused."""
    refused = []
    for changes in commits:
        try:
            await store.commit(*changes)
        except LookupError:
            refused.append(True)
        else:
            refused.append(False)
    return refused


async def test_a_lobby_cannot_say_that_a_deal_runs_which_was_never_begun(store: Store) -> None:
    with pytest.raises(LookupError, match="none was kept"):
        await store.commit(a_person(), a_lobby(deal_runs=True))

    assert store.read() == Kept()


SPOILT: dict[str, Callable[[], Change]] = {
    "a code longer than any": lambda: replace(
        a_lobby(),
        lobby=replace(a_lobby().lobby, state=replace(a_lobby().lobby.state, code="X" * 99)),
    ),
    "a number below any": lambda: an_answer(0),
    "text that is none": lambda: a_person(name="\ud800"),
    "a list for a tuple": lambda: replace(RUNNING[1], deal=replace(RUNNING[1].deal, aside=[1])),
}


@pytest.mark.parametrize("spoilt", SPOILT.values(), ids=SPOILT)
async def test_what_could_not_be_read_back_is_never_written(
    spoilt: Callable[[], Change], tmp_path: Path
) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        with pytest.raises(ValueError, match=r"Expected|encode|read back"):
            await store.commit(a_person(2), spoilt())

        assert store.read() == Kept()


def test_a_deal_that_could_not_be_kept_stood_in_the_log_with_all_its_hands() -> None:
    with pytest.raises(ValueError, match=r"^DealBegun is not read back as it was written$"):
        written([SPOILT["a list for a tuple"]()])


def fill(store: SqliteStore) -> None:
    """As a full disk does: the file may have no more pages than there are."""
    store._connection.execute("PRAGMA max_page_count = 1")


async def test_a_full_disk_filled_the_log_with_a_line_a_second_for_every_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        fill(store)

        for _ in range(3):
            with pytest.raises(JournalFault, match="full"):
                await store.commit(*a_running_deal(), a_lobby(deal_runs=True, lines=100))

    assert caplog.text.count("cannot be written") == 1


async def test_of_one_full_disk_the_log_had_one_line_more_for_every_table(
    tmp_path: Path, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    stalled = {code: trio.Event() for code in (FOX, OWL)}
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        fill(store)

        for code, event in stalled.items():
            change = a_lobby(code, lines=100)
            nursery.start_soon(partial(keep, store, change, stalled=event.set))
        with trio.fail_after(PATIENCE_S):
            for event in stalled.values():
                await event.wait()
        nursery.cancel_scope.cancel()

    assert caplog.text.count("cannot be written") == 1


async def test_after_a_fault_of_ours_in_looking_for_the_journals_files_nothing_was_ever_answered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        break_once(store, "_look_for_files")
        await store.commit(a_person(1))

        with trio.fail_after(PATIENCE_S):
            await store.commit(a_person(2))

    assert "it could not be seen" in caplog.text
