"""What has come of a key, and the few things it can come to: sending, asking, opening, typing.

Commands and refusals come from `intents`; the acts add what only a screen has: cursors, fields,
pages. Whatever this terminal itself must do (connect, quit, copy) leaves as a `Wish` for
`screen_client`.
"""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from client.intents.shared import Intent
from client.screens.desk import Desk, Overlay, Question, Typing
from client.screens.editor import Editor
from client.screens.frame import Frame
from client.screens.menu import menu_items
from client.state import Hinted, Noted, Renamed
from protocol.text import MAX_CHAT


class Wish(StrEnum):
    """What only the running application can do."""

    CONNECT = "connect"  # connect to the address in `about`
    PRACTISE = "practise"
    LEARN = "learn"
    BEGIN = "begin"  # the questions of the first start are answered; `about` says what comes now
    DISCONNECT = "disconnect"
    QUIT = "quit"  # somebody chose to leave
    INTERRUPT = "interrupt"  # Ctrl-C twice
    REPAINT = "repaint"
    SUSPEND = "suspend"
    COPY = "copy"  # copy the text in `about`
    REMEMBER = "remember"  # keep the setting in `about`


class Done(Struct, frozen=True, kw_only=True):
    """What has come of a key: the desk afterwards, and what is to be told or wished."""

    desk: Desk
    told: tuple[Intent | Noted | Renamed, ...] = ()
    wish: Wish | None = None
    about: str = ""


AT_ITS_START: dict[Overlay, dict[str, int]] = {
    Overlay.HELP: {"page": 0},
    Overlay.LOG: {"scrolled": 0},
    Overlay.CONFESSION: {"step": 0},
    Overlay.SETTINGS: {"settings_row": 0},
}
"""Where a page is opened that one moves about on."""

Doer = Callable[[Frame, str], Done]


def hinted(frame: Frame, text: str) -> Done:
    """Nothing happens, and why."""
    return Done(desk=frame.desk, told=(Hinted(text=text),))


def telling(frame: Frame, *told: Intent) -> Done:
    """The desk as it is, and something to send."""
    return Done(desk=frame.desk, told=told)


def opened(frame: Frame, overlay: Overlay, about: str = "") -> Done:
    """A page laid over this one; asked for again, it closes, and what it lay over is there again."""
    desk = frame.desk
    if desk.overlay is overlay and (overlay is not Overlay.MENU or desk.menu_about == about):
        return Done(desk=uncovered(desk))
    if overlay in desk.under:
        return Done(
            desk=uncovered(replace(desk, under=desk.under[: desk.under.index(overlay) + 1]))
        )
    below = () if desk.overlay is None else (*desk.under, desk.overlay)
    closed = replace(left(desk), asking=None)  # a text line cannot be seen there
    desk = replace(closed, **AT_ITS_START.get(overlay, {}), overlay=overlay, under=below)
    if overlay is Overlay.MENU:
        desk = replace(desk, menu_about=about, menu_at=None)
        first, *_ = menu_items(replace(frame, desk=desk))
        desk = replace(desk, menu_at=first.deed)
    return Done(desk=desk)


def uncovered(desk: Desk) -> Desk:
    """The desk without the page on top: with that which it was laid over, as it was left."""
    under = desk.under
    return replace(desk, overlay=under[-1] if under else None, under=under[:-1])


def bare(desk: Desk) -> Desk:
    """The desk with nothing laid over the page."""
    return replace(desk, overlay=None, under=())


def left(desk: Desk) -> Desk:
    """The desk with the text line closed; what was going to be said is kept."""
    draft = desk.line.text if desk.typing is Typing.SAY else desk.draft
    return replace(desk, typing=None, line=desk.line.of(""), draft=draft)


def typing(frame: Frame, what: Typing, text: str = "", *, proposed: str = "") -> Done:
    """The text line opened for something, with a text to go on with, or one that is only proposed."""
    empty = Editor(limit=MAX_CHAT)  # a name, say, that was typed before had another limit
    line = empty.proposing(proposed) if proposed else empty.of(text)
    return Done(desk=replace(bare(left(frame.desk)), typing=what, line=line, asking=None))


def asked(frame: Frame, question: Question, about: str = "") -> Done:
    """Something that has to be confirmed."""
    desk = replace(frame.desk, asking=question, asked_at=frame.now, asked_about=about)
    return Done(desk=bare(desk))


def simply(intent: Callable[[Frame], Intent]) -> Doer:
    """An act that only sends."""
    return lambda frame, _: telling(frame, intent(frame))


def within(row: int, length: int) -> int:
    """The row of a list of this length that is nearest to where the cursor would go."""
    return min(max(0, length - 1), max(0, row))
