"""Themes: readable on their backgrounds, and nothing said by colour alone."""

import pytest
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Attrs

from client.settings import BY_NAME, Settings
from client.terminal.style import BARS, MARKS, PALETTES, classes, style_for, theme_of

WHITE, BLACK = "#ffffff", "#000000"
PAPERS = {
    "dark": (BLACK, "#1e1e1e", "#282a36"),
    "light": (WHITE, "#fafafa", "#f4f0e4"),
    "contrast": (BLACK,),
}
LEAST = {"dark": 4.5, "light": 4.5, "contrast": 7.0}
TERMINAL = {"TERM": "xterm-256color"}


def brightness(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21."""
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


ON_PAPER = [
    pytest.param(theme, paper, name, id=f"{theme} on {paper}: {name}")
    for theme, papers in PAPERS.items()
    for paper in papers
    for name in PALETTES[theme]
    if name != "grey" or theme == "contrast"  # the lines between the panes may be faint
]


@pytest.mark.parametrize(("theme", "paper", "name"), ON_PAPER)
def test_every_colour_can_be_read(theme: str, paper: str, name: str) -> None:
    exact = PALETTES[theme][name][1]

    assert contrast(exact, paper) >= LEAST[theme]


@pytest.mark.parametrize("theme", BARS)
def test_what_stands_on_a_bar_can_be_read(theme: str) -> None:
    assert contrast(*BARS[theme]) >= 7.0


def test_a_bar_is_in_reverse_where_there_are_no_exact_colours() -> None:
    few = attrs(Settings(theme="dark"), "title", ColorDepth.DEPTH_4_BIT)
    many = attrs(Settings(theme="dark"), "title")

    assert (few.reverse, few.bgcolor) == (True, "")
    assert (many.reverse, many.bgcolor) == (False, "2b4c73")


@pytest.mark.parametrize("theme", ["own", *PAPERS])
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("suits", BY_NAME["suits"].values)
def test_a_theme_adds_colours_and_takes_no_mark_away(
    theme: str, suits: str, *, exact: bool
) -> None:
    look = classes(theme, suits, exact=exact)

    assert set(look) == set(MARKS)
    assert [name for name in MARKS if not look[name].startswith(MARKS[name])] == []


def attrs(settings: Settings, name: str, depth: ColorDepth = ColorDepth.DEPTH_8_BIT) -> Attrs:
    return style_for(settings, TERMINAL, depth).get_attrs_for_style_str(f"class:{name}")


@pytest.mark.parametrize("settings", [Settings(theme="mono"), Settings(color="never")])
@pytest.mark.parametrize("name", MARKS)
def test_without_colours_there_are_none(settings: Settings, name: str) -> None:
    look = attrs(settings, name)

    assert (look.color, look.bgcolor) == ("", "")


@pytest.mark.parametrize("name", ["due", "picked", "chosen", "claim.big", "lie", "alert", "turn"])
def test_what_matters_most_is_marked_without_a_colour(name: str) -> None:
    look = attrs(Settings(theme="mono"), name)

    assert look.bold or look.reverse or look.underline


def test_a_lie_and_the_truth_differ_without_a_colour() -> None:
    mono = Settings(theme="mono")

    assert attrs(mono, "lie") != attrs(mono, "truth")


@pytest.mark.parametrize("theme", ["dark", "light", "contrast", "auto"])
def test_four_suits_have_four_colours(theme: str) -> None:
    colours = [
        attrs(Settings(theme=theme), suit).color
        for suit in ("spades", "hearts", "diamonds", "clubs")
    ]

    assert len(set(colours)) == 4


def test_two_colours_are_those_of_printed_cards() -> None:
    look = {
        suit: attrs(Settings(suits="two"), suit).color
        for suit in ("spades", "hearts", "diamonds", "clubs")
    }

    assert look["hearts"] == look["diamonds"] != look["clubs"] == look["spades"]


def test_high_contrast_paints_its_own_paper() -> None:
    assert attrs(Settings(theme="contrast"), "page").bgcolor == "000000"
    assert attrs(Settings(theme="light"), "page").bgcolor == ""


def test_sixteen_colours_are_the_terminals_own() -> None:
    look = attrs(Settings(theme="dark"), "lie", ColorDepth.DEPTH_4_BIT)

    assert (look.color or "").startswith("ansi")


@pytest.mark.parametrize(
    ("named", "theme"),
    [("15;0", "dark"), ("0;15", "light"), ("0;default;15", "light"), ("", "own"), ("x", "own")],
)
def test_auto_goes_by_the_background_that_the_terminal_names(named: str, theme: str) -> None:
    assert theme_of("auto", {"COLORFGBG": named}) == theme


def test_a_theme_that_was_chosen_is_taken() -> None:
    assert theme_of("light", {"COLORFGBG": "15;0"}) == "light"


def test_a_style_is_made_once() -> None:
    once = style_for(Settings(), TERMINAL, ColorDepth.DEPTH_8_BIT)

    assert style_for(Settings(), TERMINAL, ColorDepth.DEPTH_8_BIT) is once
