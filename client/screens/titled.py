"""The page around lines: its title above them, the keys of the moment below."""

from collections.abc import Iterable

from client.screens.frame import Frame
from client.screens.parts.bars import GAME, key_bar, title_bar
from client.screens.parts.cells import Line, Page, sized


def titled(frame: Frame, title: str, lines: Iterable[Line], *, where: str = "") -> Page:
    """As many of the lines as there is room for; `where` stands at the right end of the title."""
    head = title_bar((GAME, title), (where,), frame.columns)
    body = sized((head, *lines), frame.columns, frame.rows - 1)
    return (*body, key_bar(frame.keys, frame.columns))
