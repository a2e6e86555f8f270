"""Nothing that somebody else typed can hurt a terminal or pass for somebody it is not."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.text import MAX_CHAT, MAX_MARKS, RESERVED_NAMES, clean, is_a_name, name_key

ESC = "\x1b"
ZALGO = "a" + "\u0301\u0316\u0323" * 334


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("BS! Two 5s?", "BS! Two 5s?", id="plain"),
        pytest.param("Zażółć gęślą jaźń", "Zażółć gęślą jaźń", id="Polish"),
        pytest.param("你骗人", "你骗人", id="Chinese"),
        pytest.param("שקר", "שקר", id="Hebrew"),
        pytest.param("नहीं", "नहीं", id="Devanagari with vowel signs"),
        pytest.param("🂡♠", "🂡♠", id="cards"),
        pytest.param("  two\t\nlines \r\n ", "two lines", id="white space"),
        pytest.param("a\u2028b\u2029c\x85d\x0bd", "a b c d d", id="line separators"),
        pytest.param("a\u3000b\u00a0c", "a b c", id="wide and hard spaces"),
        pytest.param(f"{ESC}[31mred{ESC}[0m", "[31mred[0m", id="colour codes"),
        pytest.param(f"{ESC}]0;own title\x07x", "]0;own titlex", id="OSC ended by BEL"),
        pytest.param(f"{ESC}]52;c;cm0K{ESC}\\", "]52;c;cm0K\\", id="OSC for the clipboard"),
        pytest.param("\x9b2Jgone", "2Jgone", id="CSI as one byte"),
        pytest.param("\x9d0;t\x9cx", "0;tx", id="OSC as one byte"),
        pytest.param("a\x00b\x7fc\x08d", "abcd", id="nul, delete, backspace"),
        pytest.param("\u202eevil\u202c", "evil", id="right to left override"),
        pytest.param("\u2066a\u2069\u200e\u200f\u061c", "a", id="bidi isolates and marks"),
        pytest.param("A\u200bn\u200cn\u200d\ufeff\u2060", "Ann", id="zero width"),
        pytest.param("x\u00ady\u034fz", "xyz", id="soft hyphen and grapheme joiner"),
        pytest.param("\u3164\u115f\uffa0\u2800hi", "hi", id="fillers"),
        pytest.param("A\ufe0f\ufe00\U000e0100!", "A!", id="variation selectors"),
        pytest.param("\U000e0041\U000e0042x", "x", id="tags"),
        pytest.param("\ue000\U0010ffffx\ud800", "x", id="private, unassigned, surrogate"),
        pytest.param("e\u0301", "é", id="composed"),
        pytest.param("", "", id="nothing"),
        pytest.param("\u200b\x1b", "", id="nothing to see"),
    ],
)
def test_what_is_left_of_a_text(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_of_a_thousand_combining_marks_two_are_left() -> None:
    cleaned = clean(ZALGO)

    assert len(unicodedata.normalize("NFD", cleaned)) <= 1 + 1 + MAX_MARKS


def test_a_base_after_a_pile_of_marks_is_kept_with_its_own_marks() -> None:
    assert clean("x\u0323\u0323\u0323\u0323z\u0332\u0332") == "x\u0323\u0323z\u0332\u0332"


@pytest.mark.parametrize("between", ["\u200b", "\ufe0f", "\u034f"])
def test_marks_are_counted_across_what_cannot_be_seen(between: str) -> None:
    assert clean("x" + f"\u0323{between}" * 40) == "x\u0323\u0323"


@pytest.mark.parametrize("text", ["\u0301a", "  \u0301a", "\u200b\u0301\u0301a"])
def test_a_mark_without_a_base_does_not_sit_on_the_text_before_it(text: str) -> None:
    assert clean(text) == "a"


@given(text=st.text(max_size=400))
def test_whatever_is_said_a_clean_text_is_one_safe_short_line(text: str) -> None:
    cleaned = clean(text)

    assert len(cleaned) <= MAX_CHAT
    assert cleaned == " ".join(cleaned.split())
    assert {unicodedata.category(c) for c in cleaned} & {"Cc", "Cf", "Cs", "Zl", "Zp"} == set()


@given(text=st.text(max_size=400))
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)


def test_a_long_text_is_cut_without_a_space_at_its_end() -> None:
    assert clean("a" * 9 + " b", limit=10) == "a" * 9


@pytest.mark.parametrize("name", ["A", "Ann", "ann-2", "A_b", "Big Bad Ben", "0", "x" * 16])
def test_a_name_of_letters_digits_dashes_and_single_spaces_is_one(name: str) -> None:
    assert is_a_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        " Ann",
        "Ann ",
        "A  B",
        "x" * 17,
        "Ann\n",
        "A\tB",
        "Łucja",
        "\u0410nn",
        "Ann\u200b",
        f"{ESC}[1mAnn",
        "A.B",
        "\uff21nn",
        "\u0661",
    ],
)
def test_any_other_name_is_none(name: str) -> None:
    assert not is_a_name(name)


@pytest.mark.parametrize("name", [*sorted(RESERVED_NAMES), "Server", "H0ST", "b0t", "SY5TEM"])
def test_a_reserved_word_is_no_name_however_it_is_dressed_up(name: str) -> None:
    assert is_a_name(name) == (name == "SY5TEM")


@pytest.mark.parametrize("name", ["You", "Y0U", "nobody", "NOB0DY", "somebody", "Everybody"])
def test_whoever_was_called_you_once_played_and_doubted_as_the_reader(name: str) -> None:
    assert not is_a_name(name)


@pytest.mark.parametrize("name", ["host-", "_server_", "--you", "-b0t"])
def test_a_reserved_word_was_once_a_name_with_a_dash_beside_it(name: str) -> None:
    assert not is_a_name(name)


@pytest.mark.parametrize("name", ["Your Highness", "hostess", "bottom", "-", "y-o-u", "you 2"])
def test_what_only_holds_a_reserved_word_is_a_name(name: str) -> None:
    assert is_a_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "ANN"), ("Bob", "B0B"), ("Lil", "1I1"), ("ill", "LLI"), ("Leo", "leO")],
)
def test_names_that_look_alike_count_as_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_names_that_differ_to_the_eye_are_different() -> None:
    names = ("Ann", "Anna", "Ben", "Ann-", "An n")

    assert len({name_key(name) for name in names}) == len(names)
