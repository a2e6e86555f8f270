"""Keys while a text line is open: the letters go in, Enter sends, Esc leaves. Pure."""

from collections.abc import Callable

from msgspec.structs import replace

from client.acts.done import Done, hinted, left
from client.acts.settings import named
from client.acts.table import rank_named
from client.intents import in_lobby
from client.intents.opening_words import opened
from client.intents.shared import Intent
from client.screens.desk import Desk, Field, Screen, Typing
from client.screens.editor import EDITING, Editor
from client.screens.frame import Frame
from client.start.first_run import Step
from client.state import Hinted
from protocol.rules import PRESETS

INVITED = "facedown join "
KEYS = frozenset("qS")  # quit and settings, also where an address can be typed


def key_typed(frame: Frame, key: str) -> Done | None:
    """What a key does to the open line; None if it is none of the line's keys."""
    desk = frame.desk
    what = desk.typing
    if what is None:
        return None
    if key == "escape":
        return Done(desk=left(desk))
    if what is Typing.RANK:
        return rank_named(frame, key) if len(key) == 1 or key == "enter" else None
    if key == "enter":
        return named(frame) if what is Typing.NAME else _sent(frame)
    if key == "tab" and what is Typing.CREATE:
        return Done(desk=replace(desk, line=_next_preset(desk.line)))
    return _keyed(frame, desk.line, key, lambda line: replace(desk, line=line))


def _keyed(
    frame: Frame, before: Editor, key: str, on_desk: Callable[[Editor], Desk]
) -> Done | None:
    """What a key does to a text; None if it is not for editing."""
    line = edited(before, key)
    return None if line is None else _put(frame, on_desk(line), before, _letters(key))


def edited(line: Editor, key: str) -> Editor | None:
    """The text after a key; None if the key is not for editing."""
    if key in EDITING:
        return EDITING[key](line)
    letters = _letters(key)
    return line.typed(letters) if letters else None


def _letters(key: str) -> str:
    return " " if key == "space" else key if len(key) == 1 else ""


def _put(frame: Frame, desk: Desk, before: Editor, letters: str) -> Done:
    """The desk with letters put into the text of before; that some did not fit is said."""
    if before.would_fit(letters):
        return Done(desk=desk)
    return hinted(replace(frame, desk=desk), f"No more than {before.limit} letters fit here.")


def open_field(frame: Frame) -> Editor | None:
    """The field that letters go into on the first page, or on that of the first start."""
    desk = frame.desk
    if desk.overlay is not None:
        return None
    if frame.screen is Screen.FIRST:
        return desk.name if desk.first and desk.first.step is Step.NAME else None
    if frame.screen is not Screen.CONNECT or desk.focus is Field.RECENT:
        return None
    return desk.name if desk.focus is Field.NAME else desk.address


def with_field(frame: Frame, line: Editor) -> Desk:
    """The desk with another text in the open field."""
    if frame.screen is Screen.FIRST or frame.desk.focus is Field.NAME:
        return replace(frame.desk, name=line)
    return replace(frame.desk, address=line)


def field_typed(frame: Frame, key: str) -> Done | None:
    """What a key does to the open field; None if it is none of the field's keys."""
    before = open_field(frame)
    if before is None and _begins_an_address(key) and _has_list(frame):
        return Done(desk=_to_address(frame.desk, key))
    if before is None or key == "?":
        return None
    if key == "escape" and frame.screen is Screen.CONNECT:
        return Done(desk=replace(frame.desk, focus=Field.RECENT))
    return _keyed(frame, before, key, lambda line: with_field(frame, line))


def _begins_an_address(key: str) -> bool:
    return len(key) == 1 and (key.isalnum() or key == "[") and key not in KEYS


def _has_list(frame: Frame) -> bool:
    """Whether the keys are those of the list of servers."""
    desk = frame.desk
    chooses = frame.screen is Screen.CONNECT and desk.focus is Field.RECENT
    return chooses and desk.overlay is None and not desk.kiosk


def _to_address(desk: Desk, text: str) -> Desk:
    """Whoever types there, or pastes, has an address, in place of the one from before."""
    return replace(desk, focus=Field.ADDRESS, address=desk.address.of("").typed(text))


def pasted(frame: Frame, text: str) -> Done:
    """Text from the clipboard: into an open field, from the list into the address, else nowhere."""
    desk, letters = frame.desk, " ".join(text.split())
    if desk.typing is not None and desk.typing is not Typing.RANK:
        return _put(frame, replace(desk, line=desk.line.typed(letters)), desk.line, letters)
    line = open_field(frame)
    if line is not None:
        return _put(frame, with_field(frame, line.typed(letters)), line, letters)
    if _has_list(frame):
        return _put(frame, _to_address(desk, letters), desk.address.of(""), letters)
    return hinted(frame, "Pasted text is ignored here: open a text line first.")


def _next_preset(line: Editor) -> Editor:
    names = list(PRESETS)
    now = line.text.split(" ")[0]
    then = names[(names.index(now) + 1) % len(names)] if now in names else names[0]
    text = " ".join((then, *line.text.split(" ")[1:]))
    return line.proposing(text) if line.is_proposal else line.of(text)


def _sent(frame: Frame) -> Done:
    what = frame.desk.typing
    intent = _SENDERS[what](frame, frame.desk.line.text.strip()) if what in _SENDERS else None
    if isinstance(intent, Hinted):
        return Done(desk=frame.desk, told=(intent,))
    draft = "" if what is Typing.SAY else frame.desk.draft
    done = replace(left(frame.desk), draft=draft)
    return Done(desk=done, told=() if intent is None else (intent,))


def _say(frame: Frame, text: str) -> Intent | None:
    return in_lobby.say(frame.state, text) if text else None


def _without_the_way(text: str) -> str:
    """A lobby's code, and perhaps its password; of a whole invite the server is left out."""
    return text.partition("/")[2] if text.startswith(INVITED) else text


def _join(frame: Frame, text: str) -> Intent | None:
    code, _, password = _without_the_way(text).partition(" ")
    if not code:
        return None
    return in_lobby.join(frame.state, code, password=password or None, watch=frame.desk.watching)


def _password(frame: Frame, text: str) -> Intent | None:
    if not text:
        return None
    desk = frame.desk
    return in_lobby.join(frame.state, desk.code, password=text, watch=desk.watching)


def _create(frame: Frame, text: str) -> Intent | None:
    return opened(frame.state, text.split())


_SENDERS: dict[Typing | None, Callable[[Frame, str], Intent | None]] = {
    Typing.SAY: _say,
    Typing.CODE: _join,
    Typing.PASSWORD: _password,
    Typing.CREATE: _create,
}
