"""Which ranks may be claimed next (RULES A6, B4 to B8). Pure functions of the rules and a claim."""

from functools import cache

from protocol.cards import Rank
from protocol.rules import RankOrder, TableRules

ALL_RANKS = tuple(Rank)
ACES = (Rank.ACE,)


def due_at_start(rules: TableRules) -> tuple[Rank, ...]:
    """The ranks that may open a deal: aces, but any rank in `free` (RULES A5, B8)."""
    return ALL_RANKS if rules.rank_order is RankOrder.FREE else ACES


def due_after_claim(rules: TableRules, claimed: Rank) -> tuple[Rank, ...]:
    """The ranks that may follow a claim while its pile is still lying there."""
    if rules.rank_order in {RankOrder.FREE, RankOrder.SAME_UNTIL_CHALLENGE}:
        return (claimed,)
    return _steps(rules.rank_order, claimed)


def due_on_a_new_pile(rules: TableRules, claimed: Rank) -> tuple[Rank, ...]:
    """The ranks that may open a new pile when the newest claim was this one (RULES A13, B12)."""
    if rules.rank_order is RankOrder.FREE:
        return ALL_RANKS
    if rules.rank_order is RankOrder.SAME_UNTIL_CHALLENGE:
        return (claimed.up(),)
    return _steps(rules.rank_order, claimed)


@cache
def _steps(order: RankOrder, claimed: Rank) -> tuple[Rank, ...]:
    return tuple(claimed.up(step) for step in _STEPS[order])


# The first of several is the one an automatic play takes: one up (RULES D1).
_STEPS: dict[RankOrder, tuple[int, ...]] = {
    RankOrder.UP: (1,),
    RankOrder.DOWN: (-1,),
    RankOrder.UP_OR_DOWN: (1, -1),
    RankOrder.UP_SAME_OR_DOWN: (1, 0, -1),
}


def own_ranks(
    rules: TableRules, due: Rank, turns_away: int, players: int, how_many: int
) -> tuple[Rank, ...]:
    """The next ranks a seat will have to claim if nobody goes out (RULES A6).

    Only for the fixed orders, `up` and `down`; elsewhere the ranks are a choice: no ranks.
    """
    if rules.rank_order not in {RankOrder.UP, RankOrder.DOWN}:
        return ()
    step = _STEPS[rules.rank_order][0]
    return tuple(due.up(step * (turns_away + lap * players)) for lap in range(how_many))
