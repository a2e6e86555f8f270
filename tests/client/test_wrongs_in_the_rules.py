"""What screens, sheet and lines said of the rules that is not so, each with a test named after it."""

import re
from itertools import product

import pytest
from msgspec.structs import replace

from client import my_hand
from client.plain.reports import table_lines, turn_line
from client.plain.typed import understand
from client.rule_options import OPTIONS
from client.rule_sheet.doubt_answers import same_time
from client.rule_sheet.questions import answered_questions
from client.rule_sheet.sheet import rule_sheet
from client.screens.help_page import game_text
from client.state import ClientState, Hinted, Picked
from protocol import events as e
from protocol.cards import Rank
from protocol.codes import parse_rules, rules_code
from protocol.numbers import CardId, Seat
from protocol.options import challengers
from protocol.ranks import own_ranks
from protocol.refusals import Refusal, explained
from protocol.rules import Challengers, ChallengeUntil, RankOrder, TableRules
from tests.support.deals import AtTable, a_table
from tests.support.heard import lines
from tests.support.looking import SMALL, bar, seen
from tests.support.screen_states import (
    YOU,
    dealt,
    folded,
    played,
)

NEXT_ONLY = TableRules(challengers=Challengers.NEXT_PLAYER)
TWO_HANDS = ("AS KD QC", "2H 3H 4H")
THREE_HANDS = (*TWO_HANDS, "5C 6C 7C")
OF_DOUBTS = [
    pytest.param(
        TableRules(
            challengers=who,
            challenge_until=until,
            window_s=window_s,
            passing=passing,
            play_on=play_on,
            photo_finish_ms=50,
        ),
        id=f"{who.value} {until.value} w{window_s}{' pass' * passing}{' play-on' * play_on}",
    )
    for who, until, window_s, passing, play_on in product(
        Challengers, ChallengeUntil, (0, 4), (False, True), (False, True)
    )
]
"""All that has a say in who may doubt, and in how long others wait for it."""


def sheet_of(rules: TableRules) -> str:
    """The whole rule sheet."""
    return "\n".join(rule_sheet(rules))


def meaning_of(field: str, rules: TableRules) -> str:
    """What an option is said to do under these rules."""
    (option,) = (option for option in OPTIONS if option.field == field)
    return option.meaning(rules)


# --- cards that wait, and cards that do not ------------------------------------------------------


def after_their_ace(state: ClientState) -> ClientState:
    """The player before me has laid."""
    table = state.table.table if state.table else None
    assert table is not None
    you = state.table.you if state.table else None
    return folded((played(1, table.turn, 1, Rank.ACE, turn=you or 0),), state)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(dealt(names=("ana", "maya"), you=1), id="two players"),
        pytest.param(dealt(turn=2, rules=NEXT_ONLY), id="only the next player may doubt"),
    ],
)
def test_enter_said_lay_ready_of_cards_that_go_down_at_once(state: ClientState) -> None:
    table = after_their_ace(state)
    picked = folded((Picked(cards=(CardId(1),)),), table)

    assert "Your turn: say twos. Pick ranks, then Enter." in seen(table, size=SMALL)
    assert "Enter lay " in bar(picked)
    assert "lay ready" not in bar(picked)


def test_enter_lays_ready_what_somebody_else_may_still_prevent() -> None:
    picked = folded((Picked(cards=(CardId(1),)),), after_their_ace(dealt(turn=2)))

    assert "Enter lay ready" in bar(picked)


def next_cards_wait(table: AtTable) -> bool:
    """Whether the rules hold the next player's cards while they could be doubted."""
    card = str(table.hand(table.deal.table.turn)[0])
    return table.play(card).deal.held is not None


@pytest.mark.parametrize("rules", OF_DOUBTS)
def test_cards_were_said_to_wait_where_they_go_down_at_once(rules: TableRules) -> None:
    waits = next_cards_wait(a_table(THREE_HANDS, rules).play("KD"))
    sheet = sheet_of(rules)

    assert waits == rules.cards_wait
    assert ("the next cards cannot go down" in sheet) == waits
    assert ("Cards laid in that time wait;" in sheet) == waits
    assert ("Cards wait 4 s for that" in sheet) == (
        waits and "until-pickup" not in rules_code(rules)
    )
    assert ("the next cards wait" in meaning_of("window_s", rules)) == waits
    assert waits or "bar runs out" not in game_text(rules)


@pytest.mark.parametrize("rules", OF_DOUBTS)
def test_nobody_said_that_between_two_no_cards_wait(rules: TableRules) -> None:
    sheet = sheet_of(rules)

    assert not next_cards_wait(a_table(TWO_HANDS, rules).play("KD"))
    assert "bar runs out" not in game_text(rules, 2)
    assert ("Between two players they go down at once" in sheet) == rules.cards_wait
    assert ("not between two" in sheet) or "Cards wait" not in sheet
    assert ("or two play" in meaning_of("window_s", rules)) == rules.cards_wait


@pytest.mark.parametrize("rules", OF_DOUBTS)
def test_cards_after_last_ones_were_said_to_wait_where_they_are_refused(rules: TableRules) -> None:
    table = a_table(("KD", *THREE_HANDS[1:]), rules).play("KD")
    refused = table.refusal(table.a_play("2H")) is Refusal.LAST_PLAY_PENDING
    waits = not refused and next_cards_wait(table)
    (line,) = (line for line in rule_sheet(rules) if "Last cards can be doubted for 8 s" in line)

    stands_at_once = not refused and not waits
    assert not stands_at_once or table.deal.table.seats[0].place == 1
    assert ("until that is over nobody lays" in line) == refused
    assert ("cards laid in that time wait" in line) == waits
    assert sheet_of(rules).count("8 s or until the next cards go down") == stands_at_once
    assert ("or until the next cards go down; if only two" in line) == stands_at_once


def test_between_the_last_two_nobody_lays_after_last_cards() -> None:
    rules = TableRules(play_on=True)
    table = a_table(("KD", "2H 3H"), rules).play("KD")

    assert table.refusal(table.a_play("2H")) is Refusal.LAST_PLAY_PENDING
    assert "if only two are left, nobody lays" in sheet_of(rules)


@pytest.mark.parametrize("play_on", [False, True])
def test_nobody_was_said_to_play_after_last_cards_that_decide_nothing(*, play_on: bool) -> None:
    """Where the others play on they lay meanwhile, at least ready (RULES B16, C2)."""
    rules = TableRules(play_on=play_on)
    table = a_table(("KD", *THREE_HANDS[1:]), rules).play("KD")
    last = played(1, 0, 1, Rank.ACE, turn=1, left=0, last=True)
    state = folded((last,), dealt(rules=rules))

    assert (table.refusal(table.a_play("2H")) is None) == play_on
    assert ("Nobody plays until then" in seen(state)) != play_on
    assert ("bo's turn: twos. Yours is in 2 turns: fours." in seen(state)) == play_on


# --- who may doubt -------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", OF_DOUBTS)
def test_two_doubts_at_once_were_told_of_where_only_one_may_doubt(rules: TableRules) -> None:
    table = a_table(THREE_HANDS, rules).play("KD").deal.table
    several = len(challengers(table, table.pile[-1])) > 1
    sheet = sheet_of(rules)

    assert ("nearest to the player's left" in sheet) == several
    assert ("there is only one who may doubt" in sheet) == rules.one_may_doubt
    assert ("the newer play" in sheet) == (rules.challenge_until is ChallengeUntil.PICK_UP)
    assert ("first doubt" in game_text(rules)) == (not rules.one_may_doubt)
    assert ("decided by seat" in meaning_of("photo_finish_ms", rules)) == several


@pytest.mark.parametrize("rules", OF_DOUBTS)
def test_a_photo_finish_of_doubts_of_two_plays_was_said_to_have_no_effect(
    rules: TableRules,
) -> None:
    rules = replace(rules, photo_finish_ms=200)
    heat = "within 200 ms counts as the same instant" in " ".join(same_time(rules)[0].split())

    assert ("are a tie" in meaning_of("photo_finish_ms", rules)) == (not rules.one_may_doubt)
    assert ("within 200 ms of the first" in sheet_of(rules)) == (not rules.one_may_doubt)
    assert heat == (not rules.one_may_doubt)


@pytest.mark.parametrize("until", ChallengeUntil)
def test_the_next_player_was_said_to_be_the_one_whom_the_server_refuses(
    until: ChallengeUntil,
) -> None:
    """Until pick-up the right stays with who was next when the play was laid (RULES B14)."""
    rules = TableRules(
        challengers=Challengers.NEXT_PLAYER, challenge_until=until, passing=True, window_s=0
    )
    table = a_table(THREE_HANDS, rules).play("KD").passes()
    next_is_refused = table.refusal(table.a_doubt(2)) is Refusal.NOT_NEXT

    assert next_is_refused == (until is ChallengeUntil.PICK_UP)
    assert ("Only the next player" in meaning_of("challengers", rules)) != next_is_refused
    assert "next player" not in explained(Refusal.NOT_NEXT).sentence


# --- what an option does as it is set ------------------------------------------------------------


OFF = [
    ("decks", TableRules(decks=1), "One deck for any number"),
    ("stop_after_plays", TableRules(stop_after_plays=None), "2,000 plays end a deal in any case"),
    ("passing", TableRules(passing=False), "Nobody may pass"),
    ("sneak", TableRules(sneak=0), "as many as you say"),
    ("play_on", TableRules(play_on=False), "The deal ends when the first is out"),
    ("turn_s", TableRules(turn_s=0), "No clock"),
    ("confess", TableRules(confess=False), "stays unseen"),
]


@pytest.mark.parametrize(("field", "rules", "words"), OFF, ids=[field for field, _, _ in OFF])
def test_an_option_was_explained_as_if_it_were_set_otherwise(
    field: str, rules: TableRules, words: str
) -> None:
    assert words in meaning_of(field, rules)


# --- ranks to come -------------------------------------------------------------------------------


PASSING = TableRules(passing=True)


@pytest.mark.parametrize("order", [RankOrder.UP, RankOrder.DOWN])
def test_ranks_were_foretold_as_if_nobody_passed(order: RankOrder) -> None:
    rules = TableRules(passing=True, rank_order=order, window_s=0)
    table = a_table(THREE_HANDS, rules).play("KD")
    foretold = own_ranks(rules, table.deal.table.due[0], 1, 3, 1)
    state = folded((played(1, 0, 1, Rank.ACE, turn=1, protected_us=0),), dealt(rules=rules))

    assert table.passes().deal.table.due != foretold
    assert re.search(r"Yours is in 2 turns: \w+ if nobody passes\.", seen(state))
    assert "your next ranks if nobody passes:" in " ".join(seen(state, size=(120, 40)).split())
    assert "then  cy, maya" in seen(state)
    assert any(re.fullmatch("NEXT: .* if nobody passes\\.", line) for line in table_lines(state))
    assert "as there are players if nobody passes, so over 13 turns" in sheet_of(rules)


def test_cards_picked_early_were_of_a_rank_that_a_pass_may_change() -> None:
    state = folded((played(1, 1, 1, Rank.ACE, turn=2),), dealt(turn=1, rules=PASSING))

    assert my_hand.due(state) == ()
    assert my_hand.due(folded((e.Passed(seat=Seat(2), turn=YOU),), state)) == (Rank.TWO,)


def test_who_starts_a_pile_cannot_pass_so_the_next_rank_is_known() -> None:
    state = dealt(turn=2, rules=PASSING)

    assert my_hand.due(state) == (Rank.TWO,)
    assert "You are next: twos." in seen(state)


def test_the_pane_named_no_rank_of_who_follows_the_start_of_a_pile_where_one_may_pass() -> None:
    assert "then  bo (2), cy" in seen(dealt(turn=0, rules=PASSING))


def test_ranks_in_later_rounds_were_foretold_as_if_nobody_went_out() -> None:
    state = dealt(rules=TableRules(play_on=True))

    assert any(line.endswith(" if nobody goes out.") for line in table_lines(state))
    assert "then  bo (2), cy (3)" in seen(state), "going out takes a turn: the first round stays"
    assert "players if nobody goes out, so over" in sheet_of(TableRules(play_on=True))


# --- jokers --------------------------------------------------------------------------------------


def test_one_deck_was_said_to_have_jokers_in_each() -> None:
    assert "One deck of 52, with 2 jokers; a joker" in sheet_of(TableRules(jokers=2))
    assert "2 decks of 52, with one joker in each;" in sheet_of(TableRules(decks=2, jokers=1))


def test_jokers_were_counted_as_kings() -> None:
    rules = TableRules(jokers=2)
    a_king = played(1, 2, 1, Rank.KING, turn=YOU)
    state = folded((a_king,), dealt("KS KH 2C JK", turn=2, rules=rules))
    two = folded(
        (played(1, 2, 2, Rank.KING, turn=YOU),), dealt("KS KH KC KD JK", turn=2, rules=rules)
    )

    assert "You hold 3 of the 6 kings and jokers." in seen(state)
    assert "A sure lie: you hold 5 of the 6 kings and jokers." in seen(two)
    assert "due   aces, you hold 1 (1 JK)" in seen(state)
    assert (
        "You hold 3 of 6 with jokers."
        in lines(dealt("KS KH 2C JK", turn=2, rules=rules), a_king)[0]
    )
    assert "You hold 1 with jokers." in turn_line(dealt("KS JK", turn=YOU, rules=rules))
    assert "jokers" not in seen(folded((a_king,), dealt(turn=2)))


# --- how long a game takes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("for-places", "it goes on to the last place, and the fewer players remain, the longer it"),
        ("big-table", "more cards from five players on"),
        ("d4", "more cards"),
        ("bluff-pass", "all say one rank until somebody doubts"),
        ("one-card", "one card a turn; allow 1 to 4"),
    ],
)
def test_every_game_was_said_to_take_some_40_plays(name: str, reason: str) -> None:
    (text,) = (a for q, a, _ in answered_questions(parse_rules(name)) if "How long" in q)

    assert text.startswith("Longer than the main game (about 15 to 30 minutes")
    assert reason in text


# --- sneaking ------------------------------------------------------------------------------------


def test_who_may_lay_more_than_is_said_was_told_to_lay_as_many() -> None:
    sneaky = dealt(turn=YOU, rules=TableRules(sneak=1))

    fewer = understand(sneaky, "q as 2", 10.0)

    assert fewer == Hinted(text="That is not as many cards as you say: lay or say fewer.")
