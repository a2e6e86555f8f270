"""What keys do while a lesson of the tutorial is open. Pure."""

from msgspec.structs import replace

from client import selectors
from client.acts import table
from client.acts.done import Doer, Done, bare, hinted
from client.lessons.tutorial import FRESH_S, again, skipped, turned
from client.screens.deeds import Act
from client.screens.frame import Frame
from client.state import Hinted, Noted

JUST_OPENED = "An explanation has come up: read it, then press Enter."
PAUSED = "The table goes on in three seconds: press it again then."
SKIPPED = "No more explanations. The menu (Esc) brings them back."


def _on(frame: Frame, _: str) -> Done:
    tutorial = frame.desk.tutorial
    if tutorial is None:
        return Done(desk=frame.desk)
    if frame.now - tutorial.opened_at < FRESH_S:
        return hinted(frame, JUST_OPENED)
    return Done(desk=replace(frame.desk, tutorial=turned(tutorial)))


def _skip(frame: Frame, _: str) -> Done:
    tutorial = frame.desk.tutorial
    if tutorial is None:
        return Done(desk=frame.desk)
    desk = replace(frame.desk, tutorial=skipped(tutorial))
    return Done(desk=desk, told=(Noted(text=SKIPPED),))


def _answering(act: Act) -> Doer:
    """Doubting and believing answer the lesson, too: it has been understood."""

    def answered(frame: Frame, about: str) -> Done:
        read = _on(frame, "")
        if read.told:
            return read
        if not selectors.hears(frame.state):
            return Done(desk=read.desk, told=(Hinted(text=PAUSED),))
        return table.AT_TABLE[act](replace(frame, desk=read.desk), about)

    return answered


def _pick(frame: Frame, key: str) -> Done:
    """A lesson that says what to lay is answered by doing it."""
    read = _on(frame, "")
    return read if read.told else table.pick(replace(frame, desk=read.desk), key)


LESSON: dict[Act, Doer] = {
    Act.LESSON_ON: _on,
    Act.LESSON_SKIP: _skip,
    Act.PICK: _pick,
    **{act: _answering(act) for act in (Act.DOUBT, Act.BELIEVE, Act.BELIEVE_ALL)},
}


def _lessons_again(frame: Frame, _: str) -> Done:
    tutorial = frame.desk.tutorial
    if tutorial is None:
        return Done(desk=frame.desk)
    return Done(desk=replace(bare(frame.desk), tutorial=again(tutorial)))


MENU: dict[Act, Doer] = {Act.LESSONS: _lessons_again}
"""All lessons once more, at the table as it is."""
