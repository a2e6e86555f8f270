"""The acts of every page but the table: moving in lists, joining, setting options, typing. Pure."""

from msgspec.structs import replace

from client import lobby_intents, selectors
from client.acts import (
    LEAVE_TWICE_S,
    Doer,
    Done,
    Wish,
    asked,
    hinted,
    opened,
    simply,
    telling,
    typing,
)
from client.invites import invites
from client.screens.acts import Act
from client.screens.connect import Here, choices
from client.screens.desk import Desk, Field, Overlay, Question, Said, Typing
from client.screens.frame import Frame
from client.screens.hall import chosen_listing
from client.screens.help_page import help_pages
from client.screens.log_page import log_length, log_rows
from client.screens.menu import menu_items
from client.screens.rule_bundles import CHOICES
from client.state import Renamed
from client.stats import shown_plays
from client.suggestions import NOTHING_BETTER, suggestions, with_suggestions
from protocol.codes import rules_code
from protocol.events import LobbySettings
from protocol.numbers import Seat
from protocol.refusals import Refusal, explained
from protocol.text import is_a_name

FIELDS = tuple(Field)


def _within(row: int, length: int) -> int:
    return min(max(0, length - 1), max(0, row))


# --- connect -------------------------------------------------------------------------------------


def _connect_enter(frame: Frame, _: str) -> Done:
    desk = frame.desk
    if not is_a_name(desk.name.text):
        named = replace(frame, desk=replace(desk, focus=Field.NAME))
        return hinted(named, explained(Refusal.BAD_NAME).sentence)
    chosen = choices(desk)
    if desk.focus is Field.ADDRESS or (desk.focus is Field.NAME and desk.address.text):
        return _connecting(frame, desk.address.text)
    if not chosen:
        return hinted(frame, "Type an address: Tab goes to the field.")
    choice = chosen[_within(desk.row, len(chosen))]
    if isinstance(choice, Here):
        wish = Wish.LEARN if choice is Here.LEARN else Wish.PRACTISE
        return Done(desk=desk, told=(Renamed(name=desk.name.text),), wish=wish)
    return _connecting(frame, choice.address)


def _connecting(frame: Frame, address: str) -> Done:
    if not address.strip():
        return hinted(frame, "Type an address: host, host:port or host/FOX-42.")
    told = (Renamed(name=frame.desk.name.text),)
    return Done(desk=frame.desk, told=told, wish=Wish.CONNECT, about=address)


def _connect_move(frame: Frame, steps: int) -> Done:
    desk = frame.desk
    if desk.focus is not Field.RECENT:
        return _connect_tab(frame, "")
    row = _within(desk.row + steps, len(choices(desk)))
    return Done(desk=replace(desk, row=row))


def _connect_tab(frame: Frame, _: str) -> Done:
    focus = FIELDS[(FIELDS.index(frame.desk.focus) + 1) % len(FIELDS)]
    return Done(desk=replace(frame.desk, focus=focus))


CONNECT: dict[Act, Doer] = {
    Act.ENTER: _connect_enter,
    Act.UP: lambda frame, _: _connect_move(frame, -1),
    Act.DOWN: lambda frame, _: _connect_move(frame, 1),
    Act.TAB: _connect_tab,
}


# --- the hall ------------------------------------------------------------------------------------


def _join_chosen(frame: Frame, *, watch: bool) -> Done:
    listing = chosen_listing(frame.state, frame.desk.row)
    if listing is None:
        return hinted(frame, "No open lobby here: c opens one, f takes a code.")
    desk = replace(frame.desk, code=listing.code, watching=watch)
    if listing.password:
        return typing(replace(frame, desk=desk), Typing.PASSWORD)
    joining = lobby_intents.join(frame.state, listing.code, watch=watch)
    return Done(desk=desk, told=(joining,))


def _hall_move(frame: Frame, steps: int) -> Done:
    row = _within(frame.desk.row + steps, len(frame.state.hall.lobbies))
    return Done(desk=replace(frame.desk, row=row))


def _type_code(frame: Frame, _: str) -> Done:
    return typing(replace(frame, desk=replace(frame.desk, watching=False)), Typing.CODE)


HALL: dict[Act, Doer] = {
    Act.ENTER: lambda frame, _: _join_chosen(frame, watch=False),
    Act.WATCH: lambda frame, _: _join_chosen(frame, watch=True),
    Act.UP: lambda frame, _: _hall_move(frame, -1),
    Act.DOWN: lambda frame, _: _hall_move(frame, 1),
    Act.CREATE: lambda frame, _: typing(frame, Typing.CREATE, "classic"),
    Act.CODE: _type_code,
}


# --- the lobby -----------------------------------------------------------------------------------


def _lobby_move(frame: Frame, steps: int) -> Done:
    desk, lobby = frame.desk, frame.state.lobby
    if desk.on_seats:
        seats = max(lobby.settings.size, len(lobby.seats)) if lobby else 0
        return Done(desk=replace(desk, seat_row=_within(desk.seat_row + steps, seats)))
    return Done(desk=replace(desk, row=_within(desk.row + steps, len(CHOICES))))


def _turn(frame: Frame, steps: int) -> Done:
    lobby = frame.state.lobby
    if lobby is None:
        return hinted(frame, lobby_intents.NO_LOBBY)
    if frame.desk.on_seats:
        return Done(desk=replace(frame.desk, on_seats=False))
    turned = CHOICES[_within(frame.desk.row, len(CHOICES))].turned(lobby, steps)
    if isinstance(turned, LobbySettings):
        return telling(frame, lobby_intents.set_settings(frame.state, turned))
    return telling(frame, lobby_intents.set_rules(frame.state, rules_code(turned)))


def _lobby_enter(frame: Frame, _: str) -> Done:
    lobby, desk = frame.state.lobby, frame.desk
    if lobby is None or not desk.on_seats:
        return _turn(frame, 1)
    if desk.seat_row >= len(lobby.seats):
        return _computers(frame, "")
    name = lobby.seats[desk.seat_row].name
    if name == frame.state.name or not selectors.is_host(frame.state):
        return opened(frame, Overlay.MENU)
    return opened(frame, Overlay.MENU, name)


def _computers(frame: Frame, _: str) -> Done:
    if not selectors.is_host(frame.state):
        return hinted(frame, explained(Refusal.NOT_HOST).sentence)
    return opened(frame, Overlay.MENU, Act.COMPUTERS)


def _start(frame: Frame, _: str) -> Done:
    lobby = frame.state.lobby
    seats = lobby.seats if lobby else ()
    others_ready = all(seat.ready for seat in seats if seat.name != frame.state.name)
    can = selectors.is_host(frame.state) and selectors.between_deals(frame.state)
    if can and len(seats) >= 2 and not others_ready:  # noqa: PLR2004
        return asked(frame, Question.START_ANYWAY)
    return telling(frame, lobby_intents.start(frame.state))


def _invite(frame: Frame, _: str) -> Done:
    if frame.desk.kiosk:
        return hinted(frame, "Copying is switched off here: select the line with the mouse.")
    return Done(desk=frame.desk, wish=Wish.COPY, about=invites(frame.state)[0].text)


def _copy_code(frame: Frame, _: str) -> Done:
    lobby = frame.state.lobby
    if lobby is None:
        return hinted(frame, lobby_intents.NO_LOBBY)
    if frame.desk.kiosk:
        return hinted(frame, "Copying is switched off here: select the code with the mouse.")
    return Done(desk=frame.desk, wish=Wish.COPY, about=rules_code(lobby.rules))


def _suggested(frame: Frame, _: str) -> Done:
    lobby = frame.state.lobby
    if lobby is None or not suggestions(lobby):
        return hinted(frame, NOTHING_BETTER)
    code = rules_code(with_suggestions(lobby))
    return telling(frame, lobby_intents.set_rules(frame.state, code))


def _seat(about: str) -> Seat | None:
    return Seat(int(about)) if about else None


LOBBY: dict[Act, Doer] = {
    Act.ENTER: _lobby_enter,
    Act.UP: lambda frame, _: _lobby_move(frame, -1),
    Act.DOWN: lambda frame, _: _lobby_move(frame, 1),
    Act.LEFT: lambda frame, _: _turn(frame, -1),
    Act.RIGHT: lambda frame, _: _turn(frame, 1),
    Act.TAB: lambda frame, _: Done(desk=replace(frame.desk, on_seats=not frame.desk.on_seats)),
    Act.SPACE: simply(lambda frame: lobby_intents.ready(frame.state)),
    Act.COMPUTERS: _computers,
    Act.INVITE: _invite,
    Act.COPY_RULES: _copy_code,
    Act.SUGGESTED: _suggested,
}

IN_LOBBY: dict[Act, Doer] = {
    Act.READY: simply(lambda frame: lobby_intents.ready(frame.state)),
    Act.START: _start,
    Act.START_ANYWAY: simply(lambda frame: lobby_intents.start(frame.state, anyway=True)),
    Act.SHUFFLE: simply(lambda frame: lobby_intents.shuffle(frame.state)),
    Act.STAND: simply(lambda frame: lobby_intents.stand(frame.state)),
    Act.SIT: lambda frame, about: telling(frame, lobby_intents.sit(frame.state, _seat(about))),
    Act.ADD: lambda frame, about: telling(frame, lobby_intents.add(frame.state, about)),
    Act.REMOVE: lambda frame, about: telling(frame, lobby_intents.remove(frame.state, about)),
    Act.HAND_OVER: lambda frame, about: telling(frame, lobby_intents.hand_over(frame.state, about)),
    Act.ADMIT: lambda frame, about: telling(
        frame, lobby_intents.answer_seat(frame.state, about, yes=True)
    ),
    Act.TURN_AWAY: lambda frame, about: telling(
        frame, lobby_intents.answer_seat(frame.state, about, yes=False)
    ),
}


# --- the result and the pages laid over ------------------------------------------------------------


def _to_lobby(frame: Frame, _: str) -> Done:
    table = selectors.public(frame.state)
    return Done(desk=replace(frame.desk, result_read=table.deal if table else None))


RESULT: dict[Act, Doer] = {
    Act.ENTER: _to_lobby,
    Act.TO_LOBBY: _to_lobby,
    Act.SPACE: simply(lambda frame: lobby_intents.ready(frame.state)),
}


def _close(frame: Frame, _: str) -> Done:
    return Done(desk=replace(frame.desk, overlay=None))


def _scroll(frame: Frame, lines: int) -> Done:
    most = max(0, log_length(frame) - log_rows(frame))
    return Done(desk=replace(frame.desk, scrolled=min(most, max(0, frame.desk.scrolled + lines))))


def _turn_page(frame: Frame, pages: int) -> Done:
    last = len(help_pages(frame))
    return Done(desk=replace(frame.desk, page=_within(frame.desk.page + pages, last)))


def _step(frame: Frame, steps: int) -> Done:
    plays = len(shown_plays(frame.state.table)) if frame.state.table else 0
    return Done(desk=replace(frame.desk, step=_within(frame.desk.step + steps, plays)))


def _menu_move(frame: Frame, steps: int) -> Done:
    row = (frame.desk.menu_row + steps) % max(1, len(menu_items(frame)))
    return Done(desk=replace(frame.desk, menu_row=row))


OVER: dict[Overlay, dict[Act, Doer]] = {
    Overlay.HELP: {
        Act.ENTER: _close,
        Act.SPACE: lambda frame, _: _turn_page(frame, 1),
        Act.PAGE_DOWN: lambda frame, _: _turn_page(frame, 1),
        Act.DOWN: lambda frame, _: _turn_page(frame, 1),
        Act.PAGE_UP: lambda frame, _: _turn_page(frame, -1),
        Act.UP: lambda frame, _: _turn_page(frame, -1),
    },
    Overlay.MENU: {
        Act.UP: lambda frame, _: _menu_move(frame, -1),
        Act.DOWN: lambda frame, _: _menu_move(frame, 1),
    },
    Overlay.LOG: {
        Act.ENTER: _close,
        Act.UP: lambda frame, _: _scroll(frame, 1),
        Act.DOWN: lambda frame, _: _scroll(frame, -1),
        Act.PAGE_UP: lambda frame, _: _scroll(frame, frame.rows - 4),
        Act.PAGE_DOWN: lambda frame, _: _scroll(frame, 4 - frame.rows),
        Act.SPACE: lambda frame, _: _scroll(frame, 4 - frame.rows),
    },
    Overlay.NAMES: {Act.ENTER: _close},
    Overlay.EVENING: {Act.ENTER: _close},
    Overlay.CONFESSION: {
        Act.ENTER: _close,
        Act.UP: lambda frame, _: _step(frame, -1),
        Act.DOWN: lambda frame, _: _step(frame, 1),
        Act.SPACE: lambda frame, _: _step(frame, 1),
        Act.PAGE_UP: lambda frame, _: _step(frame, 4 - frame.rows),
        Act.PAGE_DOWN: lambda frame, _: _step(frame, frame.rows - 4),
    },
}


def settled(frame: Frame) -> Desk:
    """The desk once the page has changed by itself: a new one, an old question, a claim without cards."""
    desk = frame.desk
    if desk.asking is Question.LEAVE and frame.now - desk.asked_at > LEAVE_TWICE_S:
        desk = replace(desk, asking=None)
    if desk.said != Said() and not frame.state.picks:
        desk = replace(desk, said=Said())
    if frame.screen is desk.screen:
        return desk
    typed = None if desk.typing is not Typing.SAY else Typing.SAY
    return replace(
        desk,
        screen=frame.screen,
        screen_since=frame.now,
        overlay=None,
        typing=typed,
        asking=None,
        row=0,
        seat_row=0,
        on_seats=False,
        column=None,
    )
