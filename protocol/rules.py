"""TableRules: every option of RULES B, and the named presets. The short text form is in codes."""

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct

TWO_DECKS_FROM = 5  # players, for `decks` auto (RULES B1)
SUITS = 4
SHORTEST_TURN_S = 10


class FirstTurn(StrEnum):
    """Who plays first (RULES A5, B3)."""

    DEALERS_LEFT = "dealers_left"
    RANDOM = "random"


class RankOrder(StrEnum):
    """Which rank may be claimed after which (RULES A6, B4 to B8)."""

    UP = "up"
    DOWN = "down"
    UP_OR_DOWN = "up_or_down"
    UP_SAME_OR_DOWN = "up_same_or_down"
    SAME_UNTIL_CHALLENGE = "same_until_challenge"
    FREE = "free"


class Challengers(StrEnum):
    """Who may challenge a play (RULES A9, B13)."""

    ANYONE = "anyone"
    NEXT_PLAYER = "next_player"


class ChallengeUntil(StrEnum):
    """How long a play may be challenged (RULES A9, B14)."""

    NEXT_PLAY = "next_play"
    PICK_UP = "pick_up"


class Reveal(StrEnum):
    """What a challenge turns up (RULES A11, B15)."""

    PLAYED = "played"
    WHOLE_PILE = "whole_pile"


class TableRules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rules of one table: the options of RULES B, each with the default of `classic`.

    On the wire only what differs from `classic` is present.
    """

    decks: Literal[1, 2, 3, 4, "auto"] = 1  # RULES B1
    jokers: Literal[0, 1, 2] = 0  # RULES B2
    first_turn: FirstTurn = FirstTurn.DEALERS_LEFT  # RULES B3
    rank_order: RankOrder = RankOrder.UP  # RULES B4 to B8
    max_cards: Literal[1, 4, 8, "none"] = 4  # RULES B9
    sneak: Literal[0, 1, 2] = 0  # RULES B10
    passing: bool = False  # RULES B11, B12
    challengers: Challengers = Challengers.ANYONE  # RULES B13
    challenge_until: ChallengeUntil = ChallengeUntil.NEXT_PLAY  # RULES B14
    reveal: Reveal = Reveal.PLAYED  # RULES B15
    play_on: bool = False  # RULES B16
    window_s: Annotated[int, Meta(ge=0, le=30)] = 4  # RULES B17
    last_window_s: Annotated[int, Meta(ge=2, le=60)] = 8  # RULES B18
    photo_finish_ms: Annotated[int, Meta(ge=0, le=500)] = 0  # RULES B19
    turn_s: Annotated[int, Meta(ge=0, le=600)] = 45  # 0 is off, or 10 and more: RULES B20
    stop_after_plays: Annotated[int, Meta(ge=1, le=2000)] | None = None  # RULES B21
    stop_after_min: Annotated[int, Meta(ge=1, le=600)] | None = None  # RULES B21
    match_wins: Annotated[int, Meta(ge=1, le=20)] = 1  # RULES B22
    reveal_s: Annotated[int, Meta(ge=0, le=10)] = 3  # RULES B23
    confess: bool = True  # RULES B24

    def __post_init__(self) -> None:
        """Refuse the one hole in a range (RULES B20: 0, or 10 to 600 seconds)."""
        if 0 < self.turn_s < SHORTEST_TURN_S:
            message = f"turn_s is 0 (off) or at least {SHORTEST_TURN_S} seconds"
            raise ValueError(message)

    def decks_for(self, players: int) -> int:
        """How many decks this many players use (RULES B1)."""
        if self.decks == "auto":
            return 2 if players >= TWO_DECKS_FROM else 1
        return self.decks

    def copies_of_a_rank(self, players: int) -> int:
        """How many cards can truly be of one rank, jokers included (RULES B1, B2)."""
        return self.decks_for(players) * (SUITS + self.jokers)

    @property
    def cards_wait(self) -> bool:
        """Whether the next cards wait while a play is protected: never between two (RULES B13, B17, C4)."""
        return self.window_s > 0 and self.challengers is Challengers.ANYONE

    @property
    def one_may_doubt(self) -> bool:
        """Whether there is never more than one player who may doubt (RULES B13, B14)."""
        newest_only = self.challenge_until is ChallengeUntil.NEXT_PLAY
        return newest_only and self.challengers is Challengers.NEXT_PLAYER

    def most_claimed(self, in_hand: int) -> int:
        """The most cards that a seat with this many in hand may claim in one play (RULES A7, B9)."""
        return in_hand if self.max_cards == "none" else min(in_hand, self.max_cards)


CLASSIC = TableRules()

PRESETS: dict[str, TableRules] = {
    "classic": CLASSIC,
    "pagat": TableRules(max_cards="none", first_turn=FirstTurn.RANDOM),
    "bluff": TableRules(rank_order=RankOrder.FREE, max_cards="none"),
    "bluff-pass": TableRules(rank_order=RankOrder.FREE, max_cards="none", passing=True),
    "one-card": TableRules(max_cards=1),
    "british": TableRules(passing=True),
    "loose": TableRules(rank_order=RankOrder.UP_SAME_OR_DOWN),
    "big-table": TableRules(decks="auto", max_cards=8),
    "downhill": TableRules(rank_order=RankOrder.DOWN),
    "sneaky": TableRules(sneak=1, reveal=Reveal.WHOLE_PILE),
    "jokers": TableRules(jokers=2),
    "for-places": TableRules(play_on=True),
    "family": TableRules(window_s=8, last_window_s=12, turn_s=0),
    "evening": TableRules(match_wins=3),
}


def preset_of(rules: TableRules) -> str | None:
    """The preset that these rules are; None for others."""
    return next((name for name, known in PRESETS.items() if known == rules), None)
