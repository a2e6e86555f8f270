"""The whole course: every kind of trial under every load, at one server."""

import contextlib
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from racing import edges, trials
from racing.driving import NoAnswer, Steps, drive
from racing.load import make_load
from racing.plan import Plan
from racing.player import Address, Player
from racing.table import RaceTable, tables
from racing.tally import Progress, Tally

LOAD_COMES_UP_S = 30
FEW_SEATS, ALL_SEATS = 4, 10
PAIR = (2,)
GROUP = tuple(range(3, 10))


@dataclass(slots=True, kw_only=True)
class Course:
    """One run against the server at this address; what is found goes to `tally`."""

    address: Address
    plan: Plan
    tally: Tally
    rng: Random
    progress: Progress
    few: RaceTable = field(init=False)
    many: RaceTable = field(init=False)
    open: RaceTable = field(init=False)
    at_edges: tuple[RaceTable, ...] = field(init=False)

    def gather(self) -> Player:
        """Connect everybody and bring them to their tables; gives one of them."""
        codes = (trials.CALLS_RULES, trials.CARDS_RULES)
        self.few, self.open = tables(self.address, codes, FEW_SEATS, "few")
        (self.many,) = tables(self.address, codes[:1], ALL_SEATS, "many")
        at_edges = (edges.RULES,) * self.plan.edge_tables
        self.at_edges = tables(self.address, at_edges, FEW_SEATS, "edge")
        self._drive(table.gather() for table in self._tables)
        return self.few.players[0]

    @property
    def _tables(self) -> tuple[RaceTable, ...]:
        return (self.few, self.many, self.open, *self.at_edges)

    def _drive(self, work: Iterator[Steps]) -> None:
        drive([player for table in self._tables for player in table.players], work)

    def run(self, load: str) -> None:
        """All trials under one load."""
        with under_load(load, self.address):
            for steps in self._one_by_one(load):
                self._drive(iter([steps]))
            self._drive(self._at_once(load))

    def _one_by_one(self, load: str) -> Iterator[Steps]:
        plan = self.plan
        for distance in plan.pair_distances:
            race = self._race(self.few, "pair", distance, load)
            yield trials.call_trials(race, plan.pairs, PAIR)
        for distance in plan.group_distances:
            race = self._race(self.many, "group", distance, load)
            yield trials.call_trials(race, plan.groups, GROUP)
        for distance in plan.card_distances:
            race = self._race(self.open, "cards", distance, load)
            yield trials.card_trials(race, plan.cards)

    def _at_once(self, load: str) -> Iterator[Steps]:
        race = edges.EdgeRace(tally=self.tally, load=load, rng=self.rng, progress=self.progress)
        begin, apart = time.time_ns(), edges.LENGTH_NS // len(self.at_edges)
        for place, table in enumerate(self.at_edges):
            yield edges.edge_trials(race, table, self.plan.edges, begin + place * apart)

    def _race(self, table: RaceTable, kind: str, distance_us: int, load: str) -> trials.Race:
        return trials.Race(
            table=table,
            tally=self.tally,
            cell=self.tally.cell(kind, distance_us, load),
            name=f"{kind}, {distance_us} us, {load}",
            distance_us=distance_us,
            rng=self.rng,
            progress=self.progress,
        )


@contextlib.contextmanager
def under_load(load: str, address: Address) -> Iterator[None]:
    """Let another process keep the server busy for as long as the block lasts.

    Raises:
        NoAnswer: it has not come up.
    """
    if load == "idle":
        yield
        return
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    process = context.Process(target=make_load, args=(load, address, ready), daemon=True)
    process.start()
    try:
        if not ready.wait(LOAD_COMES_UP_S):
            message = f"the load {load} has not come up"
            raise NoAnswer(message)
        yield
    finally:
        process.terminate()
        process.join()


def run_course(course: Course, loads: Sequence[str]) -> None:
    """Everything under each of the loads."""
    for load in loads:
        course.run(load)
    course.progress.end()
