"""What people ask about the end of a deal, answered for exactly one setting, with the clause. Pure."""

from collections.abc import Iterator

from client.rule_sheet.doubt_answers import Answer
from protocol.ranks import RANK_STAYS
from protocol.rules import Challengers, RankOrder, TableRules


def last(rules: TableRules) -> Answer:
    """Whether last cards can be doubted, and when one is out (RULES A15, B18)."""
    time, clauses = f"for {rules.last_window_s} s", "A15, B18, C2*"
    if rules.play_on and rules.challengers is Challengers.NEXT_PLAYER:
        time, clauses = f"{time} or until the next cards go down", f"{clauses}, C4*"
    return f"Yes, like any other, {time}. You are out only when that is over.", clauses


def last_lie(_: TableRules) -> Answer:
    """What comes of a lie with the last cards (RULES A15)."""
    return "You take the pile and the game goes on.", "A15"


def last_true(rules: TableRules) -> Answer:
    """What comes of a true last play that is doubted (RULES A15)."""
    have = "are out" if rules.play_on else "have won"
    return f"You {have}, and the doubter takes the pile.", "A15"


def places(rules: TableRules) -> Answer:
    """Whether the others play on (RULES A16, B16)."""
    if rules.play_on:
        return (
            "Yes: whoever is out is skipped, the ranks go on, and the last one with cards is last.",
            "B16",
        )
    return (
        (
            "No: the deal ends with the first. The others rank by the cards they hold, fewest first; "
            "equal counts share a place. Playing on: the preset for-places."
        ),
        "A16*, B16",
    )


def endless(rules: TableRules) -> Answer:
    """What ends a deal that never ends by itself (RULES B21)."""
    stops = [
        f"at {rules.stop_after_plays or 2000:,} plays",
        *([f"after {rules.stop_after_min} minutes"] if rules.stop_after_min else []),
    ]
    return (
        (
            f"It ends {' or '.join(stops)}, or when the players vote to end it. It drags on where "
            "one hand holds all of a rank: the others must lie about it. To keep it short: "
            "1 to 4 cards a turn, 4 players or more, or jokers, or rules words such as plays-100, min-20."
        ),
        "B21",
    )


def duration(rules: TableRules) -> Answer:
    """How long a deal takes, by what is known of the main game (RULES A1, B21)."""
    usual = "15 to 30 minutes at a table, with 4 or 5 players some 40 plays"
    longer = tuple(_longer(rules))
    if not longer:
        return f"About {usual}.", "A1, B21"
    reasons = "; ".join(reason for reason, _ in longer)
    clauses = ", ".join(clause for _, clause in longer)
    return f"Longer than the main game (about {usual}): {reasons}.", f"A1, {clauses}, B21"


def _longer(rules: TableRules) -> Iterator[Answer]:
    """What makes a deal longer than one of the main game."""
    if rules.max_cards == 1:
        yield "one card a turn; allow 1 to 4 to make it shorter", "B9"
    if rules.decks != 1:
        yield f"more cards{' from five players on' if rules.decks == 'auto' else ''}", "B1"
    if rules.rank_order in RANK_STAYS:
        yield (
            "all say one rank until somebody doubts",
            "B8" if rules.rank_order is RankOrder.FREE else "B7*",
        )
    if rules.play_on:
        yield (
            "it goes on to the last place, and the fewer players remain, the longer it drags on",
            "B16",
        )


def points(rules: TableRules) -> Answer:
    """Whether anything is counted but deals won (RULES A17, B22)."""
    if rules.match_wins == 1:
        return "No. Deals won are counted, and that is all.", "A17, B22"
    return f"No. A match counts the deals won; {rules.match_wins} deals won win it.", "A17, B22"
