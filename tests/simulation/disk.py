"""A virtual disk with a journal on it, for a server that can die at any moment.

The platter holds records: a length, a checksum, and what one transaction kept, packed. Commits wait
for the transaction that is under way, and those that wait become the next one, as with the real
journal; there is no thread in it. A server that dies leaves the transaction that was under way on
the platter, or not, or torn: then whoever reads the platter next drops it.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec
import trio

from server.journal.records import Change, Kept
from server.journal.rows import written
from server.journal.store import JournalFault, Statistics
from tests.simulation.lanes import LANE, LaneDice
from tests.simulation.world import World
from tests.support.memory_store import MemoryStore

HEAD = 8  # bytes of a record: its length and its checksum

_PACK = msgspec.msgpack.Encoder().encode
_UNPACK = msgspec.msgpack.Decoder(tuple[Change, ...]).decode


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskPlan:
    """How the disk behaves; times in microseconds."""

    fastest: int = 100
    slowest: int = 300
    hiccups: float = 0.0  # of all transactions
    hiccup: int = 0
    faults: float = 0.0  # of all commits: the disk is full
    is_shared: bool = True  # else no commit waits for another one


class Machine(Protocol):
    """The server that uses the disk: it can die whenever something is done."""

    @property
    def is_dead(self) -> bool:
        """Whether the power is off."""
        ...

    def may_die(self) -> bool:
        """A moment at which the server can die; whether it just did."""
        ...


Watcher = Callable[[tuple[Change, ...]], None]


class Disk:
    """The platter, and all that is known of what is on it."""

    def __init__(self, world: World, plan: DiskPlan) -> None:
        self.world = world
        self.plan = plan
        self.dice = world.dice("disk")
        self.platter = bytearray()
        self.is_full = False
        self.watchers: list[Watcher] = []  # are told of each commit that is on the platter
        self.transactions = 0

    def write(
        self, commits: Sequence[tuple[Change, ...]], *, bytes_kept: int | None = None
    ) -> None:
        """One transaction reaches the platter, or only so many bytes of it."""
        body = _PACK([change for commit in commits for change in commit])
        record = len(body).to_bytes(4) + zlib.crc32(body).to_bytes(4) + body
        if bytes_kept is not None and bytes_kept < len(record):
            self.platter += record[:bytes_kept]
            return
        self.platter += record
        self.transactions += 1
        for commit in commits:
            for watch in self.watchers:
                watch(commit)

    def transaction_takes(self) -> int:
        """How long the next transaction takes."""
        plan = self.plan
        takes = self.dice.randint(plan.fastest, plan.slowest)
        if plan.hiccups and self.dice.random() < plan.hiccups:
            takes += self.dice.randint(0, plan.hiccup)
        return takes

    def read(self) -> MemoryStore:
        """What a server finds that starts now. A torn record at the end is cut off."""
        store, place = MemoryStore(), 0
        while (record := self._record_at(place)) is not None:
            keep(store, _UNPACK(record))
            place += HEAD + len(record)
        del self.platter[place:]
        return store

    def _record_at(self, place: int) -> bytes | None:
        head = self.platter[place : place + HEAD]
        length, checksum = int.from_bytes(head[:4]), int.from_bytes(head[4:])
        body = bytes(self.platter[place + HEAD : place + HEAD + length])
        whole = len(head) == HEAD and len(body) == length and length > 0
        return body if whole and zlib.crc32(body) == checksum else None


@dataclass(slots=True, eq=False)
class _Waiting:
    changes: tuple[Change, ...]
    lane: str = field(default_factory=LANE.get)
    outlives: bool = False  # the power, if that goes while this is under way
    task: trio.lowlevel.Task | None = None
    fault: JournalFault | None = None
    is_done: bool = False


class SimStore:
    """The journal as one life of the server uses it (`server.journal.store.Store`)."""

    def __init__(self, disk: Disk, machine: Machine) -> None:
        self._disk = disk
        self._machine = machine
        self._kept = disk.read()
        self._queue: list[_Waiting] = []
        self._under_way: list[_Waiting] = []

    @property
    def waiting(self) -> int:
        """Commits that are not on the platter yet."""
        return len(self._queue) + len(self._under_way)

    async def commit(self, *changes: Change) -> None:
        """Keep these changes, all or none; returns when they are on the platter."""
        written(changes)  # as the real journal does: what cannot be read back is refused
        self._kept._check(changes)
        waiting = _Waiting(changes)
        self._machine.may_die()
        self._take(waiting)
        await self._wait(waiting)
        if waiting.fault is not None:
            raise waiting.fault

    def _take(self, waiting: _Waiting) -> None:
        self._queue.append(waiting)
        if not self._under_way:
            self._begin()

    async def _wait(self, waiting: _Waiting) -> None:
        waiting.task = trio.lowlevel.current_task()

        def abort(_: object) -> trio.lowlevel.Abort:
            waiting.task = None
            return trio.lowlevel.Abort.SUCCEEDED

        await trio.lowlevel.wait_task_rescheduled(abort)

    def _begin(self) -> None:
        self._under_way, self._queue = self._queue, []
        self._disk.world.at(
            self._disk.world.look() + self._disk.transaction_takes(), self._end_transaction
        )

    def _end_transaction(self) -> None:
        if self._machine.is_dead or self._machine.may_die():
            return
        batch, self._under_way = self._under_way, []
        good = [waiting for waiting in batch if not self._fails(waiting)]
        if good:
            self._keep(good)
        if self._machine.may_die():
            return
        self._disk.world.wake(lambda: self._wake(batch), "disk")
        if self._queue:
            self._begin()

    def _fails(self, waiting: _Waiting) -> bool:
        disk = self._disk
        if disk.is_full or (disk.plan.faults and disk.dice.random() < disk.plan.faults):
            waiting.fault = JournalFault("no space left")
            return True
        return False

    def _keep(self, good: Sequence[_Waiting]) -> None:
        for waiting in good:
            keep(self._kept, waiting.changes)
        self._disk.write([waiting.changes for waiting in good])

    def _wake(self, batch: Sequence[_Waiting]) -> None:
        for waiting in batch:
            if waiting.task is not None:
                trio.lowlevel.reschedule(waiting.task)

    def lose_power(self) -> None:
        """The server dies: of the transaction under way all is kept, or nothing, or a torn record."""
        batch, self._under_way, self._queue = self._under_way, [], []
        if batch and not self._disk.is_full:
            commits = [waiting.changes for waiting in batch]
            fate = self._disk.dice.random()
            kept = None if fate < 1 / 3 else 0 if fate < 2 / 3 else self._disk.dice.randint(1, 200)
            self._disk.write(commits, bytes_kept=kept)

    def read(self) -> Kept:
        """All that is kept."""
        return self._kept.read()

    def statistics(self) -> Statistics:
        """Nobody asks."""
        return Statistics()

    def close(self) -> None:
        """There is nothing to close."""


class LonelyStore(SimStore):
    """A journal on which each commit is a transaction of its own, and waits for no other.

    So what one table keeps takes no longer because another one keeps something, too: for evenings
    that are to be the same but for one table.
    """

    def __init__(self, disk: Disk, machine: Machine, dice: LaneDice) -> None:
        super().__init__(disk, machine)
        self._dice = dice

    def _take(self, waiting: _Waiting) -> None:
        world, plan = self._disk.world, self._disk.plan
        self._under_way.append(waiting)
        waiting.outlives = self._dice.random() < 0.5
        takes = self._dice.randint(plan.fastest, plan.slowest)
        world.at(world.look() + takes, lambda: self._end(waiting))

    def _end(self, waiting: _Waiting) -> None:
        if self._machine.is_dead:
            return
        self._under_way.remove(waiting)
        if not self._fails(waiting):
            self._keep([waiting])
        self._disk.world.wake(lambda: self._wake([waiting]), waiting.lane)

    def lose_power(self) -> None:
        """Of what is under way each commit is kept, or not."""
        under_way, self._under_way = self._under_way, []
        for waiting in under_way:
            if waiting.outlives and not self._disk.is_full:
                self._disk.write([waiting.changes])


def store_on(disk: Disk, machine: Machine, life: int) -> SimStore:
    """The journal on a disk, for one life of the server."""
    if disk.plan.is_shared:
        return SimStore(disk, machine)
    return LonelyStore(disk, machine, LaneDice(f"{disk.world.seed}/disk {life}"))


def keep(store: MemoryStore, changes: Sequence[Change]) -> None:
    """Add changes to a store without waiting."""
    for change in changes:
        store._keep(change)
