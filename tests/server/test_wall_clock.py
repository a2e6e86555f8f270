"""Stamps of the wall clock keep their order when they are turned into the loop's time (RULES C1)."""

from random import Random

import pytest

from server import arrivals
from server.arrivals import WallClock
from server.sockets import Ears
from tests.support.sockets import a_connection


class InterruptedTime:
    """Two clocks in nanoseconds; between any two looks at them a chance interrupt may fall."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._monotonic = 5_000_000_123
        self.wall_ahead = 1_800_000_000_000_000_456

    def now_us(self) -> int:
        return round(self.let_pass() / 1_000)

    def time_ns(self) -> int:
        return self.let_pass() + self.wall_ahead

    def let_pass(self) -> int:
        rare = self._rng.random() < 0.2
        self._monotonic += self._rng.randrange(20_000_000 if rare else 200)
        return self._monotonic


@pytest.mark.parametrize("seed", range(5))
def test_an_interrupt_between_two_looks_at_the_clocks_once_let_the_later_call_win(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks = InterruptedTime(Random(seed))
    monkeypatch.setattr(arrivals, "time", clocks)
    monkeypatch.setattr(arrivals, "now_us", clocks.now_us)
    wall = WallClock()
    stamps = [clocks.time_ns() + 2_000 * place for place in range(200)]

    times = [wall.loop_us(stamp) for stamp in stamps if wall.look()]

    assert times == sorted(times)
    assert len(set(times)) == len(stamps)


def test_a_clock_that_was_set_forward_is_noticed_through_interrupts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clocks = InterruptedTime(Random(1))
    monkeypatch.setattr(arrivals, "time", clocks)
    monkeypatch.setattr(arrivals, "now_us", clocks.now_us)
    wall = WallClock()
    clocks.wall_ahead += 3_600_000_000_000

    assert not wall.look()

    stamp, taken_at = clocks.time_ns(), clocks.now_us()
    assert wall.look()
    assert abs(wall.loop_us(stamp) - taken_at) <= 40_000


async def test_a_call_that_lay_in_the_kernel_was_once_stamped_if_a_hello_was_read_after_the_step() -> (
    None
):
    wall = WallClock()
    ears = Ears(wall)
    async with (
        a_connection(ears=ears) as (greeted, newcomer),
        a_connection(ears=ears) as (wire, caller),
    ):
        greeted.listen(lambda _: None)
        wire.listen(lambda _: None)
        caller.sendall(b"a call")
        newcomer.sendall(b"a hello")
        wall._apart_ns += 3_600_000_000_000  # as it was before somebody set the clock back

        heard = ears._look()

    assert [stamped for _, stamped, _, _ in heard] == [False, False]
