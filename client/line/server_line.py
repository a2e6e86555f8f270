"""The line to the server of the moment, and a server of one's own that is started for practice."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from client.kept.identity import Keyring
from client.line import child
from client.start.visit import Visit
from client.state import LinkClosed
from client.store import AnyEvent
from client.version import version
from client.way_in.address import Address
from protocol.commands import AnyCommand

if TYPE_CHECKING:
    from client.line.network import Ending, Network


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
        self.folder = visit.folder  # for what is remembered of this server; None: nothing is
        self._visit = visit
        self._tell = tell
        self._over = over
        self._network: Network | None = None
        self._is_closed = False
        self._servers = contextlib.ExitStack()

    @property
    def is_free(self) -> bool:
        """Whether there is no server now, so that one can be dialled."""
        return self._network is None

    def dial(self, address: Address, name: str, group: asyncio.TaskGroup) -> None:
        """Connect, and stay connected, as a task of this group; with a server already, do nothing."""
        if not self.is_free:
            return
        from client.line.network import Network  # noqa: PLC0415 - the first page does not wait for it

        self._network = Network(
            address,
            name=name,
            version=version(),
            keyring=self._visit.ring or Keyring(self.folder, self._visit.profile),
            tell=self._tell,
            nobody_there=self._visit.nobody_there,
        )
        group.create_task(self._stay_connected(self._network))

    async def _stay_connected(self, network: "Network") -> None:
        await network.run()
        if self._network is network:  # not left, perhaps for another one
            self._network = None
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
        self._tell((LinkClosed(),))

    async def practice(self) -> Address | None:
        """Start a server for practice; where it is, or None if it is not to be used after all.

        Raises:
            child.NoServer: it did not start.
        """
        entering = self._servers.enter_context
        server = await asyncio.to_thread(entering, child.practice_server())
        if self._is_closed:
            return None
        self.folder = None
        return server.address

    def close(self) -> None:
        """Dial no more, and end the line there is."""
        self._is_closed = True
        if self._network is not None:
            self._network.close()

    def end_servers(self) -> None:
        """End the server that was started for practice, if any; it is waited for."""
        self._servers.close()
