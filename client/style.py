"""The colours of the style classes, and how many colours this terminal gets.

Colours are the sixteen that a terminal's own theme gives, so that light and dark ones both work;
whatever a colour says is also said by a mark, a word or an attribute.
"""

from collections.abc import Mapping

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

CLASSES = {
    "title": "reverse bold",
    "rule": "ansibrightblack",
    "head": "bold",
    "dim": "",
    "note": "",
    "seat": "",
    "you": "bold",
    "turn": "bold ansiyellow",
    "alert": "bold ansired",
    "hint": "bold ansiyellow",
    "notice": "ansicyan",
    "advice": "",
    "cards": "ansiblue",
    "claim": "bold",
    "claim.big": "bold reverse",
    "lie": "bold ansired",
    "truth": "bold ansigreen",
    "first": "bold ansigreen",
    "key": "bold",
    "keytext": "",
    "bar": "ansigreen",
    "bar.low": "bold ansired",
    "bar.last": "reverse bold ansired",
    "bar.empty": "",
    "spades": "",
    "hearts": "ansired",
    "diamonds": "ansicyan",
    "clubs": "ansigreen",
    "joker": "ansimagenta",
    "face": "bold",
    "rank": "bold",
    "rank.none": "",
    "due": "bold reverse",
    "picked": "bold ansiyellow",
    "speaker": "bold",
    "chat": "",
    "prompt": "bold",
    "field": "",
    "field.active": "underline",
    "chosen": "bold reverse",
    "value": "",
    "ready": "ansigreen",
}
STYLE = Style.from_dict(CLASSES)

FEW_COLOURS = ("linux", "vt", "ansi", "cygwin")
DEPTHS = {
    "16": ColorDepth.DEPTH_4_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
    "true": ColorDepth.DEPTH_24_BIT,
    "never": ColorDepth.DEPTH_1_BIT,
}


def colour_depth(setting: str, environment: Mapping[str, str]) -> ColorDepth:
    """The depth for a `color` setting; `auto` goes by NO_COLOR and TERM."""
    if setting in DEPTHS:
        return DEPTHS[setting]
    if environment.get("NO_COLOR"):
        return ColorDepth.DEPTH_1_BIT
    few = environment.get("TERM", "").startswith(FEW_COLOURS)
    return ColorDepth.DEPTH_4_BIT if few else ColorDepth.DEPTH_8_BIT
