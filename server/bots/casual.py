"""The casual player: mostly honest, pads a play now and then, and doubts by gut feeling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.options import options_of
from server.bots.choices import Pass, PlayChoice, Temperament, laid_as
from server.bots.evidence import (
    has_said_too_many,
    is_disproved,
    is_proved,
    own_hand,
    play_in_pile,
    two_are_left,
)
from server.bots.honest import kept_back, rank_to_claim

if TYPE_CHECKING:
    from random import Random

    from protocol.numbers import PlayNumber
    from protocol.views import TableView

PADS = 0.15  # how often it slips in a card that is not what it says
SNEAKS = 0.5  # how often it does not count that card in its claim (RULES B10)
PASSES = 0.5  # how often it would rather pass than lie
NOTICES = 0.9  # how often it sees what speaks against a claim: its own hand, or the pile
GUT_FEELING = 0.05  # how often it doubts a claim for no reason, for each card claimed


def decide_play(view: TableView, rng: Random) -> PlayChoice | Pass:
    """Lay what is true, sometimes with a wrong card among it; lie with a card or two, or pass."""
    may = options_of(view)
    rank = rank_to_claim(view, may.ranks, rng)
    kept = kept_back(view, rank)
    true = [card for card in view.hand if card.face.is_a(rank) and card not in kept]
    true = true[: may.most_claimed]
    if not true and may.may_pass and rng.random() < PASSES:
        return Pass()
    wrong = [card for card in view.hand if not card.face.is_a(rank)]
    rng.shuffle(wrong)
    padding = wrong[: _padding(view, len(true), rng)]
    too_many = len(true) + len(padding) - may.most_claimed
    sneaked = bool(true and padding) and may.most_extra > 0 and rng.random() < SNEAKS
    return laid_as((*true, *padding), rank, extra=max(too_many, int(sneaked)))


def decide_doubt(view: TableView, play: PlayNumber, rng: Random) -> bool:
    """Doubt last cards unless they must be true, most sure lies, and some plays for no reason."""
    doubted = play_in_pile(view.table, play)
    evidence = own_hand(view)
    if doubted.last:
        return not is_proved(view.table, doubted, evidence)
    if is_disproved(view.table, doubted, evidence) or has_said_too_many(view.table, doubted):
        return rng.random() < NOTICES
    return not two_are_left(view.table) and rng.random() < GUT_FEELING * doubted.count


def _padding(view: TableView, true: int, rng: Random) -> int:
    """How many wrong cards to add: at least one to no true card, else seldom one.

    Of two who are left each knows how many the other has of a rank: one more is a plain lie.
    """
    may = options_of(view)
    least = 0 if true else 1
    most = may.most_claimed + may.most_extra - true
    pads = not two_are_left(view.table) and rng.random() < PADS
    return min(most, least + pads)


CASUAL = Temperament(
    name="casual",
    decide_play=decide_play,
    decide_doubt=decide_doubt,
)
