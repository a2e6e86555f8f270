"""What people ask about the rules, answered for exactly one setting, with the clause. Pure.

These are the questions that the rule documents of the game answer, and those that they leave
open; a star marks an answer of our own.
"""

from collections.abc import Callable, Iterator

from client.rule_sheet import doubt_answers as doubting
from client.rule_sheet import end_answers as ending
from client.rule_sheet.doubt_answers import Answer
from client.words import provided
from protocol.cards import Rank
from protocol.numbers import MAX_SEATS, MIN_SEATS
from protocol.ranks import RANK_STAYS, own_ranks
from protocol.rules import (
    FirstTurn,
    RankOrder,
    TableRules,
)

EXAMPLE = 4  # players, of the ranks in the example
ONE_DECK = 52


FIRST_RANK = {
    RankOrder.UP: "",
    RankOrder.DOWN: "",
    RankOrder.UP_OR_DOWN: ", B6*",
    RankOrder.UP_SAME_OR_DOWN: ", B6*",
    RankOrder.SAME_UNTIL_CHALLENGE: ", B7",
    RankOrder.FREE: ", B8",
}
"""Where it is said which rank comes first, if not with who goes first."""


def answered_questions(rules: TableRules) -> Iterator[tuple[str, str, str]]:
    """Every question with its answer and clauses."""
    for question, answer in _QUESTIONS:
        text, clauses = answer(rules)
        yield question, text, clauses


# --- before the first card -----------------------------------------------------------------------


def _names(rules: TableRules) -> Answer:
    there = (
        "as at this table" if rules.rank_order in RANK_STAYS else "the presets bluff and bluff-pass"
    )
    return (
        (
            "Yes, it is one game: Cheat in Britain, BS in the United States, I Doubt It in many "
            "books. In some the last name, or Bluff, means a version in which all say the same rank "
            f"until somebody doubts: {there}."
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
        f"Here one for up to 4 players ({honest} cards can truly be of one rank), two from five on "
        f"({2 * honest} cards)"
        if rules.decks == "auto"
        else f"Here {rules.decks}, so {honest} cards can truly be of one rank"
    )
    return (
        (
            f"One is enough for any number; many groups take two from five players on. {here}. "
            "No source says that the limit of cards in a play grows with the decks: the host decides."
        ),
        "B1, B9",
    )


def _dealt(rules: TableRules) -> Answer:
    sizes = ", ".join(_size(rules, players) for players in range(MIN_SEATS, MAX_SEATS + 1))
    return (
        (
            f"Every card is dealt. Players and cards: {sizes}. Hands differ by one card at most: "
            "the seats nearest to the dealer's left get the extra ones."
        ),
        "A3",
    )


def _size(rules: TableRules, players: int) -> str:
    """What so many players get: "5: 10 or 11"."""
    each, over = divmod(rules.decks_for(players) * (ONE_DECK + rules.jokers), players)
    return f"{players}: {each} or {each + 1}" if over else f"{players}: {each}"


def _jokers(rules: TableRules) -> Answer:
    if not rules.jokers:
        return "Not here. Where they are, a joker counts as any rank: the preset jokers.", "A2, B2"
    return (
        (
            "Yes: a joker counts as any rank, so hardly any play is a sure lie. "
            "Nobody says that cards are jokers."
        ),
        "B2",
    )


def _suits(_: TableRules) -> Answer:
    return "No, only ranks count.", "A2"


def _dealer(_: TableRules) -> Answer:
    return "The first is drawn; after that the deal passes to the left.", "A4*"


def _first(rules: TableRules) -> Answer:
    drawn = rules.first_turn is FirstTurn.RANDOM
    who = "Somebody drawn at random" if drawn else "The player on the dealer's left"
    what = "naming any rank" if rules.rank_order is RankOrder.FREE else "claiming aces"
    return f"{who}, {what}. Then it goes on to the left.", f"A5, B3{FIRST_RANK[rules.rank_order]}"


# --- the turn ------------------------------------------------------------------------------------


def _which(rules: TableRules) -> Answer:
    due = own_ranks(rules, Rank.ACE, 0, EXAMPLE, 5)
    if due:
        by = "down" if rules.rank_order is RankOrder.DOWN else "up"
        ranks = " ".join(rank.symbol for rank in due)
        return (
            (
                f"With 4 players, whoever starts has {ranks} ...: {by} by as many as there are players"
                f"{provided(rules)}, so over 13 turns you get every rank once."
            ),
            _clauses_of_order(rules),
        )
    if rules.rank_order is RankOrder.SAME_UNTIL_CHALLENGE and rules.passing:
        return "All the same, until a doubt is decided or all others pass.", "B7*, B12*"
    texts = {
        RankOrder.UP_OR_DOWN: ("One above or below the last claim, as you like.", "B5*"),
        RankOrder.UP_SAME_OR_DOWN: ("The last claim's rank or one next to it, as you like.", "B6*"),
        RankOrder.SAME_UNTIL_CHALLENGE: ("All the same, until a doubt is decided.", "B7*"),
        RankOrder.FREE: ("The rank that the pile was started with.", "B8"),
    }
    return texts[rules.rank_order]


def _clauses_of_order(rules: TableRules) -> str:
    """Where it is said which ranks one gets in a fixed order."""
    holds = {
        "A6": True,
        "B4": rules.rank_order is RankOrder.DOWN,
        "B11": rules.passing,
        "B16": rules.play_on,
    }
    return ", ".join(clause for clause, true in holds.items() if true)


def _other_rank(rules: TableRules) -> Answer:
    if rules.rank_order is RankOrder.FREE:
        return "Only whoever starts a pile chooses; the others say the same rank.", "B8"
    if rules.rank_order is RankOrder.UP_OR_DOWN:
        return "Yes, either rank next to the last claim; ace and king are neighbours.", "B5*"
    if rules.rank_order is RankOrder.UP_SAME_OR_DOWN:
        text = "Yes: the rank of the last claim, or one next to it; ace and king are neighbours."
        return text, "B6*"
    return (
        (
            "No: you must say the rank that is due, whatever you lay. There is a choice with the "
            "rules words up-down, up-same-down (the preset loose) and free (the preset bluff)."
        ),
        "A6, B5, B6, B8",
    )


def _no_order(rules: TableRules) -> Answer:
    free = rules.rank_order is RankOrder.FREE
    return (
        (
            f"{'So it is here' if free else 'Yes, with the preset bluff'}: whoever starts a pile "
            "names any rank. Sources mention a Chinese version without giving its rules; this is "
            "the nearest to it."
        ),
        "B8",
    )


def _must_lie(_: TableRules) -> Answer:
    return "No, and you need not tell the truth: lay what you like, whatever you hold.", "A7, A8"


def _what_to_say(_: TableRules) -> Answer:
    return (
        (
            "Whoever lays says how many cards, and the rank. Whoever doubts calls BS!, Cheat! or "
            "I doubt it!, as the lobby has it; here the key b does it."
        ),
        "A7, A9",
    )


def _after_kings(rules: TableRules) -> Answer:
    same = "Kings, until a doubt is decided; then aces"
    if rules.passing:
        same = "Kings, until a doubt is decided or all others pass; then aces"
    texts = {
        RankOrder.UP: (
            "After kings come aces again. Ranks can go down instead: the preset downhill.",
            "A6, B4",
        ),
        RankOrder.DOWN: ("After aces come kings, and after twos aces again.", "B4"),
        RankOrder.UP_OR_DOWN: ("Queens or aces, as you like.", "B5*"),
        RankOrder.UP_SAME_OR_DOWN: ("Queens, kings again or aces, as you like.", "B6*"),
        RankOrder.SAME_UNTIL_CHALLENGE: (f"{same}.", "B7*, B12*" if rules.passing else "B7*"),
        RankOrder.FREE: ("Kings, as long as that pile lies there; the next has any rank.", "B8"),
    }
    return texts[rules.rank_order]


def _how_many(rules: TableRules) -> Answer:
    if not rules.sneak:
        return _how_many_said(rules)
    text, clauses = _how_many_said(rules)
    cards = "1 card" if rules.sneak == 1 else f"up to {rules.sneak} cards"
    return f"{text} That is what you say: {cards} more may go with it.", f"{clauses}, B10"


def _how_many_said(rules: TableRules) -> Answer:
    match rules.max_cards:
        case 1:
            return "Exactly one card a turn, which makes long games. 1 to 4: classic.", "B9"
        case "none":
            copies = rules.copies_of_a_rank(EXAMPLE)
            text = f"As many as you like, but at least one. More than {copies} is a sure lie"
            return f"{text}{' with one deck' if rules.decks == 'auto' else ''}.", "A7, B9"
        case most:
            other = "No limit: the preset pagat. Exactly one: one-card"
            return f"1 to {most}; at least one. {other}.", "A7, B9"


def _none_held(rules: TableRules) -> Answer:
    way = "or pass" if rules.passing else "for you cannot pass"
    return f"You bluff: lay other cards and say they are of that rank, {way}.", "A7, B11"


def _mix(_: TableRules) -> Answer:
    return "Yes. If even one card is not the rank you said, it is a lie.", "A8"


def _count(rules: TableRules) -> Answer:
    if not rules.sneak:
        on = "Where sneaking is on, extra cards may be tried: the preset sneaky"
        return f"No: the server counts. {on}.", "A8*, B10"
    cards = "1 card" if rules.sneak == 1 else f"up to {rules.sneak} cards"
    return (
        (
            f"Yes: you may lay {cards} more than you say. A doubt catches it like a wrong rank; "
            "fewer than you say is refused."
        ),
        "B10*",
    )


def _pass(rules: TableRules) -> Answer:
    if rules.passing:
        return "Yes, but not on an empty pile. The rank due stays.", "B11*"
    return "No. Some groups allow it, mostly in Britain: the preset british.", "A7, B11"


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
    ("Can we play without an order of ranks?", _no_order),
    ("How many cards can I lay?", _how_many),
    ("What if I hold none of the rank?", _none_held),
    ("Must I lie?", _must_lie),
    ("What do I have to say?", _what_to_say),
    ("Can I mix true and false cards?", _mix),
    ("Can I lie about how many cards I lay?", _count),
    ("Can I pass?", _pass),
    ("Who may doubt?", doubting.who_may),
    ("Must somebody doubt?", doubting.must_anybody),
    ("Until when can a play be doubted?", doubting.how_long),
    ("Which cards are shown?", doubting.what_is_shown),
    ("Who takes the pile?", doubting.who_takes),
    ("Who goes next after a doubt?", doubting.who_is_next),
    ("What if two doubt at the same time?", doubting.same_time),
    ("Can last cards be doubted?", ending.last),
    ("What if my last card is a lie?", ending.last_lie),
    ("What if it is true and somebody doubts it?", ending.last_true),
    ("Is there a second place to play for?", ending.places),
    ("How long does a game take?", ending.duration),
    ("What if a game never ends?", ending.endless),
    ("Are there points?", ending.points),
)
