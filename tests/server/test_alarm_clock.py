"""The one task that wakes whoever wants to be woken, and only then."""

import math
from random import Random

import pytest
import trio
from trio.testing import MockClock

from server.alarm_clock import AGAIN_S, AlarmClock
from tests.support.mishaps import break_once


class Sleeper:
    """Notes when it was woken."""

    def __init__(self) -> None:
        self.wakes_at = self.listed_at = math.inf
        self.woken: list[float] = []

    def wake(self) -> None:
        self.woken.append(trio.current_time())


def a_clock(nursery: trio.Nursery) -> AlarmClock:
    """An alarm clock that runs."""
    clock = AlarmClock()
    nursery.start_soon(clock.run)
    return clock


async def test_everybody_is_woken_in_time(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    clock = a_clock(nursery)
    sleepers = [Sleeper() for _ in range(5)]
    for sleeper, at in zip(sleepers, (3, 1, 2, 1, 30), strict=True):
        clock.set(sleeper, at)

    await trio.sleep(20)

    assert [sleeper.woken for sleeper in sleepers] == [[3], [1], [2], [1], []]


async def test_an_alarm_can_be_moved_to_later_and_to_sooner(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    clock = a_clock(nursery)
    later, sooner = Sleeper(), Sleeper()
    clock.set(later, 5)
    clock.set(sooner, 9)
    await trio.sleep(1)
    clock.set(later, 8)
    clock.set(sooner, 2)

    await trio.sleep(20)

    assert (later.woken, sooner.woken) == ([8], [2])


async def test_an_alarm_that_was_called_off_wakes_nobody(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    clock = a_clock(nursery)
    sleeper = Sleeper()
    clock.set(sleeper, 5)
    clock.set(sleeper, math.inf)

    await trio.sleep(20)

    assert sleeper.woken == []


async def test_a_time_that_is_past_wakes_at_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    clock = a_clock(nursery)
    sleeper = Sleeper()
    await trio.sleep(5)

    clock.set(sleeper, 2)
    await trio.sleep(1)

    assert sleeper.woken == [5]


@pytest.mark.parametrize("seed", range(5))
async def test_after_any_number_of_changes_the_last_one_counts(
    nursery: trio.Nursery, autojump_clock: MockClock, seed: int
) -> None:
    clock = a_clock(nursery)
    rng = Random(seed)
    sleepers = [Sleeper() for _ in range(10)]
    wanted = [math.inf] * len(sleepers)
    expected: list[list[float]] = [[] for _ in sleepers]
    for _ in range(300):
        number = rng.randrange(len(sleepers))
        now = trio.current_time()
        wanted[number] = now + rng.choice([0.5, 1.5, 7.5, 40.5, math.inf])
        clock.set(sleepers[number], wanted[number])
        await trio.sleep(rng.choice([0, 1, 2]))
        for place, at in enumerate(wanted):
            if at <= trio.current_time():
                expected[place].append(at)
                wanted[place] = math.inf

    assert [sleeper.woken for sleeper in sleepers] == expected


async def test_entries_do_not_pile_up_for_a_sleeper_whose_time_moves_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    clock = a_clock(nursery)
    sleeper = Sleeper()
    for number in range(1_000):
        clock.set(sleeper, 100 + number)

    assert len(clock._entries) == 1


async def test_sleepers_who_were_stopped_are_not_held_on_to_until_their_time(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    clock = a_clock(nursery)
    staying = [Sleeper() for _ in range(3)]
    for sleeper in staying:
        clock.set(sleeper, 9)

    for _ in range(1_000):
        knocker = Sleeper()
        clock.set(knocker, 5)
        clock.stop(knocker)

    assert len(clock._entries) <= 2 * len(staying) + 1
    await trio.sleep(20)
    assert [sleeper.woken for sleeper in staying] == [[9]] * 3


async def test_a_sleeper_who_was_stopped_can_be_woken_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    clock = a_clock(nursery)
    sleepers = [Sleeper() for _ in range(3)]
    for sleeper in sleepers:
        clock.set(sleeper, 5)
        clock.stop(sleeper)

    for sleeper in sleepers:
        clock.set(sleeper, 7)
    await trio.sleep(20)

    assert [sleeper.woken for sleeper in sleepers] == [[7]] * 3


async def test_after_a_fault_of_ours_a_sleeper_was_never_woken_again(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    """So a line that had gone silent stayed, and its seat with it."""
    clock = a_clock(nursery)
    faulty, other = Sleeper(), Sleeper()
    break_once(faulty, "wake")
    clock.set(faulty, 1)
    clock.set(other, 1)

    await trio.sleep(60)

    assert faulty.woken == [1 + AGAIN_S]
    assert other.woken == [1]
    assert "could not be woken" in caplog.text
