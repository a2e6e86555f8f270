"""Whatever was acknowledged is there after the server was killed, whenever that happened."""

import contextlib
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
import trio

from server.journal.database import FILE, LOG
from server.journal.records import Kept
from server.journal.sqlite_store import SqliteStore
from server.journal.store import OpenFault
from tests.support.changes import (
    a_person,
    a_running_deal,
    an_action,
    an_answer,
    digest,
)
from tests.support.journal_writer import TASKS, code_of
from tests.support.processes import ROOT

KILLS = 8


def run_and_kill(folder: Path, lines: int) -> dict[int, int]:
    """Let a writer acknowledge this many commits, kill it, and return each task's newest number."""
    command = [sys.executable, "-m", "tests.support.journal_writer", str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        try:
            heard = [writer.stdout.readline() for _ in range(lines)]
            with pytest.raises(OpenFault, match=f"process id {writer.pid} is using"):
                SqliteStore(folder)
        finally:
            writer.kill()
        heard += writer.stdout.readlines()
    assert writer.returncode == -signal.SIGKILL
    return {int(task): int(number) for task, number in (line.split() for line in heard)}


def test_what_was_acknowledged_survives_kill_after_kill(tmp_path: Path) -> None:
    rng = Random(7)
    acknowledged = dict.fromkeys(range(TASKS), 0)

    for _ in range(KILLS):
        acknowledged |= run_and_kill(tmp_path, lines=rng.randint(1, 300))
        with contextlib.closing(SqliteStore(tmp_path)) as store:
            kept = store.read()
        check(kept, acknowledged)


def check(kept: Kept, acknowledged: dict[int, int]) -> None:
    """Each task's actions are all there, with their answers, and at most one more."""
    answered = {person.person.digest: person.person.last_command for person in kept.people}
    done = {lobby.code: [action.at for action in lobby.actions] for lobby in kept.lobbies}
    for task, number in acknowledged.items():
        actions = done[code_of(task)]
        assert number <= len(actions) <= number + 1
        assert actions == list(range(1, len(actions) + 1))
        assert answered[digest(task)] == len(actions)


async def commit_some(store: SqliteStore) -> None:
    await store.commit(a_person(), *a_running_deal())
    for number in range(1, 41):
        await store.commit(an_action(number), an_answer(number))


def test_a_torn_end_of_the_log_costs_only_what_was_torn(tmp_path: Path) -> None:
    rng = Random(7)
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        trio.run(commit_some, store)
        files = {name: (tmp_path / name).read_bytes() for name in (FILE, LOG)}
    log = files[LOG].rstrip(b"\0")  # the rest was laid out in advance
    lengths = sorted(rng.randrange(len(log)) for _ in range(25))

    found = [actions_after(tmp_path / "torn", files, log[:length], rng) for length in lengths]

    assert found == sorted(found)
    assert found[0] < found[-1]
    assert actions_after(tmp_path / "torn", files, log, rng) == 40


def actions_after(folder: Path, files: dict[str, bytes], log: bytes, rng: Random) -> int:
    """How many actions a server finds that starts with this much of the log and then rubbish."""
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / LOG).write_bytes(log + rng.randbytes(rng.randrange(5000)))
    with contextlib.closing(SqliteStore(folder)) as store:
        kept = store.read()
    shutil.rmtree(folder)
    if not kept.lobbies:
        return 0
    (lobby,), (person,) = kept.lobbies, kept.people
    assert [action.at for action in lobby.actions] == list(range(1, len(lobby.actions) + 1))
    assert person.person.last_command == len(lobby.actions)
    return len(lobby.actions)
