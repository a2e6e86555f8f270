"""One line of text being typed, with its cursor: what a key makes of it, and how it is drawn."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from client.screens.parts.cells import CURSOR, Line, cells, clip


class Editor(Struct, frozen=True, kw_only=True):
    """A typed text. The cursor stands before the letter with its number."""

    text: str = ""
    cursor: int = 0
    limit: int = 200
    is_proposal: bool = False  # a letter typed takes its place; " private" or ".w6" goes on from it

    def typed(self, letters: str) -> "Editor":
        """With letters put in at the cursor; what would be too long is left out."""
        printable = _printable(letters)
        kept, cursor = self._kept(printable)
        put = printable[: max(0, self.limit - len(kept))]
        text = kept[:cursor] + put + kept[cursor:]
        return replace(self, text=text, cursor=cursor + len(put), is_proposal=False)

    def would_fit(self, letters: str) -> bool:
        """Whether nothing of them would be left out."""
        printable = _printable(letters)
        return not printable or len(self._kept(printable)[0]) + len(printable) <= self.limit

    def _kept(self, letters: str) -> tuple[str, int]:
        """What stays of the text, and where the cursor is in it, when these letters come."""
        gives_way = self.is_proposal and letters[:1].isalnum()
        return ("", 0) if gives_way else (self.text, self.cursor)

    def without(self, start: int, end: int) -> "Editor":
        """With the letters between two places taken out."""
        text = self.text[:start] + self.text[end:]
        return replace(self, text=text, cursor=start, is_proposal=False)

    def moved(self, cursor: int) -> "Editor":
        """With the cursor elsewhere, within the text."""
        return replace(self, cursor=min(len(self.text), max(0, cursor)), is_proposal=False)

    def of(self, text: str) -> "Editor":
        """The same field with another text, the cursor at its end."""
        short = text[: self.limit]
        return replace(self, text=short, cursor=len(short), is_proposal=False)

    def proposing(self, text: str) -> "Editor":
        """The same with a text that gives way to what is typed in its place."""
        return replace(self.of(text), is_proposal=True)


def _printable(letters: str) -> str:
    return "".join(letter for letter in letters if letter.isprintable())


def _word_start(editor: Editor) -> int:
    head = editor.text[: editor.cursor].rstrip()
    return head.rfind(" ") + 1


EDITING: dict[str, Callable[[Editor], Editor]] = {
    "backspace": lambda it: it.without(max(0, it.cursor - 1), it.cursor),
    "delete": lambda it: it.without(it.cursor, it.cursor + 1),
    "left": lambda it: it.moved(it.cursor - 1),
    "right": lambda it: it.moved(it.cursor + 1),
    "home": lambda it: it.moved(0),
    "end": lambda it: it.moved(len(it.text)),
    "c-a": lambda it: it.moved(0),
    "c-e": lambda it: it.moved(len(it.text)),
    "c-u": lambda it: it.without(0, it.cursor),
    "c-k": lambda it: it.without(it.cursor, len(it.text)),
    "c-w": lambda it: it.without(_word_start(it), it.cursor),
}
"""What each editing key does, by its prompt_toolkit name."""


def field(editor: Editor, width: int, *, active: bool, secret: bool = False) -> Line:
    """The text in so many cells, scrolled so that the cursor can be seen."""
    text = "*" * len(editor.text) if secret else editor.text
    if not active:
        short = clip(text, width)
        return (("class:field", short + " " * (width - cells(short))),)
    before, after = _around(text, editor.cursor, width)
    rest = width - cells(before) - cells(after)
    return (
        ("class:field.active", before),
        (CURSOR, ""),
        ("class:field.active", after + " " * rest),
    )


def _around(text: str, cursor: int, width: int) -> tuple[str, str]:
    before = text[:cursor]
    while cells(before) > width - 1:
        before = before[1:]
    return before, clip(text[cursor:], width - cells(before))
