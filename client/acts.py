"""What has come of a key, and the acts that are the same everywhere. Pure.

Commands and refusals come from `intents` and `lobby_intents`; the acts add what only a screen has:
cursors, fields, pages. Whatever this terminal itself must do (connect, quit, copy) leaves as a
`Wish` for `app`. The acts of the table are in `acts_table`, those of the other pages in
`acts_pages`.
"""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from client import intents, lobby_intents
from client.intents import Intent
from client.screens.acts import Act
from client.screens.desk import Desk, Overlay, Question, Typing
from client.screens.frame import Frame
from client.state import Hinted, Noted, Renamed

LEAVE_TWICE_S = 2.0


class Wish(StrEnum):
    """What only the running application can do."""

    CONNECT = "connect"  # to the address in `about`
    PRACTISE = "practise"
    LEARN = "learn"
    BEGIN = "begin"  # the questions of the first start are answered; `about` says what comes now
    DISCONNECT = "disconnect"
    QUIT = "quit"  # because somebody chose it
    INTERRUPT = "interrupt"  # Ctrl-C twice
    REPAINT = "repaint"
    SUSPEND = "suspend"
    COPY = "copy"  # the text in `about`
    REMEMBER = "remember"  # the setting in `about`


class Done(Struct, frozen=True, kw_only=True):
    """What has come of a key: the desk afterwards, and what is to be told or wished."""

    desk: Desk
    told: tuple[Intent | Noted | Renamed, ...] = ()
    wish: Wish | None = None
    about: str = ""


Doer = Callable[[Frame, str], Done]


def hinted(frame: Frame, text: str) -> Done:
    """Nothing happens, and why."""
    return Done(desk=frame.desk, told=(Hinted(text=text),))


def telling(frame: Frame, *told: Intent) -> Done:
    """The desk as it is, and something to send."""
    return Done(desk=frame.desk, told=told)


def opened(frame: Frame, overlay: Overlay, about: str = "") -> Done:
    """A page laid over this one; asked for again, it closes."""
    if frame.desk.overlay is overlay and frame.desk.menu_about == about:
        return Done(desk=replace(frame.desk, overlay=None))
    desk = replace(frame.desk, overlay=overlay, page=0, scrolled=0, step=0, menu_row=0)
    return Done(desk=replace(desk, menu_about=about, asking=None))


def typing(frame: Frame, what: Typing, text: str = "") -> Done:
    """The text line opened for something."""
    line = frame.desk.line.of(text)
    return Done(desk=replace(frame.desk, typing=what, line=line, overlay=None, asking=None))


def asked(frame: Frame, question: Question) -> Done:
    """Something that has to be confirmed."""
    return Done(desk=replace(frame.desk, asking=question, asked_at=frame.now, overlay=None))


def confirmed(frame: Frame) -> Done:
    """The open question was answered with yes."""
    calm = replace(frame, desk=replace(frame.desk, asking=None))
    match frame.desk.asking:
        case Question.LEAVE:
            return Done(desk=calm.desk, wish=Wish.INTERRUPT)
        case Question.GIVE_UP:
            return telling(calm, intents.give_up_seat(frame.state))
        case Question.LEAVE_LOBBY:
            return telling(calm, lobby_intents.leave(frame.state))
        case Question.START_ANYWAY:
            return telling(calm, lobby_intents.start(frame.state, anyway=True))
        case None:
            return Done(desk=calm.desk)


def simply(intent: Callable[[Frame], Intent]) -> Doer:
    """An act that only sends."""
    return lambda frame, _: telling(frame, intent(frame))


def _leave(frame: Frame, _: str) -> Done:
    desk = frame.desk
    if desk.asking is Question.LEAVE and frame.now - desk.asked_at <= LEAVE_TWICE_S:
        return Done(desk=desk, wish=Wish.INTERRUPT)
    return Done(desk=replace(desk, asking=Question.LEAVE, asked_at=frame.now))


def _wish(wish: Wish) -> Doer:
    return lambda frame, _: Done(desk=replace(frame.desk, overlay=None), wish=wish)


def _open(overlay: Overlay) -> Doer:
    return lambda frame, _: opened(frame, overlay)


def _back(frame: Frame, _: str) -> Done:
    return Done(desk=replace(frame.desk, overlay=None, asking=None))


ANYWHERE: dict[Act, Doer] = {
    Act.BACK: _back,
    Act.HELP: _open(Overlay.HELP),
    Act.MENU: _open(Overlay.MENU),
    Act.LOG: _open(Overlay.LOG),
    Act.NAMES: _open(Overlay.NAMES),
    Act.SETTINGS: _open(Overlay.SETTINGS),
    Act.CONFESSION: _open(Overlay.CONFESSION),
    Act.EVENING: _open(Overlay.EVENING),
    Act.COMPUTERS: lambda frame, _: opened(frame, Overlay.MENU, Act.COMPUTERS),
    Act.SAY: lambda frame, _: typing(frame, Typing.SAY, frame.desk.draft),
    Act.LEAVE: _leave,
    Act.QUIT: _wish(Wish.QUIT),
    Act.DISCONNECT: _wish(Wish.DISCONNECT),
    Act.PRACTISE: _wish(Wish.PRACTISE),
    Act.LEARN: _wish(Wish.LEARN),
    Act.REPAINT: _wish(Wish.REPAINT),
    Act.SUSPEND: _wish(Wish.SUSPEND),
    Act.LEAVE_LOBBY: lambda frame, _: asked(frame, Question.LEAVE_LOBBY),
    Act.GIVE_UP: lambda frame, _: asked(frame, Question.GIVE_UP),
}
