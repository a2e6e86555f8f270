"""A server that dies and starts again on what it has kept, and a store that gives it trouble."""

from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import trio
from trio.testing import wait_all_tasks_blocked

from protocol import commands as c
from protocol.answers import Accepted, Refused
from protocol.events import Event, LobbyChanged, LobbyState
from server.arrivals import wall_s
from server.hall import Hall
from server.journal.records import Change, Kept, LobbyKept
from server.journal.recovery import Recovered, recovered_lobby
from server.journal.store import JournalFault
from tests.support.guests import Guest, a_hall
from tests.support.memory_store import MemoryStore


class FullDisk(MemoryStore):
    """A store that can be full for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.is_full = False

    async def commit(self, *changes: Change) -> None:
        """Keep these, unless it is full."""
        if self.is_full:
            message = "no space left"
            raise JournalFault(message)
        await super().commit(*changes)


def restarted(store: MemoryStore, nursery: trio.Nursery, wall: Callable[[], int] = wall_s) -> Hall:
    """Another server with what the first one has kept; nothing else comes along."""
    hall = a_hall(nursery, seed=8, store=store, wall=wall)
    hall.restore(store.read())
    return hall


def recovered(kept: Kept) -> tuple[Recovered, ...]:
    """All lobbies as they were (RULES D5)."""
    return tuple(map(recovered_lobby, kept.lobbies))


async def come_back(hall: Hall, *guests: Guest) -> None:
    """Let guests come to this server with the secrets that another one gave them."""
    for guest in guests:
        await guest.vanish()
        guest.hall = hall
        await guest.connect(resume=True)


class Photographer(MemoryStore):
    """A store that remembers what was kept after each commit: where a server could have died."""

    def __init__(self) -> None:
        super().__init__()
        self.after_each: list[MemoryStore] = []

    async def commit(self, *changes: Change) -> None:
        """Keep these, and take a picture."""
        await super().commit(*changes)
        picture = MemoryStore()
        picture._people, picture._lobbies = deepcopy((self._people, self._lobbies))
        self.after_each.append(picture)


class TroubledStore(MemoryStore):
    """A store that takes its time and sometimes fails, until it is mended."""

    def __init__(self, dice: Random | None = None) -> None:
        super().__init__()
        self.dice = dice
        self.lobbies_kept: dict[str, list[LobbyState]] = defaultdict(list)

    async def commit(self, *changes: Change) -> None:
        """Keep these, in a while, or not."""
        dice = self.dice
        if dice is not None:
            try:
                await trio.sleep(dice.choice([0.0, 0.005, 0.2, 1.0]))
            except trio.Cancelled:  # the server dies: what was handed over may be kept all the same
                if dice.random() < 0.5:
                    await self._commit(*changes)
                raise
            if dice.random() < 0.05:
                message = "no space left"
                raise JournalFault(message)
        await self._commit(*changes)

    async def _commit(self, *changes: Change) -> None:
        await super().commit(*changes)
        for change in changes:
            if isinstance(change, LobbyKept):
                self.lobbies_kept[change.code].append(change.lobby.state)

    def recovered(self) -> dict[str, Recovered]:
        """All lobbies as a server would find them now."""
        return {each.code: each for each in recovered(self.read())}


class Stubborn(Guest):
    """A guest who sends again, after a restart, whatever was not answered."""

    def __init__(self, hall: Hall, nursery: trio.Nursery, name: str) -> None:
        super().__init__(hall, nursery, name)
        self._unanswered: dict[int, c.ClientMessage] = {}
        self._came_at = 0

    async def write(self, message: c.ClientMessage) -> None:
        """Send it, and remember it if it wants an answer."""
        number = getattr(message, "n", None)
        if number is not None:
            self._unanswered[number] = message
        await super().write(message)

    async def connect(
        self, *, resume: bool = False, last_event: int | None = None, address: str = "127.0.0.1"
    ) -> Event:
        """Come back, and say again what nobody has answered."""
        self._came_at = len(self.heard)
        answer = await super().connect(resume=resume, last_event=last_event, address=address)
        for _, event in self.heard:
            if isinstance(event, Accepted | Refused) and event.n is not None:
                self._unanswered.pop(event.n, None)
        for number in sorted(self._unanswered):
            if self.is_connected:
                await self.write(self._unanswered[number])
        return answer

    @property
    def was_shown_the_lobby(self) -> bool:
        """Whether the lobby was told in whole since the line is up; before, it may be an old one."""
        since = self.heard[self._came_at :]
        return self.is_connected and any(isinstance(event, LobbyChanged) for _, event in since)


class Lives:
    """One server after another, all on the same store."""

    def __init__(self, nursery: trio.Nursery, store: MemoryStore, **settings: Any) -> None:  # noqa: ANN401
        self._nursery = nursery
        self._store = store
        self._settings = settings
        self._life: trio.Nursery | None = None
        self._number = 0
        self.hall: Hall

    async def start(self, *guests: Guest) -> Hall:
        """Start a server; guests can come back to it, and have no line yet."""
        self._number += 1
        self._life = await self._nursery.start(_a_life)
        assert self._life is not None
        self.hall = a_hall(
            self._life,
            self._number,
            self._store,
            epoch=f"life {self._number}",
            **self._settings,
        )
        self.hall.restore(self._store.read())
        for guest in guests:
            guest.hall, guest._nursery, guest.is_connected = self.hall, self._life, False
        return self.hall

    def guest(self, name: str) -> Stubborn:
        """Somebody who may come to this server and those after it."""
        assert self._life is not None
        return Stubborn(self.hall, self._life, name)

    async def kill(self) -> None:
        """End it at once, whatever it is doing: nothing more is said or kept."""
        assert self._life is not None
        self._life.cancel_scope.cancel()
        await wait_all_tasks_blocked()


async def _a_life(task_status: trio.TaskStatus[trio.Nursery]) -> None:
    async with trio.open_nursery() as nursery:
        task_status.started(nursery)
        await trio.sleep_forever()
