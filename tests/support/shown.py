"""What a table shows to whoever comes to it, as events: the parts of `server.table.showing`, together."""

from protocol.events import Event
from protocol.numbers import Seat
from server.game.deal import Deal
from server.game.pages import paged
from server.game.view import log_page, secrets_for, state_for


def snapshot_for(deal: Deal, seat: Seat | None) -> tuple[Event, ...]:
    """A `view_for` as messages: the state, then the log and the seat's own plays in pages.

    A table keeps the log's full pages packed (`server.table.public_log`); they say what these say.
    What is held and let go comes in the `WindowState` that follows a snapshot.
    """
    return (state_for(deal, seat), *map(log_page, paged(deal.log)), *secrets_for(deal, seat))
