"""What goes wrong in a simulation until it is late: crashes, broken and dead lines, stalls, a full disk."""

from collections.abc import Callable, Sequence

from tests.simulation.client import Client
from tests.simulation.disk import Disk, DiskPlan
from tests.simulation.machine import Machine
from tests.simulation.plan import Faults
from tests.simulation.world import SECOND, Deed, World


class Trouble:
    """Faults that come at random times."""

    def __init__(
        self, world: World, faults: Faults, machine: Machine, disk: Disk, clients: Sequence[Client]
    ) -> None:
        self._world = world
        self._faults = faults
        self._machine = machine
        self._disk = disk
        self._clients = clients
        self._dice = world.dice("trouble")
        self._crashes = faults.crashes
        self.is_over = False

    def begin(self) -> None:
        """From now on things go wrong."""
        faults = self._faults
        self._machine.on_start.append(self._set_next_crash)
        for when in faults.crashes_at:
            self._world.at(when, self._machine.crash)
        self._again(faults.breaks, self._hurt_a_line)
        self._again(faults.stalls, self._stop_reading)
        self._again(faults.busy, self._be_busy)
        self._again(faults.stops, self._stop_the_server)
        self._again(faults.wall, self._set_the_wall_clock)
        self._again(faults.ends, self._machine.stop)
        self._again(faults.full_disk, self._fill_the_disk)

    def end(self) -> None:
        """From now on nothing goes wrong; what is broken by now is mended."""
        self.is_over = True
        self._machine.deeds_left = None
        self._disk.plan, self._disk.is_full = DiskPlan(), False

    def _again(self, mean: int, deed: Deed) -> None:
        if not mean:
            return

        def happen() -> None:
            if not self.is_over:
                deed()
                self._again(mean, deed)

        self._world.after(round(self._dice.expovariate(1 / mean)), happen)

    def _set_next_crash(self) -> None:
        if self._crashes and not self.is_over:
            self._crashes -= 1
            self._machine.deeds_left = self._dice.randint(1, 2 * self._faults.deeds_between)

    def _hurt_a_line(self) -> None:
        line = self._dice.choice(self._clients).connection
        if line is None:
            return
        hurt: Callable[[], None] = self._dice.choice(
            (
                line.reset,
                line.go_dead,
                lambda: line.break_after(self._dice.randint(1, 300), self._dice.randint(1, 2_000)),
            )
        )
        hurt()

    def _stop_reading(self) -> None:
        """A client reads nothing for a while, as in the background of a telephone."""
        line = self._dice.choice(self._clients).connection
        if line is not None and line.reads:
            line.reads = False
            self._world.after(self._dice.randint(1, 40) * SECOND, line.read_again)

    def _be_busy(self) -> None:
        """The server does not run for a while; a longer stop is none on its clock."""
        longest = SECOND if self._dice.random() < 0.05 else 200_000
        self._world.be_busy(self._dice.randint(100, longest))

    def _stop_the_server(self) -> None:
        self._world.stop(self._dice.randint(2, 40) * SECOND)

    def _set_the_wall_clock(self) -> None:
        """By up to an hour; often while something lies in the kernel that has its stamp already."""
        step = self._dice.choice((-1, 1)) * self._dice.choice((20_000, SECOND, 3600 * SECOND))
        busy = self._dice.randint(1_000, 100_000)
        self._world.after(busy // 2, lambda: self._world.set_wall(step))
        if self._dice.random() < 0.7:
            self._world.be_busy(busy)

    def _fill_the_disk(self) -> None:
        self._disk.is_full = True

        def empty() -> None:
            self._disk.is_full = False

        self._world.after(self._dice.randint(1_000, 5 * SECOND), empty)
