"""Which ranks may be claimed next (RULES A6, B4 to B8). Pure functions of the rules and a claim."""

from protocol.cards import Rank
from protocol.rules import RankOrder, TableRules

ALL_RANKS = tuple(Rank)
ACES = (Rank.ACE,)

Ranks = tuple[Rank, ...]

RANK_STAYS = frozenset({RankOrder.FREE, RankOrder.SAME_UNTIL_CHALLENGE})
"""The orders in which all follow with the rank that was named, until the pile is taken (RULES B7, B8)."""

# How far the next claim may be from the last one. The first of several is the one that an
# automatic play takes: one up (RULES D1).
_STEPS: dict[RankOrder, tuple[int, ...]] = {
    RankOrder.UP: (1,),
    RankOrder.DOWN: (-1,),
    RankOrder.UP_OR_DOWN: (1, -1),
    RankOrder.UP_SAME_OR_DOWN: (1, 0, -1),
    RankOrder.SAME_UNTIL_CHALLENGE: (0,),
    RankOrder.FREE: (0,),
}


def _ranks_after(steps: tuple[int, ...]) -> tuple[Ranks, ...]:
    """For each rank, in order, the ranks that many steps on."""
    return tuple(tuple(rank.up(step) for step in steps) for rank in Rank)


_ON_THE_PILE = {order: _ranks_after(steps) for order, steps in _STEPS.items()}
_ON_A_NEW_PILE = _ON_THE_PILE | {
    RankOrder.SAME_UNTIL_CHALLENGE: _ranks_after((1,)),
    RankOrder.FREE: (ALL_RANKS,) * len(ALL_RANKS),
}


def due_at_start(rules: TableRules) -> Ranks:
    """The ranks that may open a deal: aces, but any rank in `free` (RULES A5, B8)."""
    return ALL_RANKS if rules.rank_order is RankOrder.FREE else ACES


def due_after_claim(rules: TableRules, claimed: Rank) -> Ranks:
    """The ranks that may follow a claim while its pile is still lying there."""
    return _ON_THE_PILE[rules.rank_order][claimed - 1]


def due_on_a_new_pile(rules: TableRules, claimed: Rank) -> Ranks:
    """The ranks that may open a new pile when the newest claim was this one (RULES A13, B12)."""
    return _ON_A_NEW_PILE[rules.rank_order][claimed - 1]


def own_ranks(rules: TableRules, due: Rank, turns_away: int, players: int, how_many: int) -> Ranks:
    """The next ranks a seat will have to claim if nobody passes or goes out (RULES A6).

    Only for the fixed orders, `up` and `down`; elsewhere the ranks are a choice: no ranks.
    """
    if rules.rank_order is not RankOrder.UP and rules.rank_order is not RankOrder.DOWN:
        return ()
    (step,) = _STEPS[rules.rank_order]
    return tuple(due.up(step * (turns_away + lap * players)) for lap in range(how_many))
