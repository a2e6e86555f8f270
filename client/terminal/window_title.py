"""The title of the terminal's window: set while we play, and given back at the end.

xterm keeps titles on a stack (22 and 23 of its window operations), and most terminals and tmux
have learnt it from there; one that has not ignores both.
"""

from prompt_toolkit.output import Output

SAVE, RESTORE = "\x1b[22;2t", "\x1b[23;2t"


class WindowTitle:
    """The title of one terminal; nothing is written before the first text."""

    def __init__(self, output: Output) -> None:
        """The terminal that has the title."""
        self._output = output
        self._shown: str | None = None  # None: the title is that of whoever was here before

    def show(self, text: str) -> None:
        """Set the title, unless it is this already."""
        if text == self._shown:
            return
        if self._shown is None:
            self._output.write_raw(SAVE)
        self._shown = text
        self._output.set_title(text)
        self._output.flush()

    def give_back(self) -> None:
        """Restore what was there before us."""
        if self._shown is None:
            return
        self._shown = None
        self._output.write_raw(RESTORE)
        self._output.flush()
