"""The server's own listener, hall and sessions, each of them on a lane of its own (`lanes`).

Who comes passes the listener's caps; there is no socket to accept from, but a queue of connections
that the kernel has taken in. Passwords are hashed in simulated time, and by no thread.
"""

import hashlib
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import cast

import trio

from server.config import Settings
from server.hall import Hall
from server.journal.records import KeptLobby
from server.listener import Listener
from server.lobby.lobby import Lobby
from server.passwords import Passwords
from server.person import Person
from server.session import Door, Session
from server.sockets import SocketWire
from tests.simulation.kernel import SimEars, SimWire
from tests.simulation.lanes import LANE, on_lane
from tests.simulation.network import Connection
from tests.simulation.world import SECOND

HASHING_S = 0.05


class SimPasswords(Passwords):
    """Passwords whose hash takes a while, two at once, on the simulated clock."""

    async def _scrypt(self, password: str, salt: bytes) -> bytes:
        async with self._limiter:
            await trio.sleep(HASHING_S)
        return hashlib.blake2b(salt + password.encode()).digest()


class SimHall(Hall):
    """A hall whose lobbies are on lanes of their own."""

    def look_at_passwords_with(self, salts: Random) -> None:
        """From now on passwords are hashed in simulated time."""
        self._entrance._passwords = SimPasswords(salts)

    async def _run_lobby(self, lobby: Lobby) -> None:
        LANE.set(f"lobby {lobby.code}")  # of the task that this is
        await super()._run_lobby(lobby)

    def _restored(self, kept: KeptLobby, people: Mapping[bytes, Person]) -> Lobby:
        with on_lane(f"lobby {kept.code}"):
            return super()._restored(kept, people)


class SimListener(Listener):
    """Takes connections from a queue, and asks no more of them than the server's own does."""

    def __init__(
        self, hall: Hall, settings: Settings, ears: SimEars, nonces: Callable[[str], Random]
    ) -> None:
        super().__init__(cast("socket.socket", None), hall, settings, ears)
        self._nonces = nonces
        self._queue: deque[Connection] = deque()
        self._came = trio.Event()
        self._lines: dict[Session, Connection] = {}

    @property
    def sessions(self) -> dict[Connection, Session]:
        """All sessions there are, by connection."""
        return {line: session for session, line in self._lines.items()}

    @property
    def strangers(self) -> int:
        """How many have not said a word yet."""
        return sum(map(self._is_silent, self._sessions))

    def stop(self) -> None:
        """Take in nobody more."""
        self._drop_strangers()

    def came(self, connection: Connection) -> None:
        """The kernel has taken in a connection."""
        connection.accepted(cast("SimEars", self._ears))
        self._queue.append(connection)
        connection.world.wake(self._came.set, connection.name)

    async def serve(self, nursery: trio.Nursery) -> None:
        """Take in who has come, one after the other, until cancelled."""
        while True:
            await self._came.wait()
            self._came = trio.Event()
            while self._queue:
                connection = self._queue.popleft()
                with on_lane(connection.name):
                    await self._take(nursery, connection)

    async def _take(self, nursery: trio.Nursery, connection: Connection) -> None:
        wire = connection.wire
        assert wire is not None
        if self._may_come(connection.address):
            await self._let_in(nursery, wire, connection.address)
        else:
            wire.close()

    def _new_session(self, nursery: trio.Nursery, wire: SocketWire, address: str) -> Session:
        assert isinstance(wire, SimWire)
        session = SimSession(
            wire,
            address,
            self._door,
            self._settings,
            nursery=nursery,
            on_close=self._forget,
            nonces=self._nonces(f"nonces {wire}"),
        )
        self._lines[session] = wire.connection
        return session

    def _forget(self, session: Session) -> None:
        super()._forget(session)
        self._lines.pop(session, None)


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
        on_close: Callable[[Session], None],
        nonces: Random,
    ) -> None:
        super().__init__(
            wire, address, door, settings, nursery=nursery, on_close=on_close, nonces=nonces
        )
        self._lane = str(wire)

    async def _drop_if_still_overdue(self) -> None:
        """Only somebody who was silent for so long is given up, whatever clocks were stopped or set."""
        was_dropped, was_stranger = self._is_dropping, self.is_stranger
        await super()._drop_if_still_overdue()
        if was_dropped or not self._is_dropping or self._says_no_more or was_stranger:
            return
        wire = cast("SimWire", self._wire)
        world = wire.connection.world
        silent_for = world.loop_us(world.now) - world.loop_us(wire.heard_at)
        if silent_for < self._settings.silence_s * SECOND - 1_000:
            what = f"{wire} is given up, and was silent for {silent_for / SECOND} s"
            world.wrong("DESIGN 6: gone after so long a silence", what)

    def _start(self, step: Callable[[], Awaitable[None]]) -> None:
        with on_lane(self._lane):
            super()._start(step)
