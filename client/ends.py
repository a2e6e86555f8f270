"""How a run of the full-screen client begins and ends: the first desk, and the parting line."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from client import recents, selectors
from client.screens.desk import Desk, Field, Screen
from client.screens.editor import Editor
from client.settings import Settings
from client.state import ClientState, LinkState
from client.visit import Visit
from protocol.text import MAX_NAME

if TYPE_CHECKING:
    from client.tutorial import Tutorial


def first_desk(visit: Visit, settings: Settings) -> Desk:
    """The desk as a person finds it."""
    name = Editor(limit=MAX_NAME)
    return Desk(
        settings=settings,
        focus=Field.ADDRESS if visit.address and not settings.kiosk else Field.RECENT,
        name=name.of(visit.name) if visit.first is None else name.proposing(visit.name),
        address=Editor(limit=80).of(str(visit.address) if visit.address else ""),
        recents=recents.load(visit.folder),
        can_practise=visit.address is None and not settings.kiosk,
        kiosk=settings.kiosk,
        passing=visit.passing,
        first=visit.first,
        screen=Screen.CONNECT if visit.first is None else Screen.FIRST,
        tutorial=_tutorial() if visit.learn else None,
    )


def _tutorial() -> "Tutorial":
    from client.tutorial import Tutorial  # noqa: PLC0415 - few people take lessons

    return Tutorial()


def parting_text(state: ClientState, desk: Desk) -> str:
    """One line for the normal screen: how to come back (RULES D2). There is no way to a practice."""
    if desk.kiosk:
        return "\n".join(_kiosk_texts(state))
    if state.lobby is None or desk.passing:
        return ""
    while_up = " while the server runs" if state.invite else ""
    kept = f"Your seat is kept{while_up}. " if selectors.my_lobby_seat(state) else ""
    return f"{kept}To come back: facedown join {state.link.address}/{state.lobby.code}"


def _kiosk_texts(state: ClientState) -> Iterator[str]:
    """The same for a guest, whom nothing else on this account tells; and why it ended, if by itself."""
    if state.link.state is LinkState.REFUSED:
        yield state.link.text
    elif state.lobby is not None:
        kept = "Your seat is kept. " if selectors.my_lobby_seat(state) else ""
        way = f"{state.ssh}{state.lobby.code}" if state.ssh else "log in again"
        yield f"{kept}To come back:  {way}"
    if state.phrase and state.link.code is None:
        yield f"Your rejoin phrase:  {state.phrase}"
