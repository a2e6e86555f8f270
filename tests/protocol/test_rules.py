"""TableRules hold every option of RULES B, and its presets are those of the rules."""

import pytest
from hypothesis import given
from msgspec import ValidationError, convert, to_builtins

from protocol.rules import CLASSIC, PRESETS, TableRules
from tests.protocol.strategies import ANY_RULES


@given(rules=ANY_RULES)
def test_every_combination_is_legal(rules: TableRules) -> None:
    assert convert(to_builtins(rules), TableRules) == rules


def test_only_what_differs_from_classic_is_written() -> None:
    assert to_builtins(CLASSIC) == {}
    assert to_builtins(PRESETS["family"]) == {"window_s": 8, "last_window_s": 12, "turn_s": 0}


@pytest.mark.parametrize("seconds", [1, 9])
def test_a_turn_is_unlimited_or_has_at_least_ten_seconds(seconds: int) -> None:
    with pytest.raises(ValueError, match="10 seconds"):
        TableRules(turn_s=seconds)


@pytest.mark.parametrize(
    "field", [{"window_s": 31}, {"last_window_s": 1}, {"decks": 5}, {"turn_s": 5}, {"jokers": "2"}]
)
def test_a_value_out_of_range_is_refused(field: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        convert(field, TableRules)


@pytest.mark.parametrize(
    ("decks", "players", "used"), [(1, 10, 1), (3, 2, 3), ("auto", 4, 1), ("auto", 5, 2)]
)
def test_auto_takes_a_second_deck_from_five_players_on(
    decks: object, players: int, used: int
) -> None:
    rules = convert({"decks": decks}, TableRules)

    assert rules.decks_for(players) == used


def test_every_deck_and_its_jokers_add_to_the_copies_of_a_rank() -> None:
    assert CLASSIC.copies_of_a_rank(4) == 4
    assert TableRules(decks=2, jokers=1).copies_of_a_rank(4) == 10


@pytest.mark.parametrize(
    ("preset", "held", "most"),
    [("classic", 9, 4), ("classic", 2, 2), ("bluff", 26, 26), ("one-card", 5, 1)],
)
def test_a_claim_is_limited_by_the_hand_and_by_the_table(preset: str, held: int, most: int) -> None:
    assert PRESETS[preset].most_claimed(held) == most
