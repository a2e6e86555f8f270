"""How long one commit takes through the journal's writer thread, with nobody else at it.

A process of its own, told by lines of JSON when to measure and for how long, as the drivers are.
Each commit is what one play comes to: its record, and the answer to the command behind it. They come
back to back, or in the cadence of a table, each after a rest as long as an action takes besides. A table
never has two back to back, so the second is what its actions are compared with.
"""

import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

import trio

from benching.driver import answer, orders
from benching.rules import RULES, SEATS
from protocol import events as e
from protocol.answers import Accepted
from protocol.codec import encode_event
from protocol.numbers import CommandNumber, PlayNumber, Seat
from server.game.actions import Play
from server.game.deal import Deal
from server.game.engine import new_deal
from server.journal.records import (
    ActionDone,
    AnswerKept,
    DealBegun,
    LobbyKept,
    LobbyRecord,
    PersonKept,
)
from server.journal.sqlite_store import SqliteStore
from server.journal.store import Store

CODE = "FOX-42"
WHO = b"\0" * 32


def main() -> None:
    """Keep a deal in the folder of the first order; then measure, whenever an order says so."""
    folder = json.loads(sys.stdin.readline())["folder"]
    with (
        tempfile.TemporaryDirectory(dir=folder) as data,
        contextlib.closing(SqliteStore(Path(data))) as store,
    ):
        deal, _ = new_deal(RULES, SEATS, Seat(0), 1, Random(7))  # noqa: S311, dice for a measurement
        trio.run(begin, store, deal)
        answer(commits=0)
        number = 0
        for order in orders():
            times = trio.run(keep, store, deal, number, order["seconds"], order["rest_s"])
            number += len(times)
            answer(commit_us=median(times), commits=len(times))


async def begin(store: Store, deal: Deal) -> None:
    """Keep what an action presupposes: somebody, a lobby, a deal."""
    state = e.LobbyState(
        code=CODE,
        rules=RULES,
        settings=e.LobbySettings(),
        host="Ann",
        stage=e.LobbyStage.PLAYING,
        seats=(),
        deals=1,
    )
    await store.commit(
        PersonKept(digest=WHO, name="Ann", address="127.0.0.1", seen_at=0),
        LobbyKept(code=CODE, lobby=LobbyRecord(state=state, deal_runs=True)),
        DealBegun(code=CODE, deal=deal),
    )


async def keep(store: Store, deal: Deal, number: int, seconds: float, rest_s: float) -> list[float]:
    """Keep one action after the other for `seconds`, with rests; the microseconds that each took."""
    turn = deal.table.turn
    play = Play(seat=turn, cards=deal.hands[turn][:1], count=1, rank=deal.table.due[0])
    times: list[float] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        if rest_s:
            rest(rest_s)
        began = time.perf_counter()
        number += 1
        at = PlayNumber(number)
        packed = encode_event(Accepted(n=CommandNumber(number)))
        await store.commit(
            ActionDone(code=CODE, action=play, at=at, announced_at=at),
            AnswerKept(digest=WHO, n=CommandNumber(number), packed=packed),
        )
        times.append((time.perf_counter() - began) * 1e6)
    return times


def rest(seconds: float) -> None:
    """Leave the writer's thread and the disk alone for this long: half of it asleep and half at work.

    So is the loop of a table. Trio's own sleep would not do: it ends with a whole millisecond.
    """
    until = time.perf_counter() + seconds
    time.sleep(seconds / 2)
    while time.perf_counter() < until:
        pass


if __name__ == "__main__":
    main()
