"""The rule sheet for exactly one setting, in our own words, with the clause of every sentence. Pure.

A star marks what is our own ruling: published rules disagree about it or say nothing.
"""

from collections.abc import Iterator

from client.rule_sheet.questions import FIRST_RANK, answered_questions
from protocol.codes import rules_code
from protocol.rules import (
    Challengers,
    ChallengeUntil,
    FirstTurn,
    RankOrder,
    Reveal,
    TableRules,
    preset_of,
)

OURS = "*"
MARKS = f"  In brackets: the clause. {OURS} our own ruling: published rules disagree here, or say nothing."

ORDERS = {
    RankOrder.UP: ("The next claim is always one rank up, A 2 3 ... 10 J Q K A ...", "A6"),
    RankOrder.DOWN: ("The next claim is always one rank down, A K Q ... 3 2 A ...", "B4"),
    RankOrder.UP_OR_DOWN: (
        "The next claim is one rank above or below the last; ace and king are neighbours.",
        "B5*",
    ),
    RankOrder.UP_SAME_OR_DOWN: (
        "The next claim is the rank of the last, or one above or below; ace and king are neighbours.",
        "B6*",
    ),
    RankOrder.SAME_UNTIL_CHALLENGE: (
        "Everybody claims the same rank until a challenge is decided; then the next rank up.",
        "B7*",
    ),
    RankOrder.FREE: (
        "Whoever starts a pile names any rank; all follow with that rank until a challenge.",
        "B8",
    ),
}


NEW_PILE = {
    RankOrder.SAME_UNTIL_CHALLENGE: (" with the next rank up", ", B7*"),
    RankOrder.FREE: (" with any rank", ", B8"),
}
"""The rank after a pile was set aside, where it is not the one that was due anyway."""


def rule_sheet(rules: TableRules) -> tuple[str, ...]:
    """The sheet, line by line: headings in capitals, blank lines between the parts."""
    code = rules_code(rules)
    preset = preset_of(rules)
    title = f"FACEDOWN: {preset}" if preset else "FACEDOWN"
    parts = (_aim, _turn, _doubting, _speed, _end, _people)
    lines = [title, f"Rules code: {code} (B25)", MARKS]
    for part in parts:
        lines.append("")
        lines.extend(part(rules))
    return (*lines, "", "QUESTIONS", *_questions(rules))


def _questions(rules: TableRules) -> Iterator[str]:
    for question, answer, clauses in answered_questions(rules):
        yield _line(f"{question} {answer}", clauses)


def _line(text: str, clause: str) -> str:
    return f"  {text} ({clause})"


def _aim(rules: TableRules) -> Iterator[str]:
    yield "THE AIM"
    yield _line("Get rid of all your cards first, truthfully or not.", "A15")
    yield _line("2 to 10 players; best with 4 to 6.", "A1")
    yield _line(_deck(rules), "A2, B1, B2")
    yield _line("All cards are dealt, one at a time; suits never matter.", "A2, A3")
    yield _line("The first dealer is drawn; then the deal passes to the left.", "A4*")


def _deck(rules: TableRules) -> str:
    if rules.decks == "auto":
        decks = "One deck for up to 4 players, two from five on"
    else:
        decks = "One deck of 52" if rules.decks == 1 else f"{rules.decks} decks of 52"
    if not rules.jokers:
        return f"{decks}, no jokers."
    many = "one joker" if rules.jokers == 1 else f"{rules.jokers} jokers"
    each = "" if rules.decks == 1 else " in each"
    return f"{decks}, with {many}{each}; a joker counts as any rank."


def _turn(rules: TableRules) -> Iterator[str]:
    yield "YOUR TURN"
    first = "The player on the dealer's left starts"
    if rules.first_turn is FirstTurn.RANDOM:
        first = "A player drawn at random starts"
    free = rules.rank_order is RankOrder.FREE
    aces = "" if free else ", claiming aces"
    yield _line(f"{first}{aces}.", f"A5, B3{'' if free else FIRST_RANK[rules.rank_order]}")
    yield _line(
        f"Lay {_cards(rules)} face down and say how many they are, and their rank.", "A7, B9"
    )
    yield _line(*ORDERS[rules.rank_order])
    yield _line("The cards may be anything: lie if you like. One wrong card makes it a lie.", "A8")
    yield from _sneak(rules)
    yield from _passing(rules)


def _cards(rules: TableRules) -> str:
    many = {1: "exactly one card", "none": "any number of cards"}
    return many.get(rules.max_cards, f"1 to {rules.max_cards} cards")


def _sneak(rules: TableRules) -> Iterator[str]:
    if not rules.sneak:
        yield _line("The server counts, so a wrong count cannot be made.", "A8*")
        return
    more = "one card" if rules.sneak == 1 else f"{rules.sneak} cards"
    yield _line(f"Up to {more} more than you say may go down; being caught costs the same.", "B10")
    yield _line(
        "Pile and hand sizes are shown as claimed; a pick-up shows those of pile and taker.", "B10*"
    )


def _passing(rules: TableRules) -> Iterator[str]:
    if not rules.passing:
        yield _line("You must lay at least one card: there is no passing.", "A7")
        return
    yield _line("You may pass, except on an empty pile; the rank due stays.", "B11*")
    aside = "When all others have passed, the pile goes out of play unseen"
    rank, clause = NEW_PILE.get(rules.rank_order, ("", ""))
    yield _line(f"{aside}; the last to lay starts anew{rank}.", f"B12*{clause}")


def _doubting(rules: TableRules) -> Iterator[str]:
    yield "DOUBTING"
    older = rules.challenge_until is ChallengeUntil.PICK_UP
    who = "Any other player"
    if rules.challengers is Challengers.NEXT_PLAYER:
        who = "Only whoever was next when a play was laid" if older else "Only the next player"
    yield _line(f"{who} may doubt; nobody has to.", "A9, B13")
    if older:
        yield _line("Any play still in the pile may be doubted, not only the newest.", "B14")
    else:
        until = "until the next cards go down" + (" or all others pass" if rules.passing else "")
        yield _line(
            f"The newest play may be doubted {until}.", "A9, B12*" if rules.passing else "A9"
        )
    shown = "Only the doubted cards are turned up"
    if rules.reveal is Reveal.WHOLE_PILE:
        shown = "The whole pile is turned up, play by play"
    yield _line(f"{shown}.", "A11, B15")
    yield _line("A lie: its player takes the pile. The truth: the doubter takes it.", "A12")
    yield _after_a_doubt(rules)
    if rules.reveal is Reveal.PLAYED:
        yield _line("A play that nobody doubted is not shown during the deal.", "A14")


def _after_a_doubt(rules: TableRules) -> str:
    if rules.rank_order is RankOrder.FREE:
        return _line("Whoever took the pile starts the next one, with any rank.", "B8")
    if rules.challenge_until is ChallengeUntil.PICK_UP:
        return _line("The turn goes on as if nobody had doubted.", "A13, B14*")
    if rules.passing:
        return _line("The turn goes on as if nobody had doubted.", "A13, B11")
    return _line("The turn goes on as if nobody had doubted: to the left of the player.", "A13")


def _speed(rules: TableRules) -> Iterator[str]:
    yield "WHO DOUBTED FIRST"
    yield _line(
        "The doubt that reaches the server first counts; only that one can cost.", "A10, C1*"
    )
    yield from _protected(rules)
    yield _last_cards(rules)
    yield from _ties(rules)
    yield _line("A doubt that comes too late costs nothing.", "C7*")


def _protected(rules: TableRules) -> Iterator[str]:
    """How long the next cards wait for a doubt, and where they do not."""
    if not rules.window_s:
        yield _line("There is no protected time: the next cards may go down at once.", "B17, C2*")
        return
    if not rules.cards_wait:
        yield _line("The next cards go down at once: nobody else may doubt that play.", "B13, C4*")
        return
    yield _line(
        f"For {rules.window_s} s after a play the next cards cannot go down, unless all others believe it.",
        "B17, C2*, C4*",
    )
    yield _line("Cards laid in that time wait; if somebody doubts, they come back.", "C3*")
    yield _line("Between two players they go down at once.", "C4*")


def _last_cards(rules: TableRules) -> str:
    """How long last cards can be doubted, and whether others may lay meanwhile."""
    text = f"Last cards can be doubted for {rules.last_window_s} s"
    if not rules.play_on:
        return _line(f"{text}; until that is over nobody lays.", "B18, C2*")
    if rules.challengers is Challengers.NEXT_PLAYER:
        until = "or until the next cards go down; if only two are left, nobody lays"
        return _line(f"{text}, {until}.", "B13, B16, B18, C2*, C4*")
    waits = "cards laid in that time wait; if only two are left, nobody lays"
    return _line(f"{text}; {waits}.", "B16, B18, C2*, C3*")


def _ties(rules: TableRules) -> Iterator[str]:
    """What believing does, and who is first where two doubt at once."""
    if rules.challenge_until is ChallengeUntil.PICK_UP:
        yield _line(
            "You may believe a play; when all do, nobody waits. You can still doubt.", "C4*"
        )
        yield _line(f"At the very same instant {_first_of_two(rules)}.", "B14*, C5")
    elif rules.one_may_doubt:
        yield _line("Whoever may doubt a play can believe it: then it stands.", "B13, C4*")
    else:
        yield _line(
            "You may believe a play, and still doubt it; when all believe it, it stands.", "C4*"
        )
        yield _line("At the very same instant the one nearest to the player's left is first.", "C5")
    if rules.photo_finish_ms and not rules.one_may_doubt:
        ms = rules.photo_finish_ms
        yield _line(f"Doubts within {ms} ms of the first count as the same instant.", "B19, C6*")


def _first_of_two(rules: TableRules) -> str:
    """Which doubt counts of two at once, where older plays can be doubted, too."""
    if rules.challengers is Challengers.NEXT_PLAYER:
        return "the newer play goes first"
    return "the newer play goes first, then the one nearest to the player's left"


def _end(rules: TableRules) -> Iterator[str]:
    yield "THE END"
    yield _line("Last cards can be doubted too: a lie, and you are back in with the pile.", "A15")
    if rules.play_on:
        yield _line("When a player is out the rest play on for places.", "B16")
    else:
        yield _line(
            "The deal ends when one is out; the rest rank by cards left, fewest first.", "A16*"
        )
    yield from _stops(rules)
    if rules.match_wins > 1:
        yield _line(f"The match is won by {rules.match_wins} deals won.", "B22, A17")
    else:
        yield _line(
            "No points and no match: deals won are counted, one after the other.", "B22, A17"
        )
    if rules.confess:
        yield _line("Then every play is turned up: who lied, and who got away with it.", "B24*")


def _stops(rules: TableRules) -> Iterator[str]:
    if rules.stop_after_plays:
        yield _line(f"The deal also ends at {rules.stop_after_plays} plays.", "B21")
    else:
        yield _line("2,000 plays end a deal in any case.", "B21*")
    if rules.stop_after_min:
        yield _line(f"The deal also ends after {rules.stop_after_min} minutes.", "B21")
    yield _line("A vote of the players can end it; from play 150 on it is offered.", "B21, D6*")


def _people(rules: TableRules) -> Iterator[str]:
    yield "SLOW OR AWAY"
    if rules.turn_s:
        yield _line(
            f"You have {rules.turn_s} s for your turn; then one card is played for you.", "B20, D1*"
        )
    else:
        yield _line("Turns have no clock; the host or two players can start one of 30 s.", "D1*")
    read = f"After a ruling there are {rules.reveal_s} s to read it."
    at_once = "After a ruling the next cards may go down at once."
    yield _line(read if rules.reveal_s else at_once, "B23, C10*")
    yield _line("A lost connection keeps the seat; a computer player stands in after 20 s.", "D2*")
    yield _line("Giving up the seat hands it to a computer player; you may come back.", "D3*")
