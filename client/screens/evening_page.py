"""The evening's table over all deals of this lobby, rematches and matches alike."""

from client.evening import Row, counted, deals_of, evening
from client.screens.frame import Frame
from client.screens.parts.bars import key_bar, title_bar
from client.screens.parts.cells import BLANK, Line, Page, cells, pad, plain, sized
from protocol.text import clean

WITH_BEST = 76  # columns from which the best moments are shown
NONE_YET = "   No deal has ended here since you came."


def evening_page(frame: Frame) -> Page:
    """The whole page."""
    rows = evening(frame.state)
    where = counted(deals_of(frame.state)) if rows else ""
    lines = (
        title_bar(("Facedown", "the evening"), (where,), frame.columns),
        BLANK,
        *(_table(frame, rows) if rows else (plain(NONE_YET),)),
    )
    return (*sized(lines, frame.columns, frame.rows - 1), key_bar(frame.keys, frame.columns))


def _table(frame: Frame, rows: tuple[Row, ...]) -> tuple[Line, ...]:
    width = min(16, max(4, *(cells(clean(row.name)) for row in rows)))
    roomy = frame.columns >= WITH_BEST
    best = "  best moments" if roomy else ""
    head = f"   {pad('', width)}   won  deals   lies  caught   doubts  right{best}"
    return (plain(head, "class:head"), *(_line(frame, row, width, roomy=roomy) for row in rows))


def _line(frame: Frame, row: Row, width: int, *, roomy: bool) -> Line:
    mark = ">" if row.name == frame.state.name else " "
    numbers = (
        f"{row.won:>5}  {row.deals:>5}  {row.lies:>5}  {row.caught:>6}   "
        f"{row.doubts:>6}  {row.right:>5}"
    )
    best = f"  {row.best}" if roomy else ""
    style = "class:you" if mark == ">" else ""
    return plain(f" {mark} {pad(clean(row.name), width)} {numbers}{best}", style)
