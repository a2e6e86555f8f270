"""The load as a process of its own: orders come in as lines of JSON, and so do the answers go out.

The first line says what to do: take down a score, seat people at tables, or gather a crowd. It ends
when its standard input does, so it never outlives whoever started it.
"""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benching import gathering, score
from benching.crowd import Crowd
from benching.tables import Address, Load, Table

Order = dict[str, Any]


def main() -> None:
    """Do what the first order says."""
    stand_back()
    first = json.loads(sys.stdin.readline())
    address = (first["host"], first["port"])
    kinds = {"score": take_down, "tables": seat_people, "crowd": gather_crowd}
    try:
        kinds[first["do"]](address, first)
    except KeyboardInterrupt:
        sys.exit(130)


def stand_back() -> None:
    """Never take a processor away from the server: clients on machines of their own could not.

    Where driver and server share one, Linux lets whoever is woken by a write go first if the writer has
    had more of the processor lately. So a server was interrupted after each of four writes, and the
    baseline, which does less, after none: the difference was the load's own.
    """
    if hasattr(os, "SCHED_BATCH"):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def take_down(address: Address, order: Order) -> None:
    """Write the score of one deal to the file named in the order."""
    gathering.take_down(address, order["doubt_every"], order["rules"]).save(Path(order["score"]))
    answer(done=True)


def seat_people(address: Address, order: Order) -> None:
    """Seat people at tables, and have them play whenever an order says for how long."""
    load = Load(tables(address, order))
    load.spread_out()
    answer(tables=order["tables"])
    while True:
        load.rest_until(sys.stdin.fileno())
        line = sys.stdin.readline()
        if not line:
            return
        wanted = json.loads(line)
        answer(**asdict(load.run(wanted["seconds"], wanted["rate"])))


def tables(address: Address, order: Order) -> list[Table]:
    """The tables of the order: with a score they are at the baseline, else at the server."""
    numbers = range(order["tables"])
    if not order["plays_score"]:
        doubts, rules = order["doubt_every"], order["rules"]
        return [gathering.at_the_server(address, number, doubts, rules) for number in numbers]
    sheet = score.load(Path(order["score"]))
    return [gathering.at_the_baseline(address, number, sheet) for number in numbers]


def gather_crowd(address: Address, order: Order) -> None:
    """Connect a crowd, say how long it took, and stay for as long as the next order says."""
    crowd = Crowd(address)
    answer(seconds=crowd.connect(order["people"]))
    for wanted in orders():
        answer(**asdict(crowd.hold(wanted["seconds"])))


def orders() -> Iterator[Order]:
    """The orders to come."""
    for line in sys.stdin:
        yield json.loads(line)


def answer(**figures: float) -> None:
    """Answer the newest order."""
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
