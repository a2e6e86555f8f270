"""Stepping through a finished deal with all cards up (RULES B24)."""

from client.screens.frame import Frame
from client.screens.parts.cells import BLANK, Line, Page, cells, shorten, sized, width_of
from client.screens.reveal import shown_line
from client.screens.titled import titled
from client.stats import rulings_of, shown_plays
from client.words import cards, name_of
from protocol import events as e
from protocol.views import TableView

FIXED = 3


def confession_page(frame: Frame) -> Page:
    """The plays around the chosen one."""
    view = frame.state.table
    if view is None:
        return sized((), frame.columns, frame.rows)
    plays = shown_plays(view)
    rows = frame.rows - FIXED
    step = min(frame.desk.step, max(0, len(plays) - 1))
    first = min(max(0, step - rows // 2), max(0, len(plays) - rows))
    rulings = {ruled.shown.play: ruled for ruled in rulings_of(view)}
    lines = [
        _line(frame, view, play, rulings.get(play.play), chosen=first + place == step)
        for place, play in enumerate(plays[first : first + rows])
    ]
    known = "every play, cards up" if view.confession else "the plays that were shown"
    where = f"{step + 1} of {len(plays)}" if plays else "nothing was shown"
    return titled(frame, known, (BLANK, *lines), where=where)


def _line(
    frame: Frame, view: TableView, play: e.ShownPlay, ruled: e.Ruled | None, *, chosen: bool
) -> Line:
    mark: Line = (("class:chosen", ">"),) if chosen else (("", " "),)
    width = frame.columns - 1
    full = shown_line(view.table, play, frame.skin, width)
    left = max(width - width_of(full), width // 3)  # even many cards leave so much
    after = _what_came(view, ruled, left) if ruled else ""
    line = shown_line(view.table, play, frame.skin, width, kept=cells(after))
    return (*mark, *line, ("class:notice", after))


def _what_came(view: TableView, ruled: e.Ruled, width: int) -> str:
    """Who doubted a play and who took the pile, as much of it as there is room for."""
    doubter, taker = name_of(view.table, ruled.challenger), name_of(view.table, ruled.taker)
    doubted = f"  {doubter} doubted"
    taken = cards(ruled.taken)
    texts = (f"{doubted}: {taker} took {taken}", f"{doubted}: {taken}", doubted)
    return next((text for text in texts if cells(text) <= width), shorten(doubted, width))
