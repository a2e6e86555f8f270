"""Take the picture in the README: the real client in a terminal of its own, drawn as SVG.

    .venv/bin/python scripts/picture.py

It practises against computer players until a window is open with a play in sight, then stops. The
picture goes to client/screen.svg.
"""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parent.parent
COLUMNS, ROWS = 80, 24
CELL_WIDTH, CELL_HEIGHT, FONT_SIZE = 8.4, 18, 14
FONT = f'font-family="ui-monospace,Menlo,DejaVu Sans Mono,monospace" font-size="{FONT_SIZE}"'
PATIENCE_S = 120.0
PLAYS_BEFORE = 6  # so that the log has something to tell
INK, PAPER = "#d8dee9", "#14181f"
COLOURS = {
    "black": "#3b4252",
    "red": "#e0707a",
    "green": "#8fbf7f",
    "brown": "#e5c07b",
    "blue": "#6fa8dc",
    "magenta": "#c08fd0",
    "cyan": "#6fc0c0",
    "white": "#eceff4",
}


def main() -> int:
    """Take the picture; 1 if no fit moment came."""
    with tempfile.TemporaryDirectory() as home, the_client(Path(home)) as terminal:
        screen = pyte.Screen(COLUMNS, ROWS)
        if not wait_for_a_fit_moment(terminal, screen):
            sys.stderr.write("no moment worth a picture came in time\n" + "\n".join(screen.display))
            return 1
    target = ROOT / "client" / "screen.svg"
    target.write_text(drawn(screen), encoding="utf-8")
    print(f"wrote {target.relative_to(ROOT)}")
    return 0


@contextlib.contextmanager
def the_client(home: Path) -> Iterator[int]:
    """Run `facedown play` on a pseudo-terminal; ended, and its server with it, afterwards."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        folders = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("DATA", "STATE", "CONFIG")}
        os.environ.update(folders, HOME=str(home), TERM="xterm-256color", COLORTERM="truecolor")
        command = [sys.executable, "-m", "client", "play", "--name", "maya", "--color", "16"]
        os.execv(sys.executable, command)  # noqa: S606 - our own program
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    try:
        yield terminal
    finally:
        os.kill(child, signal.SIGTERM)
        os.close(terminal)
        os.waitpid(child, 0)


def wait_for_a_fit_moment(terminal: int, screen: pyte.Screen) -> bool:
    """Play along, believing everybody, until somebody's play can be doubted."""
    stream = pyte.ByteStream(screen)
    ends_at = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends_at:
        ready, _, _ = select.select([terminal], [], [], 0.5)
        if ready:
            stream.feed(os.read(terminal, 65536))
            continue
        shown = "\n".join(screen.display)
        if "b = " in shown and plays_logged(screen) >= PLAYS_BEFORE and "[" in shown:
            return True
        for key in next_keys(shown):
            os.write(terminal, key.encode())
    return False


def plays_logged(screen: pyte.Screen) -> int:
    """How many plays the title bar counts."""
    words = screen.display[0].split()
    return int(words[words.index("play") + 1]) if "play" in words else 0


def next_keys(shown: str) -> str:
    """What somebody would press who tells the truth if it is easy."""
    if "your turn:" in shown:
        return "\x1b[C \r" if "picked" not in shown else "\r"
    return "y" if "y believe" in shown else "\r" if "Enter go on" in shown else ""


def drawn(screen: pyte.Screen) -> str:
    """The screen as SVG: a rectangle for each run with a background, a text for each run."""
    width, height = COLUMNS * CELL_WIDTH + 24, ROWS * CELL_HEIGHT + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {FONT}>',
        "<title>Facedown: a play that can be doubted</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
    ]
    for row in range(ROWS):
        parts += drawn_row(screen, row)
    return "\n".join([*parts, "</svg>"]) + "\n"


def drawn_row(screen: pyte.Screen, row: int) -> Iterator[str]:
    """One row in runs of cells that look alike."""
    start = 0
    while start < COLUMNS:
        look = look_of(screen.buffer[row][start])
        end = start
        while end < COLUMNS and look_of(screen.buffer[row][end]) == look:
            end += 1
        text = "".join(screen.buffer[row][column].data for column in range(start, end))
        yield from drawn_run(text, row, start, look)
        start = end


def drawn_run(text: str, row: int, column: int, look: tuple[str, str, bool]) -> Iterator[str]:
    """A run of cells, exactly as wide as its cells."""
    ink, paper, bold = look
    x, y = 12 + column * CELL_WIDTH, 12 + row * CELL_HEIGHT
    width = len(text) * CELL_WIDTH
    if paper != PAPER:
        yield (
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{CELL_HEIGHT}" fill="{paper}"/>'
        )
    if text.strip():
        weight = ' font-weight="bold"' if bold else ""
        yield (
            f'<text x="{x:g}" y="{y + FONT_SIZE:g}" fill="{ink}"{weight} textLength="{width:g}" '
            f'xml:space="preserve">{escape(text)}</text>'
        )


def look_of(cell: pyte.screens.Char) -> tuple[str, str, bool]:
    """Ink, paper and weight of a cell."""
    ink, paper = colour(cell.fg, INK), colour(cell.bg, PAPER)
    return (paper, ink, cell.bold) if cell.reverse else (ink, paper, cell.bold)


def colour(name: str, otherwise: str) -> str:
    """A colour of the picture for one of the terminal."""
    if name == "default":
        return otherwise
    return COLOURS.get(name.removeprefix("bright"), f"#{name}" if len(name) == 6 else otherwise)  # noqa: PLR2004 - rrggbb


if __name__ == "__main__":
    sys.exit(main())
