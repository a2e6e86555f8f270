"""The clock of the seat to move, and when it reminds (RULES D1)."""

import pytest

from protocol.numbers import Seat
from server.table.turn_clock import ClocksWanted, reminded, started

SECOND = 1_000_000
TURN = (Seat(2), 7, 1, 0)
NOW = 100 * SECOND


@pytest.mark.parametrize(
    ("length_s", "reminders_s"),
    [
        pytest.param(45, (22.5, 35), id="half time, then at 10 s left"),
        pytest.param(600, (300, 590), id="the longest clock"),
        pytest.param(20, (10,), id="both at the same moment"),
        pytest.param(15, (5, 7.5), id="10 s left before half time"),
        pytest.param(10, (5,), id="no reminder at the very start"),
    ],
)
def test_a_clock_reminds_at_half_time_and_at_10_s_left(
    length_s: int, reminders_s: tuple[float, ...]
) -> None:
    clock = started(TURN, NOW, length_s * SECOND)

    assert clock.ends_at == NOW + length_s * SECOND
    assert clock.reminders == tuple(NOW + round(at * SECOND) for at in reminders_s)


def test_a_clock_speaks_once_for_each_reminder_and_then_ends() -> None:
    clock = started(TURN, NOW, 45 * SECOND)

    spoken = []
    while clock.reminders:
        spoken.append(clock.next_at)
        clock = reminded(clock)

    assert spoken == [NOW + 22_500_000, NOW + 35 * SECOND]
    assert clock.next_at == clock.ends_at


def test_a_reminder_changes_neither_the_turn_nor_the_end() -> None:
    clock = started(TURN, NOW, 45 * SECOND)

    assert reminded(clock).ends_at == clock.ends_at
    assert (reminded(clock).turn, reminded(clock).seat) == (TURN, Seat(2))


def test_whoever_asks_for_a_clock_counts_once_in_each_turn() -> None:
    wanted = ClocksWanted()
    next_turn = (Seat(3), 8, 1, 0)

    in_this_turn = [wanted.ask(TURN, Seat(seat)) for seat in (0, 0, 1)]
    in_the_next = wanted.ask(next_turn, Seat(1))

    assert (in_this_turn, in_the_next) == ([1, 1, 2], 1)


def test_no_clock_has_less_than_no_time_left() -> None:
    clock = started(TURN, NOW, 45 * SECOND)

    assert clock.left_us(NOW + 5 * SECOND) == 40 * SECOND
    assert clock.left_us(NOW + 46 * SECOND) == 0
