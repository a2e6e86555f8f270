"""Rules drawn by dice."""

from random import Random

from protocol.codes import Spelling


def some_word(option: Spelling, dice: Random) -> str:
    """One of the words for this option in a rules code; it may fit no other one."""
    if option.words and (not option.numbers or dice.random() < 0.5):
        return dice.choice(list(option.words.values()))
    return option.word(dice.choice(option.numbers[:20]))
