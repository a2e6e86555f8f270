"""The terminal of the full-screen client: its one Application, what is on it, and when it is drawn again."""

import asyncio
import base64
import contextlib
import os
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.output import ColorDepth, Output

from client.full_screen.painter import Painter
from client.screens.clock import has_clock, window_title
from client.screens.frame import Frame
from client.screens.link import odd_in
from client.screens.parts.cells import Page
from client.state import ClientState
from client.terminal.layout import Click, Press, application
from client.terminal.style import colour_depth, paper_of, style_for
from client.terminal.window_title import WindowTitle

TICK_S = 0.25


class Stage:
    """One terminal; what it shows is always the page of `frame()`."""

    def __init__(
        self,
        frame: Callable[[], Frame],
        *,
        press: Press,
        click: Click,
        drawn: Callable[[ClientState], None],
        terminal: tuple[Input | None, Output | None],
    ) -> None:
        """`drawn` is called once a page is on the terminal, with the state that it shows."""
        self.size = (80, 24)  # before the first page
        self._frame, self._drawn = frame, drawn
        self._shown: Frame | None = None
        self._painter = Painter()
        self._changed = asyncio.Event()
        self.app = self._application(press, click, terminal)
        self._title = WindowTitle(self.app.output)

    def _application(
        self, press: Press, click: Click, terminal: tuple[Input | None, Output | None]
    ) -> Application[int]:
        app = application(
            draw=self._draw,
            press=press,
            click=click,
            depth=self._depth,
            mouse=lambda: self._frame().desk.settings.mouse,
            style=lambda: style_for(self._frame().desk.settings, os.environ, self._depth()),
            paper=lambda: paper_of(self._frame().desk.settings, os.environ),
            terminal=terminal,
        )
        app.after_render += lambda _: self._rendered()
        return app

    def _depth(self) -> ColorDepth:
        return colour_depth(self._frame().desk.settings.color, os.environ)

    @property
    def page(self) -> Page:
        """The page as it is on the terminal."""
        return self._painter.page

    @property
    def is_up(self) -> bool:
        """Whether the application runs and has not been told to end."""
        return self.app.is_running and not self.app.is_done

    def _draw(self, columns: int, rows: int) -> Page:
        self.size = (columns, rows)
        self._shown = self._frame()
        return self._painter.paint(self._shown)

    def _rendered(self) -> None:
        if self._shown is not None:
            self._drawn(self._shown.state)
        frame = self._frame()
        if frame.desk.settings.title:
            self._title.show(window_title(frame))
        else:
            self._title.give_back()

    def refresh(self) -> None:
        """Draw again if anything on the page has changed."""
        if self.app.invalidated:  # it will be drawn again anyway
            return
        if self._painter.is_out_of_date(self._frame()):
            self.app.invalidate()

    def stir(self) -> None:
        """Something has happened: there may be a clock on the page now."""
        self._changed.set()

    async def tick(self, tock: Callable[[], None]) -> None:
        """Say so while a clock is on the screen, else once something happens, or nothing for too long."""
        while True:
            if has_clock(self._frame()):
                await asyncio.sleep(TICK_S)
                tock()
            else:
                self._changed.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(odd_in(self._frame())):
                        await self._changed.wait()

    def ring(self) -> None:
        """Ring the bell."""
        self.app.output.bell()
        self.app.output.flush()

    def copy(self, text: str) -> None:
        """Ask the terminal to put a text where it can be pasted from."""
        coded = base64.b64encode(text.encode()).decode()
        self.app.output.write_raw(f"\x1b]52;c;{coded}\x07")
        self.app.output.flush()

    def give_back(self) -> None:
        """Give back the window's title; the terminal may be gone."""
        with contextlib.suppress(OSError):
            self._title.give_back()
