"""The box of an open lesson, laid over a page so that what it explains stays in sight."""

from typing import TYPE_CHECKING

from client.screens.frame import Frame
from client.screens.parts.cells import (
    BLANK,
    Line,
    Page,
    cells,
    fill,
    plain,
    text_of,
    wrapped,
)

if TYPE_CHECKING:
    from client.lessons.due import Explanation

HAND_HEAD = " YOUR HAND"
WIDEST = 74
MARGIN = 1
EDGES = 4  # two lines and two spaces
BELOW = 2  # the line for hints and the key bar stay in sight


def with_lesson(frame: Frame, page: Page, told: "Explanation") -> Page:
    """The page with the box right above the hand, if it is about that, or at its foot.

    Before the first deal there is only the box: what else there is would not mean anything yet.
    """
    if frame.state.table is None:
        page = (page[0], *[BLANK] * (len(page) - 2), page[-1])
    box = box_lines(frame, told)
    below = _rows_of_hand(page) if told.is_about_hand else BELOW
    first = max(1, len(page) - below - len(box))
    return (*page[:first], *box, *page[first + len(box) :])[: len(page)]


def _rows_of_hand(page: Page) -> int:
    """How many rows the hand takes, with the rule above it and all that is below."""
    head = (row for row, line in enumerate(page) if text_of(line).startswith(HAND_HEAD))
    return len(page) + 1 - next(head, len(page) - 1)


def box_lines(frame: Frame, told: "Explanation") -> tuple[Line, ...]:
    """A frame with the title in its upper edge and the way on in its lower one."""
    inner = min(WIDEST, frame.columns - 2 * MARGIN) - EDGES
    body = [plain(line, "class:claim") for line in wrapped(told.text, inner)]
    return (
        _edge(frame, inner, f" {told.title.upper()} ", top=True),
        *(_row(frame, line, inner) for line in body),
        _edge(frame, inner, " Enter goes on ", top=False),
    )


def _row(frame: Frame, line: Line, inner: int) -> Line:
    side = ("class:key", frame.skin.down)
    row = (("", " " * MARGIN), side, ("", " "), *fill(line, inner), ("", " "), side)
    return fill(row, frame.columns)


def _edge(frame: Frame, inner: int, text: str, *, top: bool) -> Line:
    left, right = frame.skin.corners[:2] if top else frame.skin.corners[2:]
    rest = frame.skin.across * (inner + 2 - cells(text) - 1)
    start = (("", " " * MARGIN), ("class:key", left + frame.skin.across))
    return fill((*start, ("class:title", text), ("class:key", rest + right)), frame.columns)
