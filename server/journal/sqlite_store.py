"""The journal on disk: one SQLite file, one thread that writes, one transaction for all who wait.

A commit that has to reach the disk takes about as long for fifty as for one. So commits queue up
while one transaction is under way, and all that wait then become the next one: a page of the daybook
(`entries`). A fault of one of them is no fault of the others. The pages are posted to the tables once
there are many, and when the journal is opened or closed (`posting`).
"""

import contextlib
import logging
import sqlite3
import statistics
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter_ns

from server.journal.bell import Bell, Waiter
from server.journal.database import FILE, UNREADABLE, empty_log, make_ours, note_opening, opened
from server.journal.database import LOG as WAL
from server.journal.entries import Entries
from server.journal.kept import all_kept
from server.journal.lock import locked
from server.journal.posting import post
from server.journal.records import Change, Kept
from server.journal.rows import Written, written
from server.journal.rush import Rush
from server.journal.store import Damaged, JournalFault, OpenFault, Statistics, one_line
from server.limits import Bucket

MOST_WAITING = 1024  # so many commits may wait; whoever comes then waits for a place first
GATHER_S = 0.002  # so long more commits are waited for in a rush
POST_AT = 4 * 1024 * 1024  # the daybook is posted once it has so many bytes
COMPLAINTS_PER_S = 1 / 60  # the log complains no more often that nothing can be written
LOOK_EVERY_S = 1.0  # so often it is seen, where commits come, whether the files are still those
TRIALS = 5  # so many small writes at the start tell how long one takes

LOG = logging.getLogger(__name__)


class _Waiting(Waiter):
    """One commit that was handed over, and the task that waits for it."""

    __slots__ = ("changes", "fault")

    def __init__(self, changes: tuple[Written, ...]) -> None:
        super().__init__()
        self.changes = changes
        self.fault: Exception | None = None


class SqliteStore:
    """Changes kept in a data folder. One server at a time may have it open.

    Raises:
        OpenFault: it cannot be used; the message is one sentence that says why and what to do.
    """

    def __init__(
        self, folder: Path, *, most_waiting: int = MOST_WAITING, post_at: int = POST_AT
    ) -> None:
        """The daybook is posted once it holds `post_at` bytes."""
        self._commits = self._faults = self._transactions = 0
        self._locks = locked(folder)
        with contextlib.ExitStack() as if_it_fails:
            if_it_fails.callback(self._locks.close)
            self._connection = opened(folder)
            if_it_fails.callback(self._connection.close)
            self._trial_us = self._try_out(folder)
            if_it_fails.pop_all()
        self._entries, self._rush = Entries(self._connection), Rush()
        self._complaints = Bucket(COMPLAINTS_PER_S, 1)
        self._in_use = threading.Lock()  # held by whoever uses the connection
        self._post_at = self._post_next = post_at
        self._files = {path: _which(path) for path in (folder / FILE, folder / WAL)}
        self._look_at, self._is_lost = 0.0, False
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()  # None: there will be no more
        self._handing_over = threading.Lock()
        self._closing = self._is_ours = False
        self._bell: Bell[_Waiting] = Bell(self._count)
        self._free_places = most_waiting  # how many more commits may be queued
        self._waiting_for_place: deque[Waiter] = deque()  # who waits for a free place, in order
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def _try_out(self, folder: Path) -> int:
        """Post what the last server left in the daybook, and give how many microseconds a write takes."""
        try:
            post(self._connection)
            return int(statistics.median([_trial_us(self._connection) for _ in range(TRIALS)]))
        except sqlite3.OperationalError as fault:
            message = f"cannot write to the journal in {folder}: {fault}"
            raise OpenFault(message) from fault
        except UNREADABLE as fault:
            raise Damaged("the file", one_line(fault)) from fault

    # --- in the tasks ---------------------------------------------------------------------------

    async def commit(self, *changes: Change) -> None:
        """Keep these changes, all or none; returns when they are on the disk.

        Whoever is cancelled while waiting leaves them behind to be kept all the same, unless they
        still had to wait for a place in the queue.

        Raises:
            JournalFault: the disk is full or broken, or the journal is closed.
            LookupError: a deal without its lobby, an action without a deal, or a lobby that says
                a deal runs when none does (a fault of ours).
            ValueError: a change that could not be read back (a fault of ours).
        """
        rows = written(changes)
        await self._take_place()
        waiting = _Waiting(rows)
        self._hand_over(waiting)
        await self._bell.wait(waiting)
        if waiting.fault is not None:
            raise waiting.fault

    async def _take_place(self) -> None:
        if self._free_places:
            self._free_places -= 1
            return
        waiter = Waiter()
        self._waiting_for_place.append(waiter)
        try:
            await self._bell.wait(waiter)
        except BaseException:
            if waiter.ended:  # it was cancelled and got its place in the same pass
                self._give_place()
            else:
                self._waiting_for_place.remove(waiter)
            raise

    def _give_place(self) -> None:
        if self._waiting_for_place:
            self._bell.end(self._waiting_for_place.popleft())
        else:
            self._free_places += 1

    def _hand_over(self, waiting: _Waiting) -> None:
        with self._handing_over:
            if not self._closing:
                self._queue.put(waiting)
                return
        self._give_place()
        message = "the journal is closed"
        raise JournalFault(message)

    def _count(self, batch: Sequence[_Waiting]) -> None:
        """The commits of one transaction have come to their end."""
        faults = sum([waiting.fault is not None for waiting in batch])
        self._faults += faults
        self._commits += len(batch) - faults
        if faults < len(batch):
            self._transactions += 1
        for _ in batch:
            self._give_place()

    def read(self) -> Kept:
        """All that is kept.

        Raises:
            OpenFault: a record is damaged, or was written under other rules.
        """
        with self._in_use:
            return all_kept(self._connection)

    def statistics(self) -> Statistics:
        """How it has done so far."""
        self._bell.hear()
        return Statistics(
            commits=self._commits,
            faults=self._faults,
            transactions=self._transactions,
            waiting=self._queue.qsize(),
            trial_us=self._trial_us,
        )

    def close(self) -> None:
        """Keep what was handed over, and let another server have the folder."""
        with self._handing_over:
            if self._closing:
                return
            self._closing = True
            self._queue.put(None)
        self._thread.join()
        self._bell.close()
        self._post()
        self._connection.close()
        self._locks.close()

    # --- in the thread --------------------------------------------------------------------------

    def _work(self) -> None:
        for batch in self._batches():
            self._keep(batch)
            self._bell.ring(batch)
            try:
                self._look_for_files()
            except Exception:  # without this thread nothing would ever be answered again
                LOG.exception("it could not be seen whether the journal's files are still there")
            if self._entries.written >= self._post_next:
                self._post()

    def _batches(self) -> Iterator[tuple[_Waiting, ...]]:
        """Each time everything that waits, until the journal is closed and nothing does."""
        while True:
            if self._rush.is_on():
                time.sleep(GATHER_S)
            heard = [self._queue.get()]
            heard += [self._queue.get() for _ in range(self._queue.qsize())]
            batch = tuple(waiting for waiting in heard if waiting is not None)
            if batch:
                yield batch
            if heard[-1] is None:
                return

    def _keep(self, batch: tuple[_Waiting, ...]) -> None:
        try:
            self._rush.note([waiting.changes[0][0] for waiting in batch if waiting.changes])
            with self._in_use:
                if not self._is_ours:  # until then an older server can still take it back
                    make_ours(self._connection)
                    self._is_ours = True
                faults = self._entries.write([waiting.changes for waiting in batch])
        except sqlite3.Error as fault:
            if self._complaints.take(perf_counter_ns() // 1000):  # every table tries every second
                LOG.warning(
                    "the journal cannot be written: %s; tables try again every second", fault
                )
            _fail(batch, str(fault))
        except Exception:
            LOG.exception("the journal failed")
            _fail(batch, "a fault of the server")
        else:
            for waiting, wrong in zip(batch, faults, strict=True):
                waiting.fault = wrong

    def _look_for_files(self) -> None:
        """Say so in the log where the next server would not find what this one keeps."""
        if (now := time.perf_counter()) < self._look_at:
            return
        self._look_at = now + LOOK_EVERY_S
        missing = [path for path, opened_as in self._files.items() if _which(path) != opened_as]
        if missing and not self._is_lost:
            LOG.warning(
                "%s is gone, or a copy is in its place: unless the file itself is put back, "
                "all that is kept ends with this server",
                missing[0],
            )
        self._is_lost = bool(missing)

    def _post(self) -> None:
        """Post the daybook. Where that cannot be done it stays as it is, and nothing is lost."""
        try:
            with self._in_use:
                empty_log(self._connection)
                post(self._connection)
        except sqlite3.Error as fault:
            LOG.warning("the journal's daybook cannot be posted: %s", fault)
            self._post_next = self._entries.written + self._post_at
        except Exception:
            LOG.exception("the journal's daybook could not be posted")
            self._post_next = self._entries.written + self._post_at
        else:
            self._entries.begin_again()
            self._post_next = self._post_at


def _which(path: Path) -> tuple[int, int] | None:
    """What tells a file from all others, also from a copy; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _trial_us(connection: sqlite3.Connection) -> int:
    began = perf_counter_ns()
    note_opening(connection)
    return (perf_counter_ns() - began) // 1000


def _fail(batch: Sequence[_Waiting], why: str) -> None:
    for waiting in batch:
        waiting.fault = JournalFault(f"the journal cannot be written: {why}")
