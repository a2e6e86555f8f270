"""How many trials of what: the quick form for tests, the long one for people."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

LOADS = ("idle", "chatty", "busy")
USUAL = (sys.executable, "-m", "server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Distances in microseconds; numbers of trials for each distance under each load."""

    pair_distances: Sequence[int]
    pairs: int
    group_distances: Sequence[int]
    groups: int
    card_distances: Sequence[int]
    cards: int
    edge_tables: int
    edges: int  # at each of these tables

    @property
    def trials(self) -> int:
        """All trials under one load."""
        return (
            len(self.pair_distances) * self.pairs
            + len(self.group_distances) * self.groups
            + len(self.card_distances) * self.cards
            + self.edge_tables * self.edges
        )


QUICK = Plan(
    pair_distances=(1, 10, 50, 200, 1_000),
    pairs=140,
    group_distances=(10, 100),
    groups=30,
    card_distances=(1, 10, 100, 1_000),
    cards=30,
    edge_tables=16,
    edges=2,
)
LONG = Plan(
    pair_distances=(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000),
    pairs=800,
    group_distances=(1, 10, 50, 200, 1_000),
    groups=200,
    card_distances=(1, 10, 50, 200, 1_000, 5_000),
    cards=300,
    edge_tables=50,
    edges=33,
)
