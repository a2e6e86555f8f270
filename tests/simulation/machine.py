"""The machine that the server runs on: it is switched on, dies at any moment, and starts again.

A life is one run of the server: the hall and its sessions in a nursery of their own, on simulated
wires and the simulated disk. When the machine dies nothing more reaches the network or the disk,
whatever the tasks of that life still do on their way out.
"""

from collections.abc import Callable
from random import Random

import trio

from protocol.answers import Stamps
from server.config import Settings
from server.hall import Hall
from server.program import LAST_WORDS_S
from server.session import Session
from tests.simulation.disk import Disk, store_on
from tests.simulation.kernel import SimEars, SimWall
from tests.simulation.lanes import LANE, LaneDice
from tests.simulation.network import BUFFER, Connection
from tests.simulation.staff import SimHall, SimListener
from tests.simulation.world import SECOND, Deed, World


class Life:
    """One run of the server."""

    def __init__(self, machine: "Machine", number: int) -> None:
        self._machine = machine
        self._number = number
        self._nursery: trio.Nursery | None = None
        self._lines: list[Connection] = []  # all that ever came in
        self.listener: SimListener | None = None
        self.is_dead = False
        self.told_to_stop = trio.Event()
        self.store = store_on(machine.disk, self, number)
        self.ears = SimEars(machine.world, f"ears {number}")
        self.ears.creeps = machine.creeps
        self.hall: Hall | None = None

    async def run(self) -> None:
        """Serve until the power goes."""
        machine, world = self._machine, self._machine.world
        LANE.set(f"life {self._number}")
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            hall = SimHall(
                machine.settings,
                self.store,
                nursery=nursery,
                server_id="simulated",
                epoch=f"life {self._number}",
                stamps=Stamps.KERNEL,
                rng=LaneDice(f"{world.seed}/hall {self._number}"),
                secrets=machine.secrets,
                wall=lambda: world.wall_us() // SECOND,
            )
            hall.look_at_passwords_with(LaneDice(f"{world.seed}/salts {self._number}"))
            hall.restore(self.store.read())
            self.hall = hall
            self.listener = SimListener(hall, machine.settings, self.ears, world.dice)
            nursery.start_soon(self._say_goodbye, hall, self.listener)
            nursery.start_soon(self.listener.serve, nursery)
            nursery.start_soon(hall.run)
            nursery.start_soon(self.ears.run)
            for started in machine.on_start:
                started()
            await trio.sleep_forever()

    async def _say_goodbye(self, hall: SimHall, listener: SimListener) -> None:
        """Once told to stop, as by SIGTERM: its last words may take a while, as in `server.program`."""
        await self.told_to_stop.wait()
        listener.stop()
        hall.close()
        with trio.move_on_after(LAST_WORDS_S):
            await listener._wait_until_vacant()
        if not self.is_dead:
            self._machine.crash()

    def may_die(self) -> bool:
        """Something was done, after which the server can die; whether it just did."""
        machine = self._machine
        if machine.deeds_left is None or self.is_dead:
            return self.is_dead
        machine.deeds_left -= 1
        if machine.deeds_left > 0:
            return False
        machine.crash()
        return True

    def accept(self, connection: Connection) -> None:
        """A connection has come in."""
        assert self.listener is not None
        connection.buffer = self._machine.buffer
        connection.after_sending.append(self.may_die)
        self._lines.append(connection)
        self.listener.came(connection)

    @property
    def wall(self) -> SimWall:
        """How the server looks at the wall clock."""
        return self.ears.sim_wall

    @property
    def connections(self) -> dict[Connection, Session]:
        """All that are served, with their sessions."""
        return {} if self.listener is None else self.listener.sessions

    def lose_power(self) -> None:
        """End at once."""
        assert self._nursery is not None
        self.is_dead = True
        for connection in self._lines:
            connection.server_died()
        self.store.lose_power()
        self._nursery.cancel_scope.cancel()


class Machine:
    """Where one server lives after the other."""

    def __init__(self, world: World, disk: Disk, settings: Settings, nursery: trio.Nursery) -> None:
        self.world = world
        self.disk = disk
        self.settings = settings
        self.secrets: Random = LaneDice(f"{world.seed}/secrets")
        self.deeds_left: int | None = None  # until it dies
        self.buffer = BUFFER
        self.creeps = 0.0  # how often a call to the kernel takes a while
        self.lives = 0
        self.life: Life | None = None
        self.on_start: list[Deed] = []
        self.on_crash: list[Deed] = []
        self.on_accept: list[Callable[[Connection], None]] = []
        self._nursery = nursery
        self._dice = world.dice("machine")
        world.at_rest.append(self._post)

    def start(self) -> None:
        """Switch it on."""
        self.lives += 1
        self.world.stir()
        self.life = Life(self, self.lives)
        self._nursery.start_soon(self.life.run)

    def _post(self) -> None:
        """Send what waits for the end of a pass, before the time goes on.

        Trio asks the clock how long to sleep, and only then calls what empties the bag; elsewhere no
        time goes by in between.
        """
        bag = None if self.hall is None else self.hall.postbag
        if bag is not None and bag._waiting:
            bag.before_io_wait(0)
            if trio.lowlevel.current_statistics().tasks_runnable:
                self.world.stir()

    @property
    def hall(self) -> Hall | None:
        """The hall, while a server runs."""
        life = self.life
        return None if life is None or life.is_dead else life.hall

    def crash(self) -> None:
        """Switch it off in the middle of whatever it does, and on again in a while."""
        life = self.life
        if life is None or life.is_dead:
            return
        self.world.note("crash")
        self.world.stir()
        self.deeds_left = None
        life.lose_power()
        for crashed in self.on_crash:
            crashed()
        self.world.after(self._dice.randint(10_000, 3_000_000), self.start)

    def stop(self) -> None:
        """Tell the server to stop; it is started again in a while."""
        if self.hall is not None and self.life is not None:
            self.world.note("stop")
            self.world.wake(self.life.told_to_stop.set, "the stop")

    def knock(self, connection: Connection) -> None:
        """Somebody connects; without a server they are turned away."""
        if self.hall is None or self.life is None or self.hall.is_closing:
            connection.refuse()
        else:
            self.world.stir()
            self.life.accept(connection)
            for met in self.on_accept:
                met(connection)
