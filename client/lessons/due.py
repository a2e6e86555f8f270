"""The lessons of the tutorial, and when each is due: as soon as its thing first happens. Pure.

A lesson goes by this player's own state and speaks of nothing else (`texts`), so nothing can
be learned from it that the player may not know.
"""

from collections.abc import Callable, Set
from enum import StrEnum

from msgspec import Struct

from client import my_hand, selectors
from client.state import ClientState
from protocol import events as e


class Lesson(StrEnum):
    """One thing to be explained."""

    WELCOME = "welcome"
    HAND = "your hand"
    REVEAL = "a doubt"
    PICK_UP = "who takes the pile"
    CALL_ORDER = "who was first"
    LAST_CARDS = "last cards"
    WINDOW = "doubt or believe"
    SURE_LIE = "a sure lie"
    READY = "laying ready"
    TURN = "your turn"
    BLUFF = "a bluff"
    OWN_PLAY = "your cards are down"
    MISSED = "what did not come up"
    RESULT = "the end of the deal"


class Explanation(Struct, frozen=True, kw_only=True):
    """A lesson as it is shown, fixed when it opened."""

    lesson: Lesson
    text: str

    @property
    def title(self) -> str:
        """What it is about."""
        return self.lesson.value

    @property
    def is_about_hand(self) -> bool:
        """Whether the hand must stay in sight; else the seats and the pile."""
        return self.lesson in ABOUT_HAND

    @property
    def is_about_laying(self) -> bool:
        """Whether it says which cards to lay: then the keys that pick them answer it."""
        return self.lesson in ABOUT_LAYING


Seen = Set[Lesson]
ABOUT_LAYING = frozenset({Lesson.TURN, Lesson.BLUFF, Lesson.READY})
ABOUT_HAND = ABOUT_LAYING | {Lesson.HAND}
AT_THE_END = frozenset({Lesson.MISSED, Lesson.RESULT})
NOT_COME_UP = {
    Lesson.REVEAL: "b doubts a play: its cards are turned up, and whoever was wrong takes the pile",
    Lesson.LAST_CARDS: "last cards can be doubted, too: a lie brings their player the whole pile",
    Lesson.SURE_LIE: "if you hold three kings, somebody else's two kings are a lie",
    Lesson.READY: "you can lay your cards ready while a play may still be doubted",
    Lesson.BLUFF: "if you hold no card of the rank that is due, you lay others and call them that",
}
"""In a sentence, what may not happen in one deal."""


def due_lesson(state: ClientState, seen: Seen) -> Lesson | None:
    """The lesson whose moment has come, among those that have not been given."""
    return next(
        (lesson for lesson, is_due in _DUE.items() if lesson not in seen and is_due(state, seen)),
        None,
    )


# --- when ----------------------------------------------------------------------------------------


def _gathered(state: ClientState, _: Seen) -> bool:
    return state.table is None and selectors.is_host(state) and selectors.between_deals(state)


def _has_hand(state: ClientState, _: Seen) -> bool:
    return selectors.dealing(state) and bool(my_hand.cards(state))


def _ruled(state: ClientState, _: Seen) -> bool:
    return selectors.dealing(state) and state.ruling is not None


def _last_cards(state: ClientState, _: Seen) -> bool:
    return selectors.dealing(state) and selectors.last_play_pending(state)


def _open_to_me(state: ClientState, _: Seen) -> bool:
    return selectors.may_doubt(state) and not selectors.last_play_pending(state)


def _sure(state: ClientState, seen: Seen) -> bool:
    play = _newest(state)
    known = Lesson.WINDOW in seen and play is not None and my_hand.sure_lie(state, play)
    return known and _open_to_me(state, seen)


def _may_lay_ready(state: ClientState, seen: Seen) -> bool:
    ready = selectors.laid_ready(state) is not None
    waits = selectors.options(state).held and not ready and _phase(state) is e.Phase.PROTECTED
    return waits and {Lesson.WINDOW, Lesson.TURN} <= seen


def _to_move(state: ClientState, _: Seen) -> bool:
    return selectors.my_turn(state) and _phase(state) is e.Phase.TO_PLAY


def _must_bluff(state: ClientState, seen: Seen) -> bool:
    none_held = not any(my_hand.held_of(state, rank) for rank in selectors.due(state))
    return _to_move(state, seen) and Lesson.TURN in seen and none_held


def _laid(state: ClientState, _: Seen) -> bool:
    play, table = _newest(state), selectors.public(state)
    mine = play is not None and play.seat == selectors.my_seat(state) and not play.last
    return mine and table is not None and not table.closed and selectors.dealing(state)


def _over(state: ClientState, _: Seen) -> bool:
    return selectors.is_over(state)


def _over_too_early(state: ClientState, seen: Seen) -> bool:
    return _over(state, seen) and not set(NOT_COME_UP) <= seen


def _phase(state: ClientState) -> e.Phase | None:
    table = selectors.public(state)
    return table.phase if table else None


def _newest(state: ClientState) -> e.Played | None:
    table = selectors.public(state)
    return table.newest_play if table else None


_DUE: dict[Lesson, Callable[[ClientState, Seen], bool]] = {
    Lesson.WELCOME: _gathered,
    Lesson.HAND: _has_hand,
    Lesson.REVEAL: _ruled,
    Lesson.PICK_UP: _ruled,
    Lesson.CALL_ORDER: _ruled,
    Lesson.LAST_CARDS: _last_cards,
    Lesson.WINDOW: _open_to_me,
    Lesson.SURE_LIE: _sure,
    Lesson.READY: _may_lay_ready,
    Lesson.TURN: _to_move,
    Lesson.BLUFF: _must_bluff,
    Lesson.OWN_PLAY: _laid,
    Lesson.MISSED: _over_too_early,
    Lesson.RESULT: _over,
}
"""In the order in which they are given, should several be due at once."""
