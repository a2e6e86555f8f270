"""What a fake server says to whoever comes in, so that they find themselves at a table."""

from collections.abc import Sequence

from protocol import events as e
from protocol.commands import ClientMessage, Hello
from protocol.events import Event
from protocol.numbers import Seat
from protocol.rules import TableRules
from tests.support.fake_server import a_welcome, polite
from tests.support.screen_states import NAMES, a_hand, lobby_state


def at_a_table(message: ClientMessage) -> Sequence[Event]:
    """Maya, in seat 4, is to move; everything is accepted."""
    if not isinstance(message, Hello):
        return polite(message)
    seats = tuple(e.SeatState(name=name, cards=9) for name in NAMES)
    lobby = lobby_state(
        stage=e.LobbyStage.PLAYING, seats=[e.LobbySeat(name=name) for name in NAMES]
    )
    started = e.DealStarted(deal=1, rules=TableRules(), dealer=Seat(2), turn=Seat(3), seats=seats)
    hand = e.HandDealt(seat=Seat(3), cards=a_hand())
    return (a_welcome(message), e.LobbyChanged(lobby=lobby), started, hand)
