"""Which of all bindings hold on the page of the moment: a lesson and the first start come first."""

from msgspec.structs import replace

from client.keys.bindings import (
    ANYWHERE,
    BELIEVE,
    BELIEVE_ALL,
    CLOSE,
    DOUBT,
    HELP,
    KIOSK,
    MENU,
    OVER,
    RANKS,
    Binding,
)
from client.keys.live import never
from client.keys.page_bindings import ON
from client.screens.deeds import Act
from client.screens.desk import Screen
from client.screens.frame import Frame
from client.start.first_run import Step

LESSON = (
    Binding(keys=("enter", "space"), act=Act.LESSON_ON, label="Enter", does="go on"),
    DOUBT,
    BELIEVE,
    BELIEVE_ALL,
    HELP,
    Binding(keys=CLOSE.keys, act=Act.LESSON_SKIP, label="Esc", does="skip"),
)
LESSON_TO_LAY = (*LESSON[:-2], replace(RANKS, leads=never), *LESSON[-2:])
"""Where the lesson says which keys to press, these do it; q is a queen before it skips."""

FIRST = {
    Step.NAME: (
        Binding(keys=("enter", "tab"), act=Act.ENTER, label="Enter", does="go on"),
        HELP,
        MENU,
    ),
    Step.SUITS: (
        Binding(keys=("enter", "tab", "space"), act=Act.ENTER, label="Enter", does="go on"),
        Binding(
            keys=("n",),
            act=Act.NO,
            label="n",
            does="no: letters",
            live=lambda frame: not frame.desk.settings.ascii,
        ),
        Binding(
            keys=("y",),
            act=Act.YES,
            label="y",
            does=lambda frame: "try symbols" if frame.desk.settings.ascii else "yes",
        ),
        HELP,
        Binding(keys=CLOSE.keys, act=Act.BACK, label="Esc", does="back"),
    ),
    Step.LESSONS: (
        Binding(keys=("enter", "y", "space"), act=Act.ENTER, label="Enter", does="yes, learn"),
        Binding(keys=("n",), act=Act.NO, label="n", does="no, I know it"),
        HELP,
        Binding(keys=CLOSE.keys, act=Act.BACK, label="Esc", does="back"),
    ),
}


def bindings_of(frame: Frame) -> tuple[Binding, ...]:
    """The keys of the page that is shown now."""
    desk = frame.desk
    if desk.overlay is not None:
        return (*OVER[desk.overlay], *ANYWHERE)
    if has_lesson(frame):
        return (*_lesson_bindings(frame), *ANYWHERE)
    return (*page_bindings(frame), *ANYWHERE)


def page_bindings(frame: Frame) -> tuple[Binding, ...]:
    """The keys of the page underneath."""
    desk = frame.desk
    if desk.first is not None:
        return FIRST[desk.first.step]
    return KIOSK if desk.kiosk and frame.screen is Screen.CONNECT else ON[frame.screen]


def _lesson_bindings(frame: Frame) -> tuple[Binding, ...]:
    tutorial = frame.desk.tutorial
    told = tutorial.open if tutorial is not None else None
    return LESSON_TO_LAY if told is not None and told.is_about_laying else LESSON


def has_lesson(frame: Frame) -> bool:
    """Whether a lesson lies over the page."""
    tutorial = frame.desk.tutorial
    shows = tutorial is not None and tutorial.open is not None
    return shows and frame.screen not in {Screen.CONNECT, Screen.HALL, Screen.FIRST}
