"""The questions that people ask about the rules, and the words in the sheet that answer them."""

import pytest
from msgspec.structs import replace

from client.rule_questions import answered_questions
from client.rule_sheet import rule_sheet
from protocol.codes import parse_rules
from protocol.rules import CLASSIC, PRESETS

ASKED = {
    # of the main game
    "Is BS the same game as Cheat and I Doubt It?": "it is one game",
    "Is I Doubt It a different game?": "all say the same rank until somebody doubts",
    "How many cards can you put down at once?": "How many cards can I lay? 1 to 4; at least one",
    "What if you have none of the rank you have to call?": "lay other cards and say they are",
    "Can you pass?": "Can I pass? No.",
    "Can any player challenge, or only the next one?": "Anybody but the one who played",
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
    "And in a dead heat?": "At the very same instant it is the one nearest to the player's left",
    "How many players?": "2 to 10, best with 4 to 6",
    "Can you play with 2?": "every card you do not hold is in the other hand",
    "How many cards does each get?": "4 players get 13 each",
    "Are hands equal?": "Hands may differ by one card",
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
    ("bluff", "Only who starts a pile chooses"),
    ("bluff", "Whoever took the pile starts a new one, with any rank"),
    ("bluff-pass", "or you pass"),
    ("one-card", "Exactly one card a turn, which makes long games"),
    ("one-card", "With one card a turn long"),
    ("one-card", "with 3 and one card a turn it can go on for ever"),
    ("british", "Can I pass? Yes, but not on an empty pile"),
    ("loose", "The last claim's rank or one beside it"),
    ("loose", "ace and king are neighbours"),
    ("up-down", "One above or below the last claim"),
    ("same", "All the same, until a doubt is decided"),
    ("big-table", "two from five on (8 of each rank)"),
    ("big-table", "1 to 8; at least one"),
    ("d2", "Here 2, so 8 cards can truly be of one rank"),
    ("downhill", "A 10 6 2 J"),
    ("downhill", "After aces come kings"),
    ("sneaky", "Yes: 1 card more than you say may be laid"),
    ("sneaky", "The whole pile, play by play"),
    ("jokers", "a joker counts as any rank, so hardly any play is a sure lie"),
    ("for-places", "who is out is passed over, the ranks go on"),
    ("evening", "3 deals won win it"),
    ("next-only", "Only the next player still in"),
    ("until-pickup", "even several turns later"),
    ("until-pickup", "Whoever was to play anyway"),
    ("pf50", "within 50 ms counts as the same instant"),
    ("plays-100.min-20", "It ends at 100 plays or after 20 minutes"),
    ("j1", "4 players get 13 or 14"),
    ("w0", "after that it is too late. (A9"),
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
