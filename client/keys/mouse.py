"""What a click or the wheel stands for: always a key, so that the mouse can do nothing of its own."""

from client.intents.at_table import RANK_KEYS
from client.keys.live_bindings import bindings_of
from client.screens.deeds import Act
from client.screens.desk import Screen, Typing
from client.screens.frame import Frame
from client.screens.parts.cells import Page, text_of, width_of
from protocol.cards import Rank


def clicked(frame: Frame, page: Page, where: tuple[int, int], wheel: int) -> str | None:
    """The key for it, if any. `where` is column and row; the wheel is -1 up and 1 down."""
    if wheel:
        return ("down" if wheel > 0 else "up") if frame.desk.overlay else None
    column, row = where
    if not 0 <= row < len(page):  # it was drawn for a smaller window
        return None
    if row == len(page) - 1:
        return _on_key_bar(frame, page, column)
    return _on_hand(frame, page, column, row)


def _on_key_bar(frame: Frame, page: Page, column: int) -> str | None:
    every = bindings_of(frame)  # but a click on "A-K" names none of them
    labels = {each.label: each.keys[0] for each in every if each.act is not Act.PICK}
    named: str | None = None
    for place, (style, text) in enumerate(page[-1]):
        if width_of(page[-1][:place]) > column:
            return named
        if style == "class:key":
            named = labels.get(text)
    return named


def _on_hand(frame: Frame, page: Page, column: int, row: int) -> str | None:
    """A click on a rank's label picks one of it, or names it; into a text it would go as a letter."""
    says_something = frame.desk.typing not in {None, Typing.RANK}
    if frame.screen is not Screen.TABLE or frame.desk.overlay or says_something:
        return None
    styles = {style for style, _ in page[row]}
    if not styles & {"class:rank", "class:due"}:
        return None
    before = text_of(page[row])[: column + 1]
    word = before.split(" ")[-1] + text_of(page[row])[column + 1 :].split(" ")[0]
    symbol = word.strip("><")
    rank = next((rank for rank in Rank if rank.symbol == symbol), None)
    return next((key for key, named in RANK_KEYS.items() if rank and named is rank), None)
