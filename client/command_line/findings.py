"""What the doctor finds about a terminal and its settings, and what to change. Pure but for files.

Each finding is a labelled line; where something could be better, it says what to do.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from prompt_toolkit.output import ColorDepth

from client.kept.config import read, unheard
from client.kept.files import may_be_there
from client.screens.too_small import COLUMNS, ROWS
from client.settings import BY_NAME, PREFIX, BadSetting, Settings
from client.start.terminal_here import can_draw
from client.terminal.probe import SUIT, Answers
from client.terminal.style import TRUE_COLOURS, colour_depth, theme_of

BEST = (80, 24)
SUITS = "\u2660\u2665\u2666\u2663"
COLOURS = {
    ColorDepth.DEPTH_1_BIT: "none: bold, underlined and reversed only",
    ColorDepth.DEPTH_4_BIT: "16",
    ColorDepth.DEPTH_8_BIT: "256",
    ColorDepth.DEPTH_24_BIT: "16 million",
}


class Finding(Struct, frozen=True, kw_only=True):
    """One labelled line, and what to change if something is to be changed."""

    label: str
    text: str
    do: str = ""

    def lines(self) -> tuple[str, ...]:
        """As printed."""
        first = f"{self.label}: {self.text}."
        return (first, f"  -> {self.do}.") if self.do else (first,)


class Terminal(Struct, frozen=True, kw_only=True):
    """What is known of the terminal."""

    environment: Mapping[str, str]
    is_tty: bool
    columns: int
    rows: int
    encoding: str
    answers: Answers = Answers()

    @property
    def draws(self) -> bool:
        """Whether the full screen can be drawn on it."""
        return self.is_tty and can_draw(self.term)

    @property
    def term(self) -> str:
        """Its type."""
        return self.environment.get("TERM", "")


def of_terminal(terminal: Terminal, settings: Settings) -> Iterator[Finding]:
    """Type, size, colours, suits, encoding."""
    yield _type(terminal, settings)
    yield _size(terminal)
    yield _colours(terminal, settings)
    yield _theme(terminal, settings)
    yield _encoding(terminal)
    yield _suits(terminal, settings)
    if "SSH_CONNECTION" in terminal.environment:
        seen = "yes; rulings show you as ssh, since the server sees only the leg to this machine"
        yield Finding(label="SSH", text=seen)


def _type(terminal: Terminal, settings: Settings) -> Finding:
    if not terminal.is_tty:
        text, do = "none here: plain mode", "With ssh, ssh -t gives one"
    elif not can_draw(terminal.term):
        text = f"TERM={terminal.term or 'not set'}: plain mode"
        do = "If it can draw, set TERM, to xterm-256color for most"
    else:
        mode = "plain mode, because of the setting" if settings.plain else "full screen"
        text, do = f"TERM={terminal.term}: {mode}", ""
    return Finding(label="TERMINAL", text=text, do=do)


def _size(terminal: Terminal) -> Finding:
    if not terminal.is_tty:
        return Finding(label="SIZE", text="not known without a terminal, and it does not matter")
    size = f"{terminal.columns} by {terminal.rows}"
    (wide, tall), (narrow, low) = BEST, (COLUMNS, ROWS)
    if terminal.columns >= wide and terminal.rows >= tall:
        return Finding(label="SIZE", text=f"{size}, enough")
    if terminal.columns >= narrow and terminal.rows >= low:
        return Finding(label="SIZE", text=f"{size}, usable; {wide} by {tall} is better")
    do = f"Make it at least {narrow} by {low}, or use --plain"
    return Finding(label="SIZE", text=f"{size}, too small", do=do)


def _colours(terminal: Terminal, settings: Settings) -> Finding:
    depth = colour_depth(settings.color, terminal.environment)
    text, do = f"{COLOURS[depth]} (color = {settings.color}, {_said(settings, 'color')})", ""
    if not terminal.draws:
        return Finding(label="COLOUR", text=f"{text}; plain mode has none")
    if settings.color == "auto" and depth is ColorDepth.DEPTH_4_BIT:
        do = "If it can show more: --color 256, or true"
    if settings.color == "true" and not _says_true(terminal):
        do = "The terminal does not say that it can; if colours look wrong: --color 256"
    return Finding(label="COLOUR", text=text, do=do)


def _says_true(terminal: Terminal) -> bool:
    return terminal.environment.get("COLORTERM", "").casefold() in TRUE_COLOURS


def _theme(terminal: Terminal, settings: Settings) -> Finding:
    chosen = theme_of(settings.theme, terminal.environment)
    named = {"own": "the terminal's own colours"}.get(chosen, chosen)
    text = f"{named} (theme = {settings.theme}, {_said(settings, 'theme')})"
    light = terminal.answers.is_light
    if light is None or settings.color == "never" or chosen in {"contrast", "mono"}:
        return Finding(label="THEME", text=text)
    fits = "light" if light else "dark"
    do = f"The background is {fits}: --theme {fits} is made for it" if chosen != fits else ""
    return Finding(label="THEME", text=text, do=do)


def _encoding(terminal: Terminal) -> Finding:
    lang = next(
        (
            value
            for name in ("LC_ALL", "LC_CTYPE", "LANG")
            if (value := terminal.environment.get(name))
        ),
        "not set",
    )
    do = "" if can_say(SUITS, terminal.encoding) else "Set LANG to a UTF-8 locale, such as C.UTF-8"
    return Finding(label="ENCODING", text=f"{terminal.encoding}, LANG {lang}", do=do)


def can_say(text: str, encoding: str) -> bool:
    """Whether an encoding has all these letters."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _suits(terminal: Terminal, settings: Settings) -> Finding:
    if not terminal.draws:
        return Finding(label="SUITS", text="in words: plain mode says the seven of clubs")
    if settings.ascii:
        return Finding(label="SUITS", text="S H D C, because of the setting ascii")
    if not can_say(SUITS, terminal.encoding):
        return Finding(label="SUITS", text="no suit symbols here", do="Use --ascii")
    shown = f"{SUITS} (if you do not see four: --ascii)"
    match terminal.answers.suit_cells:
        case None:
            return Finding(label="SUITS", text=shown)
        case 1:
            return Finding(label="SUITS", text=f"{shown}, each takes one cell")
        case wide:
            text = f"{SUIT} takes {wide} cells: columns would be shifted"
            do = "Make ambiguous characters narrow in the terminal's settings, or use --ascii"
            return Finding(label="SUITS", text=text, do=do)


def _said(settings: Settings, name: str) -> str:
    origin = settings.origins.of(name)
    return origin if origin == "default" else f"from {origin}"


# --- settings and files ----------------------------------------------------------------------------


def of_settings(
    settings: Settings, environment: Mapping[str, str], state: Path | None
) -> Iterator[Finding]:
    """The file and what in it, or in the environment, nobody reads; the folder for secrets."""
    if not settings.origins.file:
        yield Finding(label="SETTINGS", text="no file is read or written here")
    else:
        path = Path(settings.origins.file)
        yield _file(path)
        yield from _unread(path)
    yield from _unheard(environment)
    if state is not None:
        yield _state(state)


def _file(path: Path) -> Finding:
    there = "" if may_be_there(path) else ", not there yet"
    can = _can_write(path)
    do = "" if can else "Changes will not be kept: make it, or its folder, writable"
    return Finding(label="SETTINGS", text=f"{path}{there}{'' if can else ', not writable'}", do=do)


def _can_write(path: Path) -> bool:
    """Whether a file can be put there: it is written beside the old one and moved over it."""
    folder = _nearest(path.resolve().parent)
    return os.access(folder, os.W_OK | os.X_OK) and folder.is_dir()


def _nearest(folder: Path) -> Path:
    """This folder, or the one in which it would be made."""
    while not may_be_there(folder):
        folder = folder.parent
    return folder


def _unread(path: Path) -> Iterator[Finding]:
    try:
        unknown = sorted(read(path).keys() - BY_NAME.keys())
    except BadSetting as error:
        yield Finding(label="SETTINGS", text=str(error).rstrip("."))
        return
    if unknown:
        text = f"{path} has keys that nothing reads: {', '.join(unknown)}"
        yield Finding(label="SETTINGS", text=text, do=f"There are: {', '.join(BY_NAME)}")


def _unheard(environment: Mapping[str, str]) -> Iterator[Finding]:
    if unknown := unheard(environment):
        names = ", ".join(PREFIX + name for name in unknown)
        text = f"variables that the client does not read: {names}"
        yield Finding(
            label="SETTINGS", text=text, do=f"It reads {PREFIX}NAME and so on, as --help has them"
        )


def _state(folder: Path) -> Finding:
    lost = "You could not come back to a seat after leaving"
    if not _can_write(folder / "file"):
        do = f"{lost}: make it writable"
        return Finding(label="SECRETS", text=f"{folder} is not writable", do=do)
    if not shutil.disk_usage(_nearest(folder)).free:
        do = f"{lost}: free some space"
        return Finding(label="SECRETS", text=f"the disk of {folder} is full", do=do)
    return Finding(label="SECRETS", text=f"kept in {folder}")
