"""A deal that is over, for whoever doubts its last play a moment too late (RULES C7)."""

from typing import TYPE_CHECKING

from protocol.commands import Challenge
from server.errand import Errand
from server.table.arbiter import Arrival
from server.table.calls import Voice

if TYPE_CHECKING:
    from server.table.table import Table


class FormerDeal:
    """The newest deal of a lobby in which none runs."""

    def __init__(self, table: "Table") -> None:
        self._number, self._began = table.number, table.began
        self._closings = table.calls.closings
        self._seats = {each.owner: each.seat for each in table.holders if not each.gave_up}

    def refuse(self, errand: Errand) -> bool:
        """Say how late a challenge in this deal was; False if it is none, or nobody's who had a seat."""
        command, seat = errand.command, self._seats.get(errand.person)
        if not isinstance(command, Challenge) or command.deal != self._number or seat is None:
            return False
        at = errand.at - self._began
        arrival = Arrival(seat=seat, play=command.play, at=at, stamped=errand.stamped)
        self._closings.refuse(Voice(arrival=arrival, errand=errand))
        return True
