"""Random evenings: whatever people do, nothing breaks, and everybody knows what they may know.

Beside the simulation (tests/simulation) this alone has people who ask for anything at any moment, as
hosts change rules and settings between deals too, and looks at every view after every single step.
"""

from random import Random

import pytest
import trio
from trio.testing import MockClock

from tests.support.chaos import NO_LIMITS, Crowd
from tests.support.evenings import check_all, everybody_leaves
from tests.support.guests import Guest, a_hall

STEPS = 400
PAUSES_S = (0.0, 0.0, 0.0, 0.001, 0.05, 0.3, 1.0, 2.0, 4.0)
LONG_PAUSE_S = 30.0


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_people_do_every_command_is_answered_and_every_view_is_right(
    seed: int, nursery: trio.Nursery, mock_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    dice = Random(seed)
    hall = a_hall(nursery, seed, replay=dice.choice([5, 512]), **NO_LIMITS)
    guests = tuple(Guest(hall, nursery, f"guest {number}") for number in range(6))
    for guest in guests:
        await guest.connect()
    crowd = Crowd(hall, guests, dice, calm=seed % 2 == 1)

    for _ in range(STEPS):
        for _ in range(dice.choice([1, 1, 1, 3])):
            await crowd.act()
        await check_all(hall, guests)
        mock_clock.jump(LONG_PAUSE_S if dice.random() < 0.01 else dice.choice(PAUSES_S))
        await check_all(hall, guests)
    await everybody_leaves(hall, guests)

    assert not caplog.records
    assert not hall.lobbies
    assert not any(person.pending for person in hall.people)
