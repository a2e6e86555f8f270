"""What names a key says what that key does now: the box, the lines above the keys, the key bar, a small page."""

import re

import pytest
from msgspec.structs import replace

from client.screens.desk import Desk, Overlay, screen_of
from client.state import ClientState, Hinted, LinkLost, Picked, Sent
from client.store import AnyEvent
from protocol import events as e
from protocol.cards import Rank
from protocol.commands import Challenge
from protocol.numbers import CardId, CommandNumber, PlayNumber
from tests.support.cuts import words
from tests.support.keyboard import after, painted
from tests.support.looking import SMALL, USUAL, seen
from tests.support.screen_states import dealt, folded, played
from tests.support.snapshots import shown_scenes

LOST = LinkLost(reason="it broke", attempt=1, retry_s=4.0)
PAUSED = e.Paused(reason=e.PauseReason.ASKED, left_us=900_000_000)
VOTE = e.VoteState(
    vote=1, on=e.VoteOn.END_DEAL, by="ana", yes=1, no=0, needed=4, left_us=60_000_000
)
MENTIONS = {
    "b": r"\bb (= |doubts?\b)",
    "y": r"\by (= |believes?\b)",
    "Y": r"\bY believe all",
    "enter": r"Enter (lay|go on|lays)",
    "a enter": r"Pick ranks, then Enter",
    "backspace": r"Backspace takes|Bksp (take|unpick)",
    "p": r"\bp pass\b",
    "v": r"\bv (yes|vote yes)",
    "V": r"\bV (no|vote no)",
    "B": r"\bB older play",
}
"""How a page says that a key does something, by key."""

HAPPENINGS: dict[str, tuple[AnyEvent, ...]] = {
    "all is well": (),
    "the line lost": (LOST,),
    "paused": (PAUSED,),
    "counted in": (PAUSED, e.Resumed(in_us=3_000_000)),
    "a vote": (VOTE,),
}
OPEN = folded(
    (played(1, 2, 1, Rank.ACE, turn=3), e.ProtectionOver(play=PlayNumber(1))), dealt(turn=2)
)
DOUBTED = Sent(command=Challenge(n=CommandNumber(9), deal=1, play=PlayNumber(1)))
SCENES = {
    **shown_scenes(),
    "protected, my turn": (folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(turn=2)), Desk()),
    "my turn, a doubt sent": (folded((DOUBTED,), OPEN), Desk()),
    "open, my turn": (OPEN, Desk()),
    "too many picked": (folded((Picked(cards=tuple(map(CardId, range(5)))),), OPEN), Desk()),
}
NAMES = [
    name
    for name, (_, desk) in SCENES.items()
    if desk.overlay is not Overlay.HELP and (desk.tutorial is None or desk.tutorial.open is None)
]
"""Without those that explain what keys are for, whatever they do just now."""


def does_nothing(state: ClientState, desk: Desk, key: str) -> bool:
    """Whether pressing it, or them, is answered in the end with a reason why not."""
    *before, last = key.split()
    for earlier in before:
        done = after(state, earlier, desk=desk)
        picked = [told for told in done.told if isinstance(told, Picked)]
        state, desk = folded(picked, state), done.desk
    told = after(state, last, desk=desk).told
    return any(isinstance(each, Hinted) and each.text for each in told)


@pytest.mark.parametrize("size", [SMALL, USUAL, (50, 18)], ids=str)
@pytest.mark.parametrize("happening", HAPPENINGS)
@pytest.mark.parametrize("name", NAMES)
def test_no_key_is_named_that_does_nothing_now(
    name: str, happening: str, size: tuple[int, int]
) -> None:
    scene, desk = SCENES[name]
    state = folded(HAPPENINGS[happening], scene)
    if state.table is not None:
        state = painted(state, state.table.table.newest)

    page = words(seen(state, desk, size))

    named = [key for key, mention in MENTIONS.items() if re.search(mention, page)]
    assert [key for key in named if does_nothing(state, replace(desk, typing=None), key)] == []


@pytest.mark.parametrize("name", ["the window", "the help", "the log", "the names", "settings"])
def test_every_page_says_that_the_line_is_lost(name: str) -> None:
    state, desk = shown_scenes()[name]

    assert "Connection lost: trying again in" in seen(folded((LOST,), state), desk, SMALL)


def test_the_box_of_a_window_still_named_its_keys_while_the_line_was_lost() -> None:
    state, desk = shown_scenes()["the window"]

    page = seen(folded((LOST,), state), desk)

    assert screen_of(state, desk) == "table"
    assert "b = BS!" in seen(state, desk)
    assert "b = BS!" not in page
    assert "connection lost" in page
