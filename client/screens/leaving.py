"""What leaving costs, in words: on a server a seat is kept, unless I cannot prove that it is mine."""

from client import selectors
from client.screens.frame import Frame
from client.state import ClientState, LinkState

TWICE_S = 2.0  # whoever asks again within this time leaves


def cost_text(frame: Frame) -> str:
    """What becomes of my seat if I leave now (RULES D2); empty where I have none."""
    return cost_of_leaving(frame.state, passing=frame.desk.passing)


def cost_of_leaving(state: ClientState, *, passing: bool) -> str:
    """The same without a page; `passing` is practice."""
    if selectors.my_lobby_seat(state) is None:
        return ""
    if passing:  # one whose server has ended is over
        return "" if state.link.state is LinkState.REFUSED else "this practice ends"
    return "you lose your seat" if state.unkept else "your seat is kept"


def with_cost(frame: Frame, text: str, form: str) -> str:
    """A text with what leaving costs, put in the form's place for it; only the text if nothing."""
    cost = cost_text(frame)
    return text + form.format(cost) if cost else text
