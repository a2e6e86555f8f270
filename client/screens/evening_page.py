"""The evening's table over all deals of this lobby, rematches and matches alike."""

from client.evening import Row, counted, deals_of, evening
from client.screens.frame import Frame
from client.screens.parts.cells import BLANK, Line, Page, cells, pad, plain, wrapped
from client.screens.titled import titled
from client.words import margin
from protocol.text import MAX_NAME, clean

NUMBERS = "  won  deals   lies  caught   doubts  right"
RECORDS = "  fastest  pile"
MARK_CELLS = 3  # cells of the mark before a name
NONE_YET = "   No deal has ended here since you came."


def evening_page(frame: Frame) -> Page:
    """The whole page."""
    rows = evening(frame.state)
    where = counted(deals_of(frame.state)) if rows else ""
    table = _table(frame, rows) if rows else (plain(NONE_YET),)
    return titled(frame, "the evening", (BLANK, *table), where=where)


def _table(frame: Frame, rows: tuple[Row, ...]) -> tuple[Line, ...]:
    space = frame.columns - MARK_CELLS - cells(NUMBERS)
    longest = max(4, *(cells(clean(row.name)) for row in rows))
    width = min(MAX_NAME, longest, space)
    records = width + cells(RECORDS) <= space
    head = f"   {pad('', width)}{NUMBERS}{RECORDS if records else ''}"
    return (
        plain(head, "class:head"),
        *(_line(frame, row, width, records=records) for row in rows),
        *(_explained(frame) if records else ()),
    )


def _line(frame: Frame, row: Row, width: int, *, records: bool) -> Line:
    mark = ">" if row.name == frame.state.name else " "
    numbers = (
        f"{row.won:>5}  {row.deals:>5}  {row.lies:>5}  {row.caught:>6}   "
        f"{row.doubts:>6}  {row.right:>5}"
    )
    fastest = "-" if row.fastest_us is None else margin(row.fastest_us)
    best = f"  {fastest:>7}  {row.biggest_pile or '-':>4}" if records else ""
    style = "class:you" if mark == ">" else ""
    return plain(f" {mark} {pad(clean(row.name), width)}{numbers}{best}", style)


def _explained(frame: Frame) -> tuple[Line, ...]:
    text = "Fastest: the quickest doubt. Pile: the most cards taken at once."
    return (BLANK, *(plain(f"   {line}", "class:dim") for line in wrapped(text, frame.columns - 4)))
