"""The page on the terminal, and whether it is still the right one: nothing is drawn for nothing, or twice."""

from client.keys.press import with_keys
from client.screens.frame import Frame
from client.screens.page import draw
from client.screens.parts.cells import Page
from client.terminal.layout import REDRAW_S


class Painter:
    """What was drawn last, and what was drawn to be compared with it."""

    def __init__(self) -> None:
        """Nothing has been drawn."""
        self.page: Page = ()  # what the terminal shows now
        self._looked_at: Frame | None = None
        self._found: Page = ()

    def is_out_of_date(self, frame: Frame) -> bool:
        """Whether the page of this frame is another than the one on the terminal."""
        self._looked_at, self._found = frame, draw(with_keys(frame))
        return self._found != self.page

    def paint(self, frame: Frame) -> Page:
        """The page of this frame, which is on the terminal from here on."""
        seen, self._looked_at = self._looked_at, None
        if seen and frame.is_still(seen) and frame.now - seen.now < REDRAW_S:
            self.page = self._found
        else:
            self.page = draw(with_keys(frame))
        return self.page
