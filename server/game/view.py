"""The one exit of a deal: what a seat, or a watcher, may know. Built up, never filtered down."""

from protocol.events import Event, HeldPlay, Laid, WindowState
from protocol.numbers import PlayNumber, Seat
from protocol.views import LogEntry, LogPage, TableSnapshot, TableView
from server.game.chairs import owned
from server.game.deal import Deal, faced
from server.game.moves import held_play
from server.game.outcome import confessed, confessions
from server.game.pages import paged


def view_for(deal: Deal, seat: Seat | None) -> TableView:
    """All that a seat may know now; a watcher (None) knows what is public.

    It equals the fold of the events that were sent to the seat, which a test holds true.
    """
    public = TableView(table=deal.table, log=deal.log, confession=confessed(deal))
    if seat is None:
        return public
    return TableView(
        table=deal.table,
        you=seat,
        hand=faced(deal, deal.hands[seat]),
        held=_held(deal, seat),
        you_let_go=_has_let_go(deal, seat),
        laid=_laid(deal, seat),
        log=deal.log,
        confession=public.confession,
    )


def _held(deal: Deal, seat: Seat) -> HeldPlay | None:
    held = deal.held
    return held_play(held) if held is not None and held.seat == seat else None


def _has_let_go(deal: Deal, seat: Seat) -> bool:
    return seat in deal.let_go - deal.silently


def _laid(deal: Deal, seat: Seat) -> tuple[Laid, ...]:
    numbers = (PlayNumber(number) for number in range(1, len(deal.laid) + 1))
    return tuple(
        Laid(play=number, cards=faced(deal, deal.laid[number - 1].cards))
        for number in numbers
        if owned(deal, seat, number)
    )


def state_for(deal: Deal, seat: Seat | None) -> TableSnapshot:
    """The first part of a snapshot: all but the log and what goes with it."""
    hand = () if seat is None else faced(deal, deal.hands[seat])
    return TableSnapshot(table=deal.table, you=seat, hand=hand, entries=len(deal.log))


def log_page(entries: tuple[LogEntry, ...]) -> LogPage:
    """A part of the log, which says the same to everybody."""
    return LogPage(log=entries)


def secrets_for(deal: Deal, seat: Seat | None) -> tuple[Event, ...]:
    """The last part of a snapshot: the seat's own plays, and those of all once they are confessed."""
    laid = () if seat is None else _laid(deal, seat)
    return (*(LogPage(laid=page) for page in paged(laid)), *confessions(deal))


def window_state_for(
    deal: Deal, seat: Seat | None, at: int, turn_us: int | None = None
) -> WindowState:
    """Where the window and the clocks stand at `at` for a seat or a watcher (RULES D5).

    `turn_us` is what the turn clock has left, if it runs; the table keeps that clock.
    """
    return WindowState(
        phase=deal.table.phase,
        let_go=deal.table.let_go,
        you_let_go=seat is not None and _has_let_go(deal, seat),
        held=None if seat is None else _held(deal, seat),
        protected_us=_left(deal.protected_until, at),
        reveal_us=_left(deal.reveal_until, at),
        turn_us=turn_us,
    )


def _left(until: int | None, at: int) -> int:
    return 0 if until is None else max(0, until - at)
