"""Text measured, cut and joined by terminal cells."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.screens.editor import EDITING, Editor, field
from client.screens.parts.cells import (
    apart,
    cells,
    clip,
    cut,
    fill,
    pad,
    plain,
    shorten,
    side_by_side,
    sized,
    text_of,
    width_of,
    wrapped,
)

PRINTABLE = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=40)
WIDE = "\u7ea2\u5fc3"  # two letters of two cells each


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("maya", 4, id="ascii"),
        pytest.param("\u2660\u2665", 2, id="suits"),
        pytest.param(WIDE, 4, id="wide letters"),
        pytest.param("e\u0301", 1, id="a combining accent"),
    ],
)
def test_text_is_measured_in_cells(text: str, expected: int) -> None:
    assert cells(text) == expected


def test_a_wide_letter_is_never_cut_in_half() -> None:
    assert clip(WIDE, 3) == WIDE[0]


def test_what_is_cut_off_leaves_a_mark() -> None:
    assert shorten("computer", 5) == "comp~"
    assert shorten("maya", 5) == "maya"


@settings(max_examples=60)
@given(PRINTABLE, st.integers(0, 20))
def test_padded_text_fills_its_cells_exactly(text: str, width: int) -> None:
    assert cells(pad(text, width)) == width


@settings(max_examples=60)
@given(PRINTABLE, PRINTABLE, st.integers(2, 40))
def test_two_ends_of_a_line_fill_it_exactly(left: str, right: str, width: int) -> None:
    assert width_of(apart(plain(left), plain(right), width)) == width


@settings(max_examples=60)
@given(PRINTABLE, st.integers(2, 30))
def test_wrapped_lines_fit_and_lose_no_word(text: str, width: int) -> None:
    lines = wrapped(text, width)

    assert all(cells(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_chinese_began_a_line_of_its_own_below_the_name_of_who_said_it() -> None:
    """It has no spaces, and half of it was out of sight where two rows are all there is."""
    said = f"<cy> {WIDE * 6}"

    assert wrapped(said, 16) == (f"<cy> {(WIDE * 6)[:5]}", (WIDE * 6)[5:])
    assert wrapped(f"<cy> so {WIDE}", 11) == ("<cy> so", WIDE)  # short words stay whole
    assert wrapped("<cy> abcdefgh", 12) == ("<cy>", "abcdefgh")


def test_a_page_is_exactly_as_big_as_asked() -> None:
    page = sized([plain("a long line"), plain("two")], columns=6, rows=3)

    assert [text_of(line) for line in page] == ["a long", "two", ""]


def test_nothing_that_a_terminal_obeys_gets_onto_a_page() -> None:
    page = sized([plain("bo\x1b[2J\u202eevil\u200b")], columns=40, rows=1)

    assert text_of(page[0]) == "bo[2Jevil"


def test_columns_keep_their_rule_in_one_place() -> None:
    page = side_by_side([plain("a")], [plain("b")], 2, 3, ("", "|"))

    assert [text_of(line) for line in page] == ["a  |b", "   |"]


def test_a_cut_line_keeps_its_styles() -> None:
    assert cut((("class:a", "abc"), ("class:b", "def")), 4) == (
        ("class:a", "abc"),
        ("class:b", "d"),
    )


def test_a_filled_line_takes_the_style_of_its_bar() -> None:
    assert fill(plain("a", "x"), 3, "x") == (("x", "a"), ("x", "  "))


def typed(text: str, *keys: str) -> Editor:
    editor = Editor(limit=10).typed(text)
    for key in keys:
        editor = EDITING[key](editor)
    return editor


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        pytest.param(("backspace",), "hi bo"[:-1], 4, id="backspace"),
        pytest.param(("home", "delete"), "i bo", 0, id="delete at the start"),
        pytest.param(("c-w",), "hi ", 3, id="a word back"),
        pytest.param(("left", "left", "c-u"), "bo", 0, id="everything before"),
        pytest.param(("home", "right", "c-k"), "h", 1, id="everything after"),
        pytest.param(("end", "right"), "hi bo", 5, id="not beyond the end"),
    ],
)
def test_the_text_line_is_edited(keys: tuple[str, ...], text: str, cursor: int) -> None:
    editor = typed("hi bo", *keys)

    assert (editor.text, editor.cursor) == (text, cursor)


def test_a_full_text_line_takes_no_more() -> None:
    assert typed("0123456789ab").text == "0123456789"


@settings(max_examples=40)
@given(PRINTABLE, st.integers(3, 20), st.data())
def test_a_field_is_as_wide_as_it_is_drawn(text: str, width: int, data: st.DataObject) -> None:
    editor = Editor().typed(text)
    placed = editor.moved(data.draw(st.integers(0, len(editor.text))))

    assert width_of(field(placed, width, active=True)) == width
    assert width_of(field(placed, width, active=False)) == width


def test_a_password_is_not_shown() -> None:
    assert "secret" not in text_of(field(Editor().typed("secret"), 10, active=True, secret=True))
