"""The proof player: honest, and doubts what all it has seen, laid and heard disproves, and last cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.bots.choices import Temperament
from server.bots.evidence import play_in_pile, should_be_doubted
from server.bots.honest import honest_play
from server.bots.memory import full_memory

if TYPE_CHECKING:
    from random import Random

    from protocol.numbers import PlayNumber
    from protocol.views import TableView


def decide_doubt(view: TableView, play: PlayNumber, _: Random) -> bool:
    """Doubt what memory shows to be a lie, and the rest as the certain player does."""
    doubted = play_in_pile(view.table, play)
    return should_be_doubted(view.table, doubted, full_memory(view, doubted))


PROOF = Temperament(
    name="proof",
    decide_play=honest_play,
    decide_doubt=decide_doubt,
)
