"""What a person would see of a state: the whole page, or its key bar, as text."""

from msgspec.structs import replace

from client.keys.press import with_keys
from client.screens.desk import Desk, screen_of
from client.screens.page import draw
from client.state import ClientState
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import PlayNumber
from tests.support.keyboard import LONG_AGO
from tests.support.screen_states import a_frame, a_hand, dealt, folded, played, texts

LETTERS = Desk()
SMALL, USUAL = (60, 20), (80, 24)


def seen(
    state: ClientState,
    desk: Desk = LETTERS,
    size: tuple[int, int] = USUAL,
    now: float = 1.0,
) -> str:
    """The page with the key bar of the moment."""
    at = replace(desk, screen=screen_of(state, desk), screen_since=LONG_AGO)
    return "\n".join(texts(draw(with_keys(a_frame(state, size, desk=at, now=now)))))


def bar(state: ClientState, desk: Desk = LETTERS, size: tuple[int, int] = USUAL) -> str:
    """The key bar."""
    return seen(state, desk, size).splitlines()[-1].strip()


def a_laid(numbers: tuple[int, ...], *, auto: bool = False) -> ClientState:
    """Maya has laid these cards of her hand, all of them called aces."""
    laid = e.Laid(play=PlayNumber(1), cards=tuple(a_hand()[number] for number in numbers))
    said = played(1, 3, len(numbers), Rank.ACE, turn=4, auto=auto)
    return folded((laid, said), dealt(turn=3))
