"""Computer players take about as long to think as people do."""

from random import Random

import pytest

from server.bots.thinking import Thought, thinking_us


@pytest.mark.parametrize(
    ("thought", "shortest", "longest"),
    [
        pytest.param(Thought.PLAY, 900_000, 2_500_000, id="a play"),
        pytest.param(Thought.DOUBT, 700_000, 2_000_000, id="a doubt"),
    ],
)
def test_thinking_takes_about_as_long_as_people_take(
    thought: Thought, shortest: int, longest: int
) -> None:
    times = [thinking_us(Random(seed), thought) for seed in range(300)]

    assert shortest <= min(times) < shortest + 100_000
    assert longest - 100_000 < max(times) <= longest
