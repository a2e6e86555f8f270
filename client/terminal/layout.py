"""The one window of the application: it asks for a page of its size and hands prompt_toolkit the lines."""

import re
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point, Size
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.styles import BaseStyle, DynamicStyle

from client.screens.parts.cells import CURSOR, Line, Page, width_of

REDRAW_S = 1 / 30
MOST_COLUMNS, MOST_ROWS = 400, 150  # what is beyond stays empty: each cell costs half a kilobyte
ESCAPE_S = 0.05  # how long a lone ESC may be the beginning of something longer
MOUSE = re.compile(r"\x1b\[<(?P<button>\d{1,3});(?P<x>\d{1,4});(?P<y>\d{1,4})(?P<end>[Mm])")
LEFT, WHEEL = "0", {"64": -1, "65": 1}

Draw = Callable[[int, int], Page]
Press = Callable[[str, str], None]
Click = Callable[[Point, int], None]
"""Where the mouse did something; -1 and 1 are the wheel, 0 is a click."""


class PageControl(UIControl):
    """A page of exactly the size of the window."""

    def __init__(self, draw: Draw) -> None:
        """`draw` takes columns and rows."""
        self._draw = draw

    def is_focusable(self) -> bool:
        """It has the focus always; there is nothing else."""
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        """The page as it looks now."""
        page = self._draw(width, height)
        cursor = cursor_of(page)
        return UIContent(
            get_line=lambda row: list(page[row]),
            line_count=len(page),
            cursor_position=cursor,
            show_cursor=cursor is not None,
        )


def cursor_of(page: Page) -> Point | None:
    """Where the page wants the cursor, if anywhere."""
    for row, line in enumerate(page):
        column = _cursor_column(line)
        if column is not None:
            return Point(x=column, y=row)
    return None


def _cursor_column(line: Line) -> int | None:
    for place, (style, _) in enumerate(line):
        if style == CURSOR:
            return width_of(line[:place])
    return None


def application(
    *,
    draw: Draw,
    press: Press,
    click: Click,
    depth: Callable[[], ColorDepth],
    mouse: Callable[[], bool],
    style: Callable[[], BaseStyle],
    paper: Callable[[], str],
    terminal: tuple[Input | None, Output | None],
) -> Application[int]:
    """The application of this process; its result is the exit code."""
    output = terminal[1] or create_output()
    output.get_size = bounded(output.get_size)  # type: ignore[method-assign]
    page = Window(PageControl(draw), style=paper, always_hide_cursor=False)
    app: Application[int] = Application(
        layout=Layout(page),
        key_bindings=all_keys(press, click),
        style=DynamicStyle(style),
        include_default_pygments_style=False,  # its 60 rules are of no use to a page without code
        color_depth=depth,
        mouse_support=Condition(mouse),
        full_screen=True,
        erase_when_done=True,
        min_redraw_interval=REDRAW_S,
        input=terminal[0],
        output=output,
    )
    app.ttimeoutlen = app.timeoutlen = ESCAPE_S
    return app


def bounded(get_size: Callable[[], Size]) -> Callable[[], Size]:
    """The size of the terminal, as far as anything is drawn on it.

    Somebody at the other end of a line can say that theirs has 65,535 rows of as many columns.
    """

    def get_bounded() -> Size:
        size = get_size()
        return Size(rows=min(size.rows, MOST_ROWS), columns=min(size.columns, MOST_COLUMNS))

    return get_bounded


def all_keys(press: Press, click: Click) -> KeyBindings:
    """Every key goes to one place, at once; a paste takes its text along. The mouse is no key."""
    bindings = KeyBindings()

    @bindings.add(Keys.Any, eager=True)
    @bindings.add(Keys.BracketedPaste, eager=True)
    @bindings.add(Keys.Escape, eager=True)
    def _any(event: KeyPressEvent) -> None:
        pressed = event.key_sequence[-1]
        key = pressed.key.value if isinstance(pressed.key, Keys) else pressed.key
        press(key, event.data)

    @bindings.add(Keys.Vt100MouseEvent, eager=True)
    def _mouse(event: KeyPressEvent) -> object:
        done = mouse_of(event.data)
        if done is not None:
            click(*done)
        return (
            NotImplemented  # a click has what it changes drawn again; a mouse that moves, nothing
        )

    return bindings


def mouse_of(report: str) -> tuple[Point, int] | None:
    """Where a click ended or the wheel was turned, if that is what the terminal reports."""
    told = MOUSE.fullmatch(report)
    if told is None:
        return None
    wheel = WHEEL.get(told["button"], 0)
    is_click = told["button"] == LEFT and told["end"] == "m"
    return (Point(x=int(told["x"]) - 1, y=int(told["y"]) - 1), wheel) if wheel or is_click else None
