"""People who come only to be there, so that a server that takes few is full most of the time."""

from tests.simulation.byzantine import Silent
from tests.simulation.client import Client
from tests.simulation.machine import Machine
from tests.simulation.network import LAN, Connection
from tests.simulation.world import SECOND, World

LONGEST_STAY = 20 * SECOND
MOST_SILENT = 4  # connections at once that say nothing


class Loiterer(Client):
    """Somebody who stays in the hall for a while, or does not even say hello, and comes again."""

    def __init__(self, world: World, machine: Machine, name: str) -> None:
        super().__init__(world, machine, name, LAN)
        self._strangers = 0

    def begin(self) -> None:
        """Come, and go now and then."""
        self.connect()
        self._later()

    def _later(self) -> None:
        self.world.after(self.dice.randint(10_000, LONGEST_STAY), self._act)

    def _act(self) -> None:
        if self.is_home:
            return
        if self.dice.random() < 0.5:
            self.vanish()
        else:
            self._stand_at_the_door()
        self._later()

    def _stand_at_the_door(self) -> None:
        """Connect and say nothing."""
        for _ in range(self.dice.randint(1, MOST_SILENT)):
            self._strangers += 1
            name = f"{self.name}.stranger-{self._strangers}"
            line = Connection(self.world, LAN, name, Silent())
            self.machine.knock(line)
            self.world.after(self.dice.randint(1_000, 7 * SECOND), line.hang_up)
