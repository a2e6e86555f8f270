"""The tutorial: a fold over states that opens lessons, and what it asks of its table. Pure.

It runs at a practice table of its own, whose host is the learner. While a lesson is open the table
waits, by means that any host has: windows are long, no turn clock runs, and a pause is asked for,
which begins when the open window ends (RULES D9) and is called off if the learner is done before.
"""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from client import selectors
from client.intents.shared import UNNUMBERED
from client.lessons.due import AT_THE_END, Explanation, Lesson, due_lesson
from client.lessons.texts import explanation
from client.state import ClientState
from protocol import commands as c
from protocol import events as e
from protocol.commands import AnyCommand
from protocol.numbers import Seat
from protocol.views import PublicTable

RULES = "classic.w30.lw60.t-off.r10.plays-45"
"""Those of the lessons: time to read, no hurry, and an end."""
RULES_AFTER = "classic"
FRESH_S = 0.3  # a key pressed sooner was not meant for the lesson that has just opened


class Halt(StrEnum):
    """What has become of the pause that holds the table while a lesson is open."""

    NONE = "none"
    WANTED = "wanted"  # it begins when the window ends
    BEGUN = "begun"
    CALLED_OFF = "called off"  # it may have begun all the same, at that very moment


class Tutorial(Struct, frozen=True, kw_only=True):
    """Which lessons have been given, and which one is open."""

    typed: bool = False  # the learner types words instead of pressing keys
    seen: frozenset[Lesson] = frozenset()
    open: Explanation | None = None
    opened_at: float = 0.0  # seconds on the local monotonic clock
    over: bool = False  # all lessons were given, or skipped
    halt: Halt = Halt.NONE
    dealt: bool = False  # the deal was asked for
    usual: bool = False  # the usual rules were asked for, for the deals after this one


def follow(tutorial: Tutorial, state: ClientState) -> Tutorial:
    """The tutorial after something has happened: a lesson whose moment has come is opened."""
    now = _halted(tutorial, state)
    if selectors.is_over(state) and now.open is not None and now.open.lesson not in AT_THE_END:
        now = replace(now, open=None)  # its moment has gone; what was cut short is among the missed
    if now.over or now.open is not None:
        return now
    lesson = due_lesson(state, now.seen)
    if lesson is None:
        return replace(now, over=Lesson.RESULT in now.seen)
    told = explanation(lesson, state, now.seen, typed=now.typed)
    return replace(now, open=told, opened_at=state.now)


def turned(tutorial: Tutorial) -> Tutorial:
    """The open lesson has been read."""
    if tutorial.open is None:
        return tutorial
    return replace(tutorial, seen=tutorial.seen | {tutorial.open.lesson}, open=None)


def skipped(tutorial: Tutorial) -> Tutorial:
    """No more lessons: the deal goes on without them."""
    return replace(tutorial, open=None, over=True)


def again(tutorial: Tutorial) -> Tutorial:
    """All lessons once more, at the table as it is."""
    return Tutorial(typed=tutorial.typed, halt=tutorial.halt, dealt=tutorial.dealt, usual=True)


def _halted(tutorial: Tutorial, state: ClientState) -> Tutorial:
    """A pause that was asked for begins, and may end by itself or by other hands."""
    if tutorial.halt is Halt.WANTED and state.pause is not None:
        return replace(tutorial, halt=Halt.BEGUN)
    if tutorial.halt is Halt.BEGUN and state.pause is None:
        return replace(tutorial, halt=Halt.NONE)
    return tutorial


def asks(tutorial: Tutorial, state: ClientState) -> tuple[Tutorial, AnyCommand | None]:
    """What the tutorial asks of the server now, if anything; ask after every event."""
    if not selectors.is_online(state) or state.pending or not selectors.is_host(state):
        return tutorial, None
    if tutorial.open is None:
        return _goes_on(tutorial, state)
    table = selectors.public(state)
    free = tutorial.halt in {Halt.NONE, Halt.CALLED_OFF} and state.pause is None
    if table is None or not free or not _might_miss_something(table, selectors.my_seat(state)):
        return tutorial, None
    return replace(tutorial, halt=Halt.WANTED), c.PauseTable(n=UNNUMBERED, deal=table.deal)


def _might_miss_something(table: PublicTable, me: Seat | None) -> bool:
    """Whether the others may play on without the learner, as they may unless they wait for a play.

    Even for that a clock runs where the lessons are had again under the usual rules. What somebody
    has laid ready goes down before a pause begins, and its window is waited for (RULES C3, D9).
    """
    if table.phase is e.Phase.TO_PLAY and table.turn == me:
        return bool(table.rules.turn_s)
    return table.phase is not e.Phase.OVER


def _without_pause(
    tutorial: Tutorial, state: ClientState, table: PublicTable
) -> tuple[Tutorial, AnyCommand | None]:
    """The pause is over, or called off before it has begun."""
    if state.pause is not None:
        ended = c.ResumeTable(n=UNNUMBERED, deal=table.deal, pause=state.pause.number)
        return replace(tutorial, halt=Halt.NONE), ended
    if tutorial.halt is Halt.WANTED and selectors.dealing(state):
        called_off = c.ResumeTable(n=UNNUMBERED, deal=table.deal)
        return replace(tutorial, halt=Halt.CALLED_OFF), called_off
    return replace(tutorial, halt=Halt.NONE), None


def _goes_on(tutorial: Tutorial, state: ClientState) -> tuple[Tutorial, AnyCommand | None]:
    """With no lesson open: the table goes on, the deal begins, the usual rules come back."""
    table = selectors.public(state)
    if tutorial.halt is not Halt.NONE and table is not None:
        return _without_pause(tutorial, state, table)
    if tutorial.over and not tutorial.usual:
        return replace(tutorial, usual=True), c.SetRules(n=UNNUMBERED, rules=RULES_AFTER)
    welcomed = tutorial.over or Lesson.WELCOME in tutorial.seen
    if welcomed and not tutorial.dealt and selectors.between_deals(state):
        return replace(tutorial, dealt=True), c.StartDeal(n=UNNUMBERED, anyway=True)
    return tutorial, None
