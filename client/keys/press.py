"""From a key to what comes of it: one function, `press`; the key bar and the help of the moment."""

from msgspec.structs import replace

from client.acts import anywhere, first, lobby, pages, settings, table
from client.acts.anywhere import confirmed
from client.acts.done import Doer, Done, bare, hinted
from client.keys.bindings import ANYWHERE, HELP, MENU, VOTE, Binding
from client.keys.live_bindings import bindings_of, has_lesson, page_bindings
from client.keys.typing_line import field_typed, key_typed
from client.screens.deeds import Act
from client.screens.desk import Overlay, Question, Screen, Typing
from client.screens.frame import Frame, KeyGroup
from client.screens.menu import chosen_row, menu_items
from client.screens.parts.bars import KeyHint
from client.screens.too_small import is_too_small
from client.state import Hinted

NO_FURTHER = "There is nothing more this way."
STILL_HELD = "Held down: let go of the key first."
STRAY_S = 0.15  # keys typed ahead of a change of screen are not meant for the new one
GAME_ACTS = frozenset(
    {
        Act.ENTER,
        Act.PICK,
        Act.DOUBT,
        Act.BELIEVE,
        Act.BELIEVE_ALL,
        Act.PASS,
        Act.START,
        Act.READY,
        Act.TO_LOBBY,
        Act.LESSON_ON,
    }
)
ONCE = GAME_ACTS - {Act.PICK}
"""What a key that is held down does once: by the next time it might be about another play."""

OF_THE_HAND = frozenset({Act.UP, Act.DOWN, Act.NEXT_RANK})
"""What arrows and Tab do at the table; whoever types there means something else by them."""

WHEN_SMALL = frozenset({Act.DOUBT, Act.BELIEVE, Act.LEAVE, Act.REPAINT})

LEAVING = frozenset({"c-c", "c-d", "<sigint>"})

NAMES = {
    "c-m": "enter",
    "c-j": "enter",
    "c-i": "tab",
    "c-h": "backspace",
    " ": "space",
    "s-tab": "tab",
}
"""prompt_toolkit's names for keys that have one here."""

HELD_WITH = {"c-": "Ctrl-", "s-": "Shift-"}
SPELLED = {"pageup": "PageUp", "pagedown": "PageDown"}
"""How keys are called where one does nothing."""

ESCAPES = KeyHint(label="Esc", does="back")
AGREES, DECLINES = KeyHint(label="Enter", does="yes"), KeyHint(label="Esc", does="no")
STAYS = KeyHint(label="Esc", does="stay")
PRESETS = KeyHint(label="Tab", does="next preset")
SENDS = {
    Typing.SAY: (KeyHint(label="Enter", does="say it"), ESCAPES),
    Typing.CODE: (KeyHint(label="Enter", does="join"), ESCAPES),
    Typing.PASSWORD: (KeyHint(label="Enter", does="join"), ESCAPES),
    Typing.CREATE: (KeyHint(label="Enter", does="open it"), PRESETS, ESCAPES),
    Typing.NAME: (KeyHint(label="Enter", does="keep it"), ESCAPES),
    Typing.RANK: (ESCAPES,),
}
"""The key bar while the text line is open."""

GROUPS = {
    Screen.FIRST: "THE FIRST START",
    Screen.CONNECT: "BEFORE A SERVER",
    Screen.HALL: "THE HALL",
    Screen.LOBBY: "THE LOBBY",
    Screen.TABLE: "THE TABLE",
    Screen.RESULT: "AFTER THE DEAL",
}
_DOERS: dict[Screen, dict[Act, Doer]] = {
    Screen.FIRST: first.FIRST,
    Screen.CONNECT: pages.CONNECT,
    Screen.HALL: pages.HALL,
    Screen.LOBBY: lobby.LOBBY,
    Screen.TABLE: {},
    Screen.RESULT: pages.RESULT,
}


def press(frame: Frame, key: str) -> Done:
    """What comes of one key. A key that does nothing leaves a hint that says why, or the page does."""
    name = NAMES.get(key, key)
    answered = _question(frame, name)
    if answered is not None:
        return answered
    here = frame if name in LEAVING else _unasked(frame)
    done = key_typed(here, name) or field_typed(here, name) or _bound(here, name)
    return _calm(frame, done)


def _unasked(frame: Frame) -> Frame:
    return replace(frame, desk=replace(frame.desk, asking=None))


def _calm(frame: Frame, done: Done) -> Done:
    """An old hint goes away with the next key that does something."""
    if frame.state.hint and not done.told:
        return replace(done, told=(Hinted(text=""),))
    return done


def _question(frame: Frame, name: str) -> Done | None:
    """An open question takes Enter and Esc; any other key closes it and counts as itself.

    So does y: at the table it believes a play, and in a hurry it must not give a seat away.
    """
    asking = frame.desk.asking
    if asking is None or name in LEAVING:
        return None
    if asking is not Question.LEAVE and name == "enter":
        if is_too_small(frame):  # the question is out of sight
            return Done(desk=frame.desk)
        held = frame.held_down or frame.may_be_held
        return hinted(frame, STILL_HELD) if held else confirmed(frame)
    return Done(desk=_unasked(frame).desk) if name in {"escape", "enter"} else None


def _bound(frame: Frame, name: str) -> Done:
    binding = next((each for each in bindings_of(frame) if name in each.keys), None)
    if binding is None:
        return hinted(frame, unbound_text(frame, name))
    if is_too_small(frame) and binding.act not in WHEN_SMALL and binding not in VOTE:
        return Done(desk=frame.desk)  # that is all the page says
    if _types_at_the_table(frame) and binding.act in OF_THE_HAND:
        return hinted(frame, "You are typing: Esc goes back to the table.")
    if _is_held(frame, binding.act):
        return hinted(frame, frame.state.hint or STILL_HELD)
    is_of_the_game = binding.act in GAME_ACTS or _says_ready(frame, binding.act)
    if is_of_the_game and frame.now - frame.desk.screen_since < STRAY_S:
        return hinted(frame, "This page has only just come up: press again.")
    done = perform(frame, binding.act, name if binding.act is Act.PICK else "")
    return done if done != Done(desk=frame.desk) else hinted(frame, NO_FURTHER)


def _types_at_the_table(frame: Frame) -> bool:
    desk = frame.desk
    return desk.typing is not None and desk.overlay is None and frame.screen is Screen.TABLE


def _is_held(frame: Frame, act: Act) -> bool:
    """Whether an act comes of a key held down; to believe play after play is cheap, and a habit."""
    may_be_held = frame.may_be_held and act is not Act.BELIEVE
    return (act in ONCE or _says_ready(frame, act)) and (frame.held_down or may_be_held)


def _says_ready(frame: Frame, act: Act) -> bool:
    """Whether this is the Space bar where it means what r does; elsewhere it picks, or turns pages."""
    says_ready = frame.screen in {Screen.LOBBY, Screen.RESULT} and frame.desk.overlay is None
    return says_ready and act is Act.SPACE


def unbound_text(frame: Frame, name: str) -> str:
    """Why a key without a meaning here does nothing."""
    if has_lesson(frame) and frame.desk.overlay is None:
        return "Read the explanation first: Enter goes on, Esc ends them all."
    in_a_deal = frame.screen is Screen.TABLE and frame.desk.overlay is None
    if name == "1" and in_a_deal:
        return "Ten is t or 0."
    if in_a_deal and len(name) == 1 and name.isalpha():
        return f"{name} does nothing in a deal; ? shows the keys."
    return f"{_spoken(name)} does nothing here; ? shows the keys."


def _spoken(name: str) -> str:
    """A key as a keyboard calls it; some have no name but that which prompt_toolkit gives them."""
    if not name.isprintable() or (len(name) > 1 and name.startswith("<")):
        return "That key"
    key, held = name, ""
    for short, word in HELD_WITH.items():
        if key.startswith(short):
            key, held = key.removeprefix(short), held + word
    return name if len(name) == 1 else held + SPELLED.get(key, key.capitalize())


def perform(frame: Frame, act: Act, about: str) -> Done:
    """What comes of an act, from a key or from the menu."""
    frame = with_keys(frame) if frame.desk.overlay is Overlay.HELP else frame
    overlay = frame.desk.overlay
    if overlay is Overlay.MENU and act is Act.ENTER:
        return _menu_item(frame)
    if overlay is Overlay.OLDER and act in {Act.ENTER, Act.UP, Act.DOWN}:
        return _older(frame, act)
    for doers in _doers(frame):
        if act in doers:
            return doers[act](frame, about)
    return hinted(frame, "That cannot be done here.")


def _doers(frame: Frame) -> tuple[dict[Act, Doer], ...]:
    laid_over = {**pages.OVER, **settings.OVER}
    over = laid_over.get(frame.desk.overlay, {}) if frame.desk.overlay else {}
    here = {} if frame.desk.overlay else _DOERS[frame.screen]
    if frame.desk.tutorial is not None:  # few people take lessons: only they wait for this
        from client.acts import lessons  # noqa: PLC0415

        here = lessons.LESSON if has_lesson(frame) and not frame.desk.overlay else here
        over = {**over, **lessons.MENU}
    everywhere = (anywhere.ANYWHERE, settings.ANYWHERE)
    return (over, here, *everywhere, table.AT_TABLE, lobby.IN_LOBBY)


def _menu_item(frame: Frame) -> Done:
    deed = menu_items(frame)[chosen_row(frame)].deed
    closed = replace(frame, desk=replace(bare(frame.desk), menu_about="", menu_at=None))
    if deed != (frame.desk.menu_at or deed):
        return hinted(closed, "What was chosen can no longer be done.")
    return perform(closed, deed.act, deed.about)


def _older(frame: Frame, act: Act) -> Done:
    if act is Act.ENTER:
        return table.doubt_chosen(frame, "")
    return table.move_among_older(frame, 1 if act is Act.DOWN else -1)


# --- what the keys are called ----------------------------------------------------------------------


def with_keys(frame: Frame) -> Frame:
    """The frame with its key bar and help filled in from the bindings of the moment."""
    if frame.desk.typing is not None:
        return replace(frame, keys=_answering(frame, SENDS[frame.desk.typing]))
    shown = [each for each in bindings_of(frame) if _on_bar(frame, each)]
    shown.sort(key=lambda each: not each.leads(frame))
    keys = tuple(_hint(frame, each) for each in shown)
    wants_help = frame.desk.overlay is Overlay.HELP
    help_now = help_groups(frame) if wants_help else ()
    return replace(frame, keys=_answering(frame, keys), help=help_now)


def _answering(frame: Frame, keys: tuple[KeyHint, ...]) -> tuple[KeyHint, ...]:
    """The same with what Enter and Esc do while a question is open."""
    asking = frame.desk.asking
    if asking is None:
        return keys
    others = tuple(key for key in keys if key.label not in {"Enter", "Esc"})
    return (*others, STAYS) if asking is Question.LEAVE else (AGREES, *others, DECLINES)


def _on_bar(frame: Frame, binding: Binding) -> bool:
    return binding not in ANYWHERE and binding.live(frame)


def _hint(frame: Frame, binding: Binding) -> KeyHint:
    return KeyHint(label=binding.label, does=binding.words(frame))


def help_groups(frame: Frame) -> tuple[KeyGroup, ...]:
    """The keys of this page, then those that work anywhere."""
    here = _group(GROUPS[frame.screen], page_bindings(frame), frame)
    return (here, _group("ANYWHERE", (HELP, MENU, *ANYWHERE), frame, without=()))


def _group(
    name: str,
    bindings: tuple[Binding, ...],
    frame: Frame,
    without: tuple[Binding, ...] = (HELP, MENU),
) -> KeyGroup:
    told = (each for each in bindings if each not in without and each.label)
    keys = (KeyHint(label=each.label, does=each.help or each.words(frame)) for each in told)
    return KeyGroup(name=name, keys=tuple(keys))
