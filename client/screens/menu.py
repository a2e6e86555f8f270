"""The menu: what can be done here now, one line for each; also for one seat or a computer player."""

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from client import selectors
from client.screens.deeds import Act, Deed
from client.screens.desk import Screen
from client.screens.frame import Frame
from client.screens.leaving import with_cost
from client.screens.parts.cells import BLANK, Line, Page, plain, wrapped
from client.screens.titled import titled
from client.state import ClientState
from client.words import KINDS, name_of
from protocol.events import Chair, LobbyState, SeatKind
from protocol.text import clean

FIXED = 4  # rows for title, gap, what the table is doing, keys
WRAPPED = 7  # cells before the second line of a long item
BACK = Deed(act=Act.BACK)


class Item(Struct, frozen=True, kw_only=True):
    """One line of a menu."""

    label: str
    deed: Deed


def menu_page(frame: Frame) -> Page:
    """The open menu on a page of its own."""
    items = menu_items(frame)
    row, space = chosen_row(frame), frame.rows - FIXED
    each = [
        tuple(_item_lines(frame, item, chosen=place == row)) for place, item in enumerate(items)
    ]
    first = max(0, sum(map(len, each[: row + 1])) - space)
    lines = tuple(chain.from_iterable(each))
    where = f"{row + 1} of {len(items)}" if len(lines) > space else ""
    shown = (BLANK, *lines[first:])  # the last row is free between deals
    return titled(frame, menu_title(frame), shown, where=where)


def _item_lines(frame: Frame, item: Item, *, chosen: bool) -> Iterator[Line]:
    mark = "   > " if chosen else "     "
    for text in wrapped(item.label, frame.columns - WRAPPED):
        yield plain(f"{mark}{text}", "class:chosen" if chosen else "")
        mark = " " * WRAPPED


def menu_title(frame: Frame) -> str:
    """What the menu is about."""
    about = frame.desk.menu_about
    if about == Act.COMPUTERS:
        return "add which computer player?"
    return f"menu: {clean(about)}" if about else "menu"


def menu_items(frame: Frame) -> tuple[Item, ...]:
    """The lines of the open menu."""
    about = frame.desk.menu_about
    if about == Act.COMPUTERS:
        return (*_computers(frame.state), _item("back", Act.BACK))
    if about:
        return (*_about_person(frame.state, about), _item("back", Act.BACK))
    return tuple(_main(frame))


def chosen_row(frame: Frame) -> int:
    """Where the cursor is: with its line, wherever that moves to, and on the way back once it has gone."""
    at = frame.desk.menu_at
    deeds = [item.deed for item in menu_items(frame)]
    return 0 if at is None else deeds.index(at if at in deeds else BACK)


def is_for_good(state: ClientState, name: str) -> bool:
    """Whether somebody who is removed now cannot come back (RULES D6): only computer players can."""
    seat = selectors.lobby_seat(state, name)
    return seat is None or seat.kind is SeatKind.PERSON


def _item(label: str, act: Act, about: str = "") -> Item:
    return Item(label=label, deed=Deed(act=act, about=about))


def _computers(state: ClientState) -> Iterator[Item]:
    for temperament in state.welcome.temperaments if state.welcome else ():
        about = KINDS.get(temperament, "")
        label = f"{clean(temperament)}{': ' if about else ''}{about}"
        yield _item(label, Act.ADD, temperament)


def _about_person(state: ClientState, name: str) -> Iterator[Item]:
    seat, who = selectors.lobby_seat(state, name), clean(name)
    if name in selectors.asking_for_seats(state):
        yield from _admitting(name)
    if seat and seat.kind is SeatKind.PERSON and name != state.name:
        yield _item(f"make {who} the host", Act.HAND_OVER, name)
    if name != state.name:
        gone = "for good" if is_for_good(state, name) else "from the lobby"
        yield _item(f"remove {who} {gone}", Act.REMOVE, name)


def _main(frame: Frame) -> Iterator[Item]:
    yield _item("back to the table" if frame.screen is Screen.TABLE else "back", Act.BACK)
    before_a_server = frame.screen in {Screen.FIRST, Screen.CONNECT}
    if not before_a_server:
        yield from _what_it_was_opened_for(frame.state)
    yield _item("help", Act.HELP)
    if frame.state.lobby is not None and not before_a_server:  # that of the server before, perhaps
        yield from _in_lobby(frame.state, frame.state.lobby)
    yield _item("settings: colours, suits, bell ...", Act.SETTINGS)
    if frame.desk.tutorial is not None:
        yield _item("all explanations once more", Act.LESSONS)
    if not before_a_server:
        yield _item("leave this server", Act.DISCONNECT)
    yield _item(with_cost(frame, "quit", " ({})"), Act.QUIT)


def _in_lobby(state: ClientState, lobby: LobbyState) -> Iterator[Item]:
    yield _item("say something", Act.SAY)
    if selectors.dealing(state):
        yield from _during_a_deal(state)
    else:
        yield from _between_deals(state)
    if selectors.acts_as_host(state):
        for name in selectors.asking_for_seats(state):
            yield from _admitting(name)
        for name in lobby.watching:
            if name != state.name:
                yield _item(f"remove {clean(name)}, who is watching, for good", Act.REMOVE, name)
    yield _item("leave the lobby", Act.LEAVE_LOBBY)


def _what_it_was_opened_for(state: ClientState) -> Iterator[Item]:
    """What the table says that Esc is for, while it says so."""
    if not selectors.dealing(state):
        return
    if selectors.may_resume(state):
        yield _item("go on with the deal", Act.RESUME)
    if _stood_in(state):
        yield _item("take my seat back", Act.RETURN)


def _stood_in(state: ClientState) -> bool:
    return selectors.gave_up(state) or selectors.my_chair(state) is Chair.STAND_IN


def _during_a_deal(state: ClientState) -> Iterator[Item]:
    yield _item("the log of this deal", Act.LOG)
    yield _item("who sits where", Act.NAMES)
    chair = selectors.my_chair(state)
    if chair is None and not _stood_in(state):
        yield from _seats_to_ask_for(state)
    if selectors.holds_a_seat(state):
        yield from _pausing(state)
        if state.vote is None:  # one at a time (RULES D6)
            yield _item("call a vote to end the deal", Act.VOTE_END)
        yield from _hurrying(state)
    elif selectors.is_host(state):  # who may do this without a seat, too (RULES D1, D9)
        yield from _pausing(state)
        yield from _hurrying(state)
    if selectors.may_end_what_nobody_plays(state):
        yield _item("end the deal, which no person plays any more", Act.VOTE_END)
    if chair is Chair.OWNER:
        yield _item("give up my seat for this deal", Act.GIVE_UP)


def _hurrying(state: ClientState) -> Iterator[Item]:
    """A clock for somebody else, while nothing but their turn is waited for (RULES D1)."""
    table = selectors.public(state)
    if table is not None and selectors.why_no_clock(state) is None:
        label = f"start a clock of 30 s for {name_of(table, table.turn)}, whose turn it is"
        yield _item(label, Act.START_CLOCK, str(table.turn))


def _pausing(state: ClientState) -> Iterator[Item]:
    if state.pause is None and selectors.is_host(state):
        yield _item("pause the table", Act.PAUSE)
    elif state.pause is None and state.vote is None:
        yield _item("call a vote to pause", Act.VOTE_PAUSE)


def _seats_to_ask_for(state: ClientState) -> Iterator[Item]:
    table = selectors.public(state)
    for seat in selectors.computer_seats(state):
        who = name_of(table, seat) if table else ""
        yield _item(f"ask for seat {seat + 1}, that of {who}", Act.SIT, str(seat))


def _between_deals(state: ClientState) -> Iterator[Item]:
    mine = selectors.my_lobby_seat(state)
    if mine is None:
        yield _item("take a seat", Act.SIT)
    else:
        yield _item("not ready" if mine.ready else "ready", Act.READY)
        yield _item("stand up and watch", Act.STAND)
    if selectors.acts_as_host(state):
        if selectors.enough_are_ready(state):
            yield _item("start the deal", Act.START)
            yield _item("start without those who are not ready", Act.START_ANYWAY)
        yield _item("add a computer player", Act.COMPUTERS)
        yield _item("shuffle the seats", Act.SHUFFLE)


def _admitting(name: str) -> Iterator[Item]:
    """Both answers to somebody who asks for a seat (RULES D8)."""
    yield _item(f"let {clean(name)} take over a computer player's seat", Act.ADMIT, name)
    yield _item(f"do not let {clean(name)} take over a seat", Act.TURN_AWAY, name)
