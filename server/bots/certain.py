"""The certain player: honest, and doubts what its own hand or the pile disproves, and last cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.bots.choices import Temperament
from server.bots.evidence import own_hand, play_in_pile, should_be_doubted
from server.bots.honest import honest_play

if TYPE_CHECKING:
    from random import Random

    from protocol.numbers import PlayNumber
    from protocol.views import TableView


def decide_doubt(view: TableView, play: PlayNumber, _: Random) -> bool:
    """Doubt a sure lie, who has told one, and last cards, unless they must be true (RULES A15)."""
    doubted = play_in_pile(view.table, play)
    return should_be_doubted(view.table, doubted, own_hand(view))


CERTAIN = Temperament(
    name="certain",
    decide_play=honest_play,
    decide_doubt=decide_doubt,
)
