"""A process that keeps as much as it can until it is killed, and says what was acknowledged.

Each of its tasks has a person and a lobby. A commit is an action and an answer of the same number;
the line `LOBBY NUMBER` follows once it is kept.
"""

import os
import sys
from pathlib import Path

import trio

from server.journal.sqlite_store import SqliteStore
from tests.support.changes import (
    a_person,
    a_running_deal,
    an_action,
    an_answer,
)

TASKS = 4


def code_of(task: int) -> str:
    """The lobby of this task."""
    return f"FOX-{task}"


async def _write(store: SqliteStore, task: int, number: int) -> None:
    while True:
        number += 1
        await store.commit(an_action(number, code_of(task)), an_answer(number, task))
        os.write(1, f"{task} {number}\n".encode())


async def main(folder: Path) -> None:
    """Go on from where the last writer was killed."""
    store = SqliteStore(folder)
    done = {lobby.code: len(lobby.actions) for lobby in store.read().lobbies}
    async with trio.open_nursery() as nursery:
        for task in range(TASKS):
            code = code_of(task)
            if code not in done:
                await store.commit(a_person(task), *a_running_deal(code))
            nursery.start_soon(_write, store, task, done.get(code, 0))


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]))
