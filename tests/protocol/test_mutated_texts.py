"""What people type, mutated: a rules code is a setting or one sentence, a text is one harmless line."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing.mutations import mutated
from fuzzing.targets import rules, text
from protocol.codes import BadRulesCode, parse_rules, rules_code
from protocol.rules import PRESETS

TEXTS = [
    line.encode()
    for line in (
        "two 5s, I swear",
        "\x1b[2J\x1b]0;title\x07\x1b]52;c;c2VjcmV0\x07",
        "\u202egnirts\u202c \u2066a\u2069 \u200b\u200d\ufeff",
        "e" + "\u0301" * 1_000,
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U000e0041 \u3164 \u115f\u1160",
        "\ud55c\uae00 \u0e19\u0e49\u0e33 \u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",
    )
]
CODES = [code.encode() for code in (*PRESETS, *map(rules_code, PRESETS.values()))]


@pytest.mark.parametrize("seed", range(4))
def test_a_mutated_text_is_one_harmless_line(seed: int) -> None:
    rng = Random(seed)

    for _ in range(2_000):
        text(mutated(rng.choice(TEXTS), rng, TEXTS))


@pytest.mark.parametrize("seed", range(4))
def test_a_mutated_rules_code_is_a_setting_or_one_sentence(seed: int) -> None:
    rng = Random(seed)

    for _ in range(500):
        rules(mutated(rng.choice(CODES), rng, CODES))


@given(typed=st.text(max_size=300))
def test_whatever_is_typed_as_a_rules_code_is_a_setting_or_one_sentence(typed: str) -> None:
    rules(typed.encode(errors="replace"))


@given(said=st.binary(max_size=400))
def test_whatever_bytes_are_said_are_one_harmless_line(said: bytes) -> None:
    text(said)


@pytest.mark.parametrize("word", ["w" + "9" * 5_000, "x" * 5_000, "." * 5_000, "w\u0663", "w\n1"])
def test_a_code_of_any_length_is_refused_in_a_short_sentence(word: str) -> None:
    with pytest.raises(BadRulesCode) as refused:
        parse_rules(f"classic.{word}")

    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300
