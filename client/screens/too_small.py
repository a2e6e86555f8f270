"""The page of a terminal that is too small for the game; quitting works on it too."""

from client.screens.frame import Frame
from client.screens.leaving import cost_text
from client.screens.parts.cells import BLANK, Page, plain, sized
from client.selectors import public
from client.words import name_of, short_claim

COLUMNS = 60
ROWS = 20


def is_too_small(frame: Frame) -> bool:
    """Whether the game cannot be drawn."""
    return frame.columns < COLUMNS or frame.rows < ROWS


def too_small_page(frame: Frame) -> Page:
    """What to do about it, in short lines."""
    table = public(frame.state)
    newest = table.newest_play if table else None
    said = (
        f"{name_of(table, newest.seat)}: {short_claim(newest.count, newest.rank)}"
        if table and newest
        else ""
    )
    cost = cost_text(frame)
    lines = (
        plain("Facedown", "class:head"),
        plain(f"{frame.columns}x{frame.rows} is too small."),
        plain(f"Make it {COLUMNS}x{ROWS}."),
        BLANK,
        plain(said, "class:claim"),
        plain("b and y still work."),
        plain(f"Ctrl-C twice leaves{';' if cost else '.'}"),
        plain(f"{cost}." if cost else ""),
    )
    return sized(lines, frame.columns, frame.rows)
