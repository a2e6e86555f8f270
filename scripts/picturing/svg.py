"""A page of the client as SVG: a rectangle for each run with a background, a text for each run."""

from collections.abc import Iterator
from html import escape

from msgspec import Struct
from prompt_toolkit.styles import Attrs, BaseStyle

from client.screens.parts.cells import CURSOR, Line, Page, cells, cut

CELL_WIDTH, CELL_HEIGHT, FONT_SIZE, EDGE = 8.4, 18, 14, 14
FONT = f'font-family="ui-monospace,Menlo,DejaVu Sans Mono,monospace" font-size="{FONT_SIZE}"'
CRISP = 'shape-rendering="crispEdges"'
NAME = 'font-size="12" text-anchor="middle"'
TOP = 28  # of the window's frame
BUTTONS = ("#e0707a", "#e5c07b", "#8fbf7f")


class Paper(Struct, frozen=True, kw_only=True):
    """The terminal's own colours."""

    ink: str
    paper: str
    frame: str


DARK = Paper(ink="#d8dee9", paper="#14181f", frame="#262c36")
LIGHT = Paper(ink="#1f2328", paper="#fbfbf9", frame="#dfe2e6")
BLACK = Paper(ink="#ffffff", paper="#000000", frame="#262626")


def picture(page: Page, columns: int, style: BaseStyle, paper: Paper, caption: str) -> str:
    """The whole file; the caption is read to those who cannot see it."""
    width = columns * CELL_WIDTH + 2 * EDGE
    height = len(page) * CELL_HEIGHT + 2 * EDGE + TOP
    inside = f"M0 {TOP}H{width:g}V{height - 8:g}a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8z"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {FONT}>',
        f"<title>{escape(caption)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{paper.frame}"/>',
        *_buttons(),
        f'<text x="{width / 2:g}" y="19" fill="{paper.ink}" {NAME}>facedown</text>',
        f'<path fill="{paper.paper}" d="{inside}"/>',
    ]
    for row, line in enumerate(page):
        parts += _row(cut(line, columns), row, style, paper)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _buttons() -> Iterator[str]:
    for place, colour in enumerate(BUTTONS):
        yield f'<circle cx="{16 + 16 * place}" cy="14" r="5" fill="{colour}"/>'


def _row(line: Line, row: int, style: BaseStyle, paper: Paper) -> Iterator[str]:
    column = 0
    for name, text in line:
        if name == CURSOR:
            continue
        yield from _run(text, row, column, _look(style.get_attrs_for_style_str(name), paper))
        column += cells(text)


def _look(attrs: Attrs, paper: Paper) -> tuple[str, str, str]:
    """Ink, paper and the rest of the attributes of a run."""
    ink = f"#{attrs.color}" if attrs.color else paper.ink
    back = f"#{attrs.bgcolor}" if attrs.bgcolor else paper.paper
    if attrs.reverse:
        ink, back = back, ink
    bold = ' font-weight="bold"' if attrs.bold else ""
    line = ' text-decoration="underline"' if attrs.underline else ""
    return ink, back, bold + line


def _run(text: str, row: int, column: int, look: tuple[str, str, str]) -> Iterator[str]:
    ink, back, rest = look
    x, y = EDGE + column * CELL_WIDTH, EDGE + TOP + row * CELL_HEIGHT
    width = cells(text) * CELL_WIDTH
    if back.lower() not in {DARK.paper, LIGHT.paper, BLACK.paper}:
        yield f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{CELL_HEIGHT}" fill="{back}" {CRISP}/>'
    if text.strip():
        lead = len(text) - len(text.lstrip())
        shown = text.strip()
        yield (
            f'<text x="{x + lead * CELL_WIDTH:g}" y="{y + FONT_SIZE:g}" fill="{ink}"{rest} '
            f'textLength="{cells(shown) * CELL_WIDTH:g}" xml:space="preserve">{escape(shown)}</text>'
        )
