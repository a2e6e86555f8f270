"""Play honestly: the truth if there is one, else a single card that will be missed least."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.cards import Rank
from protocol.options import options_of
from protocol.ranks import RANK_STAYS, own_ranks
from server.bots.choices import Pass, PlayChoice, laid_as
from server.bots.evidence import two_are_left

if TYPE_CHECKING:
    from random import Random

    from protocol.cards import Card
    from protocol.views import TableView

LAP = 13  # turns until every rank has been due once (RULES A6)


def honest_play(view: TableView, rng: Random) -> PlayChoice | Pass:
    """Lay every card that is true; a lie is one card, and never the last if one may pass."""
    may = options_of(view)
    rank = rank_to_claim(view, may.ranks, rng)
    kept = kept_back(view, rank)
    if true := true_cards(view.hand, rank)[len(kept) :][: may.most_claimed]:
        return laid_as(true, rank)
    if may.may_pass and len(view.hand) == 1:
        return Pass()
    return laid_as((least_useful(view, rng, kept),), rank)


def rank_to_claim(view: TableView, ranks: tuple[Rank, ...], rng: Random) -> Rank:
    """Choose the rank that most cards of the hand are of; in the lead one that others can follow.

    Whoever leads with all there are of a rank makes liars of all others, also of their last cards:
    among such players no deal ends (RULES B8, A15).
    """
    if len(ranks) < len(Rank):
        return best_rank(view.hand, ranks, rng)
    all_there_are = view.table.copies_of_a_rank
    followed = tuple(r for r in ranks if 1 < len(_natural(view.hand, r)) < all_there_are)
    return best_rank(view.hand, followed or ranks, rng)


def kept_back(view: TableView, rank: Rank) -> tuple[Card, ...]:
    """The card of this rank that is kept for later, of a hand that would not end with the others.

    Where the rank stays the hand is ended with it in truth (RULES B7, B8, A15). Of two who are left
    each knows the other's cards: whoever has none of the rank that is due takes the pile (B16).
    """
    true = true_cards(view.hand, rank)
    if len(true) == len(view.hand):
        return ()
    if view.table.rules.rank_order in RANK_STAYS:
        return true[:1]
    alone = len(true) == 1 or not two_are_left(view.table)
    return () if alone or _may_end_in_truth(view) else true[:1]


def _may_end_in_truth(view: TableView) -> bool:
    """Whether each of this seat's turns finds a card of its rank, from now until none is left.

    Where the ranks are a choice, too: nobody has to be without one.
    """
    table = view.table
    due = own_ranks(table.rules, table.due[0], 0, len(table.seats_in), LAP)
    held = {card.face.rank for card in view.hand}
    return not due or held == set(due[: len(held)])


def best_rank(hand: tuple[Card, ...], ranks: tuple[Rank, ...], rng: Random) -> Rank:
    """Choose the rank that most cards of the hand are of."""
    return max(ranks, key=lambda rank: (len(_natural(hand, rank)), rng.random()))


def true_cards(hand: tuple[Card, ...], rank: Rank) -> tuple[Card, ...]:
    """The cards to lay in truth: jokers are kept until they end the hand (RULES B2)."""
    true = tuple(card for card in hand if card.face.is_a(rank))
    return true if len(true) == len(hand) else _natural(hand, rank)


def least_useful(view: TableView, rng: Random, kept: tuple[Card, ...] = ()) -> Card:
    """Choose the card whose rank this seat will claim last, or that stands most alone.

    None that is `kept`, of a hand that holds others.
    """
    wait = _turns_until_due(view)
    copies = [card.face.rank for card in view.hand]

    def missed_least(card: Card) -> tuple[bool, int, int, float]:
        rank = card.face.rank
        is_natural = rank is not None
        return is_natural, wait.get(rank, LAP), -copies.count(rank), rng.random()

    return max((card for card in view.hand if card not in kept), key=missed_least)


def _natural(hand: tuple[Card, ...], rank: Rank) -> tuple[Card, ...]:
    return tuple(card for card in hand if card.face.rank is rank)


def _turns_until_due(view: TableView) -> dict[Rank | None, int]:
    """In how many of this seat's turns each rank comes up, where the order is fixed."""
    table, players = view.table, len(view.table.seats_in)
    ranks = own_ranks(table.rules, table.due[0], players, players, LAP)
    return {rank: turns for turns, rank in reversed(list(enumerate(ranks)))}
