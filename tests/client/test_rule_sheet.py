"""The rule sheet says exactly what a setting means, with clause numbers."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client.rule_sheet.sheet import MARKS, rule_sheet
from protocol.codes import parse_rules, rules_code
from protocol.rules import CLASSIC, PRESETS, TableRules

CLAUSED = re.compile(r"\((?:[A-D]\d+\*?)(?:, [A-D]\d+\*?)*\)$")


@pytest.mark.parametrize("name", PRESETS)
def test_every_sentence_of_every_preset_names_its_clause(name: str) -> None:
    sheet = rule_sheet(PRESETS[name])

    assert sheet[0] == f"FACEDOWN: {name}"
    sentences = [line for line in sheet[3:] if line.startswith("  ")]
    assert len(sentences) > 20
    assert all(CLAUSED.search(line) for line in sentences)
    assert sheet[2] == MARKS


@pytest.mark.parametrize(
    "change",
    [
        {"decks": 2},
        {"decks": "auto"},
        {"jokers": 2},
        {"first_turn": "random"},
        {"rank_order": "down"},
        {"rank_order": "up_or_down"},
        {"rank_order": "up_same_or_down"},
        {"rank_order": "same_until_challenge"},
        {"rank_order": "free"},
        {"max_cards": 1},
        {"max_cards": "none"},
        {"sneak": 1},
        {"passing": True},
        {"challengers": "next_player"},
        {"challenge_until": "pick_up"},
        {"reveal": "whole_pile"},
        {"play_on": True},
        {"window_s": 0},
        {"window_s": 9},
        {"last_window_s": 9},
        {"photo_finish_ms": 50},
        {"turn_s": 0},
        {"stop_after_plays": 100},
        {"stop_after_min": 20},
        {"match_wins": 3},
        {"reveal_s": 0},
        {"confess": False},
    ],
    ids=str,
)
def test_every_option_changes_what_the_sheet_says(change: dict[str, object]) -> None:
    rules = replace(CLASSIC, **_typed(change))

    assert rule_sheet(rules)[3:] != rule_sheet(CLASSIC)[3:]


def _typed(change: dict[str, object]) -> dict[str, object]:
    """The values as the rules hold them: an enum for each word."""
    kinds = {name: type(getattr(CLASSIC, name)) for name in change}
    words = {"first_turn", "rank_order", "challengers", "challenge_until", "reveal"}
    return {name: kinds[name](value) if name in words else value for name, value in change.items()}


def test_our_own_rulings_are_marked() -> None:
    starred = [line for line in rule_sheet(CLASSIC) if "*)" in line]

    assert any("believe" in line for line in starred)
    assert not any("takes the pile" in line for line in starred)


@given(st.sampled_from(list(PRESETS.values())))
def test_the_code_on_the_sheet_is_the_code_of_the_rules(rules: TableRules) -> None:
    code = rule_sheet(rules)[1].removeprefix("Rules code: ").removesuffix(" (B25)")

    assert parse_rules(code) == rules
    assert code == rules_code(rules)
