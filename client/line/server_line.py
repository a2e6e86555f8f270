"""The line to the server of the moment, and a server of one's own that is started for practice."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from client.kept.identity import Keyring, Unstored
from client.kept.keeper import Keeper
from client.kept.recents import visited
from client.line import child
from client.start.visit import Visit
from client.state import ClientState, LinkClosed, LinkLost, LinkRefused
from client.store import AnyEvent
from client.version import version
from client.way_in.address import Address, Recent
from protocol.commands import AnyCommand

if TYPE_CHECKING:
    from client.line.network import Ending, Network

STARTING = "A server for practice is starting: wait a moment."
PRACTICE_OVER = "The server for practice has ended, and the deal with it."
LAST_BREATH_S = 0.5  # a process that dies hangs up before anybody can see that it has ended
ON_THE_WAY = "Already connecting to a server: wait until it answers or cannot be reached."


class ServerLine:
    """At most one server at a time. What comes of it is told, like all that happens."""

    def __init__(
        self,
        visit: Visit,
        *,
        tell: Callable[[Sequence[AnyEvent]], None],
        over: "Callable[[Ending | None], None]",
    ) -> None:
        """`over` is called with how a line has ended, unless it was left by `hang_up`."""
        # For what is remembered of this server; None: nothing is.
        self.folder = None if visit.passing else visit.folder
        self._unstored: Unstored = {}  # so that one may leave a server, and come back
        self._visit = visit
        self._tell = tell
        self._over = over
        self._network: Network | None = None
        self._is_closed = False
        self._practice: contextlib.ExitStack | None = None  # the server of a practice table
        self._practice_server: child.Child | None = None
        self._own: child.Child | None = None  # the server of the moment, if it was started here
        self.is_starting = False  # a server of ours is being started

    @property
    def is_free(self) -> bool:
        """Whether there is no server now, nor one on its way, so that one can be dialled."""
        return not self.why_busy

    @property
    def why_busy(self) -> str:
        """Why no other server can be dialled now; empty if one can."""
        if self.is_starting:
            return STARTING
        return "" if self._network is None else ON_THE_WAY

    def dial(self, address: Address, name: str, group: asyncio.TaskGroup) -> None:
        """Connect, and stay connected, as a task of this group; with a server already, do nothing."""
        if not self.is_free:
            return
        self._group = group
        from client.line.network import Network  # noqa: PLC0415 - the first page does not wait for it

        self._network = Network(
            address,
            name=name,
            version=version(),
            keyring=self._visit.ring or Keyring(self.folder, self._visit.profile, self._unstored),
            tell=self._told,
            nobody_there=self._visit.nobody_there,
        )
        self._own = self._started_at(address)
        group.create_task(self._stay_connected(self._network))

    def _told(self, events: Sequence[AnyEvent]) -> None:
        """Tell what the line says; it does not know of a server that was started here, and has ended."""
        own, lost = self._own, [event for event in events if isinstance(event, LinkLost)]
        patience_s = LAST_BREATH_S if lost and lost[0].attempt == 1 else 0.0
        if own is None or not lost or not own.ends_within(patience_s):
            self._tell(events)
        elif own is self._visit.server and not self._visit.passing:
            self._tell([replace(e, ended=True) if isinstance(e, LinkLost) else e for e in events])
        else:
            self._give_up()

    def _give_up(self) -> None:
        """Nobody starts a server for practice again: there is nothing to come back to."""
        from client.line.network import Ending  # noqa: PLC0415 - it is loaded already

        if self._network is not None:
            self._network.close(Ending.LOST)
        self._tell((LinkRefused(text=PRACTICE_OVER),))

    def _started_at(self, address: Address) -> "child.Child | None":
        """The server there, if this program has started it."""
        started = (self._practice_server, self._visit.server)
        return next((one for one in started if one and str(one.address) == str(address)), None)

    async def _stay_connected(self, network: "Network") -> None:
        await network.run()
        if self._network is network:  # not left, perhaps for another one
            self._network = None
            if not self._is_closed:  # else `end_servers` does it, after the terminal
                self._end_practice()
            self._over(network.ending)

    def send(self, command: AnyCommand) -> bool:
        """Send a command; False if there is no server to send it to."""
        if self._network is None:
            return False
        self._network.send(command)
        return True

    def hang_up(self) -> None:
        """Leave this server; another can be dialled."""
        network, self._network = self._network, None
        if network is not None:
            network.close()
            self._end_practice()
        self._tell((LinkClosed(),))

    def practise(
        self, *, begin: Callable[[Address], None], failed: Callable[[str], None]
    ) -> Coroutine[Any, Any, None]:
        """Start a server for practice, and `begin` there; where there is none, say why it has `failed`.

        From this call on the line is not free, whenever it is awaited.
        """
        self.is_starting = True
        return self._practise(begin, failed)

    async def _practise(
        self, begin: Callable[[Address], None], failed: Callable[[str], None]
    ) -> None:
        self._practice = started = contextlib.ExitStack()
        try:
            server = await asyncio.to_thread(started.enter_context, child.practice_server())
        except child.NoServer as error:
            self.is_starting = False
            failed(str(error))
            return
        finally:
            self.is_starting = False
        if not self._is_closed:
            self.folder, self._practice_server = None, server
            begin(server.address)

    def been_here(
        self, state: ClientState, known: Sequence[Recent], keeper: Keeper
    ) -> tuple[Recent, ...]:
        """The servers of before, this one first, and kept if anything is kept of this one."""
        if self.folder is None:
            return tuple(known)
        here = Recent(address=state.link.address, note=f"as {state.name}")
        servers = visited(known, here)
        self._group.create_task(keeper.remember(self.folder, servers))
        return servers

    def _end_practice(self) -> None:
        """Its line is over, and nobody finds the way back: its server ends, which takes a while."""
        over, self._practice = self._practice, None
        if over is not None:
            self._group.create_task(asyncio.to_thread(over.close))

    def close(self) -> None:
        """Dial no more, and end the line there is."""
        self._is_closed = True
        if self._network is not None:
            self._network.close()

    def end_servers(self) -> None:
        """End the server that was started for practice, if any; it is waited for."""
        if self._practice is not None:
            self._practice.close()
