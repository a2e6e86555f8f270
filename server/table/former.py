"""A deal that is over, for whoever doubts its last play a moment too late (RULES C7, C8)."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from protocol.commands import Challenge
from protocol.events import Event, LateCall
from server.errand import Errand
from server.person import Person
from server.table.arbiter import Arrival
from server.table.calls import Voice

if TYPE_CHECKING:
    from server.table.table import Table

Tell = Callable[[Person, Event], None]


class FormerDeal:
    """The newest deal of a lobby in which none runs."""

    def __init__(self, table: "Table") -> None:
        self._number, self._began = table.number, table.began
        self._calls = table.calls
        self._seats = {each.owner: each.seat for each in table.holders if not each.gave_up}
        self._witnesses = table.company.everybody()  # whoever comes later knows nothing of it

    def hear(self, errand: Errand, *, tell: Tell) -> bool:
        """Say how late a challenge in this deal was, and add it to the strip as within the deal.

        `tell` is for the people who are still here. False if it is none, or nobody's who had a seat.
        """
        command, seat = errand.command, self._seats.get(errand.person)
        if not isinstance(command, Challenge) or command.deal != self._number or seat is None:
            return False
        at = errand.at - self._began
        arrival = Arrival(seat=seat, play=command.play, at=at, stamped=errand.stamped)
        late = self._calls.hear_late(Voice(arrival=arrival, errand=errand))
        if late is not None:
            for person in self._witnesses:
                tell(person, LateCall(play=late.play, call=late.call))
        return True
