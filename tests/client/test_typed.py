"""What a typed line means to the plain client."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.intents.shared import UNNUMBERED
from client.plain.typed import LAYING, WORDS, help_lines, understand
from client.plain.word import Quit, Reply, Topic
from client.state import BelieveAll, ClientState, Hinted, Painted
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import PlayNumber
from protocol.rules import RankOrder, TableRules
from tests.support.screen_states import ONE_IS_READY, dealt, folded, in_lobby, online, played

NOW = 50.0
MINE = dealt(turn=3)
FREE = dealt(hand="KS KH 2C JK", turn=3, rules=TableRules(rank_order=RankOrder.FREE))
SNEAKY = dealt(turn=3, rules=TableRules(sneak=1))
OPEN = folded((played(1, 0, 1, Rank.ACE, turn=1), Painted(play=PlayNumber(1))), dealt())


def hint(state: ClientState, line: str) -> str:
    """The reason why nothing is sent."""
    outcome = understand(state, line, NOW)
    assert isinstance(outcome, Hinted)
    return outcome.text


def said(state: ClientState, line: str) -> str:
    """The lines that are printed."""
    outcome = understand(state, line, NOW)
    assert isinstance(outcome, Reply)
    return "\n".join(outcome.lines)


# --- playing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "line", "claim"),
    [
        (MINE, "q 5", (2, 2, Rank.ACE)),
        (MINE, "queen, 5", (2, 2, Rank.ACE)),
        (MINE, "3 3", (2, 2, Rank.ACE)),
        (MINE, "10", (1, 1, Rank.ACE)),
        (SNEAKY, "q 5 as 1", (2, 1, Rank.ACE)),
        (FREE, "k k", (2, 2, Rank.KING)),
        (FREE, "k 2 = 7", (2, 2, Rank.SEVEN)),
        (FREE, "x=q", (1, 1, Rank.QUEEN)),
    ],
    ids=["letters", "words", "twice", "ten", "sneaking", "free", "named", "joker"],
)
def test_bare_ranks_are_a_play(state: ClientState, line: str, claim: tuple[int, int, Rank]) -> None:
    play = understand(state, line, NOW)

    assert isinstance(play, c.PlayCards)
    assert (len(play.cards), play.count, play.rank) == claim


@pytest.mark.parametrize(
    ("state", "line", "reason"),
    [
        (MINE, "q q", "You hold 1 queen."),
        (MINE, "2", "You hold no twos."),
        (MINE, "q fish", "Type ranks to lay them"),
        (MINE, "q = fish", "Type ranks to lay them"),
        (MINE, "q = k", "say aces"),
        (FREE, "x", "For example: x = k"),
        (dealt(), "q", "It is ana's turn: wait for yours."),
        (in_lobby(), "q", "No deal is running here now"),
    ],
    ids=["too few", "none", "no rank", "no claim", "wrong rank", "which", "turn", "no deal"],
)
def test_a_play_that_cannot_be_made_says_why(state: ClientState, line: str, reason: str) -> None:
    assert reason in hint(state, line)


@pytest.mark.parametrize(
    "line", ["q", "b", "p", "y", "go", "vote end", "giveup", "return", "answer bo yes"]
)
def test_in_the_hall_it_was_said_that_the_host_starts_the_next_deal(line: str) -> None:
    assert hint(online(), line).startswith("You are not in a lobby: join one first.")


def test_who_only_watches_was_told_to_look_at_their_hand() -> None:
    assert hint(dealt(you=None), "5").startswith("You only watch this deal")


def test_out_of_turn_somebody_was_told_to_lay_other_cards() -> None:
    """Aces are due, but from ana; the example would have been refused as well."""
    no_aces = dealt(hand="2S 3H 5D")

    assert hint(no_aces, "a") == "You hold no aces. hand tells what you hold."


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("b", c.Challenge),
        ("doubt", c.Challenge),
        ("b 1", c.Challenge),
        ("y", c.LetGoOf),
        ("believe", c.LetGoOf),
        ("Y", BelieveAll),
        ("vote end", c.CallVote),
        ("pause", c.PauseTable),
        ("giveup", c.GiveUpSeat),
        ("s hello", c.Say),
        ("/hello", c.Say),
    ],
)
def test_words_and_letters_at_the_table(line: str, kind: type) -> None:
    assert isinstance(understand(OPEN, line, NOW), kind)


def test_leaving_in_a_deal_has_to_be_meant() -> None:
    assert "gives your seat to a computer" in hint(OPEN, "leave")
    assert isinstance(understand(OPEN, "leave yes", NOW), c.LeaveLobby)


# --- lobby -------------------------------------------------------------------------------------


def test_creating_takes_rules_privacy_and_a_password() -> None:
    assert understand(online(), "create bluff private password s3cret", NOW) == c.CreateLobby(
        n=UNNUMBERED,
        rules="bluff",
        settings=e.LobbySettings(public=False),
        password="s3cret",  # noqa: S106 - an example
    )


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("ready", c.SetReady),
        ("start anyway", c.StartDeal),
        ("add proof", c.AddComputer),
        ("remove bo", c.RemoveSeat),
        ("rules bluff.w6", c.SetRules),
        ("set size 4", c.SetSettings),
        ("set shout Cheat!", c.SetSettings),
        ("set watchers no", c.SetSettings),
        ("set public off", c.SetSettings),
        ("host cy", c.HandOver),
        ("shuffle", c.ShuffleSeats),
        ("stand", c.StandUp),
        ("leave", c.LeaveLobby),
    ],
)
def test_words_in_a_lobby(line: str, kind: type) -> None:
    assert isinstance(understand(ONE_IS_READY, line, NOW), kind)


def test_the_host_answers_who_asks_for_a_seat_in_the_deal_that_runs() -> None:
    assert isinstance(understand(dealt(), "answer dee no", NOW), c.AnswerSeat)
    assert "No deal is running" in hint(in_lobby(), "answer dee no")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("rules nonsense", "neither a preset nor a word of a rules code"),
        ("rules", "sheet tells"),
        ("set size 99", "2 to 10 seats"),
        ("ready perhaps", "Say ready"),
        ("answer dee", "Say answer"),
        ("vote tea", "vote end or vote pause"),
        ("log many", "Say how many"),
        ("sit here", "the number of a computer player's seat"),
        ("b last", "b 41 that play"),
        ("raedy", "Did you mean ready?"),
        ("xyzzy", "Type help."),
    ],
)
def test_a_line_that_is_not_understood_says_what_would_be(line: str, reason: str) -> None:
    assert reason in hint(in_lobby(), line)


@pytest.mark.parametrize(
    ("line", "kind"), [("join FOX-42 pw", c.JoinLobby), ("w FOX-42", c.JoinLobby), ("leave", Quit)]
)
def test_words_in_the_hall(line: str, kind: type) -> None:
    assert isinstance(understand(online(), line, NOW), kind)


# --- looking and help --------------------------------------------------------------------------


def test_the_hand_can_be_heard_at_any_time() -> None:
    assert said(OPEN, "hand").startswith("HAND: 12 cards. Ace 1, three 2, five 2,")


def test_the_table_tells_seats_pile_turn_and_my_next_ranks() -> None:
    lines = said(OPEN, "table")

    assert "SEAT: 1 ana, 7 cards." in lines
    assert "SEAT: 4 maya, 12 cards, you." in lines
    assert "PILE: 1 card. Last, play 1: ana said 1 ace." in lines
    assert "TURN: bo, twos." in lines
    assert "NEXT: your ranks are 4, 10, 3, 9." in lines


def test_options_tells_every_option_with_its_clause() -> None:
    lines = said(in_lobby(), "options").splitlines()

    assert len(lines) >= len(TableRules.__struct_fields__)
    assert sum(bool(re.search(r"\. [AB]\d", line)) for line in lines) >= len(
        TableRules.__struct_fields__
    )


@pytest.mark.parametrize("line", ["log 5", "time", "result", "confess", "seats", "sheet", "hall"])
def test_looking_sends_nothing(line: str) -> None:
    assert all(one.split(":")[0].isupper() for one in said(OPEN, line).splitlines())


def test_help_names_every_word_and_explains_each() -> None:
    overview = "\n".join(help_lines())

    assert all(word.name in overview for word in WORDS)
    assert all(f"HELP: {word.name}" in help_lines(word.name)[0] for word in WORDS)
    assert all(len(help_lines(topic)) >= 4 for topic in Topic)


def test_no_two_words_share_a_letter_and_none_is_a_rank() -> None:
    letters = [word.letter for word in WORDS if word.letter]

    assert len(letters) == len(set(letters))
    assert not set(letters) & set("atjqkx0123456789")


@given(st.text(max_size=40))
def test_whatever_is_typed_has_an_outcome(line: str) -> None:
    for state in (OPEN, MINE, in_lobby(), online(), ClientState()):
        assert understand(state, line, NOW) is not None


def test_who_asked_about_something_that_is_no_word_was_read_all_the_help_there_is() -> None:
    assert help_lines("cheat") == ("NO: cheat is not a word here. Did you mean b (doubt)?",)
    assert help_lines("5") == help_lines("q 5") == LAYING


def test_who_asked_about_believing_everything_heard_about_believing() -> None:
    assert help_lines("Y")[0].startswith("HELP: all (Y)")
    assert help_lines("y")[0].startswith("HELP: believe (y)")


def test_with_a_capital_letter_help_was_no_word_and_sneaking_made_no_sense() -> None:
    """As a telephone writes the first letter of a line, or a keyboard whose Caps Lock is on."""
    sneaked = understand(SNEAKY, "Q J AS 1", NOW)

    assert said(MINE, "Help") == said(MINE, "HELP") == said(MINE, "help")
    assert said(MINE, "HELP PLAY") == said(MINE, "help play")
    assert isinstance(sneaked, c.PlayCards)
    assert (len(sneaked.cards), sneaked.count) == (2, 1)


def test_a_letter_typed_as_a_capital_was_no_word_and_no_more() -> None:
    assert hint(MINE, "B") == "B is not a word here. Did you mean b (doubt)?"
    assert said(MINE, "help B") == "NO: B is not a word here. Did you mean b (doubt)?"
    assert isinstance(understand(MINE, "Y", NOW), BelieveAll)


def test_of_what_somebody_said_at_length_the_end_was_cut_off_without_a_word() -> None:
    assert isinstance(understand(online(), f"say {'x' * 200}", NOW), c.Say)
    assert hint(online(), f"say {'x' * 201}") == hint(online(), f"/{'word ' * 300}")
    assert hint(online(), f"say {'x' * 201}").startswith("Not said: no more than 200 letters fit.")
    assert hint(in_lobby(), "set shout You lie as you never lied").startswith("Say set shout and ")
