"""The bench's commits come in the cadence that is asked for."""

from random import Random

import pytest
from benching import commits
from benching.rules import RULES, SEATS

from protocol.numbers import Seat
from server.game.engine import new_deal
from server.journal.store import NoStore


class FakeTime:
    """A clock that goes on by a microsecond for each look at it, and sleeps as long as it is told to."""

    def __init__(self) -> None:
        self._now = 0.0

    def perf_counter(self) -> float:
        self._now += 1e-6
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds


@pytest.mark.parametrize(("rest_us", "least", "most"), [(0, 3_000, 3_400), (100, 93, 98)])
async def test_a_rest_of_a_tenth_of_a_millisecond_once_lasted_a_whole_one(
    rest_us: int, least: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "time", FakeTime())
    deal, _ = new_deal(RULES, SEATS, Seat(0), 1, Random(7))

    times = await commits.keep(NoStore(), deal, 0, seconds=0.01, rest_s=rest_us / 1e6)

    assert least <= len(times) <= most
