"""The whole log of the deal and of the talk, to be scrolled."""

from client.screens.frame import Frame
from client.screens.parts.bars import key_bar, title_bar
from client.screens.parts.cells import BLANK, Line, Page, plain, sized
from client.screens.parts.plays import play_lines
from client.screens.reveal import call_lines, shown_line
from client.screens.talk import entry_line
from protocol import events as e
from protocol.views import TableView

FIXED = 3  # title, what the table is doing, keys


def log_page(frame: Frame) -> Page:
    """The lines that end `scrolled` lines above the newest one."""
    lines = every_line(frame)
    rows = log_rows(frame)
    end = max(min(rows, len(lines)), len(lines) - frame.desk.scrolled)
    shown = lines[max(0, end - rows) : end]
    where = f"{end} of {len(lines)}"
    head = title_bar(("Facedown", "log"), (where,), frame.columns)
    page = sized((head, *shown), frame.columns, frame.rows - 1)
    return (*page, key_bar(frame.keys, frame.columns))


def log_rows(frame: Frame) -> int:
    """How many lines of it can be seen at once."""
    return frame.rows - FIXED


def every_line(frame: Frame) -> tuple[Line, ...]:
    """The talk first, then the deal, its newest play at the end."""
    talk = tuple(entry_line(entry) for entry in frame.state.log)
    view = frame.state.table
    if view is None:
        return talk
    head = plain(" THE DEAL", "class:head")
    return (
        *talk,
        BLANK,
        head,
        *play_lines(view.table, view.log, width=frame.columns),
        *_piles(frame, view),
    )


def _piles(frame: Frame, view: TableView) -> tuple[Line, ...]:
    """The cards of the newest ruling, the whole pile where the rules show it (RULES B15)."""
    ruled = next((entry for entry in reversed(view.log) if isinstance(entry, e.Ruled)), None)
    if ruled is None:
        return ()
    plays = ruled.pile or (ruled.shown,)
    lines = (shown_line(view.table, play, frame.skin, frame.columns) for play in plays)
    calls = call_lines(view.table, ruled, frame.state.late, frame.columns)
    heads = (plain(" LAST SHOWN", "class:head"), plain(" WHO DOUBTED WHEN", "class:head"))
    return (BLANK, heads[0], *lines, BLANK, heads[1], *calls)
