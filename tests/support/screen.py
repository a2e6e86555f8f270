"""A terminal that is not there: prompt_toolkit writes to it, pyte says what would be seen."""

import asyncio
import io
from collections.abc import Callable

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.vt100 import Vt100_Output

PATIENCE_S = 10.0


class _Tape(io.StringIO):
    """Text output that hands on what is written to it."""

    def __init__(self, heard: Callable[[str], None]) -> None:
        super().__init__()
        self._heard = heard

    def write(self, text: str) -> int:
        """Hand on the text; nothing is kept here."""
        self._heard(text)
        return len(text)

    def isatty(self) -> bool:
        """It plays a terminal."""
        return True


class Terminal:
    """What a person would see; `shows` waits for a text, `settles` for any condition."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        """Nothing is seen before the first output."""
        self.size = Size(rows=rows, columns=columns)
        self.bytes_written = 0
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._news = asyncio.Event()
        self.output = Vt100_Output(
            _Tape(self._heard), lambda: self.size, term="xterm-256color", enable_cpr=False
        )

    def _heard(self, text: str) -> None:
        self.bytes_written += len(text.encode())
        self._stream.feed(text)
        self._news.set()

    @property
    def rows(self) -> list[str]:
        """The rows of the screen without the spaces at their ends."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.rows)

    @property
    def colours(self) -> set[str]:
        """All colours of letters and paper, but for the terminal's own."""
        every = {
            colour
            for row in self._screen.buffer.values()
            for cell in row.values()
            for colour in (cell.fg, cell.bg)
        }
        return every - {"default"}

    async def settles(self, holds: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        """Wait until something holds of the screen."""
        try:
            async with asyncio.timeout(patience_s):
                while not holds():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            message = f"the screen never came to that:\n{self.text}"
            raise AssertionError(message) from None

    async def changes_from(self, before: str, patience_s: float = PATIENCE_S) -> None:
        """Wait until something else can be seen."""
        await self.settles(lambda: self.text != before, patience_s)

    async def shows(self, text: str) -> None:
        """Wait until a text can be seen."""
        await self.settles(lambda: text in self.text)
