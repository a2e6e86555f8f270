"""What people and the server said lately, from the client's own log."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, takewhile

from client.screens.frame import Frame
from client.screens.parts.cells import Fragment, Line, cells, wrapped
from client.state import Line as Entry
from client.state import LineKind
from protocol.text import clean

INDENT = 3  # cells before what follows the first line of an entry
FRESH_S = 60.0  # at the table, talk is shown for so long
NEWS_S = 15.0  # what is brief is shown for so long: plays matter more
BRIEF = {LineKind.NEWS, LineKind.TABLE, LineKind.LINK, LineKind.ANSWER}
"""News. What lasts, as a vote, a pause or a lost line, stands above the keys meanwhile; a refusal, at first."""


def talk_lines(frame: Frame, rows: int, *, always: bool = False) -> tuple[Line, ...]:
    """The newest entries that fit whole, oldest first; where there is more to look at, fresh ones.

    The very newest begins in any case; what does not fit of it is on the page of the log.
    """
    lines: tuple[Line, ...] = ()
    for entry in islice(_newest_first(frame, always=always), max(0, rows)):
        more = entry_lines(entry, frame.columns)
        if len(more) + len(lines) > rows and lines:
            break
        lines = (*more[:rows], *lines)
    return lines


def newest_rows(frame: Frame, *, always: bool = False) -> int:
    """How many rows the newest of these entries takes."""
    newest = next(_newest_first(frame, always=always), None)
    return len(entry_lines(newest, frame.columns)) if newest else 0


def was_said_last(frame: Frame) -> bool:
    """Whether the newest entry is what a person said."""
    return bool(frame.state.log) and frame.state.log[-1].kind is LineKind.CHAT


def _newest_first(frame: Frame, *, always: bool) -> Iterator[Entry]:
    """All entries, or the fresh ones: what has had its time takes no row from what has not."""
    if always:
        return reversed(frame.state.log)
    lately = takewhile(lambda entry: frame.now - entry.at < FRESH_S, reversed(frame.state.log))
    return (entry for entry in lately if _is_fresh(frame, entry))


def _is_fresh(frame: Frame, entry: Entry) -> bool:
    return frame.now - entry.at < (NEWS_S if entry.kind in BRIEF else FRESH_S)


@lru_cache(maxsize=1024)  # the page of the log asks for all of them with every redraw
def entry_lines(entry: Entry, columns: int) -> tuple[Line, ...]:
    """One entry of the log, in lines of at most so many cells."""
    lead, style = _lead_and_style(entry)
    if cells(lead[1] + entry.text) <= columns:
        return ((lead, (style, entry.text)),)
    beside = "-" * (cells(lead[1]) - INDENT - 1)  # in place of the lead, which may hold spaces
    first, *more = wrapped(f"{beside} {entry.text}", columns - INDENT) or ("",)
    start = first.removeprefix(beside).lstrip()
    return ((lead, (style, start)), *(((style, " " * INDENT + text),) for text in more))


def _lead_and_style(entry: Entry) -> tuple[Fragment, str]:
    match entry.kind:
        case LineKind.CHAT:
            return ("class:speaker", f" <{clean(entry.who)}> "), "class:chat"
        case LineKind.TABLE | LineKind.LINK | LineKind.NOTICE:
            return ("class:notice", " - "), "class:notice"
        case _:
            return ("class:dim", " - "), "class:dim"
