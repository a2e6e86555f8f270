"""How long a computer player takes to think: drawn without a look at its cards."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random


class Thought(StrEnum):
    """What a computer player thinks about."""

    PLAY = "play"
    DOUBT = "doubt"


_SHORTEST_AND_LONGEST_US = {
    Thought.PLAY: (900_000, 2_500_000),
    Thought.DOUBT: (700_000, 2_000_000),
}


def thinking_us(rng: Random, kind: Thought) -> int:
    """Draw a thinking time in microseconds: 0.9 to 2.5 s for a play, 0.7 to 2 s for a doubt.

    It is the same draw whatever is decided, so a time tells nothing. Give it dice that no
    decision uses: how many draws a decision takes depends on the hand.
    """
    shortest, longest = _SHORTEST_AND_LONGEST_US[kind]
    return rng.randint(shortest, longest)
