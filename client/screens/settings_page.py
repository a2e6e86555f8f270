"""The settings: what each is now, where that was said, what it means, and how it looks."""

from collections.abc import Iterator

from client.screens.advice import typing_line
from client.screens.frame import Frame
from client.screens.parts.bars import time_bar
from client.screens.parts.cells import BLANK, Line, Page, apart, joined, pad, plain, wrapped
from client.screens.titled import titled
from client.settings import ON_PAGE, Kind, Setting, stands_over, value_of
from protocol.cards import read_faces

LABEL = 20
ROOMY = 24
TEXT_ROWS = 3
SAMPLE = "AS QH 10D 7C"


def settings_page(frame: Frame) -> Page:
    """All of them on one page; the lines below speak of the chosen one."""
    gap = (BLANK,) if frame.rows >= ROOMY else ()
    rows = [_row(frame, setting) for setting in ON_PAGE]
    about = [plain(f"   {text}") for text in _about(frame)][: TEXT_ROWS + 2]
    blank = [BLANK] * (TEXT_ROWS + 2 - len(about))
    below = (*gap, *about, *blank, typing_line(frame) or sample_line(frame))
    return titled(frame, "settings", (*gap, *rows, *below))


def chosen(frame: Frame) -> Setting:
    """The setting under the cursor."""
    return ON_PAGE[min(frame.desk.settings_row, len(ON_PAGE) - 1)]


def _row(frame: Frame, setting: Setting) -> Line:
    here = setting is chosen(frame)
    left, right = "[]" if setting.kind is Kind.NAME else "<>"
    value = f"{left} {value_text(frame, setting)} {right}"
    style = "class:chosen" if here else ""
    line: Line = (
        (style, f" {'>' if here else ' '} {pad(setting.label, LABEL)} "),
        (style or "class:value", value),
    )
    said = frame.desk.settings.origins.of(setting.name)
    return apart(line, plain(f"{said} ", "class:dim"), frame.columns)


def value_text(frame: Frame, setting: Setting) -> str:
    """The value as it is shown."""
    value = value_of(frame.desk.settings, setting.name)
    if setting.kind is Kind.SWITCH:
        return "on" if value else "off"
    return str(value) or frame.state.name


def _about(frame: Frame) -> Iterator[str]:
    setting = chosen(frame)
    width = frame.columns - 6
    sentence = setting.about[0].upper() + setting.about[1:]
    yield from wrapped(f"{sentence}.", width)
    if setting.kind is Kind.CHOICE:
        value = str(value_of(frame.desk.settings, setting.name))
        yield from wrapped(f"{value}: {setting.values[value]}.", width)
    yield from wrapped(keeping_text(frame, setting), width)


def keeping_text(frame: Frame, setting: Setting) -> str:
    """Where a change is kept, and what will win over it at the next start."""
    origins = frame.desk.settings.origins
    if not origins.file:
        return "Nothing is saved here: a change holds until you leave."
    said = origins.of(setting.name)
    if stands_over(said):
        return f"{said} says so, and will again next time; a change is kept in {origins.file} all the same."
    later = "From the next start on. " if setting.later else ""
    return f"{later}Kept in {origins.file}"


def sample_line(frame: Frame) -> Line:
    """How it looks: suits, a claim, what is found, and time running out."""
    faces = joined([frame.skin.face(face) for face in read_faces(SAMPLE)], " ")
    found: Line = (("class:lie", "A LIE"), ("", " "), ("class:truth", "THE TRUTH"))
    bar = time_bar(3, 8, 8, frame.skin)
    claim: Line = (("class:claim.big", "2 x QUEENS"),)
    return (("", "   "), *joined((faces, claim, found, bar), "  "))
