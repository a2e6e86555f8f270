"""One simulation from its seed to its end: everybody comes, plays, suffers, calms down, and goes."""

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import trio

from server.config import Settings
from tests.simulation.byzantine import Byzantine, Den
from tests.simulation.circle import Circle
from tests.simulation.crowd import Loiterer
from tests.simulation.disk import Disk
from tests.simulation.inspector import Inspector
from tests.simulation.lanes import TaskOrder
from tests.simulation.ledger import Ledger
from tests.simulation.machine import Machine
from tests.simulation.network import LAN
from tests.simulation.plan import Plan, TablePlan, plan_for
from tests.simulation.players import Player
from tests.simulation.presence import Presence
from tests.simulation.registrar import Registrar
from tests.simulation.steward import Steward
from tests.simulation.teller import Teller
from tests.simulation.timekeeper import Timekeeper
from tests.simulation.trouble import Trouble
from tests.simulation.umpire import Umpire
from tests.simulation.wiretap import Wiretap
from tests.simulation.world import SECOND, World
from tests.support.seeded_trio import run_seeded

NOBODY: Mapping[str, type[Player]] = MappingProxyType({})
LOOK_US = 4 * SECOND
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

    def __init__(
        self,
        plan: Plan,
        world: World,
        nursery: trio.Nursery,
        kinds: Mapping[str, type[Player]] = NOBODY,
    ) -> None:
        """`kinds` says who is another kind of player than most."""
        self.plan, self.world, self.nursery = plan, world, nursery
        self._kinds = kinds
        self.disk = Disk(world, plan.disk)
        self.ledger = Ledger(world)
        self.disk.watchers.append(self.ledger.book)
        self.wiretap = Wiretap(world, self.ledger)
        self.machine = Machine(world, self.disk, Settings(**plan.settings), nursery)
        Registrar(world, self.ledger, self.machine)
        self.machine.creeps, self.machine.buffer = plan.creeps, plan.buffer
        self.machine.on_accept.append(self.wiretap.meet)
        self.circles: list[Circle] = []
        self.players: list[Player] = []
        for table in plan.tables:
            self._invite(table)
        self.others = self._invite_others()
        self.umpire = self._umpire()
        self._watch_what_is_asked()
        self.inspector = Inspector(world, self.ledger, self.machine, self.players)
        self.wiretap.on_refused.append(self.inspector.refused)
        self.trouble = Trouble(world, plan.faults, self.machine, self.disk, self.players)
        self.is_late, self.settles_at = False, 0

    def _umpire(self) -> Umpire:
        umpire = Umpire(self.world, self.ledger, self.machine)
        self.wiretap.on_refused.append(umpire.answered)
        for player in self.players:
            player.on_landed.append(umpire.landed)
        return umpire

    def _watch_what_is_asked(self) -> None:
        presence = Presence(self.world, self.ledger, self.machine)
        teller = Teller(self.world, self.ledger, self.machine, presence)
        steward = Steward(self.world, self.ledger, self.machine, presence)
        timekeeper = Timekeeper(self.wiretap, self.ledger, self.machine, presence)
        self.wiretap.on_accepted += [teller.accepted, steward.accepted]
        self.wiretap.on_refused += [teller.refused, steward.refused, timekeeper.refused]
        for player in self.players:
            player.on_landed.append(presence.landed)
            player.on_landed += [teller.landed, steward.landed, timekeeper.landed]

    def _invite_others(self) -> list[Byzantine | Loiterer]:
        """Those who have not come to play together."""
        world, machine, victims, den = self.world, self.machine, self.players, Den()
        return [
            *(
                Byzantine(world, machine, f"mallory-{n}", victims=victims, circles=self.circles)
                for n in range(self.plan.byzantines)
            ),
            *(
                Byzantine(world, machine, f"denny-{n}", victims=victims, circles=(), den=den)
                for n in range(self.plan.den)
            ),
            *(Loiterer(world, machine, f"idler-{n}") for n in range(self.plan.crowd)),
        ]

    def _invite(self, table: TablePlan) -> None:
        circle = Circle(
            rules=table.rules,
            size=len(table.guests) - len(table.watchers),
            deals=table.deals,
            computers=table.computers,
            watchers=table.watchers,
            public=table.public,
            password=table.password,
        )
        self.circles.append(circle)
        for number, guest in enumerate(table.guests):
            player = self._kinds.get(guest.name, Player)(
                self.world,
                self.machine,
                guest.name,
                guest.weather,
                temper=guest.temper,
                circle=circle,
                is_maker=number == 0,
            )
            player.address, player.circles = guest.address, self.circles
            self.players.append(player)

    # --- the course of things -----------------------------------------------------------------------

    def begin(self) -> None:
        """Let everybody come."""
        world = self.world
        dice = world.dice("arrivals of people")
        self.trouble.begin()
        self.machine.start()
        for player in self.players:
            world.after(dice.randint(1_000, 2 * SECOND), player.connect)
        for each in self.others:
            world.after(dice.randint(1_000, 2 * SECOND), each.begin)
        world.at(self.plan.late, self.calm_down)
        world.after(LOOK_US, self._see_whether_all_have_left)

    def calm_down(self) -> None:
        """From now on nothing goes wrong any more."""
        if self.is_late:
            return
        self.is_late = True
        for each in self.others:
            each.is_home = True
            each.vanish()
        self.world.note("calm")
        self.trouble.end()
        for circle in self.circles:
            circle.is_closing = True
        for player in self.players:
            player.is_calm, player.weather = True, replace(LAN, even=player.weather.even)
            if player.connection is not None:
                player.connection.reset()
            player.stays_away = False
            player.connect()
            player.think_later()
        self.settles_at = max(self.world.now, self.world.busy_until) + SETTLED_US
        self.world.at(self.settles_at, self.inspector.settled)
        self.world.after(LONGEST_US, self._too_long)

    def _too_long(self) -> None:
        self.world.wrong("B21: with faults off the deal ends", "somebody is still playing")

    def _see_whether_all_have_left(self) -> None:
        if all(player.has_left and player.lobby is None for player in self.players):
            self._send_all_home()
        else:
            self.world.after(LOOK_US, self._see_whether_all_have_left)

    def _send_all_home(self) -> None:
        """Everybody hangs up; once the server has noticed, nothing may be left of them."""
        self.calm_down()
        if self.world.now <= self.settles_at:
            self.world.at(self.settles_at + 1, self._send_all_home)
            return
        dice = self.world.dice("going home")
        for player in self.players:
            player.is_home = True
            if player.connection is not None and dice.random() < 0.5:
                player.connection.go_dead()  # the server has to notice by itself
            player.vanish()
        settings = self.machine.settings
        wait_s = 2 * settings.silence_s
        if self.others:  # they have left a lobby without a word, perhaps
            wait_s += settings.idle_min * 60
        if self.plan.den:  # and a deal at which nobody is left
            wait_s += settings.park_h * 3600
        self.world.after(int(wait_s) * SECOND + SETTLED_US, self._end)

    def _end(self) -> None:
        self.inspector.ended()
        self.world.over.set()


def simulate(seed: str) -> Report:
    """Run the simulation of a seed."""
    return run_plan(plan_for(seed))


@contextlib.contextmanager
def listening_to_faults(world: World, forgiven: type[Exception] | tuple[()]) -> Iterator[None]:
    """Whatever the server logs as a fault of its own is wrong; what it logs else is not shown.

    Those that are `forgiven` are not, nor is what comes of their handling.
    """

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            fault = record.exc_info[1] if record.exc_info else None
            while fault is not None and not isinstance(fault, forgiven):
                fault = fault.__context__
            if fault is None:
                world.wrong("no fault of ours", self.format(record))

    log, listener = logging.getLogger("server"), Listener(logging.ERROR)
    log.addHandler(listener)
    propagates, log.propagate = log.propagate, False
    try:
        yield
    finally:
        log.removeHandler(listener)
        log.propagate = propagates


def checked(report: Report, *, again: str = "") -> Report:
    """The same report, if nothing went wrong; `again` shows it where its seed alone does not.

    Raises:
        WentWrong: something did; the text says what, and how to see it again.
    """
    if report.wrongs:
        again = again or f"scripts/soak --replay {report.seed}"
        message = f"{report.wrongs[0]}\nSee it again: {again}"
        raise WentWrong(message)
    return report


def run_plan(
    plan: Plan,
    *,
    notes: list[str] | None = None,
    prepare: Callable[[Evening], None] = lambda _: None,
    kinds: Mapping[str, type[Player]] = NOBODY,
    forgiven: type[Exception] | tuple[()] = (),
) -> Report:
    """Run a simulation; `notes` are given each line of its trace, `prepare` sees it before.

    Who is named in `kinds` is that kind of player. Faults that are `forgiven` the server may have.
    """
    world = World(plan.seed)
    world.notes = notes
    began = time.process_time()

    async def main() -> Evening:
        async with trio.open_nursery() as nursery:
            evening = Evening(plan, world, nursery, kinds)
            prepare(evening)
            evening.begin()
            await world.over.wait()
            nursery.cancel_scope.cancel()
        return evening

    with listening_to_faults(world, forgiven):
        evening = run_seeded(TaskOrder(plan.seed), world, main)
    if world.fault is not None:
        raise world.fault
    return _report(evening, time.process_time() - began)


def _report(evening: Evening, cpu_s: float) -> Report:
    world = evening.world
    return Report(
        seed=evening.plan.seed,
        digest=world.digest,
        deals=evening.ledger.deals_over,
        plays=evening.ledger.plays,
        steps=world.steps,
        simulated_s=world.now / SECOND,
        cpu_s=cpu_s,
        wrongs=tuple(world.wrongs),
    )
