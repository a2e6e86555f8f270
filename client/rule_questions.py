"""What people ask about the rules, answered for exactly one setting, with the clause. Pure.

These are the questions that the rule documents of the game answer, and those that they leave
open; a star marks an answer of our own.
"""

from collections.abc import Callable, Iterator

from protocol.cards import Rank
from protocol.ranks import own_ranks
from protocol.rules import (
    Challengers,
    ChallengeUntil,
    FirstTurn,
    RankOrder,
    Reveal,
    TableRules,
)

Answer = tuple[str, str]
"""A text and the clauses it rests on."""

EXAMPLE = 4  # players, of the ranks in the example
ONE_DECK = 52
EITHER_WAY = {RankOrder.UP_OR_DOWN, RankOrder.UP_SAME_OR_DOWN}


def answered_questions(rules: TableRules) -> Iterator[tuple[str, str, str]]:
    """Every question with its answer and clauses."""
    for question, answer in _QUESTIONS:
        text, clauses = answer(rules)
        yield question, text, clauses


# --- before the first card -----------------------------------------------------------------------


def _names(rules: TableRules) -> Answer:
    same = {RankOrder.FREE, RankOrder.SAME_UNTIL_CHALLENGE}
    there = "as at this table" if rules.rank_order in same else "the presets bluff and bluff-pass"
    return (
        (
            "Yes, it is one game. In some books the last name, or Bluff, means the one in which all "
            f"say the same rank until somebody doubts: {there}."
        ),
        "B7, B8",
    )


def _players(rules: TableRules) -> Answer:
    long = "; with 3 and one card a turn it can go on for ever" if rules.max_cards == 1 else ""
    return f"2 to 10, best with 4 to 6{long}.", "A1, B21"


def _two(_: TableRules) -> Answer:
    return (
        (
            "Yes, but it is thin, and lies are easy to catch: every card you do not hold is in the "
            "other hand."
        ),
        "A1",
    )


def _decks(rules: TableRules) -> Answer:
    honest = rules.copies_of_a_rank(EXAMPLE if rules.decks == "auto" else 2)
    here = (
        f"Here one up to 4 players ({honest} of each rank), two from five on "
        f"({2 * honest} of each rank)"
        if rules.decks == "auto"
        else f"Here {rules.decks}, so {honest} cards can truly be of one rank"
    )
    return f"One is enough for any number; many groups take two from five players on. {here}.", "B1"


def _dealt(rules: TableRules) -> Answer:
    decks = rules.decks_for(EXAMPLE)
    each, over = divmod(decks * (ONE_DECK + rules.jokers), EXAMPLE)
    size = f"{each} or {each + 1}" if over else f"{each} each"
    return (
        (
            f"Every card is dealt, so 4 players get {size}. Hands may differ by one card: "
            "the seats nearest to the dealer's left get the extra ones."
        ),
        "A3",
    )


def _jokers(rules: TableRules) -> Answer:
    if not rules.jokers:
        return "Not here. Where they are, a joker counts as any rank.", "A2, B2"
    return "Yes: a joker counts as any rank, so hardly any play is a sure lie.", "B2"


def _suits(_: TableRules) -> Answer:
    return "No, only ranks count.", "A2"


def _dealer(_: TableRules) -> Answer:
    return "The first is drawn; after that the deal passes to the left.", "A4*"


def _first(rules: TableRules) -> Answer:
    drawn = rules.first_turn is FirstTurn.RANDOM
    who = "Somebody drawn at random" if drawn else "The player on the dealer's left"
    what = ", naming any rank" if rules.rank_order is RankOrder.FREE else ", claiming aces"
    return f"{who}{what}. Then it goes on to the left.", "A5, B3"


# --- the turn ------------------------------------------------------------------------------------


def _which(rules: TableRules) -> Answer:
    due = own_ranks(rules, Rank.ACE, 0, EXAMPLE, 5)
    if due:
        by = "down" if rules.rank_order is RankOrder.DOWN else "up"
        ranks = " ".join(rank.symbol for rank in due)
        return (
            (
                f"Who starts has {ranks} ...: {by} by as many as there are players, so over 13 turns "
                "you get every rank once."
            ),
            "A6, B4",
        )
    texts = {
        RankOrder.UP_OR_DOWN: ("One above or below the last claim, as you like.", "B5*"),
        RankOrder.UP_SAME_OR_DOWN: ("The last claim's rank or one beside it, as you like.", "B6*"),
        RankOrder.SAME_UNTIL_CHALLENGE: ("All the same, until a doubt is decided.", "B7*"),
        RankOrder.FREE: ("The rank that the pile was started with.", "B8"),
    }
    return texts[rules.rank_order]


def _other_rank(rules: TableRules) -> Answer:
    if rules.rank_order is RankOrder.FREE:
        return "Only who starts a pile chooses; the others say the same rank.", "B8"
    if rules.rank_order in EITHER_WAY:
        return "Yes, among those beside the last claim; ace and king are neighbours.", "B5*, B6*"
    return "No: you must say the rank that is due, whatever you lay.", "A6"


def _after_kings(rules: TableRules) -> Answer:
    if rules.rank_order is RankOrder.DOWN:
        return "After aces come kings, and after twos aces again.", "B4"
    return "After kings come aces again.", "A6"


def _how_many(rules: TableRules) -> Answer:
    match rules.max_cards:
        case 1:
            return "Exactly one card a turn, which makes long games.", "B9"
        case "none":
            copies = rules.copies_of_a_rank(EXAMPLE)
            text = f"As many as you like, but at least one. More than {copies} is a sure lie"
            return f"{text}{' with one deck' if rules.decks == 'auto' else ''}.", "A7, B9"
        case most:
            return f"1 to {most}; at least one.", "A7, B9"


def _none_held(rules: TableRules) -> Answer:
    way = "or you pass" if rules.passing else "for you cannot pass"
    return f"You bluff: lay other cards and say they are of that rank, {way}.", "A7, B11"


def _mix(_: TableRules) -> Answer:
    return "Yes. If even one card is not the rank you said, it is a lie.", "A8"


def _count(rules: TableRules) -> Answer:
    if not rules.sneak:
        return "No: the server counts. Where sneaking is on, extra cards may be tried.", "A8*, B10"
    cards = "1 card" if rules.sneak == 1 else f"up to {rules.sneak} cards"
    return (
        (
            f"Yes: {cards} more than you say may be laid. A doubt catches it like a wrong rank; "
            "fewer than you say is refused."
        ),
        "B10*",
    )


def _pass(rules: TableRules) -> Answer:
    if rules.passing:
        return "Yes, but not on an empty pile. The rank due stays.", "B11*"
    return "No. Some groups allow it, mostly in Britain: the preset british.", "A7, B11"


# --- doubting ------------------------------------------------------------------------------------


def _who_may(rules: TableRules) -> Answer:
    if rules.challengers is Challengers.NEXT_PLAYER:
        return "Only the next player still in.", "B13"
    return "Anybody but the one who played; not only the next player.", "A9"


def _must(_: TableRules) -> Answer:
    return "No. If nobody does, the cards stay face down and are not shown in this deal.", "A9, A14"


def _how_long(rules: TableRules) -> Answer:
    if rules.challenge_until is ChallengeUntil.PICK_UP:
        return "As long as the play lies in the pile, even several turns later.", "B14"
    until = "Until the next player's cards are down; after that it is too late"
    if not rules.window_s:
        return f"{until}.", "A9, C2*"
    return f"{until}. They wait {rules.window_s} s for that, or until all believe.", "A9, C2*, C4*"


def _shown(rules: TableRules) -> Answer:
    if rules.reveal is Reveal.WHOLE_PILE:
        return "The whole pile, play by play.", "B15"
    return "Only the cards of the doubted play; the rest of the pile stays unseen.", "A11"


def _taker(_: TableRules) -> Answer:
    return (
        (
            "Whoever was wrong takes every card in the middle, the shown ones too. A lie: the player. "
            "The truth: the doubter. Nothing else is lost."
        ),
        "A12",
    )


def _next(rules: TableRules) -> Answer:
    if rules.rank_order is RankOrder.FREE:
        return "Whoever took the pile starts a new one, with any rank.", "B8"
    if rules.challenge_until is ChallengeUntil.PICK_UP:
        return "Whoever was to play anyway: a doubt changes neither turn nor rank.", "B14*"
    return (
        (
            "The player on the left of the one who played, whoever took the pile, with the next rank: "
            "it does not start again at aces."
        ),
        "A13",
    )


def _same_time(rules: TableRules) -> Answer:
    tie = "At the very same instant it is the one nearest to the player's left"
    if rules.photo_finish_ms and rules.challengers is Challengers.ANYONE:
        within = f"; within {rules.photo_finish_ms} ms counts as the same instant"
        return f"The first to reach the server. {tie}{within}.", "A10, C1*, C5, C6*"
    return f"The first to reach the server counts, and only that one can cost. {tie}.", (
        "A10, C1*, C5"
    )


# --- the end -------------------------------------------------------------------------------------


def _last(rules: TableRules) -> Answer:
    return f"Yes, like any other, for {rules.last_window_s} s.", "A15, B18, C2*"


def _last_lie(_: TableRules) -> Answer:
    return "You take the pile and the game goes on.", "A15"


def _last_true(_: TableRules) -> Answer:
    return "You have won, and the doubter takes the pile.", "A15"


def _places(rules: TableRules) -> Answer:
    if rules.play_on:
        return (
            "Yes: who is out is passed over, the ranks go on, and the last one with cards is last.",
            "B16",
        )
    return "No: the deal ends with the first. The others rank by the cards they hold.", "A16"


def _endless(rules: TableRules) -> Answer:
    stops = [
        f"at {rules.stop_after_plays or 2000:,} plays",
        *([f"after {rules.stop_after_min} minutes"] if rules.stop_after_min else []),
    ]
    return (
        (
            f"It ends {' or '.join(stops)}, or when the players vote to end it. To keep it short: "
            "1 to 4 cards a turn, 4 players or more, or jokers."
        ),
        "B21",
    )


def _duration(rules: TableRules) -> Answer:
    if rules.max_cards == 1:
        return "With one card a turn long: allow 1 to 4 to make it shorter.", "B9, B21"
    return "About 15 to 30 minutes at a table; with 4 or 5 players some 40 plays.", "A1, B21"


def _points(rules: TableRules) -> Answer:
    deals = "one deal wins" if rules.match_wins == 1 else f"{rules.match_wins} deals won win"
    return f"No. A match counts the deals won; {deals} it.", "A17, B22"


_QUESTIONS: tuple[tuple[str, Callable[[TableRules], Answer]], ...] = (
    ("Are BS, Cheat and I Doubt It the same game?", _names),
    ("How many players?", _players),
    ("Can two play?", _two),
    ("Do we need two decks?", _decks),
    ("How many cards does everybody get?", _dealt),
    ("Are jokers used?", _jokers),
    ("Do suits matter?", _suits),
    ("Who deals?", _dealer),
    ("Who goes first?", _first),
    ("Which ranks will I have to say?", _which),
    ("Can I say another rank?", _other_rank),
    ("What comes after kings?", _after_kings),
    ("How many cards can I lay?", _how_many),
    ("What if I hold none of the rank?", _none_held),
    ("Can I mix true and false cards?", _mix),
    ("Can I lie about how many cards I lay?", _count),
    ("Can I pass?", _pass),
    ("Who may doubt?", _who_may),
    ("Must somebody doubt?", _must),
    ("Until when can a play be doubted?", _how_long),
    ("Which cards are shown?", _shown),
    ("Who takes the pile?", _taker),
    ("Who goes next after a doubt?", _next),
    ("What if two doubt at the same time?", _same_time),
    ("Can last cards be doubted?", _last),
    ("What if my last card is a lie?", _last_lie),
    ("What if it is true and somebody doubts it?", _last_true),
    ("Is there a second place to play for?", _places),
    ("How long does a game take?", _duration),
    ("What if a game never ends?", _endless),
    ("Are there points?", _points),
)
