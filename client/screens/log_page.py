"""The whole log of the deal and of the talk, to be scrolled."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from client.screens.frame import Frame
from client.screens.parts.cells import BLANK, Line, Page, plain, wrapped
from client.screens.parts.plays import lines_of, told_entries
from client.screens.reveal import call_lines, shown_line
from client.screens.talk import entry_lines
from client.screens.titled import titled
from protocol.views import TableView

HOW_TIMED = (
    "What counts is when a doubt reached the server. You see how long after the play the first one "
    "came, and how much later each of the others; in brackets their round trips."
)
HOW_A_LONE_ONE_IS = (
    "What counts is when a doubt reached the server. You see how long after the play it came."
)
FIXED = 3  # rows for title, what the table is doing, keys


class Part(Struct, frozen=True, kw_only=True):
    """Some lines of the log, written only when they are looked at."""

    count: int
    lines: Callable[[int, int], Sequence[Line]]  # those from one place up to another


def log_page(frame: Frame) -> Page:
    """The lines that end `scrolled` lines above the newest one."""
    parts = log_parts(frame)
    total, rows = sum(part.count for part in parts), log_rows(frame)
    end = max(min(rows, total), total - frame.desk.scrolled)
    shown = _between(parts, max(0, end - rows), end)
    return titled(frame, "log", shown, where=f"{end} of {total}")


def log_length(frame: Frame) -> int:
    """How many lines there are."""
    return sum(part.count for part in log_parts(frame))


def log_rows(frame: Frame) -> int:
    """How many lines of it can be seen at once."""
    return frame.rows - FIXED


def _between(parts: Sequence[Part], start: int, end: int) -> Iterator[Line]:
    """The lines from one place up to another, across the parts."""
    before = 0
    for part in parts:
        first, last = max(0, start - before), min(part.count, end - before)
        if first < last:
            yield from part.lines(first, last)
        before += part.count


def log_parts(frame: Frame) -> tuple[Part, ...]:
    """The talk first, then the deal, its newest play at the end, then what was shown last."""
    said, view = frame.state.log, frame.state.table
    talk = _written(tuple(line for entry in said for line in entry_lines(entry, frame.columns)))
    if view is None:
        return (talk,)
    told = told_entries(view.log)
    plays = Part(
        count=len(told),
        lines=lambda start, end: lines_of(view.table, view.log, told[start:end], frame.columns),
    )
    head = _written((BLANK, plain(" THE DEAL", "class:head")))
    return (talk, head, plays, _written(_piles(frame, view)))


def _written(lines: tuple[Line, ...]) -> Part:
    return Part(count=len(lines), lines=lambda start, end: lines[start:end])


def _piles(frame: Frame, view: TableView) -> tuple[Line, ...]:
    """The cards of the newest ruling, the whole pile where the rules show it (RULES B15)."""
    ruled = view.newest_ruling
    if ruled is None:
        return ()
    plays = ruled.pile or (ruled.shown,)
    lines = (shown_line(view.table, play, frame.skin, frame.columns) for play in plays)
    calls = call_lines(view.table, ruled, frame.state.late, frame.columns)
    heads = (plain(" LAST SHOWN", "class:head"), plain(" WHO DOUBTED WHEN", "class:head"))
    how = HOW_TIMED if len(calls) > 1 else HOW_A_LONE_ONE_IS
    about = (plain(f" {line}", "class:dim") for line in wrapped(how, frame.columns - 2))
    return (BLANK, heads[0], *lines, BLANK, heads[1], *calls, *about)
