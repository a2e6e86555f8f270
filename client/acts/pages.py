"""The acts before a server, in the hall, after a deal, and on the pages laid over. Pure."""

from msgspec.structs import replace

from client import selectors
from client.acts.done import Doer, Done, Wish, hinted, simply, typing, uncovered, within
from client.intents import in_lobby
from client.screens.connect import Alone, choices
from client.screens.deeds import Act
from client.screens.desk import Field, Overlay, Typing
from client.screens.frame import Frame
from client.screens.hall import chosen_listing
from client.screens.help_page import help_pages
from client.screens.log_page import log_length, log_rows
from client.screens.menu import chosen_row, menu_items
from client.state import Renamed
from client.stats import shown_plays
from client.words import LOBBY_GONE, NO_OPEN_LOBBY
from protocol.refusals import Refusal, explained
from protocol.text import is_a_name

FIELDS = tuple(Field)


# --- connect -------------------------------------------------------------------------------------


def _connect_enter(frame: Frame, _: str) -> Done:
    name = frame.desk.name.of(frame.desk.name.text.strip())  # a space at an end is not to be seen
    desk = replace(frame.desk, name=name)
    frame = replace(frame, desk=desk)
    if not is_a_name(name.text):
        named = replace(frame, desk=replace(desk, focus=Field.NAME))
        return hinted(named, explained(Refusal.BAD_NAME).sentence)
    chosen = choices(desk)
    if desk.focus is Field.ADDRESS or (desk.focus is Field.NAME and desk.address.text):
        return _connecting(frame, desk.address.text)
    if not chosen:
        return hinted(frame, "Type an address: Tab goes to the field.")
    choice = chosen[within(desk.row, len(chosen))]
    if isinstance(choice, Alone):
        wish = Wish.LEARN if choice is Alone.LEARN else Wish.PRACTISE
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
    row = within(desk.row + steps, len(choices(desk)))
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
    listing = chosen_listing(frame)
    if listing is None:
        return hinted(frame, LOBBY_GONE if frame.state.hall.lobbies else NO_OPEN_LOBBY)
    desk = replace(frame.desk, code=listing.code, watching=watch)
    if listing.password:
        return typing(replace(frame, desk=desk), Typing.PASSWORD)
    joining = in_lobby.join(frame.state, listing.code, watch=watch)
    return Done(desk=desk, told=(joining,))


def _hall_move(frame: Frame, steps: int) -> Done:
    listings, chosen = frame.state.hall.lobbies, chosen_listing(frame)
    if not listings:
        return Done(desk=frame.desk)
    # What came after a lobby that has gone stands in its row now.
    gone_to = frame.desk.row + min(0, steps)
    row = within(listings.index(chosen) + steps if chosen else gone_to, len(listings))
    return Done(desk=replace(frame.desk, row=row, hall_at=listings[row].code))


def _type_code(frame: Frame, _: str) -> Done:
    return typing(replace(frame, desk=replace(frame.desk, watching=False)), Typing.CODE)


HALL: dict[Act, Doer] = {
    Act.ENTER: lambda frame, _: _join_chosen(frame, watch=False),
    Act.WATCH: lambda frame, _: _join_chosen(frame, watch=True),
    Act.UP: lambda frame, _: _hall_move(frame, -1),
    Act.DOWN: lambda frame, _: _hall_move(frame, 1),
    Act.CREATE: lambda frame, _: typing(frame, Typing.CREATE, proposed="classic"),
    Act.CODE: _type_code,
}


# --- the result and the pages laid over ------------------------------------------------------------


def _to_lobby(frame: Frame, _: str) -> Done:
    table = selectors.public(frame.state)
    return Done(desk=replace(frame.desk, result_read=table.deal if table else None))


RESULT: dict[Act, Doer] = {
    Act.ENTER: _to_lobby,
    Act.TO_LOBBY: _to_lobby,
    Act.SPACE: simply(lambda frame: in_lobby.ready(frame.state)),
}


def _close(frame: Frame, _: str) -> Done:
    return Done(desk=uncovered(frame.desk))


def _scroll(frame: Frame, lines: int) -> Done:
    tops = max(0, log_length(frame) - log_rows(frame)) + 1
    scrolled = within(within(frame.desk.scrolled, tops) + lines, tops)
    return Done(desk=replace(frame.desk, scrolled=scrolled))


def _turn_page(frame: Frame, pages: int) -> Done:
    count = len(help_pages(frame))  # fewer than before, perhaps, in a window that has grown
    page = within(within(frame.desk.page, count) + pages, count)
    return Done(desk=replace(frame.desk, page=page))


def _step(frame: Frame, steps: int) -> Done:
    plays = len(shown_plays(frame.state.table)) if frame.state.table else 0
    return Done(desk=replace(frame.desk, step=within(frame.desk.step + steps, plays)))


def _menu_move(frame: Frame, steps: int) -> Done:
    items = menu_items(frame)
    item = items[(chosen_row(frame) + steps) % len(items)]
    return Done(desk=replace(frame.desk, menu_at=item.deed))


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
