"""The acts that are the same everywhere: pages laid over, wishes, and what has to be confirmed."""

from msgspec.structs import replace

from client import selectors
from client.acts.done import (
    Doer,
    Done,
    Wish,
    asked,
    bare,
    left,
    opened,
    telling,
    typing,
    uncovered,
    within,
)
from client.intents import at_table, in_lobby
from client.screens.deeds import Act
from client.screens.desk import ClaimChoice, Desk, Overlay, Question, Screen, Typing
from client.screens.frame import Frame
from client.screens.leaving import TWICE_S
from client.screens.log_page import log_length
from client.start.opening import has_arrived
from client.state import ClientState


def confirmed(frame: Frame) -> Done:
    """The open question was answered with yes."""
    calm = replace(frame, desk=replace(frame.desk, asking=None))
    match frame.desk.asking:
        case Question.LEAVE:
            return Done(desk=calm.desk, wish=Wish.INTERRUPT)
        case Question.GIVE_UP:
            return telling(calm, at_table.give_up_seat(frame.state))
        case Question.LEAVE_LOBBY:
            return telling(calm, in_lobby.leave(frame.state))
        case Question.START_ANYWAY:
            return telling(calm, in_lobby.start(frame.state, anyway=True))
        case Question.REMOVE:
            return telling(calm, in_lobby.remove(frame.state, frame.desk.asked_about))
        case None:
            return Done(desk=calm.desk)


def _leave(frame: Frame, _: str) -> Done:
    desk = frame.desk
    if desk.asking is Question.LEAVE and frame.now - desk.asked_at <= TWICE_S:
        return Done(desk=desk, wish=Wish.INTERRUPT)
    return Done(desk=replace(desk, asking=Question.LEAVE, asked_at=frame.now))


def _wish(wish: Wish) -> Doer:
    return lambda frame, _: Done(desk=bare(frame.desk), wish=wish)


def _open(overlay: Overlay) -> Doer:
    return lambda frame, _: opened(frame, overlay)


def _back(frame: Frame, _: str) -> Done:
    return Done(desk=replace(uncovered(frame.desk), asking=None))


ANYWHERE: dict[Act, Doer] = {
    Act.BACK: _back,
    Act.HELP: _open(Overlay.HELP),
    Act.MENU: _open(Overlay.MENU),
    Act.LOG: _open(Overlay.LOG),
    Act.NAMES: _open(Overlay.NAMES),
    Act.SETTINGS: _open(Overlay.SETTINGS),
    Act.CONFESSION: _open(Overlay.CONFESSION),
    Act.EVENING: _open(Overlay.EVENING),
    Act.COMPUTERS: lambda frame, _: opened(frame, Overlay.MENU, Act.COMPUTERS),
    Act.SAY: lambda frame, _: typing(frame, Typing.SAY, frame.desk.draft),
    Act.LEAVE: _leave,
    Act.QUIT: _wish(Wish.QUIT),
    Act.DISCONNECT: _wish(Wish.DISCONNECT),
    Act.REPAINT: _wish(Wish.REPAINT),
    Act.SUSPEND: _wish(Wish.SUSPEND),
    Act.LEAVE_LOBBY: lambda frame, _: asked(frame, Question.LEAVE_LOBBY),
    Act.GIVE_UP: lambda frame, _: asked(frame, Question.GIVE_UP),
}


def settled(frame: Frame) -> Desk:
    """The desk once the page has changed by itself: a new one, an old question, other lists."""
    desk = _with_its_line(frame, _turned(frame))
    match frame.screen:
        case Screen.HALL:
            return _with_its_lobby(frame.state, desk)
        case Screen.LOBBY:
            return _with_its_seat(frame.state, desk)
        case _:
            return desk


def _with_its_line(frame: Frame, desk: Desk) -> Desk:
    """Whoever has scrolled up in the log goes on reading where they are, whatever comes below."""
    if desk.overlay is not Overlay.LOG:
        return desk
    lines = log_length(frame)
    if lines == desk.logged:
        return desk
    more = lines - desk.logged
    # With more than a page of them another width has wrapped all lines anew.
    is_news = desk.scrolled > 0 and abs(more) < frame.rows
    scrolled = max(0, desk.scrolled + more) if is_news else desk.scrolled
    return replace(desk, scrolled=scrolled, logged=lines)


def _with_its_lobby(state: ClientState, desk: Desk) -> Desk:
    """The cursor stays with its lobby, and has none as soon as that has gone: Enter joins no other."""
    codes = [listing.code for listing in state.hall.lobbies]
    if not codes:
        return replace(desk, row=0, hall_at="")
    at = desk.hall_at or codes[within(desk.row, len(codes))]
    return replace(desk, row=codes.index(at) if at in codes else desk.row, hall_at=at)


def _with_its_seat(state: ClientState, desk: Desk) -> Desk:
    """The cursor stays with whoever sits there; once they have gone, on the seat."""
    names = [seat.name for seat in selectors.lobby_seats(state)]
    if desk.seat_at in names:
        return replace(desk, seat_row=names.index(desk.seat_at))
    seats = max(len(names), state.lobby.settings.size if state.lobby else 0)
    row = within(desk.seat_row, seats)  # there may be fewer of them now
    return replace(desk, seat_row=row, seat_at=names[row] if row < len(names) else "")


def _has_come(state: ClientState) -> bool:
    """Whether it is told where I am: who was welcomed back is told that next, and may be where they were."""
    return has_arrived(state) or not selectors.is_online(state)


def _turned(frame: Frame) -> Desk:
    desk = frame.desk
    if desk.asking is Question.LEAVE and frame.now - desk.asked_at > TWICE_S:
        desk = replace(desk, asking=None)
    is_dealt = frame.state.table is not None  # else what was picked may be shown anew
    if desk.claim != ClaimChoice() and is_dealt and not frame.state.picks:
        desk = replace(desk, claim=ClaimChoice())
    if desk.result_read is not None and not selectors.is_over(
        frame.state
    ):  # the next may have its number
        desk = replace(desk, result_read=None)
    if frame.screen is desk.screen or not _has_come(frame.state):
        return desk
    talks_on = desk.typing is Typing.SAY and frame.screen is not Screen.CONNECT
    return replace(
        bare(desk if talks_on else left(desk)),
        screen=frame.screen,
        screen_since=frame.now,
        asking=None,
        row=0,
        hall_at="",
        seat_row=0,
        seat_at="",
        on_seats=False,
        column=None,
    )
