"""What is said once the client is over: the way back, and to a guest why it ended."""

import shlex
from collections.abc import Iterator

from client import selectors
from client.screens.desk import Desk
from client.settings import DEFAULTS, Settings
from client.state import ClientState, LinkState
from client.way_in.address import in_a_command
from client.way_in.invites import hosted_at


def parting_text(state: ClientState, desk: Desk) -> str:
    """How to come back (RULES D2), the command on a line of its own.

    There is no way back to a practice.
    """
    if desk.kiosk:
        return "\n".join(_kiosk_texts(state))
    if state.lobby is None or desk.passing:
        return ""
    there = f"{state.link.address}/{in_a_command(state.lobby.code)}"
    options = (shlex.join(option) for option in _options(state, desk.settings))
    return f"{_seat_text(state)}\n  {' '.join(('facedown join', there, *options))}"


def _options(state: ClientState, settings: Settings) -> Iterator[tuple[str, ...]]:
    """What has to be said again: without it one would come as somebody else, or to a seat."""
    if settings.profile != DEFAULTS.profile:
        yield "--profile", settings.profile
    if settings.origins.of("name") == "--name":
        yield "--name", state.name
    if settings.origins.of("plain") == "--plain":
        yield ("--plain",)
    if selectors.my_lobby_seat(state) is None:
        yield ("--spectate",)


def _seat_text(state: ClientState) -> str:
    """What becomes of my seat, and what the command behind it does."""
    if selectors.my_lobby_seat(state) is None:
        again = state.lobby is not None and state.lobby.password
        return f"To come back{', with its password' if again else ''}:"
    if state.unkept:
        why = f"its secret could not be kept in {state.unkept}"
        return f"You cannot come back to your seat: {why}. To come as somebody new:"
    if state.link.ended:
        return "Your seat is kept. To come back once the server runs again:"
    while_up = " while the server runs" if hosted_at(state) else ""
    return f"Your seat is kept{while_up}. To come back:"


def _kiosk_texts(state: ClientState) -> Iterator[str]:
    """The same for a guest, whom nothing else on this account tells; and why it ended, if by itself."""
    if state.link.state is LinkState.REFUSED:
        yield state.link.text
    elif state.lobby is not None:
        kept = "Your seat is kept. " if selectors.my_lobby_seat(state) else ""
        way = f"{state.ssh}{in_a_command(state.lobby.code)}" if state.ssh else "log in again"
        yield f"{kept}To come back:\n  {way}"
    if state.phrase and state.link.code is None:
        yield f"Your rejoin phrase:  {state.phrase}"
