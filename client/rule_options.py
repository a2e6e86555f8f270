"""The options of a lobby as its host turns them: values in order, in words, with their clauses."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from protocol.events import LobbySettings, LobbyState
from protocol.numbers import MAX_SEATS, MIN_SEATS
from protocol.rules import Challengers, ChallengeUntil, FirstTurn, RankOrder, Reveal, TableRules

Value = Any
"""A number, a word of an enum, yes or no, or None for off."""


class Option(Struct, frozen=True, kw_only=True):
    """One line among the options."""

    field: str
    label: str
    values: tuple[Value, ...]
    clause: str = ""
    about: str
    meanings: Mapping[Value, str] = {}  # by value, where one has a meaning of its own
    told: Callable[[TableRules], str] | None = None  # the meaning, where other options have a say
    words: Callable[[Value], str] = str
    of_lobby: bool = False  # a setting of the lobby, not of the rules

    def value(self, lobby: LobbyState) -> Value:
        """What is set now."""
        return getattr(lobby.settings if self.of_lobby else lobby.rules, self.field)

    def text(self, lobby: LobbyState) -> str:
        """What is set now, in words."""
        return self.words(self.value(lobby))

    def about_now(self, lobby: LobbyState) -> str:
        """What it does as it is set now, with its clause."""
        meaning = self.about if self.of_lobby else self.meaning(lobby.rules)
        return f"{self.clause}: {meaning}" if self.clause else meaning

    def meaning(self, rules: TableRules) -> str:
        """What it does as these rules have it."""
        if self.told is not None:
            return self.told(rules)
        return self.meanings.get(getattr(rules, self.field), self.about)

    def turned(self, lobby: LobbyState, steps: int) -> TableRules | LobbySettings:
        """The rules or the settings with the next value, or the one before."""
        now = self.value(lobby)
        known = now in self.values
        choices = self.values if known else tuple(sorted((*self.values, now), key=_off_first))
        then = choices[(choices.index(now) + steps) % len(choices)]
        changed: dict[str, Value] = {self.field: then}
        return replace(lobby.settings if self.of_lobby else lobby.rules, **changed)


def _off_first(value: Value) -> Value:
    return -1 if value is None else value


def _yes_no(value: Value) -> str:
    return "yes" if value else "no"


def _off_or(unit: str) -> Callable[[Value], str]:
    return lambda value: f"{value} {unit}" if value else "off"


def _seconds(value: Value) -> str:
    return f"{value} s"


_ORDERS = {
    RankOrder.UP: "A 2 .. K, up",
    RankOrder.DOWN: "A K .. 2, down",
    RankOrder.UP_OR_DOWN: "up or down",
    RankOrder.UP_SAME_OR_DOWN: "up, same or down",
    RankOrder.SAME_UNTIL_CHALLENGE: "same until doubted",
    RankOrder.FREE: "free",
}

_ORDER_MEANINGS = {
    RankOrder.UP: "Each claim is the next rank up; after kings come aces.",
    RankOrder.DOWN: "Each claim is the next rank down; after aces come kings.",
    RankOrder.UP_OR_DOWN: "One rank above or below the last claim, as you like.",
    RankOrder.UP_SAME_OR_DOWN: "The last claim's rank or one next to it, as you like.",
    RankOrder.SAME_UNTIL_CHALLENGE: "All say the same rank until a doubt, then the next one up.",
    RankOrder.FREE: "Whoever starts a pile names its rank, and all follow (Bluff).",
}


def _decks(rules: TableRules) -> str:
    """How many decks, and for how many players (RULES B1)."""
    if rules.decks == "auto":
        return "One deck for up to 4 players, two from five."
    decks = "One deck" if rules.decks == 1 else f"{rules.decks} decks"
    return f"{decks} for any number of players. auto: two from five."


def _challengers(rules: TableRules) -> str:
    """Who may doubt (RULES A9, B13, B14)."""
    if rules.challengers is Challengers.ANYONE:
        return "Anyone still in may doubt, not only the next player."
    if not rules.one_may_doubt:
        return "Only who was next when a play was laid may doubt it."
    return f"Only the next player{'; after a pass the one after' if rules.passing else ''}."


def _window(rules: TableRules) -> str:
    """How long cards wait, if they do (RULES B17, C4)."""
    if not rules.window_s:
        return "The next cards may go down at once. 4 is normal, 8 for beginners."
    if not rules.cards_wait:
        return "Nobody waits: only who lays next may doubt."
    return (
        "For this long the next cards wait, unless all believe or two play: 4 is normal, "
        "8 for beginners."
    )


def _photo_finish(rules: TableRules) -> str:
    """What a tie is, and who wins it (RULES B13, B14, B19)."""
    if rules.one_may_doubt:
        return "No effect where only the next player may doubt."
    if not rules.photo_finish_ms:
        return "The first doubt counts, however close the next."
    if rules.challengers is Challengers.NEXT_PLAYER:
        return "Doubts of two plays within this time are a tie: the newer play counts."
    return "Doubts within this time are a tie, decided by seat."


OPTIONS: tuple[Option, ...] = (
    Option(
        field="decks",
        label="decks",
        values=(1, 2, 3, 4, "auto"),
        clause="B1",
        about="How many decks are dealt.",
        told=_decks,
    ),
    Option(
        field="jokers",
        label="jokers in a deck",
        values=(0, 1, 2),
        clause="B2",
        about="A joker counts as any rank, so hardly any play is a sure lie.",
        meanings={0: "None. A joker would count as any rank."},
    ),
    Option(
        field="max_cards",
        label="cards in a play",
        values=(1, 4, 8, "none"),
        clause="B9",
        about="The most that one play may claim. 8 goes well with two decks.",
        words=lambda value: {1: "exactly 1", "none": "any number"}.get(value, f"1 to {value}"),
    ),
    Option(
        field="rank_order",
        label="rank order",
        values=tuple(RankOrder),
        clause="A6, B4-B8",
        about="Which rank is said next.",
        meanings=_ORDER_MEANINGS,
        words=_ORDERS.__getitem__,
    ),
    Option(
        field="first_turn",
        label="first turn",
        values=tuple(FirstTurn),
        clause="B3",
        about="Who begins: with aces, or in a free rank order with any rank.",
        words={FirstTurn.DEALERS_LEFT: "dealer's left", FirstTurn.RANDOM: "random"}.__getitem__,
    ),
    Option(
        field="passing",
        label="passing",
        values=(False, True),
        clause="B11, B12",
        about="You may pass; when all others pass, the pile is set aside.",
        meanings={False: "Nobody may pass: lay at least one card."},
        words=_yes_no,
    ),
    Option(
        field="sneak",
        label="sneaking",
        values=(0, 1, 2),
        clause="B10",
        about="You may lay this many more than you say; a doubt catches it.",
        meanings={0: "The server counts: you lay as many as you say."},
        words=_off_or("more"),
    ),
    Option(
        field="challengers",
        label="who may doubt",
        values=tuple(Challengers),
        clause="B13",
        about="Who may doubt a play.",
        told=_challengers,
        words={
            Challengers.ANYONE: "anyone",
            Challengers.NEXT_PLAYER: "next player",
        }.__getitem__,
    ),
    Option(
        field="challenge_until",
        label="doubt until",
        values=tuple(ChallengeUntil),
        clause="B14",
        about="Until when a play may be doubted.",
        meanings={
            ChallengeUntil.NEXT_PLAY: "Only the newest play, until the next cards go down.",
            ChallengeUntil.PICK_UP: "Any play as long as it lies in the pile, not only the newest.",
        },
        words={
            ChallengeUntil.NEXT_PLAY: "next play",
            ChallengeUntil.PICK_UP: "pick up",
        }.__getitem__,
    ),
    Option(
        field="reveal",
        label="a doubt shows",
        values=tuple(Reveal),
        clause="B15",
        about="What is turned up.",
        meanings={
            Reveal.PLAYED: "Only the doubted play; the rest of the pile stays unseen.",
            Reveal.WHOLE_PILE: "The whole pile is turned up, play by play.",
        },
        words={Reveal.PLAYED: "the play", Reveal.WHOLE_PILE: "the pile"}.__getitem__,
    ),
    Option(
        field="window_s",
        label="time to doubt",
        values=(0, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30),
        clause="B17",
        about="How long a play is protected.",
        told=_window,
        words=_seconds,
    ),
    Option(
        field="last_window_s",
        label="for last cards",
        values=(2, 4, 6, 8, 10, 12, 15, 20, 30, 60),
        clause="B18",
        about="The time to doubt somebody's last cards.",
        words=_seconds,
    ),
    Option(
        field="photo_finish_ms",
        label="photo finish",
        values=(0, 25, 50, 100, 150, 200, 300, 500),
        clause="B19, C6",
        about="What is a tie.",
        told=_photo_finish,
        words=_off_or("ms"),
    ),
    Option(
        field="turn_s",
        label="turn time",
        values=(0, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600),
        clause="B20, D1",
        about="When it is over, the server lays one card for you.",
        meanings={0: "No clock; the host or two players can start one of 30 s."},
        words=_off_or("s"),
    ),
    Option(
        field="reveal_s",
        label="time to read",
        values=tuple(range(11)),
        clause="B23, C10",
        about="How long a ruling stays before the next play goes down.",
        meanings={0: "After a ruling the next cards may go down at once."},
        words=_seconds,
    ),
    Option(
        field="play_on",
        label="play on for places",
        values=(False, True),
        clause="B16",
        about="After the first is out, the rest play for places.",
        meanings={False: "The deal ends when the first is out."},
        words=_yes_no,
    ),
    Option(
        field="stop_after_plays",
        label="stop after plays",
        values=(None, 50, 100, 150, 200, 300, 500, 1000),
        clause="B21",
        about="The deal ends after this many plays.",
        meanings={None: "2,000 plays end a deal in any case."},
        words=_off_or("plays"),
    ),
    Option(
        field="stop_after_min",
        label="stop after time",
        values=(None, 5, 10, 15, 20, 30, 45, 60, 90),
        clause="B21",
        about="The deal ends after this many minutes.",
        meanings={None: "No time ends a deal, but a vote can."},
        words=_off_or("min"),
    ),
    Option(
        field="match_wins",
        label="to win the match",
        values=(1, 2, 3, 4, 5, 7, 10, 15, 20),
        clause="B22",
        about="Deals needed to win the match.",
        words=lambda value: f"{value} deals" if value > 1 else "no match",
    ),
    Option(
        field="confess",
        label="confession",
        values=(True, False),
        clause="B24",
        about="When the deal is over, every play is turned up for everybody.",
        meanings={False: "What nobody doubted stays unseen after the deal, too."},
        words=_yes_no,
    ),
    Option(
        field="public",
        label="in the hall",
        values=(True, False),
        about="Whether this lobby is listed for everybody on the server.",
        words=_yes_no,
        of_lobby=True,
    ),
    Option(
        field="size",
        label="seats",
        values=tuple(range(MIN_SEATS, MAX_SEATS + 1)),
        clause="A1",
        about="How many can sit down; best with 4 to 6.",
        of_lobby=True,
    ),
    Option(
        field="watchers",
        label="watchers",
        values=(True, False),
        clause="D8",
        about="Whether people may watch. They see what everybody sees.",
        words={True: "allowed", False: "no"}.__getitem__,
        of_lobby=True,
    ),
    Option(
        field="shout",
        label="the shout",
        values=("BS!", "Cheat!", "I doubt it!"),
        about="What a doubter calls; only a word.",
        of_lobby=True,
    ),
)


def differing(rules: TableRules) -> tuple[Option, ...]:
    """The options of the rules that are not as in the main game."""
    classic = TableRules()
    return tuple(
        option
        for option in OPTIONS
        if not option.of_lobby and getattr(rules, option.field) != getattr(classic, option.field)
    )
