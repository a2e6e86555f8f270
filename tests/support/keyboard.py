"""Keys pressed one after the other on a screen that is only a value."""

from msgspec.structs import replace

from client.acts.done import Done
from client.keys.press import press
from client.screens.desk import Desk, screen_of
from client.state import ClientState, Hinted, Painted, Picked
from protocol.numbers import CardId, PlayNumber
from tests.support.screen_states import a_frame, dealt, folded

LONG_AGO = -9.0


def after(
    state: ClientState,
    *keys: str,
    desk: Desk | None = None,
    now: float = 1.0,
    size: tuple[int, int] = (80, 24),
) -> Done:
    """What has come of the last of these keys, the desk handed on from one to the next."""
    at = replace(desk or Desk(), screen=screen_of(state, desk or Desk()), screen_since=LONG_AGO)
    done = Done(desk=at)
    for key in keys:
        done = press(a_frame(state, size, desk=done.desk, now=now), key)
    return done


def hint(done: Done) -> str:
    """Why nothing happened."""
    (told,) = done.told
    assert isinstance(told, Hinted)
    return told.text


def cards(*numbers: int) -> tuple[CardId, ...]:
    return tuple(CardId(number) for number in numbers)


def picking(*numbers: int, state: ClientState | None = None) -> ClientState:
    """My turn, with cards picked."""
    return folded((Picked(cards=cards(*numbers)),), state or dealt(turn=3))


def painted(state: ClientState, play: int = 2) -> ClientState:
    """The play has been on the screen since second 0."""
    return folded((Painted(play=PlayNumber(play)),), state)


def key_for(shown: str) -> str:
    """What somebody presses who lays the card under the cursor and believes everybody."""
    if "picked" in shown:
        return "\r"
    if "your turn" in shown:
        return "\x1b[C "  # Right, to a card; Space picks it
    return "y" if "y believe" in shown else ""
