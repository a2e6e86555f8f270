"""A journal that is not what was written ends in the one typed error and one clear line, or hurts nothing."""

import contextlib
import shutil
import sqlite3
import subprocess
from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from trio.testing import MockClock

from fuzzing.mutations import mutated
from fuzzing.targets import journal
from protocol.cards import Card
from protocol.numbers import CardId, PlayNumber, Seat
from server.game.deal import Deal
from server.journal.database import FILE
from server.journal.records import ActionDone, DealBegun, HolderRecord, Kept, KeptLobby, LobbyKept
from server.journal.recovery import recovered_deal, unsound
from server.journal.rows import Row, of_action, of_deal, of_lobby, written
from server.journal.store import Damaged, OpenFault
from tests.server.test_main import COMMAND, own_environment
from tests.server.test_recovery import Game
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
)
from tests.support.guests import a_hall, a_table
from tests.support.journals import change_by_hand, reopened, some_of_everything
from tests.support.memory_store import MemoryStore

RECORDS = [
    body
    for _, body in written(
        (
            a_person(),
            an_answer(1),
            *a_running_deal(lines=2),
            an_action(3),
            a_line(3),
            *(step for step, _ in Game(5).play(40).steps),
        )
    )
]
EACH = 1_000


# --- records ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_a_mutated_record_with_a_right_checksum_is_a_change_or_damaged(seed: int) -> None:
    rng = Random(seed)

    for _ in range(EACH):
        journal(mutated(rng.choice(RECORDS), rng, RECORDS))


@given(data=st.binary(max_size=200))
def test_any_bytes_as_a_record_are_a_change_or_damaged(data: bytes) -> None:
    journal(data)


@pytest.mark.parametrize("seed", range(6))
def test_a_deal_with_one_mutated_action_is_replayed_by_the_rules_or_damaged(seed: int) -> None:
    rng = Random(seed)
    game = Game(seed).play(60)
    actions = [step for step, _ in game.steps]
    bodies = [body for _, body in written(actions)]
    outcomes: Counter[str] = Counter()

    for _ in range(EACH // 2):
        place = rng.randrange(len(actions))
        body = mutated(bodies[place], rng, bodies)
        try:
            change = Row.of(of_action(FOX, place), body).read(of_action(FOX, place), ActionDone)
            recovered_deal(FOX, game.begun, (*actions[:place], change, *actions[place + 1 :]))
            outcomes["replayed"] += 1
        except Damaged as damage:
            outcomes["not read" if "cannot be read" in damage.why else "not allowed"] += 1

    assert min(outcomes[each] for each in ("replayed", "not read", "not allowed")) > 0


BEGUN: Deal = a_beginning().deal
TWICE = (Card(id=BEGUN.cards[1].id, face=BEGUN.cards[0].face), *BEGUN.cards[1:])


@pytest.mark.parametrize(
    ("begun", "why"),
    [
        pytest.param(
            replace(BEGUN, table=replace(BEGUN.table, turn=Seat(4))), "there are 4 seats", id="turn"
        ),
        pytest.param(
            replace(BEGUN, table=replace(BEGUN.table, dealer=Seat(9))),
            "there are 4 seats",
            id="dealer",
        ),
        pytest.param(
            replace(BEGUN, table=replace(BEGUN.table, newest=PlayNumber(3))),
            "something was done in it already",
            id="a play",
        ),
        pytest.param(
            replace(
                BEGUN,
                table=replace(
                    BEGUN.table, seats=tuple(replace(seat, place=1) for seat in BEGUN.table.seats)
                ),
            ),
            "something was done in it already",
            id="everybody out: looking for the next seat in once had no end",
        ),
        pytest.param(
            replace(BEGUN, hands=BEGUN.hands[:3]),
            "its cards are not those that were dealt",
            id="a hand too few",
        ),
        pytest.param(
            replace(BEGUN, hands=(BEGUN.hands[1], *BEGUN.hands[1:])),
            "its cards are not those that were dealt",
            id="a card in two hands",
        ),
        pytest.param(
            replace(BEGUN, cards=TWICE), "its cards are not those that were dealt", id="an id twice"
        ),
        pytest.param(
            replace(
                BEGUN,
                cards=tuple(replace(card, id=CardId(card.id + 1)) for card in BEGUN.cards),
                hands=tuple(tuple(CardId(card + 1) for card in hand) for hand in BEGUN.hands),
            ),
            "its cards are not those that were dealt",
            id="ids that do not count from 0",
        ),
        pytest.param(
            replace(BEGUN, hands=((*BEGUN.hands[0], *BEGUN.hands[1]), (), *BEGUN.hands[2:])),
            "its cards are not those that were dealt",
            id="hands of other sizes",
        ),
    ],
)
def test_no_deal_begins_with(begun: Deal, why: str) -> None:
    assert unsound(BEGUN) is None
    assert unsound(begun) == why
    with pytest.raises(Damaged, match=f"its deal: no deal can begin like that: {why}"):
        recovered_deal(FOX, begun, ())


# --- the whole of it -------------------------------------------------------------------------------


async def an_evening_kept(nursery: trio.Nursery) -> Kept:
    """A lobby of three with a deal that runs, and one more lobby after it."""
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    await guests[0].answer_to(await guests[0].lay())
    kept = store.read()
    (lobby,) = kept.lobbies
    return replace(kept, lobbies=(KeptLobby(code=OWL, lobby=a_lobby(OWL).lobby), lobby))


async def test_a_lobby_that_does_not_fit_together_once_left_the_others_half_loaded(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    kept = await an_evening_kept(nursery)
    owl, fox = kept.lobbies
    strange = tuple(
        HolderRecord(name=one.name, owner=one.owner, temperament="grumpy")
        for one in fox.lobby.holders
    )
    fox = replace(fox, lobby=replace(fox.lobby, holders=strange))
    hall = a_hall(nursery)

    with pytest.raises(Damaged, match=r"does not fit together \(KeyError: 'grumpy'\)") as refused:
        hall.restore(replace(kept, lobbies=(owl, fox)))

    assert str(refused.value).isprintable()
    assert hall.lobbies == {}


@pytest.mark.parametrize("seed", range(3))
async def test_a_mutated_lobby_is_restored_or_none_is(
    seed: int, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    rng = Random(seed)
    kept = await an_evening_kept(nursery)
    owl, fox = kept.lobbies
    ((_, body),) = written((LobbyKept(code=fox.code, lobby=fox.lobby),))
    outcomes: Counter[bool] = Counter()

    for _ in range(150):
        try:
            where = of_lobby(fox.code)
            change = Row.of(where, mutated(body, rng, RECORDS)).read(where, LobbyKept)
        except Damaged:
            continue
        mutant = replace(fox, lobby=change.lobby)
        hall = a_hall(nursery, seed=seed)
        with contextlib.suppress(Damaged):
            hall.restore(replace(kept, lobbies=(owl, mutant)))
        assert set(hall.lobbies) in (set(), {OWL, mutant.lobby.state.code})
        outcomes[bool(hall.lobbies)] += 1

    assert outcomes[True] > 0


# --- files -----------------------------------------------------------------------------------------


def start_with(folder: Path, file: bytes, *, log: bytes = b"") -> Kept | str:
    """What a server finds that starts with this file, or the one line with which it refuses to."""
    folder.mkdir()
    (folder / FILE).write_bytes(file)
    (folder / f"{FILE}-wal").write_bytes(log)
    refusal = ""
    try:
        return reopened(folder)
    except OpenFault as fault:
        refusal = str(fault)
    finally:
        shutil.rmtree(folder)
    assert refusal.isprintable()
    return refusal


@pytest.mark.parametrize("seed", range(4))
def test_a_torn_file_is_refused_in_one_line(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    some_of_everything(tmp_path)
    file = (tmp_path / FILE).read_bytes()

    found = [start_with(tmp_path / "torn", file[: rng.randrange(1, len(file))]) for _ in range(15)]

    assert all(isinstance(each, str) for each in found)


@pytest.mark.parametrize("seed", range(4))
def test_a_torn_log_loses_no_more_than_was_torn_off(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    before = some_of_everything(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as connection:
        connection.execute("DELETE FROM actions WHERE number > 20")
        file, log = (tmp_path / FILE).read_bytes(), (tmp_path / f"{FILE}-wal").read_bytes()

    whole = start_with(tmp_path / "whole", file, log=log)
    torn = [
        start_with(tmp_path / "torn", file, log=log[: rng.randrange(len(log))]) for _ in range(9)
    ]

    assert whole != before
    assert set(map(repr, torn)) == {repr(before)}  # of the last transaction nothing, or all of it


@pytest.mark.parametrize("seed", range(4))
def test_random_bytes_in_a_file_are_refused_in_one_line_or_hurt_nothing(
    tmp_path: Path, seed: int
) -> None:
    rng = Random(seed)
    whole = some_of_everything(tmp_path)
    file = (tmp_path / FILE).read_bytes()
    places = [rng.randrange(100, len(file) - 64) for _ in range(25)]

    found = [
        start_with(tmp_path / "mutated", file[:at] + rng.randbytes(64) + file[at + 64 :])
        for at in places
    ]

    assert all(each == whole for each in found if not isinstance(each, str))
    assert any(isinstance(each, str) for each in found)


def test_a_file_of_nothing_but_random_bytes_is_refused(tmp_path: Path) -> None:
    assert "file is not a database" in str(
        start_with(tmp_path / "random", Random(1).randbytes(9_000))
    )


def test_what_sqlite_says_of_a_damaged_schema_once_steered_the_terminal(tmp_path: Path) -> None:
    some_of_everything(tmp_path)
    file = (tmp_path / FILE).read_bytes()

    refusal = start_with(
        tmp_path / "schema", file.replace(b"CREATE TABLE people", b"CREATE \x1b[2J\x07 people")
    )

    assert "malformed database schema" in str(refusal)


def test_a_server_process_refuses_a_damaged_journal_in_one_line_without_a_traceback(
    tmp_path: Path,
) -> None:
    some_of_everything(tmp_path)
    place = of_deal(FOX)
    strange = msgspec.msgpack.encode(
        DealBegun(code=FOX, deal=replace(BEGUN, hands=BEGUN.hands[:3]))
    )
    row = Row.of(place, strange)
    harm = "UPDATE deals SET body = ?, checksum = ? WHERE code = ?"
    change_by_hand(tmp_path, harm, row.body, row.checksum, FOX)

    ended = subprocess.run(
        [*COMMAND, "--port", "0", "--data", str(tmp_path)],
        env=own_environment(),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert ended.returncode == 2
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert "lobby FOX-42, its deal: no deal can begin like that" in ended.stderr
