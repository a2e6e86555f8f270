"""What people may be called and may say: the limits, and the cleaning that both sides do."""

import re
import unicodedata
from typing import Annotated

from msgspec import Meta

MAX_NAME = 16
MAX_SHOUT = 20
MAX_CHAT = 200
MAX_MARKS = 2  # combining marks on one base character
RESERVED_NAMES = frozenset(
    {"server", "system", "bot", "host", "you", "nobody", "somebody", "everybody"}
)
"""Words that mean somebody else in what a client prints: who was called "you" seemed to be the reader."""

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
NameOrNone = Annotated[str, Meta(max_length=MAX_NAME)]
Shout = Annotated[str, Meta(min_length=1, max_length=MAX_SHOUT)]
ChatText = Annotated[str, Meta(min_length=1, max_length=MAX_CHAT)]
Sentence = Annotated[str, Meta(max_length=400)]

_NAME = re.compile(r"[A-Za-z0-9_-]+(?: [A-Za-z0-9_-]+)*")
_LOOK_ALIKES = str.maketrans("01", "ol")
_UNSEEN = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}
_MARKS = {"Mn", "Me", "Mc"}


def is_a_name(text: str) -> bool:
    """Whether this may be somebody's name: 1 to 16 letters A to Z, digits, - and _, single inner spaces."""
    return (
        len(text) <= MAX_NAME
        and bool(_NAME.fullmatch(text))
        and name_key(text.strip("-_")) not in _RESERVED_KEYS
    )


def name_key(name: str) -> str:
    """Names with the same key look alike and count as the same name (0 and o, 1, i and l)."""
    return name.casefold().translate(_LOOK_ALIKES).replace("i", "l")


_RESERVED_KEYS = frozenset(name_key(name) for name in RESERVED_NAMES)


def clean(text: str, limit: int = MAX_CHAT) -> str:
    """Make somebody else's text safe to show on one line of a terminal.

    Control, format, bidirectional and zero-width characters go, and so do all but two combining
    marks on a base; white space is folded; what is left is cut to `limit` characters.
    """
    kept: list[str] = []
    marks = MAX_MARKS  # a mark at the start, or after a space, has no base: it goes
    for character in unicodedata.normalize("NFC", text[: 4 * limit]):
        category = unicodedata.category(character)
        if character.isspace():
            kept.append(" ")
            marks = MAX_MARKS
        elif category in _UNSEEN or _fills_nothing(character):
            continue
        elif category not in _MARKS:
            kept.append(character)
            marks = 0
        elif marks < MAX_MARKS:
            kept.append(character)
            marks += 1
    line = unicodedata.normalize("NFC", " ".join("".join(kept).split()))
    return line[:limit].rstrip()


def _fills_nothing(character: str) -> bool:
    """Letters and marks that show as nothing at all, though Unicode calls them visible."""
    return (
        character in "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
    )
