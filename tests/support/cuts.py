"""What a page loses while it is drawn: words that are cut off, and lines for which there is no row."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from client.screens.desk import Desk
from client.screens.parts import cells
from client.screens.parts.cells import Line, Page, text_of
from client.state import ClientState
from tests.support.looking import SMALL, USUAL, seen

SIZES = [pytest.param(size, id=f"{size[0]}x{size[1]}") for size in (SMALL, USUAL)]
SKINS = [pytest.param(False, id="unicode"), pytest.param(True, id="ascii")]
"""For tests of every size and of both sets of characters."""


def _replace_everywhere(
    patch: pytest.MonkeyPatch, original: Callable[..., object], instead: Callable[..., object]
) -> None:
    name = original.__name__
    for module in [each for known, each in sys.modules.items() if known.startswith("client.")]:
        if getattr(module, name, None) is original:
            patch.setattr(module, name, instead)


@contextmanager
def losses_seen() -> Iterator[list[str]]:
    """While this is open, everything that does not get onto a page is in the list."""
    lost: list[str] = []
    clip, sized, beside = cells.clip, cells.sized, cells.side_by_side

    def clipped(text: str, width: int) -> str:
        kept = clip(text, width)
        if text[len(kept) :].strip():
            lost.append(text)
        return kept

    def sized_to(lines: Sequence[Line], columns: int, rows: int) -> Page:
        every = tuple(lines)
        lost.extend(filter(str.strip, map(text_of, every[rows:])))
        return sized(every, columns, rows)

    def set_beside(left: Sequence[Line], right: Sequence[Line], rows: int, *more: object) -> Page:
        lost.extend(filter(str.strip, map(text_of, (*left[rows:], *right[rows:]))))
        return beside(left, right, rows, *more)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        for original, instead in ((clip, clipped), (sized, sized_to), (beside, set_beside)):
            _replace_everywhere(patch, original, instead)
        yield lost


def words(text: str) -> str:
    """The text with every gap one space, so that it does not matter where it is wrapped."""
    return " ".join(text.split())


def shown(
    state: ClientState, desk: Desk, size: tuple[int, int], *, ascii_skin: bool = False
) -> str:
    """The page in one line, its rules and boxes left out."""
    here = replace(desk, settings=replace(desk.settings, ascii=ascii_skin))
    return words(seen(state, here, size))


def may_be_cut(text: str) -> bool:
    """A long name, which `n` shows whole, and the rules code over the options, which the help does."""
    own = [word for word in text.split() if not word.startswith("sixteen")]
    is_code = text.startswith("d4.j2.free")
    return is_code or not own or own == ["doubted"]
