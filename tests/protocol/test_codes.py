"""The rules code says every setting in one short text, and reads it back (RULES B25)."""

import re

import pytest
from hypothesis import given
from msgspec import ValidationError, convert
from msgspec.structs import asdict, replace

from protocol.codes import SPELLINGS, BadRulesCode, Spelling, parse_rules, rules_code
from protocol.commands import MAX_RULES_TEXT
from protocol.rules import CLASSIC, PRESETS, RankOrder, TableRules
from tests.protocol.strategies import ANY_RULES

NUMBERED = [spelling for spelling in SPELLINGS if spelling.stem]
WORDS = [(spelling.field, word) for spelling in SPELLINGS for word in spelling.words.values()]


@given(rules=ANY_RULES)
def test_every_setting_is_read_back_from_its_code(rules: TableRules) -> None:
    assert parse_rules(rules_code(rules)) == rules


@given(rules=ANY_RULES)
def test_a_code_can_be_sent_and_typed(rules: TableRules) -> None:
    code = rules_code(rules)

    assert len(code) <= MAX_RULES_TEXT
    assert re.fullmatch(r"[a-z0-9]+([.-][a-z0-9]+)*", code)


@given(rules=ANY_RULES)
def test_a_code_names_each_difference_once(rules: TableRules) -> None:
    classic = asdict(CLASSIC)
    differences = [name for name, value in asdict(rules).items() if value != classic[name]]

    words = rules_code(rules).split(".")

    assert len(words) == max(1, len(differences))


def test_every_option_of_a_table_has_its_words() -> None:
    assert [spelling.field for spelling in SPELLINGS] == list(TableRules.__struct_fields__)


def test_no_word_means_two_things() -> None:
    words = [word for _, word in WORDS]

    assert len(set(words)) == len(words)
    assert not set(words) & set(PRESETS)


@pytest.mark.parametrize(("field", "word"), WORDS)
def test_every_fixed_word_is_read(field: str, word: str) -> None:
    spelling = next(spelling for spelling in SPELLINGS if spelling.field == field)

    assert spelling.words[getattr(parse_rules(word), field)] == word


@pytest.mark.parametrize("spelling", NUMBERED, ids=lambda spelling: spelling.stem)
def test_a_numbered_word_has_the_range_of_its_field(spelling: Spelling) -> None:
    for number in (spelling.numbers[0], spelling.numbers[-1]):
        rules = parse_rules(f"{spelling.stem}{number}")
        assert convert(asdict(rules), TableRules) == rules
        assert getattr(rules, spelling.field) == number


@pytest.mark.parametrize("spelling", NUMBERED, ids=lambda spelling: spelling.stem)
def test_beyond_the_range_of_a_field_its_word_is_refused(spelling: Spelling) -> None:
    beyond = spelling.numbers[-1] + 1

    with pytest.raises(BadRulesCode, match=f"{spelling.stem}{beyond} is out of range"):
        parse_rules(f"{spelling.stem}{beyond}")
    with pytest.raises(ValidationError):
        convert({spelling.field: beyond}, TableRules)


@pytest.mark.parametrize(("name", "rules"), PRESETS.items())
def test_a_preset_is_known_by_its_name(name: str, rules: TableRules) -> None:
    assert parse_rules(name) == rules


def test_plain_rules_are_called_classic() -> None:
    assert rules_code(CLASSIC) == "classic"


def test_the_code_follows_the_order_of_the_rules() -> None:
    rules = parse_rules("w6.max-none.pass.up-same-down")

    assert rules_code(rules) == "up-same-down.max-none.pass.w6"


def test_words_change_the_preset_before_them() -> None:
    assert parse_rules("bluff.w6") == TableRules(
        rank_order=RankOrder.FREE, max_cards="none", window_s=6
    )


def test_words_can_take_a_preset_back_to_the_default() -> None:
    assert parse_rules("bluff-pass.max-4.no-pass") == replace(CLASSIC, rank_order=RankOrder.FREE)


def test_the_longest_code_can_still_be_sent() -> None:
    longest = [
        max([*spelling.words.values(), _highest(spelling)], key=len) for spelling in SPELLINGS
    ]

    assert len(".".join(longest)) <= MAX_RULES_TEXT


def _highest(spelling: Spelling) -> str:
    return f"{spelling.stem}{spelling.numbers[-1]}" if spelling.stem else ""


def test_case_and_white_space_around_do_not_matter() -> None:
    assert parse_rules("  Bluff.W6\n") == parse_rules("bluff.w6")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("", "A word is missing", id="nothing"),
        pytest.param("pass..w6", "A word is missing", id="nothing between two dots"),
        pytest.param(
            "bluf",
            "bluf is neither a preset nor a word .* Did you mean bluff?",
            id="a letter missing",
        ),
        pytest.param(
            "max-3", "max-3 .* It can be max-4 or max-1 or max-8 or max-none", id="a near word"
        ),
        pytest.param("d9", "d9 .* It can be d1 or d2", id="a fixed word with another number"),
        pytest.param("sneak", "sneak .* It can be sneak-0 or sneak-1", id="a fixed stem alone"),
        pytest.param("dwon", "Did you mean down?", id="two letters in the wrong order"),
        pytest.param("nope", "nope .* Presets are classic, pagat", id="hardly like any word"),
        pytest.param(
            "w6.pss", "pss is not a word .* Did you mean pass", id="a word behind another"
        ),
        pytest.param("w6.zzzz", "zzzz .* Such as: pass, max-8", id="no word behind another"),
        pytest.param("w-3", "w-3 .* w0 to w30", id="a dash too many"),
        pytest.param("w06", "w06 .* w0 to w30", id="a zero in front"),
        pytest.param("w", "w is neither .* w0 to w30", id="a stem alone"),
        pytest.param("plays3", "plays3 .* plays-off or plays-1 to plays-2000", id="no dash"),
        pytest.param("zzzz", "zzzz .* Presets are classic, pagat", id="nothing like it"),
        pytest.param("w\u0663", "Presets are", id="a digit of another script"),
        pytest.param("t5", "t5 is out of range: it can be t-off or t10 to t600", id="the hole"),
        pytest.param("w99999", "w99999 is out of range", id="far out of range"),
        pytest.param("w999999", "w999999 is neither .* w0 to w30", id="a number without end"),
        pytest.param("w6.w8", "w6 and w8 are about the same thing", id="two windows"),
        pytest.param("pass.no-pass", "pass and no-pass", id="yes and no"),
        pytest.param("w6.bluff", "bluff is a preset", id="a preset behind a word"),
        pytest.param("\x1b]0;x\x07", "]0;x is neither a preset", id="an escape code"),
        pytest.param("\u200b", "That is neither a preset", id="nothing to see"),
    ],
)
def test_a_bad_code_is_answered_with_what_is_wrong(text: str, sentence: str) -> None:
    with pytest.raises(BadRulesCode, match=sentence) as caught:
        parse_rules(text)

    assert "\x1b" not in str(caught.value)


def test_the_answer_to_a_long_word_is_short() -> None:
    with pytest.raises(BadRulesCode) as caught:
        parse_rules("x" * MAX_RULES_TEXT)

    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("text", ["bluff.jokrs", "w6.jokers.x", "classic.britsh"])
def test_a_preset_was_suggested_where_none_can_stand(text: str) -> None:
    with pytest.raises(BadRulesCode) as caught:
        parse_rules(text)

    assert "mean" not in str(caught.value)


def test_somebody_who_typed_nope_was_asked_whether_they_meant_anyone() -> None:
    with pytest.raises(BadRulesCode) as caught:
        parse_rules("nope")

    assert "anyone" not in str(caught.value)
