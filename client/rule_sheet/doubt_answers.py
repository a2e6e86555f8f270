"""What people ask about doubting, answered for exactly one setting, with the clause. Pure."""

from protocol.rules import (
    Challengers,
    ChallengeUntil,
    RankOrder,
    Reveal,
    TableRules,
)

Answer = tuple[str, str]
"""A text and the clauses it rests on."""


def who_may(rules: TableRules) -> Answer:
    """Who may doubt a play (RULES A9, B13)."""
    if rules.challengers is Challengers.NEXT_PLAYER:
        return _only_next(rules)
    return (
        (
            "Anybody still in but the one who played, not only the next player. "
            "The rules word next-only lets only that one doubt."
        ),
        "A9, B13, C9",
    )


def _only_next(rules: TableRules) -> Answer:
    """Who the next player is, which a pass may change (RULES B13, B14)."""
    if rules.challenge_until is ChallengeUntil.PICK_UP:
        passing = ", also after passes" if rules.passing else ""
        return f"Only the player who was next when the play was laid{passing}.", "B13, B14*"
    passing = "; after a pass the right moves on with the turn" if rules.passing else ""
    return f"Only the next player still in{passing}.", "B13*" if rules.passing else "B13"


def must_anybody(rules: TableRules) -> Answer:
    """Whether somebody has to (RULES A9, A14)."""
    if rules.reveal is Reveal.WHOLE_PILE:
        return "No. The cards stay face down, until a doubt of another play shows the pile.", (
            "A9, A14, B15"
        )
    until = "before the deal is over" if rules.confess else "at all"
    text = f"No. If nobody does, the cards stay face down and are not shown {until}."
    return text, "A9, A14, B24*" if rules.confess else "A9, A14"


def how_long(rules: TableRules) -> Answer:
    """Until when a play can be doubted (RULES A9, B14, C2)."""
    if rules.challenge_until is ChallengeUntil.PICK_UP:
        safe = " Plays of those who are out are safe." if rules.play_on else ""
        return (
            (
                "As long as the play lies in the pile, even several turns later. "
                f"While last cards can be doubted, only they can.{safe}"
            ),
            "B14*",
        )
    until = "Until the next player's cards are down; after that it is too late"
    if rules.passing:
        until += ". A pass does not end it, unless all others pass"
    if rules.cards_wait:
        until += f". Cards wait {rules.window_s} s for that, or until all believe; not between two"
    clauses = ("A9", "B11, B12*" if rules.passing else "", "C2*", "C4*" if rules.cards_wait else "")
    return (
        f"{until}. The rules word until-pickup allows it later, too.",
        ", ".join(clause for clause in (*clauses, "B14") if clause),
    )


def what_is_shown(rules: TableRules) -> Answer:
    """Which cards a doubt turns up (RULES A11, B15)."""
    if rules.reveal is Reveal.WHOLE_PILE:
        return "The whole pile, play by play.", "B15"
    return (
        (
            "Only the cards of the doubted play; the rest of the pile stays unseen. "
            "The rules word show-pile shows all of it."
        ),
        "A11, B15",
    )


def who_takes(_: TableRules) -> Answer:
    """Who takes the pile (RULES A12)."""
    return (
        (
            "Whoever was wrong takes every card in the middle, the shown ones too. A lie: the player. "
            "The truth: the doubter. Nothing else is lost."
        ),
        "A12",
    )


def who_is_next(rules: TableRules) -> Answer:
    """Who plays after a doubt, and which rank (RULES A13, B8, B14)."""
    if rules.rank_order is RankOrder.FREE:
        return "Whoever took the pile starts a new one, with any rank.", "B8"
    rank, clause = _rank_after(rules)
    if rules.challenge_until is ChallengeUntil.PICK_UP:
        who = "Whoever was to play anyway"
        return f"{who}, whoever took the pile, with {rank}.", f"B14*{clause}"
    who = "The player on the left of the one who played"
    clause = f"A13, B11{clause}" if rules.passing else f"A13{clause}"
    if rules.passing:
        who = "Whoever was to play anyway: the player on the left of the last to play or pass"
    text = f"{who}, whoever took the pile, with {rank}: it does not start again at aces."
    return text, clause


def _rank_after(rules: TableRules) -> Answer:
    """The rank that follows a doubt, and the clause if it is not that of the turn."""
    match rules.rank_order:
        case RankOrder.UP_OR_DOWN:
            return "a rank next to the last one", ", B5*"
        case RankOrder.UP_SAME_OR_DOWN:
            return "the last rank or one next to it", ", B6*"
        case RankOrder.SAME_UNTIL_CHALLENGE:
            return "the next rank up", ", B7*"
        case _:
            return "the next rank", ""


def same_time(rules: TableRules) -> Answer:
    """Who counts where two doubt at once (RULES A10, B14, C)."""
    if rules.challengers is Challengers.NEXT_PLAYER:
        return _one_at_a_time(rules)
    older = rules.challenge_until is ChallengeUntil.PICK_UP
    nearest = "the one nearest to the player's left"
    first = f"whoever doubts the newer play wins, then {nearest}" if older else f"{nearest} wins"
    tie = f"At the very same instant {first}"
    clauses = f"A10, {'B14*, ' if older else ''}C1*, C5"
    if rules.photo_finish_ms:
        within = f"; within {rules.photo_finish_ms} ms counts as the same instant"
        return f"The first to reach the server. {tie}{within}.", f"{clauses}, C6*"
    return f"The first to reach the server counts, and only that one can cost. {tie}.", clauses


def _one_at_a_time(rules: TableRules) -> Answer:
    """The same where each play has only one who may doubt it (RULES B13, B14)."""
    if rules.one_may_doubt:
        return "They cannot: there is only one who may doubt.", "B13"
    text = (
        "Each play has only one who may doubt it. Of doubts of two plays the first to reach the server "
        "counts; at the very same instant the newer play wins"
    )
    if rules.photo_finish_ms:
        within = f"; within {rules.photo_finish_ms} ms counts as the same instant."
        return f"{text}{within}", "A10, B13, B14*, C1*, C6*"
    return f"{text}.", "A10, B13, B14*, C1*"
