"""The questions that people ask about the rules, and the words in the sheet that answer them."""

from random import Random

import pytest
from msgspec.structs import replace

from client.rule_options import OPTIONS
from client.rule_sheet.questions import answered_questions
from client.rule_sheet.sheet import rule_sheet
from client.screens.help_page import game_text
from protocol.codes import parse_rules
from protocol.numbers import MAX_SEATS, Seat
from protocol.rules import CLASSIC, PRESETS, TableRules
from server.game.engine import new_deal
from tests.support.deals import some_seats

ASKED = {
    # of the main game
    "Is BS the same game as Cheat and I Doubt It?": "it is one game",
    "Is I Doubt It a different game?": "all say the same rank until somebody doubts",
    "How many cards can you put down at once?": "How many cards can I lay? 1 to 4; at least one",
    "What if you have none of the rank you have to call?": "lay other cards and say they are",
    "Can you pass?": "Can I pass? No.",
    "Can any player challenge, or only the next one?": "Anybody still in but the one who played",
    "Until when?": "Until the next player's cards are down",
    "Must anybody challenge?": "Must somebody doubt? No.",
    "What is turned over?": "Only the cards of the doubted play",
    "Is a play that nobody challenged ever shown?": "A play that nobody doubted is not shown",
    "Who picks up the pile after a challenge?": "takes every card in the middle, the shown ones",
    "Who goes next after a challenge?": "The player on the left of the one who played",
    "Does the rank go back to aces?": "it does not start again at aces",
    "Does picking up cost anything else?": "Nothing else is lost",
    "Can you challenge someone's last card?": "Can last cards be doubted? Yes",
    "What if my last card is a lie?": "You take the pile and the game goes on",
    "What if my last card is true and is called?": "You have won, and the doubter takes the pile",
    "Can you lie about how many cards you put down?": "how many cards I lay? No: the server counts",
    "Do you need two decks?": "One is enough for any number",
    "What if two players challenge at the same time?": "The first to reach the server counts",
    "And in a dead heat?": "At the very same instant the one nearest to the player's left wins",
    "How many players?": "2 to 10, best with 4 to 6",
    "Can you play with 2?": "every card you do not hold is in the other hand",
    "How many cards does each get?": "2: 26, 3: 17 or 18, 4: 13, 5: 10 or 11, 6: 8 or 9, 7: 7 or 8, "
    "8: 6 or 7, 9: 5 or 6, 10: 5 or 6",
    "Are hands equal?": "Hands differ by one card at most",
    "Who is called the game what?": "Cheat in Britain, BS in the United States",
    "Does the limit change with two decks?": "No source says that the limit of cards in a play grows",
    "Is telling the truth allowed?": "Must I lie? No, and you need not tell the truth",
    "What do I call out?": "calls BS!, Cheat! or I doubt it!",
    "When am I out?": "You are out only when that is over",
    "Why does it drag on?": "one hand holds all of a rank",
    "Can one stop at a set time or number of turns?": "words such as plays-100, min-20",
    "Who has as many cards as another?": "equal counts share a place",
    # of the house rules: each has its word
    "Can the ranks count down?": "Ranks can go down instead: the preset downhill",
    "Can you claim other ranks?": "up-same-down (the preset loose)",
    "One rank up or down?": "with the rules words up-down",
    "And without rank order, as in China?": "Yes, with the preset bluff",
    "Is there a version without a limit of cards?": "No limit: the preset pagat",
    "One card a turn?": "Exactly one: one-card",
    "Can extra cards be sneaked in?": "extra cards may be tried: the preset sneaky",
    "Jokers as wild cards?": "a joker counts as any rank: the preset jokers",
    "Only the player to the left may call?": "The rules word next-only lets only that one doubt",
    "Any time before the pile is collected?": "The rules word until-pickup allows it later, too",
    "Every card shown after a challenge?": "The rules word show-pile shows all of it",
    "Playing on for places?": "Playing on: the preset for-places",
    "Is a pass possible?": "mostly in Britain: the preset british",
    "Who deals?": "the deal passes to the left",
    "Who goes first?": "The player on the dealer's left, claiming aces",
    "Which ranks do I claim with 4 players?": "A 5 9 K 4",
    "What comes after kings?": "After kings come aces again",
    "Can I call another rank?": "No: you must say the rank that is due",
    "Can I mix real and fake cards?": "If even one card is not the rank you said, it is a lie",
    "Do you play on until everyone has a place?": "No: the deal ends with the first",
    "How are the others ranked?": "The others rank by the cards they hold",
    "Are jokers used?": "Are jokers used? Not here",
    "Do suits matter?": "only ranks count",
    "What if the game never ends?": "1 to 4 cards a turn, 4 players or more, or jokers",
    "How long does it take?": "About 15 to 30 minutes at a table",
    "Is there scoring?": "Are there points? No",
}
UNDER = [
    ("pagat", "As many as you like, but at least one. More than 4 is a sure lie"),
    ("pagat", "Somebody drawn at random, claiming aces"),
    ("bluff", "Only whoever starts a pile chooses"),
    ("bluff", "Whoever took the pile starts a new one, with any rank"),
    ("bluff-pass", "or pass"),
    ("one-card", "Exactly one card a turn, which makes long games"),
    ("one-card", "Longer than the main game (about 15 to 30 minutes"),
    ("one-card", "with 3 and one card a turn it can go on for ever"),
    ("british", "Can I pass? Yes, but not on an empty pile"),
    ("loose", "The last claim's rank or one next to it"),
    ("loose", "ace and king are neighbours"),
    ("up-down", "One above or below the last claim"),
    ("same", "All the same, until a doubt is decided"),
    ("big-table", "two from five on (8 cards)"),
    ("big-table", "4: 13, 5: 20 or 21"),
    ("big-table", "1 to 8; at least one"),
    ("d2", "Here 2, so 8 cards can truly be of one rank"),
    ("downhill", "A 10 6 2 J"),
    ("downhill", "After aces come kings"),
    ("sneaky", "Yes: you may lay 1 card more than you say"),
    ("sneaky", "The whole pile, play by play"),
    ("jokers", "a joker counts as any rank, so hardly any play is a sure lie"),
    ("for-places", "whoever is out is skipped, the ranks go on"),
    ("evening", "3 deals won win it"),
    ("next-only", "Only the next player still in"),
    ("until-pickup", "even several turns later"),
    ("until-pickup", "Whoever was to play anyway"),
    ("until-pickup", "While last cards can be doubted, only they can"),
    ("british", "A pass does not end it, unless all others pass"),
    ("british", "on the left of the last to play or pass"),
    ("next-only.pass", "after a pass the right moves on with the turn"),
    ("show-pile", "until a doubt of another play shows the pile"),
    ("no-confess", "are not shown at all"),
    ("loose", "with the last rank or one next to it"),
    ("same", "with the next rank up"),
    ("for-places", "You are out, and the doubter takes the pile"),
    ("pf50", "within 50 ms counts as the same instant"),
    ("plays-100.min-20", "It ends at 100 plays or after 20 minutes"),
    ("j1", "4: 13 or 14"),
    ("w0", "after that it is too late. The rules word"),
]


@pytest.mark.parametrize(("question", "words"), ASKED.items(), ids=list(ASKED))
def test_the_sheet_of_the_main_game_answers(question: str, words: str) -> None:
    assert words in "\n".join(rule_sheet(CLASSIC))


@pytest.mark.parametrize(("code", "words"), UNDER, ids=[f"{code}: {text}" for code, text in UNDER])
def test_the_answer_goes_by_the_rules_of_the_table(code: str, words: str) -> None:
    sheet = "\n".join(rule_sheet(parse_rules(code)))

    assert words in sheet
    assert words not in "\n".join(rule_sheet(CLASSIC)), "it would be said anyway"


@pytest.mark.parametrize("name", PRESETS)
def test_questions_are_asked_once_and_answers_end(name: str) -> None:
    asked = list(answered_questions(PRESETS[name]))

    assert len({question for question, _, _ in asked}) == len(asked)
    assert all(question.endswith("?") for question, _, _ in asked)
    assert all(
        answer.endswith(".") and answer[0].isupper()
        for _, answer, _ in asked
        if answer[0] not in "12"
    )


def test_the_ties_are_marked_as_our_own_ruling() -> None:
    (clauses,) = (c for q, _, c in answered_questions(CLASSIC) if "same time" in q)

    assert "C1*" in clauses


def test_only_one_answer_changes_with_the_number_of_deals() -> None:
    longer = replace(CLASSIC, match_wins=4)
    pairs = zip(answered_questions(CLASSIC), answered_questions(longer), strict=True)

    assert [one[0] for one, other in pairs if one != other] == ["Are there points?"]


def test_a_pile_that_is_shown_was_said_never_to_be() -> None:
    sheet = "\n".join(rule_sheet(PRESETS["sneaky"]))

    assert "not shown" not in sheet


@pytest.mark.parametrize(
    ("code", "clauses"), [("british", "A13, B11"), ("until-pickup", "A13, B14*")]
)
def test_the_turn_was_said_to_go_on_left_of_who_played_whoever_was_to_play(
    code: str, clauses: str
) -> None:
    sheet = "\n".join(rule_sheet(parse_rules(code)))

    assert f"The turn goes on as if nobody had doubted. ({clauses})" in sheet


WRONG = [
    # what was said, under which rules; the clauses that say otherwise
    ("next-only.until-pickup.pass", "the right moves on"),  # B14
    ("next-only.until-pickup", "Only the next player"),  # B14
    ("bluff", "After kings come aces"),  # B8
    ("loose", "After kings come aces"),  # B6
    ("up-down", "After kings come aces"),  # B5
    ("same", "After kings come aces"),  # B7
    ("loose", "Yes, among those beside the last claim"),  # B6
    ("loose", "B5"),  # B6 alone
    ("up-down", "Yes, among those beside the last claim"),  # B5
    ("british", "B14*"),  # A13, B11
    ("british", "until the next cards go down."),  # B12
    ("r0", "there are 0 s to read it"),  # C10
    ("sneaky", "as claimed until a pick-up"),  # B10
    ("classic", "when all do, nobody waits. You can still doubt"),  # C4: then it stands
]
RIGHT = [
    (
        "next-only.until-pickup.pass",
        "was next when the play was laid, also after passes. (B13, B14*)",
    ),
    ("next-only.until-pickup", "Only whoever was next when a play was laid may doubt"),
    ("until-pickup", "whoever doubts the newer play wins, then the one nearest"),
    (
        "until-pickup",
        "the newer play goes first, then the one nearest to the player's left. (B14*, C5)",
    ),
    ("until-pickup.play-on", "Plays of those who are out are safe"),
    ("bluff", "naming any rank. Then it goes on to the left. (A5, B3, B8)"),
    ("bluff", "Kings, as long as that pile lies there; the next has any rank. (B8)"),
    ("bluff-pass", "the last to lay starts anew with any rank. (B12*, B8)"),
    (
        "loose",
        "Yes: the rank of the last claim, or one next to it; ace and king are neighbours. (B6*)",
    ),
    ("loose", "Queens, kings again or aces"),
    ("up-down", "Yes, either rank next to the last claim; ace and king are neighbours. (B5*)"),
    ("up-down", "Queens or aces, as you like. (B5*)"),
    ("same", "Kings, until a doubt is decided; then aces. (B7*)"),
    ("same.pass", "All the same, until a doubt is decided or all others pass. (B7*, B12*)"),
    ("british", "until the next cards go down or all others pass"),
    ("british", "start again at aces. (A13, B11)"),
    ("r0", "After a ruling the next cards may go down at once. (B23, C10*)"),
    ("sneaky", "That is what you say: 1 card more may go with it. (A7, B9, B10)"),
]


@pytest.mark.parametrize(("code", "words"), WRONG, ids=str)
def test_the_sheet_said_what_is_not_so_under_other_rules(code: str, words: str) -> None:
    assert words not in "\n".join(rule_sheet(parse_rules(code)))


@pytest.mark.parametrize(("code", "words"), RIGHT, ids=str)
def test_the_sheet_says_what_other_rules_make_of_it(code: str, words: str) -> None:
    assert words in "\n".join(rule_sheet(parse_rules(code)))
    assert words not in "\n".join(rule_sheet(CLASSIC))


def test_the_first_claim_was_said_to_be_aces_also_where_it_is_free() -> None:
    (first,) = (option for option in OPTIONS if option.field == "first_turn")

    assert "in a free rank order with any rank" in first.about


@pytest.mark.parametrize(
    ("code", "wrong", "right"),
    [
        ("one-card", "lay a two and a seven", 'the keys 7 Enter lay a seven and say "1 two"'),
        ("w0", "until the bar runs out", "Anyone may doubt until the next cards go down"),
        ("next-only.until-pickup", "Only the next player", "Only who was next when it was laid"),
    ],
)
def test_the_help_said_what_these_rules_do_not_allow(code: str, wrong: str, right: str) -> None:
    said = game_text(parse_rules(code))

    assert wrong not in said
    assert right in " ".join(said.split())


@pytest.mark.parametrize("rules", PRESETS.values(), ids=list(PRESETS))
@pytest.mark.parametrize("players", range(2, MAX_SEATS + 1))
def test_the_sizes_of_hands_are_those_that_are_dealt(rules: TableRules, players: int) -> None:
    deal, _ = new_deal(rules, some_seats(players), Seat(0), 1, Random(7))
    sizes = sorted({len(hand) for hand in deal.hands})

    sheet = "\n".join(rule_sheet(rules))

    assert f" {players}: {' or '.join(map(str, sizes))}" in sheet
