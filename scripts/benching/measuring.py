"""Measure the server beside the baseline, turn and turn about, and give the medians."""

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import Any

from benching.plan import Figures, Mode, Outcome, Plan
from benching.processes import Driver, Served, a_driver, served
from benching.report import Progress
from benching.score import PLAYERS

WARM_UP = 1  # slices that do not count
SIDES = 2  # the server and the baseline
SIDES_WITH_A_JOURNAL = 3  # the server's in memory and on disk, and the baseline's on disk
TURNS_IN_A_CROWD = 2  # connecting, and idling
MEBI = 1024  # of KiB


def take_down_score(plan: Plan) -> None:
    """Have the server play until a deal is written down for the baseline."""
    with served(*plan.server) as target, a_driver(target, "score", **_order(plan)):
        pass


def ticks(plan: Plan, modes: Iterable[Mode], *, with_hot_spots: bool) -> int:
    """How many steps of progress all of it will make."""
    return sum(_ticks(plan, mode, with_hot_spots=with_hot_spots) for mode in modes)


def _ticks(plan: Plan, mode: Mode, *, with_hot_spots: bool) -> int:
    if mode.crowd:
        return TURNS_IN_A_CROWD * (SIDES * plan.crowd_runs + with_hot_spots)
    return (WARM_UP + plan.slices) * (SIDES + SIDES_WITH_A_JOURNAL + with_hot_spots)


def measure(plan: Plan, mode: Mode, progress: Progress) -> Outcome:
    """Measure one mode; a score must be there already."""
    if mode.crowd:
        server, baseline = (medians(slices) for slices in _crowds(plan, mode, progress))
        return Outcome(mode=mode, server=server, baseline=baseline)
    server, baseline, in_memory, on_disk, baseline_on_disk = _loads(plan, mode, progress)
    return Outcome(
        mode=mode,
        server=server,
        baseline=baseline,
        in_memory=in_memory,
        on_disk=on_disk,
        baseline_on_disk=baseline_on_disk,
    )


def medians(slices: list[Figures]) -> Figures:
    """The median of each figure."""
    return {name: median(figures[name] for figures in slices) for name in slices[0]}


def _order(plan: Plan) -> dict[str, object]:
    return {"score": str(plan.score), "doubt_every": plan.doubt_every, "rules": plan.rules}


# --- tables -----------------------------------------------------------------------------------


class Side:
    """A server with its driver and its tables."""

    def __init__(self, target: Served, driver: Driver, rss_kib: int, mode: Mode) -> None:
        self.slices: list[Figures] = []
        self._target = target
        self._driver = driver
        self._rss_kib = rss_kib  # before there were tables
        self._mode = mode

    def play(self, seconds: float) -> None:
        """Put it under load for this long and note the figures."""
        cpu_s = self._target.cpu_s
        heard = self._driver.tell(seconds=seconds, rate=self._mode.rate)
        self.slices.append(self._figures(heard, self._target.cpu_s - cpu_s))

    def _figures(self, heard: dict[str, Any], cpu_s: float) -> Figures:
        actions, seconds = heard["actions"], heard["seconds"]
        return {
            "cpu_s_per_1000": 1000 * cpu_s / actions,
            "actions_per_s": actions / seconds,
            "p50_us": heard["p50_us"],
            "p99_us": heard["p99_us"],
            "bytes_per_recipient": heard["received"] / actions / PLAYERS,
            "rss_kib_per_table": (self._target.rss_kib - self._rss_kib) / self._mode.tables,
            "connections": heard["connections"],
            "server_busy": cpu_s / seconds,
            "driver_busy": heard["busy_s"] / seconds,
        }


@contextmanager
def a_side(
    plan: Plan, mode: Mode, command: tuple[str, ...], *, plays_score: bool
) -> Iterator[Side]:
    """A server with people at its tables, until the end of the block."""
    with served(*command) as target:
        rss_kib = target.rss_kib
        seats = {"tables": mode.tables, "plays_score": plays_score}
        with a_driver(target, "tables", **seats, **_order(plan)) as (driver, _):
            yield Side(target, driver, rss_kib, mode)


def _loads(plan: Plan, mode: Mode, progress: Progress) -> list[Figures]:
    """The medians of both, of the server with its journal in memory, and of both with one on disk."""
    commands = {
        "server": plan.server,
        "baseline": plan.baseline,
        "server, journal in memory": plan.server_with_a_memory,
        "server on disk": plan.server_on_disk(f"kept-{mode.name}"),
        "baseline on disk": plan.baseline_on_disk(f"fan-out-{mode.name}"),
    }
    with ExitStack() as stack:
        sides = {
            name: stack.enter_context(
                a_side(plan, mode, command, plays_score=name.startswith("baseline"))
            )
            for name, command in commands.items()
        }
        for _ in range(WARM_UP + plan.slices):
            for name, side in sides.items():
                progress.step(f"{mode.label}: {name}")
                side.play(plan.seconds)
        return [medians(side.slices[WARM_UP:]) for side in sides.values()]


# --- crowds -----------------------------------------------------------------------------------


def _crowds(plan: Plan, mode: Mode, progress: Progress) -> tuple[list[Figures], list[Figures]]:
    server, baseline = [], []
    for _ in range(plan.crowd_runs):
        server.append(_one_crowd(plan, mode, plan.server, progress))
        baseline.append(_one_crowd(plan, mode, plan.baseline, progress))
    return server, baseline


def _one_crowd(plan: Plan, mode: Mode, command: tuple[str, ...], progress: Progress) -> Figures:
    progress.step(f"{mode.label}: {command[0]} lets them in")
    with served(*command) as target:
        rss_kib, cpu_s = target.rss_kib, target.cpu_s
        with a_driver(target, "crowd", people=mode.crowd) as (driver, let_in):
            accept_cpu_s = target.cpu_s - cpu_s
            progress.step(f"{mode.label}: {command[0]} keeps them")
            cpu_s = target.cpu_s
            held = driver.tell(seconds=plan.hold_s)
            grown_kib = target.rss_kib - rss_kib
            return {
                "accept_s": let_in["seconds"],
                "accept_cpu_s": accept_cpu_s,
                "rss_kib_per_connection": grown_kib / mode.crowd,
                "rss_mib": target.rss_kib / MEBI,
                "idle_cpu_share": (target.cpu_s - cpu_s) / held["seconds"],
                "pings_per_s": held["pings"] / held["seconds"],
                "connections": held["connections"],
            }


# --- hot spots --------------------------------------------------------------------------------


def hot_spots(plan: Plan, mode: Mode, progress: Progress) -> dict[str, Any]:
    """Where the server's processor time goes: samples, and how many of them each function had."""
    seen = plan.folder / "samples.json"
    command = ("benching.sampling", str(seen), *plan.server[1:])
    if mode.crowd:
        _one_crowd(plan, mode, command, progress)
    else:
        with a_side(plan, mode, command, plays_score=False) as side:
            for _ in range(WARM_UP + plan.slices):
                progress.step(f"{mode.label}: hot spots")
                side.play(plan.seconds)
    found: dict[str, Any] = json.loads(seen.read_text(encoding="utf-8"))
    return found
