"""Non-interference: nobody's wire tells of what is none of their business, not even by a time.

Hidden cards: the same evening is simulated twice, with people who go by the names of cards and by
what is public, and in one of them two hidden cards have exchanged their faces. A sneak (RULES E15),
and second thoughts: on one of two evenings somebody lays more cards than they claim, or takes back
what they have laid ready. A den: the same evening with and without byzantines who do what they like in the
hall and at tables of their own.
"""

import shlex
from collections.abc import Callable, Mapping

import pytest

from tests.simulation.evening import Report, WentWrong
from tests.simulation.plan import Plan
from tests.simulation.secret_moves import with_a_sneak, with_second_thoughts
from tests.simulation.twins import Compared, with_a_den, with_hidden_cards

SEEDS = range(6)
FEWEST_LINES = 60  # compared, in all evenings together
FEWEST_DEEDS = 6  # and so often was done what must be kept secret


def differences(compared: Mapping[int, Compared]) -> dict[int, str]:
    """What differs between the twins, by their seed."""
    return {seed: each.difference for seed, each in compared.items() if each.difference}


@pytest.mark.timeout(600)
def test_two_hidden_cards_can_be_exchanged_and_nobody_else_notices() -> None:
    compared = {seed: with_hidden_cards(seed) for seed in SEEDS}

    assert differences(compared) == {}
    assert sum(each.lines for each in compared.values()) > FEWEST_LINES


def test_a_computer_player_whose_seat_was_taken_over_later_was_once_one_who_looks_at_no_face() -> (
    None
):
    compared = with_hidden_cards(73070974)

    assert compared.difference == ""
    assert compared.lines > 0


def test_twins_with_one_person_at_the_first_deal_were_to_have_two_to_exchange_cards() -> None:
    assert with_hidden_cards(73070981).lines == 0


@pytest.mark.timeout(600)
def test_cards_can_be_sneaked_in_and_nobody_else_notices() -> None:
    compared = {seed: with_a_sneak(seed) for seed in SEEDS}

    assert differences(compared) == {}
    assert sum(each.lines for each in compared.values()) > FEWEST_LINES
    assert sum(each.plays for each in compared.values()) > FEWEST_DEEDS, "hardly anybody sneaked"


@pytest.mark.timeout(600)
def test_what_is_laid_ready_can_be_taken_back_and_nobody_else_notices() -> None:
    compared = {seed: with_second_thoughts(seed) for seed in SEEDS}

    assert differences(compared) == {}
    assert sum(each.lines for each in compared.values()) > FEWEST_LINES
    assert sum(each.plays for each in compared.values()) > FEWEST_DEEDS, (
        "hardly anything was taken back"
    )


@pytest.mark.timeout(600)
def test_byzantines_change_nothing_at_another_table() -> None:
    compared = {seed: with_a_den(seed) for seed in SEEDS}

    assert differences(compared) == {}
    assert all(each.lines > FEWEST_LINES for each in compared.values())
    assert sum(each.plays for each in compared.values()) > FEWEST_LINES, (
        "the byzantines hardly played"
    )


def test_of_people_who_keep_a_secret_some_once_found_no_place_on_a_server_for_other_plans() -> None:
    assert with_a_sneak(200531378).difference == ""


def goes_wrong(plan: Plan, **_: object) -> Report:
    """An evening of which there is nothing to tell but that it went wrong."""
    nothing = dict.fromkeys(("deals", "plays", "steps", "simulated_s", "cpu_s"), 0)
    return Report(seed=plan.seed, digest="", wrongs=("RULES C5: not the first",), **nothing)


@pytest.mark.parametrize(
    "twins", [with_hidden_cards, with_a_sneak, with_second_thoughts, with_a_den]
)
def test_a_wrong_on_an_evening_of_twins_once_named_another_evening(
    twins: Callable[[int], Compared], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("twins", "secret_moves"):
        monkeypatch.setattr(f"tests.simulation.{module}.run_plan", goes_wrong)

    with pytest.raises(WentWrong, match="RULES C5") as wrong:
        twins(3)

    *_, code = shlex.split(str(wrong.value).partition("See it again: ")[2])
    assert code == (f"from {twins.__module__} import {twins.__name__}; print({twins.__name__}(3))")
