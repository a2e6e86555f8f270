"""One simulation from its seed to its end: everybody comes, plays, suffers, calms down, and goes."""

import time
from dataclasses import dataclass
from random import Random

import trio

from server.config import Settings
from tests.simulation.disk import Disk, DiskPlan
from tests.simulation.ledger import Ledger
from tests.simulation.machine import Machine
from tests.simulation.network import LAN
from tests.simulation.plan import Plan, TablePlan, plan_for
from tests.simulation.players import Circle, Player
from tests.simulation.world import SECOND, World
from tests.support.seeded_trio import run_seeded

LOOK_US = SECOND
SETTLED_US = 10 * SECOND  # after the last fault everybody knows what they may know
LONGEST_US = 6 * 3600 * SECOND  # from then to the end of the last deal


class WentWrong(AssertionError):
    """Something was not as it must be; the text says what, and how to see it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a simulation has done."""

    seed: str
    digest: str
    deals: int
    plays: int
    steps: int
    simulated_s: float
    cpu_s: float
    wrongs: tuple[str, ...] = ()


class Evening:
    """Everything that takes part in one simulation."""

    def __init__(self, plan: Plan, world: World, nursery: trio.Nursery) -> None:
        self.plan = plan
        self.world = world
        self.nursery = nursery
        self.disk = Disk(world, plan.disk)
        self.ledger = Ledger(world)
        self.disk.watchers.append(self.ledger.book)
        self.machine = Machine(world, self.disk, Settings(**plan.settings), nursery)
        self.machine.creeps = plan.creeps
        self.circles: list[Circle] = []
        self.players: list[Player] = []
        for table in plan.tables:
            self._invite(table)
        self.faults: Random = world.dice("faults")
        self.is_late = False

    def _invite(self, table: TablePlan) -> None:
        circle = Circle(
            rules=table.rules,
            size=len(table.guests) - len(table.watchers),
            deals=table.deals,
            computers=table.computers,
            watchers=table.watchers,
            public=table.public,
        )
        self.circles.append(circle)
        for number, guest in enumerate(table.guests):
            self.players.append(
                Player(
                    self.world,
                    self.machine,
                    guest.name,
                    guest.weather,
                    temper=guest.temper,
                    circle=circle,
                    is_maker=number == 0,
                )
            )

    # --- the course of things -----------------------------------------------------------------------

    def begin(self) -> None:
        """Let everybody come."""
        world = self.world
        self.machine.start()
        for player in self.players:
            world.after(self.faults.randint(1_000, 2 * SECOND), player.connect)
        world.at(self.plan.late, self.calm_down)
        world.after(LOOK_US, self._see_whether_all_have_left)

    def calm_down(self) -> None:
        """From now on nothing goes wrong any more."""
        if self.is_late:
            return
        self.is_late = True
        self.world.note("calm")
        self.disk.plan, self.disk.is_full = DiskPlan(), False
        self.machine.deeds_left = None
        for circle in self.circles:
            circle.is_closing = True
        for player in self.players:
            player.is_calm, player.weather = True, LAN
            if player.connection is not None:
                player.connection.reset()
            player.stays_away = False
            player.connect()
            player.think_later()
        self.world.after(LONGEST_US, self._too_long)

    def _too_long(self) -> None:
        self.world.wrong("B21: with faults off the deal ends", "somebody is still playing")

    def _see_whether_all_have_left(self) -> None:
        if all(player.has_left and player.lobby is None for player in self.players):
            self.world.over.set()
        else:
            self.world.after(LOOK_US, self._see_whether_all_have_left)


def simulate(seed: str) -> Report:
    """Run the simulation of a seed."""
    return run_plan(plan_for(seed))


def run_plan(plan: Plan) -> Report:
    """Run a simulation."""
    world = World(plan.seed)
    began = time.process_time()

    async def main() -> Evening:
        async with trio.open_nursery() as nursery:
            evening = Evening(plan, world, nursery)
            evening.begin()
            await world.over.wait()
            nursery.cancel_scope.cancel()
        return evening

    evening = run_seeded(plan.seed, world, main)
    if world.fault is not None:
        raise world.fault
    return Report(
        seed=plan.seed,
        digest=world.digest,
        deals=evening.ledger.deals_over,
        plays=evening.ledger.plays,
        steps=world.steps,
        simulated_s=world.now / SECOND,
        cpu_s=time.process_time() - began,
        wrongs=tuple(world.wrongs),
    )
