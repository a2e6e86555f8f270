"""The acts in a lobby: its rules and seats, readiness, the host's tools, the invitation. Pure."""

from msgspec.structs import replace

from client import selectors
from client.acts.done import Doer, Done, Wish, asked, hinted, opened, simply, telling, within
from client.intents import in_lobby
from client.rule_bundles import CHOICES
from client.screens.deeds import Act
from client.screens.desk import Overlay, Question
from client.screens.frame import Frame
from client.screens.menu import is_for_good
from client.suggestions import NOTHING_BETTER, suggestions, with_suggestions
from client.way_in.invites import FOR_FRIENDS, invites
from protocol.codes import rules_code
from protocol.commands import RemoveSeat, StartDeal
from protocol.events import LobbySettings
from protocol.numbers import Seat
from protocol.refusals import Refusal, explained


def _move(frame: Frame, steps: int) -> Done:
    desk, lobby = frame.desk, frame.state.lobby
    if desk.on_seats:
        seats = max(lobby.settings.size, len(lobby.seats)) if lobby else 0
        row = within(desk.seat_row + steps, seats)
        name = lobby.seats[row].name if lobby and row < len(lobby.seats) else ""
        return Done(desk=replace(desk, seat_row=row, seat_at=name))
    return Done(desk=replace(desk, row=within(desk.row + steps, len(CHOICES))))


def _turn(frame: Frame, steps: int) -> Done:
    lobby = selectors.lobby_asked_for(frame.state)
    if lobby is None:
        return hinted(frame, in_lobby.NO_LOBBY)
    if frame.desk.on_seats:
        return Done(desk=replace(frame.desk, on_seats=False))
    turned = CHOICES[within(frame.desk.row, len(CHOICES))].turned(lobby, steps)
    if isinstance(turned, LobbySettings):
        return telling(frame, in_lobby.set_settings(frame.state, turned))
    return telling(frame, in_lobby.set_rules(frame.state, rules_code(turned)))


def _enter(frame: Frame, _: str) -> Done:
    lobby, desk = frame.state.lobby, frame.desk
    if lobby is None or not desk.on_seats:
        return _turn(frame, 1)
    if desk.seat_row >= len(lobby.seats):
        return _computers(frame, "")
    name = lobby.seats[desk.seat_row].name
    if name == frame.state.name:
        return opened(frame, Overlay.MENU)
    if not selectors.acts_as_host(frame.state):
        return hinted(frame, explained(Refusal.NOT_HOST).sentence)
    return opened(frame, Overlay.MENU, name)


def _space(frame: Frame, _: str) -> Done:
    """Ready or not; whoever watches between deals takes a seat."""
    state = frame.state
    watches = selectors.my_lobby_seat(state) is None and selectors.between_deals(state)
    return telling(frame, in_lobby.sit(state) if watches else in_lobby.ready(state))


def _computers(frame: Frame, _: str) -> Done:
    if not selectors.acts_as_host(frame.state):
        return hinted(frame, explained(Refusal.NOT_HOST).sentence)
    return opened(frame, Overlay.MENU, Act.COMPUTERS)


def _start(frame: Frame, _: str) -> Done:
    can = isinstance(in_lobby.start(frame.state, anyway=True), StartDeal)
    if can and selectors.others_not_ready(frame.state):
        return asked(frame, Question.START_ANYWAY)
    return telling(frame, in_lobby.start(frame.state))


def _invite(frame: Frame, _: str) -> Done:
    if frame.desk.passing:
        return hinted(frame, FOR_FRIENDS)
    if frame.desk.kiosk:
        return hinted(frame, "Copying is switched off here: select the line with the mouse.")
    return Done(desk=frame.desk, wish=Wish.COPY, about=invites(frame.state)[0].text)


def _copy_code(frame: Frame, _: str) -> Done:
    lobby = frame.state.lobby
    if lobby is None:
        return hinted(frame, in_lobby.NO_LOBBY)
    if frame.desk.kiosk:
        return hinted(frame, "Copying is switched off here: select the code with the mouse.")
    return Done(desk=frame.desk, wish=Wish.COPY, about=rules_code(lobby.rules))


def _suggested(frame: Frame, _: str) -> Done:
    lobby = selectors.lobby_asked_for(frame.state)
    if lobby is None or not suggestions(lobby):
        return hinted(frame, NOTHING_BETTER)
    code = rules_code(with_suggestions(lobby))
    return telling(frame, in_lobby.set_rules(frame.state, code))


def _remove(frame: Frame, name: str) -> Done:
    removing = in_lobby.remove(frame.state, name)
    if isinstance(removing, RemoveSeat) and is_for_good(frame.state, name):
        return asked(frame, Question.REMOVE, name)
    return telling(frame, removing)


def _seat(about: str) -> Seat | None:
    return Seat(int(about)) if about else None


LOBBY: dict[Act, Doer] = {
    Act.ENTER: _enter,
    Act.UP: lambda frame, _: _move(frame, -1),
    Act.DOWN: lambda frame, _: _move(frame, 1),
    Act.LEFT: lambda frame, _: _turn(frame, -1),
    Act.RIGHT: lambda frame, _: _turn(frame, 1),
    Act.TAB: lambda frame, _: Done(desk=replace(frame.desk, on_seats=not frame.desk.on_seats)),
    Act.SPACE: _space,
    Act.COMPUTERS: _computers,
    Act.INVITE: _invite,
    Act.COPY_RULES: _copy_code,
    Act.SUGGESTED: _suggested,
}

IN_LOBBY: dict[Act, Doer] = {
    Act.READY: simply(lambda frame: in_lobby.ready(frame.state)),
    Act.START: _start,
    Act.START_ANYWAY: simply(lambda frame: in_lobby.start(frame.state, anyway=True)),
    Act.SHUFFLE: simply(lambda frame: in_lobby.shuffle(frame.state)),
    Act.STAND: simply(lambda frame: in_lobby.stand(frame.state)),
    Act.SIT: lambda frame, about: telling(frame, in_lobby.sit(frame.state, _seat(about))),
    Act.ADD: lambda frame, about: telling(frame, in_lobby.add(frame.state, about)),
    Act.REMOVE: _remove,
    Act.HAND_OVER: lambda frame, about: telling(frame, in_lobby.hand_over(frame.state, about)),
    Act.ADMIT: lambda frame, about: telling(
        frame, in_lobby.answer_seat(frame.state, about, yes=True)
    ),
    Act.TURN_AWAY: lambda frame, about: telling(
        frame, in_lobby.answer_seat(frame.state, about, yes=False)
    ),
}
