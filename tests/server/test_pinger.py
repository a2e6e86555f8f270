"""One task that pings everybody, however many they are."""

from typing import cast

import trio
from trio.testing import MockClock

from protocol.refusals import Refusal
from server.person import Person
from server.pinger import MOST_AT_ONCE, Pinger
from tests.support.guests import a_hall, a_party
from tests.support.mishaps import break_once

PING_S = 5.0


class CountingLine:
    """A line that only counts its pings."""

    def __init__(self) -> None:
        self.pings = 0
        self.serial = 0

    def post(self, frame: bytes) -> None:
        raise NotImplementedError

    def flush(self) -> None:
        raise NotImplementedError

    def ping(self, rtt_us: int | None) -> None:
        del rtt_us
        self.pings += 1

    def say_goodbye(self, refusal: Refusal) -> None:
        raise NotImplementedError


class Somebody:
    """A person as far as a pinger looks."""

    def __init__(self) -> None:
        self.line = CountingLine()
        self.rtt_us: int | None = None


def call(pinger: Pinger) -> Somebody:
    """Somebody who connects now."""
    somebody = Somebody()
    pinger.add(cast("Person", somebody), somebody.line)
    return somebody


async def test_everybody_is_pinged_at_once_and_then_every_few_seconds(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    pinger = Pinger(PING_S)
    nursery.start_soon(pinger.run)
    early = call(pinger)
    await trio.sleep(2)
    late = call(pinger)

    await trio.sleep(4 * PING_S - 1)

    assert (early.line.pings, late.line.pings) == (5, 4)


async def test_one_ping_for_each_pass_once_left_thousands_without_a_sign_of_life(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    pinger = Pinger(PING_S)
    people = [call(pinger) for _ in range(20 * MOST_AT_ONCE)]
    nursery.start_soon(pinger.run)
    await trio.testing.wait_all_tasks_blocked()
    mock_clock.jump(PING_S)

    for _ in range(25):  # passes of a busy scheduler
        await trio.lowlevel.checkpoint()

    assert [somebody.line.pings for somebody in people] == [2] * len(people)


async def test_a_ping_that_was_due_during_a_stop_once_made_the_challenges_of_before_look_late(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    pinger = Pinger(PING_S)
    somebody = call(pinger)
    nursery.start_soon(pinger.run)
    seen = []

    async def read() -> None:
        await trio.sleep(PING_S)
        await trio.lowlevel.checkpoint()  # what lay in the kernel is read by now
        seen.append(somebody.line.pings)

    nursery.start_soon(read)
    await trio.testing.wait_all_tasks_blocked()
    mock_clock.jump(2 * PING_S)
    await trio.testing.wait_all_tasks_blocked()

    assert seen == [1]
    assert somebody.line.pings == 2


async def test_a_line_that_is_gone_is_not_pinged(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    pinger = Pinger(PING_S)
    nursery.start_soon(pinger.run)
    somebody = call(pinger)
    old, somebody.line = somebody.line, CountingLine()

    await trio.sleep(3 * PING_S)

    assert (old.pings, somebody.line.pings) == (1, 0)


async def test_after_a_fault_of_ours_between_two_pings_all_lines_counted_as_silent(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_party(hall, nursery, "ana", "bo")
    await trio.sleep(60)

    break_once(hall._pinger, "_ping_due")
    await trio.sleep(60)

    assert all(guest.is_connected for guest in guests)
