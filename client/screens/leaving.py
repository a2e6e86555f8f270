"""What leaving costs, in words: on a server a seat is kept, unless I cannot prove that it is mine."""

from client import selectors
from client.screens.frame import Frame


def cost_text(frame: Frame) -> str:
    """What becomes of my seat if I leave (RULES D2); empty where I have none."""
    if selectors.my_lobby_seat(frame.state) is None:
        return ""
    if frame.desk.passing:
        return "this practice ends"
    return "you lose your seat" if frame.state.unkept else "your seat is kept"


def with_cost(frame: Frame, text: str, form: str) -> str:
    """A text with what leaving costs, put in the form's place for it; only the text if nothing."""
    cost = cost_text(frame)
    return text + form.format(cost) if cost else text
