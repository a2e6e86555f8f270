"""The one exit of a deal: what a seat, or a watcher, may know. Built up, never filtered down."""

from protocol.events import Event, Laid, WindowState
from protocol.numbers import PlayNumber, Seat
from protocol.views import LogPage, TableSnapshot, TableView
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
    held = deal.held if deal.held is not None and deal.held.seat == seat else None
    return TableView(
        table=deal.table,
        you=seat,
        hand=faced(deal, deal.hands[seat]),
        held=None if held is None else held_play(held),
        you_let_go=seat in deal.let_go - deal.silently,
        laid=_laid(deal, seat),
        log=deal.log,
        confession=public.confession,
    )


def _laid(deal: Deal, seat: Seat) -> tuple[Laid, ...]:
    numbers = (PlayNumber(number) for number in range(1, len(deal.laid) + 1))
    return tuple(
        Laid(play=number, cards=faced(deal, deal.laid[number - 1].cards))
        for number in numbers
        if owned(deal, seat, number)
    )


def snapshot_for(deal: Deal, seat: Seat | None) -> tuple[Event, ...]:
    """A `view_for` as messages: the state, then the log and the seat's own plays in pages.

    What is held and let go comes in the `WindowState` that follows a snapshot.
    """
    view = view_for(deal, seat)
    return (
        TableSnapshot(table=view.table, you=view.you, hand=view.hand, entries=len(view.log)),
        *(LogPage(log=page) for page in paged(view.log)),
        *(LogPage(laid=page) for page in paged(view.laid)),
        *confessions(deal),
    )


def window_state_for(
    deal: Deal, seat: Seat | None, at: int, turn_us: int | None = None
) -> WindowState:
    """Where the window and the clocks stand at `at` for a seat or a watcher (RULES D5).

    `turn_us` is what the turn clock has left, if it runs; the table keeps that clock.
    """
    view = view_for(deal, seat)
    return WindowState(
        phase=deal.table.phase,
        let_go=deal.table.let_go,
        you_let_go=view.you_let_go,
        held=view.held,
        protected_us=_left(deal.protected_until, at),
        reveal_us=_left(deal.reveal_until, at),
        turn_us=turn_us,
    )


def _left(until: int | None, at: int) -> int:
    return 0 if until is None else max(0, until - at)
