"""What a computer player answers, and what a temperament is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from protocol.cards import Card, Rank
    from protocol.numbers import CardId, PlayNumber
    from protocol.views import TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayChoice:
    """Cards to lay face down, named by id, and what to claim of them (RULES A7)."""

    cards: tuple[CardId, ...]
    count: int
    rank: Rank


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass instead of playing (RULES B11)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Temperament:
    """One kind of computer player: pure functions of its seat's view and the dice.

    `decide_play` may be asked while `options_of(view).may_play` holds and answers with a legal
    move; `decide_doubt` may be asked of any play in `options_of(view).challenge`.
    """

    name: str
    decide_play: Callable[[TableView, Random], PlayChoice | Pass]
    decide_doubt: Callable[[TableView, PlayNumber, Random], bool]


def laid_as(cards: tuple[Card, ...], rank: Rank, *, extra: int = 0) -> PlayChoice:
    """Lay these cards and claim them all, or all but `extra` of them (RULES B10)."""
    ids = tuple(card.id for card in cards)
    return PlayChoice(cards=ids, count=len(ids) - extra, rank=rank)
