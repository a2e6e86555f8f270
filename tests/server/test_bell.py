"""A thread's bell: everybody is woken for what was done for them, whoever listens."""

import os
import threading
from collections.abc import Iterator, Sequence

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server.journal.bell import Bell, Waiter
from tests.support.until import until


class Ringing:
    """A bell, and what was heard of it."""

    def __init__(self) -> None:
        self.heard: list[Waiter] = []
        self.went_on: list[Waiter] = []
        self.bell: Bell[Waiter] = Bell(self._hear)

    def _hear(self, done: Sequence[Waiter]) -> None:
        self.heard += done

    def from_a_thread(self, *done: Waiter) -> None:
        """Ring it for these, and be sure that it was rung."""
        thread = threading.Thread(target=self.bell.ring, args=(done,))
        thread.start()
        thread.join()

    async def wait(self, waiter: Waiter) -> None:
        """Wait, and note it once that is over."""
        await self.bell.wait(waiter)
        self.went_on.append(waiter)


@pytest.fixture
def ringing() -> Iterator[Ringing]:
    it = Ringing()
    yield it
    it.bell.close()


async def some_wait(ringing: Ringing, nursery: trio.Nursery, count: int) -> list[Waiter]:
    waiters = [Waiter() for _ in range(count)]
    for waiter in waiters:
        nursery.start_soon(ringing.wait, waiter)
        await wait_all_tasks_blocked()  # the first is the one that listens
    return waiters


@pytest.mark.parametrize("one", range(4), ids=["who listens", "second", "third", "last"])
async def test_nobody_goes_on_but_the_one_it_is_rung_for(
    ringing: Ringing, nursery: trio.Nursery, one: int
) -> None:
    waiters = await some_wait(ringing, nursery, 4)

    ringing.from_a_thread(waiters[one])
    await until(lambda: bool(ringing.went_on))
    first = list(ringing.went_on)
    ringing.from_a_thread(*(each for each in waiters if each is not waiters[one]))
    await until(lambda: len(ringing.went_on) == 4)

    assert first == [waiters[one]]
    assert set(ringing.went_on) == set(ringing.heard) == set(waiters)


async def test_if_the_one_who_listens_is_cancelled_another_one_does(
    ringing: Ringing, nursery: trio.Nursery
) -> None:
    async with trio.open_nursery() as impatient:
        gone = await some_wait(ringing, impatient, 1)
        stayed = await some_wait(ringing, nursery, 3)
        impatient.cancel_scope.cancel()

    ringing.from_a_thread(*gone, *stayed)
    await until(lambda: len(ringing.went_on) == 3)

    assert set(ringing.went_on) == set(stayed)
    assert set(ringing.heard) == {*gone, *stayed}


async def test_whoever_was_cancelled_asleep_is_not_the_one_who_listens_next(
    ringing: Ringing, nursery: trio.Nursery
) -> None:
    (first,) = await some_wait(ringing, nursery, 1)
    async with trio.open_nursery() as impatient:
        await some_wait(ringing, impatient, 2)
        (last,) = await some_wait(ringing, nursery, 1)
        impatient.cancel_scope.cancel()

    ringing.from_a_thread(first)
    await until(lambda: ringing.went_on == [first])
    ringing.from_a_thread(last)
    await until(lambda: ringing.went_on == [first, last])


async def test_one_who_is_cancelled_asleep_is_not_woken(
    ringing: Ringing, nursery: trio.Nursery
) -> None:
    stayed = await some_wait(ringing, nursery, 1)
    async with trio.open_nursery() as impatient:
        gone = await some_wait(ringing, impatient, 2)
        impatient.cancel_scope.cancel()

    ringing.from_a_thread(*gone, *stayed)
    await until(lambda: bool(ringing.went_on))

    assert ringing.went_on == stayed
    assert set(ringing.heard) == {*gone, *stayed}


async def test_what_was_rung_while_nobody_listened_is_heard_by_whoever_comes_next(
    ringing: Ringing, nursery: trio.Nursery
) -> None:
    early = Waiter()
    ringing.from_a_thread(early)

    (late,) = await some_wait(ringing, nursery, 1)
    ringing.from_a_thread(late)
    await until(lambda: bool(ringing.went_on))

    assert ringing.heard == [early, late]


def test_what_was_rung_after_the_loop_has_ended_can_be_heard_without_one(ringing: Ringing) -> None:
    waiter = Waiter()
    ringing.from_a_thread(waiter)

    ringing.bell.hear()

    assert (ringing.heard, waiter.ended) == ([waiter], True)


async def test_more_rings_than_anybody_hears_stop_no_thread(
    ringing: Ringing, nursery: trio.Nursery
) -> None:
    for _ in range(100_000):  # more than a pipe holds
        ringing.bell.ring(())

    (waiter,) = await some_wait(ringing, nursery, 1)
    ringing.from_a_thread(waiter)
    await until(lambda: bool(ringing.went_on))

    assert ringing.went_on == [waiter]


async def test_a_bell_that_is_taken_down_was_heard_by_all(nursery: trio.Nursery) -> None:
    ringing = Ringing()
    waiters = await some_wait(ringing, nursery, 3)
    files = ringing.bell._ear, ringing.bell._clapper

    ringing.from_a_thread(*waiters)
    ringing.bell.close()
    await until(lambda: len(ringing.went_on) == 3)

    for file in files:
        with pytest.raises(OSError, match="Bad file"):
            os.fstat(file)
