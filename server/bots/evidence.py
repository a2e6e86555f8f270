"""What is sure about a play: whether what one knows proves it a lie, or proves it true."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from protocol.cards import Rank
from protocol.numbers import MIN_SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from protocol.cards import Face
    from protocol.events import Played
    from protocol.numbers import PlayNumber, Seat
    from protocol.views import PublicTable, TableView

Kind = Rank | None
"""All of a face that counts: its rank; None is a joker (RULES A2, B2)."""

Kinds = Counter[Kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Cards whose whereabouts are sure, seen from one play."""

    elsewhere: Kinds  # cards that are surely not among those of the play
    theirs: Kinds = field(default_factory=Counter)  # in its player's hand or own plays in the pile


def kinds(faces: Iterable[Face]) -> Kinds:
    """Count faces by kind."""
    return Counter(face.rank for face in faces)


def true_of(known: Kinds, rank: Rank) -> int:
    """How many of these make a claim of the rank true; jokers do (RULES B2)."""
    return known[rank] + known[None]


def false_of(known: Kinds, rank: Rank) -> int:
    """How many of these make a claim of the rank a lie (RULES A8)."""
    return known.total() - true_of(known, rank)


def own_hand(view: TableView) -> Evidence:
    """What one's own hand says about anybody else's play."""
    return Evidence(elsewhere=kinds(card.face for card in view.hand))


def two_are_left(table: PublicTable) -> bool:
    """Whether of more than two only two play on: what one of them lacks the other has (RULES B16)."""
    return len(table.seats_in) == MIN_SEATS < len(table.seats)


def play_in_pile(table: PublicTable, number: PlayNumber) -> Played:
    """Find a play that still lies in the pile.

    Raises:
        LookupError: it does not.
    """
    play = table.lying(number)
    if play is None:
        message = f"play {number} is not in the pile"
        raise LookupError(message)
    return play


def is_disproved(table: PublicTable, play: Played, evidence: Evidence) -> bool:
    """Whether the play must be a lie: more cards claimed than its player can truly have."""
    not_seen_elsewhere = table.copies_of_a_rank - true_of(evidence.elsewhere, play.rank)
    not_known_false = _most_cards_of(table, play.seat) - false_of(evidence.theirs, play.rank)
    return play.count > min(not_seen_elsewhere, not_known_false)


def is_proved(table: PublicTable, play: Played, evidence: Evidence) -> bool:
    """Whether the play must be true. With `sneak` nobody can be sure of a count (RULES B10)."""
    if table.rules.sneak:
        return False
    players, rank = len(table.seats), play.rank
    deck = table.rules.decks_for(players) * (52 + table.rules.jokers)
    false_ones = deck - table.copies_of_a_rank
    all_known = evidence.theirs.total() == _most_cards_of(table, play.seat)
    return false_of(evidence.elsewhere, rank) == false_ones or (
        all_known and false_of(evidence.theirs, rank) == 0
    )


def has_said_too_many(table: PublicTable, play: Played) -> bool:
    """Whether its player has said more of the rank in this pile than there are: it has lied there."""
    own = (each for each in table.pile if each.seat == play.seat and each.rank is play.rank)
    return sum(each.count for each in own) > table.copies_of_a_rank


def should_be_doubted(table: PublicTable, play: Played, evidence: Evidence) -> bool:
    """Whether the play is a sure lie, or may be one: of who has lied in this pile, or would win (RULES A15)."""
    if is_disproved(table, play, evidence):
        return True
    suspect = play.last or has_said_too_many(table, play)
    return suspect and not is_proved(table, play, evidence)


def _most_cards_of(table: PublicTable, seat: Seat) -> int:
    """The most cards a seat can have in its hand and in its plays in the pile (RULES B10)."""
    laid = sum(play.count + table.rules.sneak for play in table.pile if play.seat == seat)
    return table.seats[seat].cards + laid
