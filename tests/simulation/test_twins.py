"""Non-interference: nobody's wire tells of what is none of their business, not even by a time.

Hidden cards: the same evening is simulated twice, with people who go by the names of cards and by
what is public, and in one of them two hidden cards have exchanged their faces. A sneak (RULES E15),
and second thoughts: on one of two evenings somebody lays more cards than they claim, or takes back
what they have laid ready. A den: the same evening with and without byzantines who do what they like in the
hall and at tables of their own.
"""

import pytest

from tests.simulation.secret_moves import with_a_sneak, with_second_thoughts
from tests.simulation.twins import with_a_den, with_hidden_cards

SEEDS = range(6)
FEWEST_LINES = 60  # compared, in all evenings together
FEWEST_DEEDS = 6  # and so often was done what must be kept secret


@pytest.mark.timeout(600)
def test_two_hidden_cards_can_be_exchanged_and_nobody_else_notices() -> None:
    compared = [with_hidden_cards(seed) for seed in SEEDS]

    assert [each.difference for each in compared] == [""] * len(compared)
    assert sum(each.lines for each in compared) > FEWEST_LINES


@pytest.mark.timeout(600)
def test_cards_can_be_sneaked_in_and_nobody_else_notices() -> None:
    compared = [with_a_sneak(seed) for seed in SEEDS]

    assert [each.difference for each in compared] == [""] * len(compared)
    assert sum(each.lines for each in compared) > FEWEST_LINES
    assert sum(each.plays for each in compared) > FEWEST_DEEDS, "hardly anybody sneaked"


@pytest.mark.timeout(600)
def test_what_is_laid_ready_can_be_taken_back_and_nobody_else_notices() -> None:
    compared = [with_second_thoughts(seed) for seed in SEEDS]

    assert [each.difference for each in compared] == [""] * len(compared)
    assert sum(each.lines for each in compared) > FEWEST_LINES
    assert sum(each.plays for each in compared) > FEWEST_DEEDS, "hardly anything was taken back"


@pytest.mark.timeout(600)
def test_byzantines_change_nothing_at_another_table() -> None:
    compared = [with_a_den(seed) for seed in SEEDS]

    assert [each.difference for each in compared] == [""] * len(compared)
    assert all(each.lines > FEWEST_LINES for each in compared)
    assert sum(each.plays for each in compared) > FEWEST_LINES, "the byzantines hardly played"
