"""Rules drawn by dice."""

from random import Random

from protocol.codes import Spelling


def some_word(spelling: Spelling, dice: Random) -> str:
    """One of the words for this field in a rules code; it may fit no other one."""
    if spelling.words and (not spelling.numbers or dice.random() < 0.5):
        return dice.choice(list(spelling.words.values()))
    return spelling.word(dice.choice(spelling.numbers[:20]))
