"""Whoever is refused learns why, in a sentence and by a clause of the rules."""

import re

import pytest

from protocol.refusals import Refusal, explained


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_is_explained_in_a_sentence(refusal: Refusal) -> None:
    clause, sentence = explained(refusal)

    assert re.fullmatch(r"([ABCD][1-9][0-9]?)?", clause)
    assert re.fullmatch(r"[A-Z].{8,}\.", sentence)


def test_no_two_refusals_say_the_same() -> None:
    sentences = {explained(refusal).sentence for refusal in Refusal}

    assert len(sentences) == len(Refusal)


def test_a_doubt_that_came_too_late_once_seemed_to_cost_something() -> None:
    """In 60 columns the sentence ended with "It costs you"."""
    narrowest = 58

    assert len(explained(Refusal.TOO_LATE).sentence) <= narrowest
