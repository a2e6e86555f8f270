"""Draw the pictures in the READMEs: the client's own pages of one evening, as SVG.

    .venv/bin/python scripts/picture.py [NAME ...]     (scripts/snapshots draws them, too)

The evening is played by the rules and the computer players from a fixed seed, so that the same
pictures come every time. They go to client/pictures; a test holds them to what the client draws.
"""

import sys
from pathlib import Path

from client.terminal.style import colour_depth, style_for
from picturing.moments import COLUMNS, Picture, pictures
from picturing.svg import BLACK, DARK, LIGHT, picture

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "client" / "pictures"
PAPERS = {"light": LIGHT, "contrast": BLACK}


def main(names: list[str]) -> int:
    """Draw these, or all."""
    FOLDER.mkdir(exist_ok=True)
    for each in pictures():
        if not names or each.name in names:
            path = FOLDER / f"{each.name}.svg"
            path.write_text(drawn(each), encoding="utf-8")
            sys.stdout.write(f"wrote {path.relative_to(ROOT)}\n")
    return 0


def drawn(each: Picture) -> str:
    """One of them as SVG."""
    style = style_for(each.settings, {}, colour_depth(each.settings.color, {}))
    paper = PAPERS.get(each.settings.theme, DARK)
    return picture(each.page, COLUMNS, style, paper, f"Facedown: {each.caption}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
