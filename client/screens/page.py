"""The one door to the screens: `draw(frame)` is the page as it looks now."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from client.screens.advice import lost_text, question_text, vote_text
from client.screens.confession import confession_page
from client.screens.connect import connect_page
from client.screens.desk import Overlay, Screen
from client.screens.first_page import first_page
from client.screens.frame import Frame
from client.screens.hall import hall_page
from client.screens.help_page import help_page
from client.screens.lobby import lobby_page
from client.screens.log_page import log_page
from client.screens.menu import menu_page
from client.screens.names import names_page
from client.screens.older import older_page
from client.screens.parts.cells import Page, cells, plain, wrapped
from client.screens.result import result_page
from client.screens.settings_page import settings_page
from client.screens.table import clock_text, state_text, table_page
from client.screens.too_small import is_too_small, too_small_page
from client.state import LinkState

Draw = Callable[[Frame], Page]

SCREENS: dict[Screen, Draw] = {
    Screen.FIRST: first_page,
    Screen.CONNECT: connect_page,
    Screen.HALL: hall_page,
    Screen.LOBBY: lobby_page,
    Screen.TABLE: table_page,
    Screen.RESULT: result_page,
}


def _evening_page(frame: Frame) -> Page:
    from client.screens.evening_page import evening_page  # noqa: PLC0415 - not on the first page

    return evening_page(frame)


OVERLAYS: dict[Overlay, Draw] = {
    Overlay.HELP: help_page,
    Overlay.MENU: menu_page,
    Overlay.LOG: log_page,
    Overlay.NAMES: names_page,
    Overlay.OLDER: older_page,
    Overlay.CONFESSION: confession_page,
    Overlay.EVENING: _evening_page,
    Overlay.SETTINGS: settings_page,
}


def draw(frame: Frame) -> Page:
    """Exactly `rows` lines of at most `columns` cells."""
    if is_too_small(frame):
        return too_small_page(frame)
    if frame.desk.overlay is not None:
        return with_strip(frame, OVERLAYS[frame.desk.overlay])
    if frame.screen is Screen.CONNECT:
        return with_strip(frame, connect_page)
    return _with_lesson(frame, SCREENS[frame.screen](frame))


def _with_lesson(frame: Frame, page: Page) -> Page:
    """An open lesson lies over the page of a lobby, a table or a result."""
    tutorial = frame.desk.tutorial
    if tutorial is None or tutorial.open is None or frame.state.lobby is None:
        return page
    from client.screens.lesson_box import with_lesson  # noqa: PLC0415 - few people take lessons

    return with_lesson(frame, page, tutorial.open)


def with_strip(frame: Frame, page: Draw) -> Page:
    """Above the key bar: what the table under this page is doing, a hint, a question.

    Every page leaves a row for it; where it takes more, the page has to do with fewer.
    """
    texts, width = tuple(_strip_texts(frame)), frame.columns - 2
    in_one = "   ".join(texts)
    texts = (in_one,) if cells(in_one) <= width else texts
    strip = [plain(f" {line}", "class:alert") for text in texts for line in wrapped(text, width)]
    lower = max(0, len(strip) - 1)
    drawn = page(replace(frame, rows=frame.rows - lower))
    return (*drawn[: len(drawn) - 2], *strip, drawn[-1]) if strip else drawn


def _strip_texts(frame: Frame) -> Iterator[str]:
    view = frame.state.table
    if frame.desk.asking is not None:
        yield question_text(frame, frame.desk.asking)
        return
    if frame.state.link.state is LinkState.LOST:
        yield lost_text(frame)
    if view is not None and frame.screen is Screen.TABLE:
        yield "   ".join(filter(None, (state_text(frame, view), clock_text(frame, view))))
        if frame.state.vote is not None:
            yield vote_text(frame, frame.state.vote)
    if frame.desk.overlay is not None and frame.state.hint:
        yield frame.state.hint
