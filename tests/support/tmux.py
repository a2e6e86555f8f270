"""A terminal with somebody in front of it: tmux on a socket of its own, keys in, the screen as text."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.ptys import ROOT, of_maya

LOOK_S = 0.05  # how often somebody looks at the screen
PATIENCE_S = 30.0

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed here")


class Screen:
    """One window of tmux, which shows what runs in it until the end of the test."""

    def __init__(self, socket: Path) -> None:
        """The server of tmux listens there."""
        self._tmux = ("tmux", "-S", str(socket), "-f", os.devnull)

    def open(self, home: Path, size: tuple[int, int], command: str) -> None:
        """Start a shell command in a window of this size; afterwards the window says how it ended."""
        columns, rows = size
        shown = f"{command}; code=$?; echo; echo ended with $code; exec cat"
        settings = ("set", "-g", "status", "off", ";", "set", "-g", "escape-time", "0", ";")
        window = ("new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(ROOT), shown)
        self._run(*settings, *window, env=of_maya(home, "tmux-256color"))

    def _run(self, *arguments: str, env: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            (*self._tmux, *arguments), env=env, capture_output=True, text=True, check=True
        )
        return done.stdout

    @property
    def text(self) -> str:
        """What can be read now."""
        return self._run("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names for them."""
        self._run("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type a text, letter by letter."""
        self._run("send-keys", "-l", text)

    def shows(self, wanted: str, seconds: float = PATIENCE_S) -> str:
        """Look until something can be read; all that can be read then."""
        end = time.monotonic() + seconds
        while wanted not in (text := self.text):
            assert time.monotonic() < end, f"never came to that:\n{text}"
            time.sleep(LOOK_S)
        return text

    def changes_from(self, before: str, seconds: float = PATIENCE_S) -> bool:
        """Look until something else can be read; whether it came to that in this time."""
        end = time.monotonic() + seconds
        while self.text == before:
            if time.monotonic() > end:
                return False
            time.sleep(LOOK_S)
        return True

    def close(self) -> None:
        """End everything in it."""
        subprocess.run((*self._tmux, "kill-server"), capture_output=True, check=False)


@contextmanager
def a_screen(home: Path, command: str, size: tuple[int, int]) -> Iterator[Screen]:
    """A window in which this runs."""
    screen = Screen(home / "tmux")
    try:
        screen.open(home, size, command)
        yield screen
    finally:
        screen.close()
