"""The page of the first start: a name, four suits, and the offer to learn the game."""

from collections.abc import Iterator

from client.screens.editor import field
from client.screens.frame import Frame
from client.screens.parts.cells import BLANK, Line, Page, joined, plain, wrapped
from client.screens.titled import titled
from client.start.first_run import FirstRun, Step
from protocol.cards import Face, Rank
from protocol.text import MAX_NAME

NAME_CELLS = 18
GAME = (
    "Facedown is the card game BS (Cheat, I Doubt It). You lay cards face down and say what they "
    "are. Anyone who does not believe you may doubt."
)
LATER = "At any time, ? shows keys and rules, S the settings."


def first_page(frame: Frame) -> Page:
    """The questions so far; the newest waits for its answer."""
    first = frame.desk.first or FirstRun()
    asked = first.steps[: first.steps.index(first.step) + 1]
    lines = (
        BLANK,
        *_paragraph(frame, GAME),
        BLANK,
        *(line for step in asked for line in _LINES[step](frame, step is first.step)),
        *_hint_lines(frame),
        *(_paragraph(frame, LATER, "class:dim") if first.is_last else ()),
    )
    return titled(frame, "welcome", lines)


def _paragraph(frame: Frame, text: str, style: str = "") -> Iterator[Line]:
    yield from (plain(f"   {line}", style) for line in wrapped(text, frame.columns - 6))


def _name_lines(frame: Frame, active: bool) -> Iterator[Line]:  # noqa: FBT001 - called by table
    yield plain("   What is your name at the table?", "class:head")
    lead = (("class:chosen" if active else "", " > " if active else "   "), ("", "["))
    yield (*lead, *field(frame.desk.name, NAME_CELLS, active=active), ("", "]"))
    allowed = f"A to Z, digits, spaces, - and _, up to {MAX_NAME}"
    yield from _paragraph(frame, f"Enter takes it. Or another: {allowed}.", "class:dim")
    yield BLANK


def _suit_lines(frame: Frame, active: bool) -> Iterator[Line]:  # noqa: FBT001 - the same
    suits = joined([(frame.skin.suit_of(face),) for face in Face if face.rank is Rank.ACE], " ")
    if frame.desk.settings.ascii:
        yield (("class:head", "   Suits are letters now:   "), *suits)
        yield plain("   y tries the symbols once more.", "class:dim")
    else:
        yield (("class:head", "   Do you see four suits?   "), *suits)
        yield plain("   If there are boxes or question marks, press n.", "class:dim")
    if active:
        yield plain(" > Enter goes on with what you see.", "class:chosen")
    yield BLANK


def _lesson_lines(frame: Frame, active: bool) -> Iterator[Line]:  # noqa: FBT001 - the same
    yield plain("   Learn the game in about three minutes?", "class:head")
    yield from _paragraph(frame, "A real deal; each thing is explained as it happens.", "class:dim")
    if active:
        yield plain(" > Enter or y: yes.   n: I know the game.", "class:chosen")
    yield BLANK


def _hint_lines(frame: Frame) -> Iterator[Line]:
    if frame.state.hint:
        yield from _paragraph(frame, f"! {frame.state.hint}", "class:alert")


_LINES = {Step.NAME: _name_lines, Step.SUITS: _suit_lines, Step.LESSONS: _lesson_lines}
