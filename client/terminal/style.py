"""What the style classes look like in each theme, and how many colours this terminal gets.

Whatever a colour says is also said by a mark, a word or an attribute: the screens know nothing of
themes. A theme names each colour twice: one of the terminal's own sixteen, for terminals that have
no others, and an exact one.
"""

from collections.abc import Mapping
from functools import lru_cache

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from client.settings import Settings, is_mono

MARKS = {
    "page": "",
    "title": "reverse bold",
    "rule": "",
    "head": "bold",
    "dim": "",
    "note": "",
    "seat": "",
    "you": "bold",
    "turn": "bold",
    "alert": "bold",
    "hint": "bold",
    "notice": "",
    "advice": "",
    "cards": "",
    "claim": "bold",
    "claim.big": "bold reverse",
    "lie": "bold reverse",
    "truth": "bold underline",
    "first": "bold",
    "key": "bold",
    "keytext": "",
    "bar": "",
    "bar.low": "bold",
    "bar.last": "bold reverse",
    "bar.empty": "",
    "spades": "",
    "hearts": "",
    "diamonds": "",
    "clubs": "",
    "joker": "bold",
    "face": "bold",
    "rank": "bold",
    "rank.none": "nobold",
    "due": "bold reverse",
    "picked": "bold",
    "speaker": "bold",
    "chat": "",
    "prompt": "bold",
    "field": "",
    "field.active": "underline",
    "chosen": "bold reverse",
    "value": "",
    "ready": "",
}
"""The classes without any colour; every theme keeps these attributes."""

COLOURED = {
    "rule": "grey",
    "dim": "quiet",
    "rank.none": "quiet",
    "turn": "yellow",
    "alert": "red",
    "hint": "yellow",
    "notice": "cyan",
    "cards": "blue",
    "lie": "red",
    "truth": "green",
    "first": "green",
    "bar": "green",
    "bar.low": "red",
    "bar.last": "red",
    "hearts": "red",
    "joker": "magenta",
    "picked": "yellow",
    "ready": "green",
}
"""Which classes have a colour besides."""

SUITS = {
    "four": {"diamonds": "blue", "clubs": "green"},
    "two": {"diamonds": "red"},
}

Palette = Mapping[str, tuple[str, str]]
"""For each colour one of the sixteen, and an exact one."""

OWN: Palette = {
    "grey": ("ansibrightblack", "ansibrightblack"),
    "quiet": ("", ""),
    "red": ("ansired", "ansired"),
    "green": ("ansigreen", "ansigreen"),
    "yellow": ("ansiyellow", "ansiyellow"),
    "blue": ("ansicyan", "ansicyan"),
    "cyan": ("ansicyan", "ansicyan"),
    "magenta": ("ansimagenta", "ansimagenta"),
}
"""Where the background is not known: what the terminal's own theme keeps readable."""

DARK: Palette = {
    "grey": ("ansibrightblack", "#7f8794"),
    "quiet": ("", "#a3abb8"),
    "red": ("ansibrightred", "#ff7b80"),
    "green": ("ansibrightgreen", "#98d982"),
    "yellow": ("ansibrightyellow", "#f2cf6b"),
    "blue": ("ansibrightcyan", "#7cc4ff"),
    "cyan": ("ansicyan", "#70cfcf"),
    "magenta": ("ansibrightmagenta", "#d8a3e8"),
}
LIGHT: Palette = {
    "grey": ("ansibrightblack", "#6a6f78"),
    "quiet": ("", "#4d525b"),
    "red": ("ansired", "#b3121d"),
    "green": ("ansigreen", "#176b1c"),
    "yellow": ("ansimagenta", "#7a4d00"),
    "blue": ("ansiblue", "#0b53b0"),
    "cyan": ("ansiblue", "#00636b"),
    "magenta": ("ansimagenta", "#8a2a9c"),
}
CONTRAST: Palette = {
    "grey": ("ansiwhite", "#ffffff"),
    "quiet": ("ansiwhite", "#ffffff"),
    "red": ("ansibrightred", "#ff9a9a"),
    "green": ("ansibrightgreen", "#5cff5c"),
    "yellow": ("ansibrightyellow", "#ffff00"),
    "blue": ("ansibrightcyan", "#66d9ff"),
    "cyan": ("ansibrightcyan", "#66ffff"),
    "magenta": ("ansibrightmagenta", "#ffa8ff"),
}
PALETTES: Mapping[str, Palette] = {"own": OWN, "dark": DARK, "light": LIGHT, "contrast": CONTRAST}
PAPER = {"contrast": {"page": ("bg:ansiblack ansiwhite", "bg:#000000 #ffffff")}}
"""A theme that does not trust the terminal's own background paints it."""

BARS = {"dark": ("#2b4c73", "#ffffff"), "light": ("#24518a", "#ffffff")}
"""Where exact colours can be had: paper and ink of the title and of what is chosen."""
BARRED = ("title", "chosen")

DEPTHS = {
    "16": ColorDepth.DEPTH_4_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
    "true": ColorDepth.DEPTH_24_BIT,
    "never": ColorDepth.DEPTH_1_BIT,
}
NO_COLOURS = ("vt", "dumb", "wy", "hp", "ibm", "tvi")
SIXTEEN = ("linux", "ansi", "cygwin", "xterm", "screen", "rxvt", "tmux", "konsole", "putty")
TRUE_COLOURS = frozenset({"truecolor", "24bit"})
PAPERS = {**dict.fromkeys(("7", "15"), "light"), **dict.fromkeys(map(str, range(7)), "dark")}


def style_for(settings: Settings, environment: Mapping[str, str], depth: ColorDepth) -> Style:
    """The look of the classes; a style that was asked for before is the same object."""
    theme = _theme(settings, environment)
    return _style(theme, settings.suits, exact=depth not in {DEPTHS["16"], DEPTHS["never"]})


def paper_of(settings: Settings, environment: Mapping[str, str]) -> str:
    """The class of a whole page; none where it keeps the terminal's own background.

    With a class every redraw goes over every cell to add it.
    """
    return "class:page" if _theme(settings, environment) in PAPER else ""


def _theme(settings: Settings, environment: Mapping[str, str]) -> str:
    return "mono" if is_mono(settings) else theme_of(settings.theme, environment)


def theme_of(theme: str, environment: Mapping[str, str]) -> str:
    """The theme that `auto` stands for: by the background that some terminals name."""
    if theme != "auto":
        return theme
    paper = environment.get("COLORFGBG", "").rpartition(";")[2]
    return PAPERS.get(paper, "own")


@lru_cache(maxsize=16)
def _style(theme: str, suits: str, *, exact: bool) -> Style:
    return Style.from_dict(classes(theme, suits, exact=exact))


def classes(theme: str, suits: str, *, exact: bool) -> dict[str, str]:
    """Each class with its attributes and its colour."""
    if theme not in PALETTES:
        return MARKS
    paper = {name: pair[exact] for name, pair in PAPER.get(theme, {}).items()}
    coloured = {**COLOURED, **SUITS[suits]}
    inked = {name: f"{MARKS[name]} {PALETTES[theme][ink][exact]}" for name, ink in coloured.items()}
    return {**MARKS, **inked, **paper, **(_bars(theme) if exact else {})}


def _bars(theme: str) -> dict[str, str]:
    """The bars in a colour instead of in reverse."""
    if theme not in BARS:
        return {}
    paper, ink = BARS[theme]
    return {name: f"{MARKS[name]} noreverse bg:{paper} {ink}" for name in BARRED}


def colour_depth(setting: str, environment: Mapping[str, str]) -> ColorDepth:
    """The depth for a `color` setting; `auto` goes by COLORTERM and TERM, as prompt_toolkit does not.

    NO_COLOR has been heard before: it makes the setting `never`.
    """
    if setting in DEPTHS:
        return DEPTHS[setting]
    term = environment.get("TERM", "")
    if term.startswith(NO_COLOURS):
        return DEPTHS["never"]
    if environment.get("COLORTERM", "").casefold() in TRUE_COLOURS or "direct" in term:
        return DEPTHS["true"]
    if "256" in term or not term.startswith(SIXTEEN):
        return DEPTHS["256"]
    return DEPTHS["16"]
