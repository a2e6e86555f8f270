"""Lines of styled text, measured, cut and joined by terminal cells."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from wcwidth import wcwidth

Fragment = tuple[str, str]
"""A style and a text, as prompt_toolkit takes them. The text never holds a line break."""

Line = tuple[Fragment, ...]
Page = tuple[Line, ...]

BLANK: Line = ()
CURSOR = "[SetCursorPosition]"


def plain(text: str, style: str = "") -> Line:
    """A line of one fragment."""
    return ((style, text),) if text else BLANK


def cells(text: str) -> int:
    """How many cells a terminal gives this text, which must be printable."""
    return len(text) if text.isascii() else _measured(text)


@lru_cache(maxsize=4096)  # bars, rules and suits come again with every redraw
def _measured(text: str) -> int:
    return sum(max(0, wcwidth(letter)) for letter in text)


def width_of(line: Line) -> int:
    """How many cells a line takes."""
    return sum(cells(text) for _, text in line)


def text_of(line: Line) -> str:
    """A line without its styles."""
    return "".join(text for _, text in line)


def clip(text: str, width: int) -> str:
    """The text cut to so many cells, never through the middle of a wide character."""
    if cells(text) <= width:
        return text
    kept, used = "", 0
    for letter in text:
        used += cells(letter)
        if used > width:
            break
        kept += letter
    return kept


def shorten(text: str, width: int) -> str:
    """The text cut to so many cells, with a ~ where something was cut off."""
    return text if cells(text) <= width else clip(text, max(0, width - 1)) + "~"[:width]


def pad(text: str, width: int) -> str:
    """The text in exactly so many cells, its end cut or filled with spaces."""
    short = shorten(text, width)
    return short + " " * (width - cells(short))


def pad_left(text: str, width: int) -> str:
    """The text at the right end of so many cells."""
    short = shorten(text, width)
    return " " * (width - cells(short)) + short


def cut(line: Line, width: int) -> Line:
    """The line in at most so many cells."""
    return line if width_of(line) <= width else tuple(_fragments_within(line, width))


def _fragments_within(line: Line, width: int) -> Iterator[Fragment]:
    space = width
    for style, text in line:
        short = clip(text, space)
        if short:
            yield style, short
        if short != text:
            return
        space -= cells(short)


def fill(line: Line, width: int, style: str = "") -> Line:
    """The line in exactly so many cells."""
    short = cut(line, width)
    rest = width - width_of(short)
    return (*short, (style, " " * rest)) if rest else short


def apart(left: Line, right: Line, width: int, style: str = "") -> Line:
    """Two lines at the two ends of one; where both do not fit, the left one gives way."""
    end = cut(right, width)
    start = cut(left, max(0, width - width_of(end) - 1))
    gap = width - width_of(start) - width_of(end)
    return (*start, (style, " " * gap), *end)


def side_by_side(
    left: Sequence[Line], right: Sequence[Line], rows: int, left_width: int, between: Fragment
) -> Page:
    """Two columns of so many rows with a rule between them."""
    return tuple(
        (*fill(row_of(left, row), left_width), between, *row_of(right, row)) for row in range(rows)
    )


def row_of(lines: Sequence[Line], row: int) -> Line:
    """One row, blank past the end."""
    return lines[row] if row < len(lines) else BLANK


def sized(lines: Iterable[Line], columns: int, rows: int) -> Page:
    """Exactly so many rows of at most so many cells, and nothing in them that a terminal obeys."""
    page = tuple(cut(_printable(line), columns) for line in lines)[:rows]
    return (*page, *[BLANK] * (rows - len(page)))


def _printable(line: Line) -> Line:
    if all(text.isprintable() for _, text in line):
        return line
    return tuple(
        (style, "".join(letter for letter in text if letter.isprintable())) for style, text in line
    )


def wrapped(text: str, width: int) -> tuple[str, ...]:
    """The text in lines of at most so many cells, broken between words where that can be.

    What fits as it is stays as it is; otherwise words are one space apart.
    """
    if cells(text) <= width and text.isprintable():
        return (text,) if text.strip() else ()
    lines: list[str] = []
    line = ""
    for word in text.split():
        space = width - cells(line) - 1 if line else width
        for piece in _pieces(word, width, space):
            longer = f"{line} {piece}" if line else piece
            if cells(longer) > width:
                lines.append(line)
                longer = piece
            line = longer
    return (*lines, line) if line else tuple(lines)


def _pieces(word: str, width: int, space: int) -> Iterator[str]:
    """A word, or what of it goes into each line; long Chinese begins in the room that is left."""
    if cells(word) > max(space, width // 2, len(word)):
        head = clip(word, max(0, space))
        if head and _may_part(head, word[len(head) :]):
            yield head
            word = word[len(head) :]
    while cells(word) > width > 1:
        head = _to_a_point(clip(word, width))
        yield head
        word = word[len(head) :]
    yield word


def _to_a_point(head: str) -> str:
    """As far as its last point, if that is not too early: of a rules code every word is whole."""
    end = head.rfind(".") + 1
    return head[:end] if end > len(head) // 2 else head


def _may_part(head: str, rest: str) -> bool:
    """Whether a line may end here in a word: beside a wide letter, as where nobody writes spaces."""
    return cells(head[-1]) > 1 or cells(rest[0]) > 1


def joined(parts: Iterable[Line], gap: str) -> Line:
    """Lines set one after the other with a gap between them."""
    whole: list[Fragment] = []
    for part in parts:
        if part and whole:
            whole.append(("", gap))
        whole.extend(part)
    return tuple(whole)
