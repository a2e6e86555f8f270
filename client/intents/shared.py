"""What all intents share: what one may be, the number it has until it is sent, and a refusal in words. Pure."""

from client import selectors
from client.state import BelieveAll, ClientState, Hinted, Picked
from client.words import claim, name_of, ranks
from protocol.commands import AnyCommand
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal, explained
from protocol.views import PublicTable

Intent = AnyCommand | Picked | BelieveAll | Hinted
UNNUMBERED = CommandNumber(0)
"""The number of a command before the network gives it one."""
MAX_PASSWORD = 64
ABOUT_NAMES = frozenset({Refusal.NAME_TAKEN, Refusal.COMPUTERS_NAME, Refusal.BAD_NAME})
"""Whoever is refused with one of these gets in under another name."""


def password_to_send(typed: str | None) -> str | None:
    """As much of a password as a command holds, the same when it is set and when it is asked for."""
    sendable = (typed or "").encode(errors="replace").decode()  # a shell hands on any bytes
    return sendable[:MAX_PASSWORD] or None


def explain(state: ClientState, refusal: Refusal) -> Hinted:
    """A refusal in words, with the name of the seat to move where that is the reason."""
    table = selectors.public(state)
    if refusal is Refusal.NOT_YOUR_TURN and table:
        return Hinted(text=_not_your_turn(state, table))
    if refusal is Refusal.WRONG_RANK and table:
        return Hinted(text=f"That rank is not due now: say {ranks(table.due)}.")
    return Hinted(text=explained(refusal).sentence)


def _not_your_turn(state: ClientState, table: PublicTable) -> str:
    """Whom the table waits for; while a play is open to me it waits for me, too."""
    newest = table.newest_play
    if newest is not None and selectors.may_doubt(state):
        said = f"{name_of(table, newest.seat)}'s {claim(newest.count, newest.rank)}"
        believes = ", y believes" if selectors.may_believe(state) else ""
        return f"Not your turn yet, but b doubts {said}{believes}."
    who = name_of(table, table.turn)
    return f"It is {who}'s turn: wait for yours."
