"""The server's own hall and sessions, each of them on a lane of its own (`lanes`)."""

from collections.abc import Awaitable, Callable, Mapping
from random import Random

import trio

from server.config import Settings
from server.hall import Hall
from server.lobby import Lobby
from server.people import Person
from server.recovery import Recovered
from server.session import Door, Session
from tests.simulation.kernel import SimWire
from tests.simulation.lanes import LANE, on_lane


class SimHall(Hall):
    """A hall whose lobbies are on lanes of their own."""

    async def _run_lobby(self, lobby: Lobby) -> None:
        LANE.set(f"lobby {lobby.code}")  # of the task that this is
        await super()._run_lobby(lobby)

    def _restored(self, was: Recovered, people: Mapping[bytes, Person]) -> Lobby:
        with on_lane(f"lobby {was.code}"):
            return super()._restored(was, people)


class SimSession(Session):
    """A session that is on the lane of its connection, whoever starts something of it."""

    def __init__(
        self,
        wire: SimWire,
        address: str,
        door: Door,
        settings: Settings,
        *,
        nursery: trio.Nursery,
        over: Callable[[Session], None],
        nonces: Random,
    ) -> None:
        super().__init__(wire, address, door, settings, nursery=nursery, over=over, nonces=nonces)
        self._lane = str(wire)

    def _start(self, step: Callable[[], Awaitable[None]]) -> None:
        with on_lane(self._lane):
            super()._start(step)
