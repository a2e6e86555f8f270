"""Options that stand for several at once: a preset, and the pace of a table."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from client.rule_options import OPTIONS, Option
from protocol.events import LobbyState
from protocol.rules import CLASSIC, PRESETS, TableRules

MIXED = "own mix"
PACE_FIELDS = ("window_s", "last_window_s", "turn_s", "reveal_s")


class Bundle(Struct, frozen=True, kw_only=True):
    """One line among the options; `values` are the rules that each of its words sets."""

    label: str
    clause: str
    values: Mapping[str, Mapping[str, Any]]
    about: Mapping[str, str]

    def value(self, lobby: LobbyState) -> str | None:
        """Which of them is set now; None for a mixture of one's own."""
        rules = lobby.rules
        return next(
            (
                name
                for name, fields in self.values.items()
                if all(getattr(rules, field) == value for field, value in fields.items())
            ),
            None,
        )

    def text(self, lobby: LobbyState) -> str:
        """The same in words."""
        return self.value(lobby) or MIXED

    def about_now(self, lobby: LobbyState) -> str:
        """What the chosen one means, with the clause."""
        name = self.value(lobby)
        meaning = self.about[name] if name else f"none of the {len(self.values)} {self.label}s"
        return f"{self.clause}: {meaning}."

    def turned(self, lobby: LobbyState, steps: int) -> TableRules:
        """The rules with the next one, or the one before."""
        names = list(self.values)
        now = self.value(lobby)
        place = names.index(now) + steps if now else (0 if steps > 0 else -1)
        return self.set_to(lobby, names[place % len(names)])

    def set_to(self, lobby: LobbyState, name: str) -> TableRules:
        """The rules with this one."""
        return replace(lobby.rules, **self.values[name])


class _Presets(Bundle, frozen=True, kw_only=True):
    """The presets; the pace has a line of its own, and a host who turns it leaves no preset by that."""

    def value(self, lobby: LobbyState) -> str | None:
        """The preset that is set now, if need be at another pace."""
        rules = lobby.rules
        at_this_pace = (
            name for name, preset in PRESETS.items() if replace(preset, **_pace(rules)) == rules
        )
        return Bundle.value(self, lobby) or next(at_this_pace, None)

    def set_to(self, lobby: LobbyState, name: str) -> TableRules:
        """The preset, at the pace that the host has chosen, unless it has one of its own."""
        now = PRESETS.get(self.value(lobby) or "", CLASSIC)
        chosen, pace = PRESETS[name], _pace(lobby.rules)
        keeps = pace != _pace(now) and _pace(chosen) == _pace(CLASSIC)
        return replace(chosen, **pace) if keeps else chosen


def _pace(rules: TableRules) -> dict[str, Any]:
    return {field: getattr(rules, field) for field in PACE_FIELDS}


PRESET = _Presets(
    label="preset",
    clause="B25",
    values={
        name: {field: getattr(rules, field) for field in TableRules.__struct_fields__}
        for name, rules in PRESETS.items()
    },
    about={
        "classic": "the main game: up from aces, 1 to 4 cards, anyone may doubt",
        "pagat": "any number of cards in a play; a random player starts",
        "bluff": "whoever starts a pile names its rank; any number of cards",
        "bluff-pass": "free ranks, any number of cards, and you may pass",
        "one-card": "exactly one card a turn, which makes long games",
        "british": "the main game, and you may pass",
        "loose": "say the same rank again, or one up or down",
        "big-table": "for five and more: two decks, 1 to 8 cards in a play",
        "downhill": "down from aces: kings, queens and so on",
        "sneaky": "lay one card more than you say; a doubt shows the whole pile",
        "jokers": "two jokers, which count as any rank",
        "for-places": "the others play on until everybody has a place",
        "family": "more time to doubt, and no turn clock",
        "evening": "a match: the first with three deals won",
    },
)
PACE = Bundle(
    label="pace",
    clause="B17-B23",
    values={
        "fast": {"window_s": 3, "last_window_s": 6, "turn_s": 20, "reveal_s": 2},
        "normal": {"window_s": 4, "last_window_s": 8, "turn_s": 45, "reveal_s": 3},
        "beginners": {"window_s": 8, "last_window_s": 12, "turn_s": 0, "reveal_s": 3},
        "readers": {"window_s": 15, "last_window_s": 20, "turn_s": 120, "reveal_s": 8},
    },
    about={
        "fast": "3 s to doubt, 20 s for a turn: for a practised table",
        "normal": "4 s to doubt, 45 s for a turn",
        "beginners": "8 s to doubt, no turn clock",
        "readers": "15 s to doubt, 120 s for a turn: for screen readers, which take time",
    },
)
CHOICES: tuple[Bundle | Option, ...] = (PRESET, PACE, *OPTIONS)
"""All that a host can turn, those that set several things first."""
