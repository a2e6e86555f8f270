"""How a run of the full-screen client begins: the desk as a person finds it."""

from client.full_screen.teaching import with_lessons
from client.kept import recents
from client.screens.desk import Desk, Field, Screen
from client.screens.editor import Editor
from client.settings import Settings
from client.start.visit import Visit
from protocol.text import MAX_NAME


def first_desk(visit: Visit, settings: Settings) -> Desk:
    """The desk as a person finds it."""
    name = Editor(limit=MAX_NAME)
    address = "" if visit.address is None or visit.passing else str(visit.address)
    desk = Desk(
        settings=settings,
        focus=Field.ADDRESS if address and not settings.kiosk else Field.RECENT,
        name=name.of(visit.name) if visit.first is None else name.proposing(visit.name),
        address=Editor(limit=80).of(address),
        recents=recents.load(visit.folder),
        can_practise=not address and not settings.kiosk,
        passing=visit.passing,
        first=visit.first,
        screen=Screen.CONNECT if visit.first is None else Screen.FIRST,
    )
    return with_lessons(desk) if visit.learn else desk
