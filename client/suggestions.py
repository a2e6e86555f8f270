"""What goes well with so many players: settings to suggest to a host, with their clauses. Pure."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from protocol.events import LobbyStage, LobbyState
from protocol.numbers import MIN_SEATS
from protocol.rules import TWO_DECKS_FROM, TableRules

TWO_DECKS = 2
USUAL_MOST = 4  # as many cards as a play usually has with one deck
WITH_TWO_DECKS = 8
THREE = 3
THIN = "Two make a thin game"
NOTHING_BETTER = "There is nothing to suggest: these rules suit this many players."


class Suggestion(Struct, frozen=True, kw_only=True):
    """One change of the rules, in words."""

    text: str
    clause: str
    rules: TableRules  # the rules with this change, and with those before it


def suggestions(lobby: LobbyState) -> tuple[Suggestion, ...]:
    """What would go better with those who sit here; each builds on the one before."""
    return tuple(_suggested(lobby.rules, len(lobby.seats)))


def _suggested(rules: TableRules, players: int) -> Iterator[Suggestion]:
    if players >= TWO_DECKS_FROM and rules.decks_for(players) < TWO_DECKS:
        rules = replace(rules, decks="auto")
        yield Suggestion(text="two decks", clause="B1", rules=rules)
    if rules.decks_for(players) >= TWO_DECKS and rules.max_cards == USUAL_MOST:
        rules = replace(rules, max_cards=WITH_TWO_DECKS)
        yield Suggestion(text="1 to 8 cards in a play", clause="B9", rules=rules)
    if players == THREE and rules.max_cards == 1:
        rules = replace(rules, max_cards=USUAL_MOST)
        yield Suggestion(
            text="1 to 4 cards (with one card, deals of three can go on for ever)",
            clause="B21",
            rules=rules,
        )
    if rules.one_may_doubt and rules.photo_finish_ms:
        rules = replace(rules, photo_finish_ms=0)
        yield Suggestion(
            text="no photo finish (only one may doubt)", clause="B13, B19", rules=rules
        )


def is_thin(lobby: LobbyState) -> bool:
    """Whether two are about to play: nothing to change by the rules, but to be known (RULES A1)."""
    return len(lobby.seats) == MIN_SEATS and lobby.stage is not LobbyStage.PLAYING


def suggestion_text(lobby: LobbyState) -> str:
    """All of them in one sentence without its end; empty if there is nothing to suggest."""
    found = suggestions(lobby)
    if not found:
        return ""
    players = len(lobby.seats)
    whom = f"For {players} players" if players >= MIN_SEATS else "For these rules"
    texts = ", ".join(one.text for one in found)
    return f"{whom}: {texts} ({', '.join(one.clause for one in found)})"


def with_suggestions(lobby: LobbyState) -> TableRules:
    """The rules with all that is suggested."""
    found = suggestions(lobby)
    return found[-1].rules if found else lobby.rules
