"""The rules code: every setting of a table in one short text that can be typed (RULES B25)."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import asdict

from protocol.rules import (
    CLASSIC,
    PRESETS,
    Challengers,
    ChallengeUntil,
    FirstTurn,
    RankOrder,
    Reveal,
    TableRules,
)
from protocol.text import clean

SEPARATOR = "."
LONGEST_ECHO = 24  # characters of an unknown word that an error repeats

LIKELY = 0.7  # how similar a mistyped word is to the one meant; "nope" and "anyone" come to 0.6

Value = Any  # of a field of TableRules: a number, a word of an enum, yes or no, or None


def stem_of(word: str) -> str:
    """The word without the number at its end, and the dash before it."""
    return word.rstrip("0123456789").rstrip("-")


class BadRulesCode(ValueError):
    """The text is no rules code; the message is a sentence for whoever typed it."""


class Spelling(msgspec.Struct, frozen=True, kw_only=True):
    """How one field of TableRules is said: by fixed words, by a stem and a number, or both."""

    field: str
    words: Mapping[Value, str] = msgspec.field(default_factory=dict)
    stem: str = ""
    numbers: range = range(0)

    def word(self, value: Value) -> str:
        """The word for a value of the field."""
        return self.words.get(value) or f"{self.stem}{value}"

    def values(self) -> dict[str, Value]:
        """The value of each fixed word."""
        return {word: value for value, word in self.words.items()}

    @property
    def shape(self) -> str:
        """What its word may be, for a person: "t-off or t10 to t600"."""
        words = [*self.words.values()]
        if self.numbers:
            words.append(f"{self.stem}{self.numbers[0]} to {self.stem}{self.numbers[-1]}")
        return " or ".join(words)

    @property
    def stems(self) -> set[str]:
        """What its words begin with, without numbers and a dash before them: "max"."""
        return {stem_of(word) for word in (*self.words.values(), self.stem)}


# In the order of RULES B, which is the order of the canonical code.
SPELLINGS = (
    Spelling(field="decks", words={1: "d1", 2: "d2", 3: "d3", 4: "d4", "auto": "d-auto"}),
    Spelling(field="jokers", words={0: "j0", 1: "j1", 2: "j2"}),
    Spelling(
        field="first_turn",
        words={FirstTurn.DEALERS_LEFT: "first-left", FirstTurn.RANDOM: "first-random"},
    ),
    Spelling(
        field="rank_order",
        words={
            RankOrder.UP: "up",
            RankOrder.DOWN: "down",
            RankOrder.UP_OR_DOWN: "up-down",
            RankOrder.UP_SAME_OR_DOWN: "up-same-down",
            RankOrder.SAME_UNTIL_CHALLENGE: "same",
            RankOrder.FREE: "free",
        },
    ),
    Spelling(field="max_cards", words={4: "max-4", 1: "max-1", 8: "max-8", "none": "max-none"}),
    Spelling(field="sneak", words={0: "sneak-0", 1: "sneak-1", 2: "sneak-2"}),
    Spelling(field="passing", words={True: "pass", False: "no-pass"}),
    Spelling(
        field="challengers",
        words={Challengers.ANYONE: "anyone", Challengers.NEXT_PLAYER: "next-only"},
    ),
    Spelling(
        field="challenge_until",
        words={ChallengeUntil.NEXT_PLAY: "until-play", ChallengeUntil.PICK_UP: "until-pickup"},
    ),
    Spelling(field="reveal", words={Reveal.PLAYED: "show-played", Reveal.WHOLE_PILE: "show-pile"}),
    Spelling(field="play_on", words={True: "play-on", False: "first-out"}),
    Spelling(field="window_s", stem="w", numbers=range(31)),
    Spelling(field="last_window_s", stem="lw", numbers=range(2, 61)),
    Spelling(field="photo_finish_ms", stem="pf", numbers=range(501)),
    Spelling(field="turn_s", words={0: "t-off"}, stem="t", numbers=range(10, 601)),
    Spelling(
        field="stop_after_plays", words={None: "plays-off"}, stem="plays-", numbers=range(1, 2001)
    ),
    Spelling(field="stop_after_min", words={None: "min-off"}, stem="min-", numbers=range(1, 601)),
    Spelling(field="match_wins", stem="m", numbers=range(1, 21)),
    Spelling(field="reveal_s", stem="r", numbers=range(11)),
    Spelling(field="confess", words={True: "confess", False: "no-confess"}),
)

_FIXED = {
    word: (spelling, value) for spelling in SPELLINGS for word, value in spelling.values().items()
}
_BY_STEM = {spelling.stem: spelling for spelling in SPELLINGS if spelling.stem}
_NUMBERED = re.compile(r"([a-z]+-?)(0|[1-9][0-9]{0,4})")


def rules_code(rules: TableRules) -> str:
    """The canonical code: what differs from `classic`, in the order of RULES B (RULES B25)."""
    settings, classic = asdict(rules), asdict(CLASSIC)
    words = [
        spelling.word(settings[spelling.field])
        for spelling in SPELLINGS
        if settings[spelling.field] != classic[spelling.field]
    ]
    return SEPARATOR.join(words) or "classic"


def parse_rules(text: str) -> TableRules:
    """Read a rules code; a preset may come first and is what the other words change (RULES B25).

    Raises:
        BadRulesCode: a word is unknown, out of range, or contradicts another.
    """
    words = text.strip().lower().split(SEPARATOR)
    preset = PRESETS.get(words[0])
    changing = words if preset is None else words[1:]
    changes: dict[str, Value] = {}
    said: dict[str, str] = {}
    for place, word in enumerate(changing):
        spelling, value = _read(word, may_be_preset=preset is None and place == 0)
        if earlier := said.get(spelling.field):
            message = f"{earlier} and {word} are about the same thing: keep one of them."
            raise BadRulesCode(message)
        said[spelling.field] = word
        changes[spelling.field] = value
    return TableRules(**{**asdict(preset or CLASSIC), **changes})


def _read(word: str, *, may_be_preset: bool) -> tuple[Spelling, Value]:
    if word in _FIXED:
        return _FIXED[word]
    numbered = _NUMBERED.fullmatch(word)
    spelling = _BY_STEM.get(numbered[1]) if numbered else None
    if numbered is None or spelling is None:
        raise BadRulesCode(_unknown(word, may_be_preset=may_be_preset))
    if int(numbered[2]) not in spelling.numbers:
        message = f"{word} is out of range: it can be {spelling.shape}."
        raise BadRulesCode(message)
    return spelling, int(numbered[2])


def _unknown(word: str, *, may_be_preset: bool) -> str:
    if not word:
        return f"A word is missing: a rules code is words joined by {SEPARATOR!r}."
    if word in PRESETS:
        return f"{word} is a preset: it can only be the first word."
    kind = "not a word of a rules code"
    if may_be_preset:
        kind = "neither a preset nor a word of a rules code"
    suggestion = _suggestion(word, may_be_preset=may_be_preset)
    return f"{clean(word, LONGEST_ECHO) or 'That'} is {kind}.{suggestion}"


def _suggestion(word: str, *, may_be_preset: bool) -> str:
    """What was meant, if that can be told; a preset only where one can stand."""
    asked = word[:LONGEST_ECHO]
    stem = stem_of(asked)
    for spelling in SPELLINGS:
        if stem and stem in spelling.stems:
            return f" It can be {spelling.shape}."
    import difflib  # noqa: PLC0415 - only a typing mistake needs it

    known = [*PRESETS, *_FIXED] if may_be_preset else [*_FIXED]
    if near := difflib.get_close_matches(asked, known, n=3, cutoff=LIKELY):
        return f" Did you mean {' or '.join(near)}?"
    if may_be_preset:
        return f" Presets are {', '.join(PRESETS)}."
    return " Such as: pass, max-8, d2, w6."
