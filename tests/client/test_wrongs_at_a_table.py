"""What the table said of cards before their time had come, and other words that were not so."""

import pytest

from client.acts.done import Done
from client.intents import at_table
from client.screens.desk import Desk, Typing
from client.state import ClientState, Hinted, Picked, Renamed, Sent
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.cards import Rank
from protocol.commands import CastVote, StartClock
from protocol.numbers import CommandNumber, PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.rules import ChallengeUntil, RankOrder, TableRules
from tests.support.heard import lines
from tests.support.keyboard import after, cards, hint
from tests.support.looking import SMALL, USUAL, bar, seen
from tests.support.scenes import the_window
from tests.support.screen_states import a_hand, dealt, folded, played

NAMING = Desk(typing=Typing.RANK)
QUEEN = 9
WIDE = (120, 40)
ASKS = e.VoteState(vote=1, on=e.VoteOn.END_DEAL, by="bo", yes=1, no=0, needed=2, left_us=60_000_000)
CHOICE = TableRules(rank_order=RankOrder.UP_SAME_OR_DOWN)


def others_turn(rules: TableRules, *events: e.Event) -> ClientState:
    """Three others come before me, and a card of mine is picked: a queen."""
    return folded((*events, Picked(cards=cards(QUEEN))), dealt(rules=rules))


def test_a_card_picked_early_was_said_to_be_of_the_rank_of_whose_turn_it_was() -> None:
    page = seen(others_turn(TableRules()))

    assert 'picked 1: Q  ->  you will say "1 FOUR"' in page
    assert "1 queen is not a four: this is a bluff." in page


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        pytest.param(TableRules(rank_order=RankOrder.DOWN), "1 JACK", id="down"),
        pytest.param(TableRules(rank_order=RankOrder.SAME_UNTIL_CHALLENGE), "1 ACE", id="the same"),
    ],
)
def test_what_is_known_of_the_rank_is_said_before_my_turn(rules: TableRules, said: str) -> None:
    assert f'you will say "{said}"' in seen(others_turn(rules))


def test_where_the_rank_will_be_a_choice_a_key_was_named_that_chose_from_those_of_somebody_else() -> (
    None
):
    state = others_turn(CHOICE, played(1, 0, 1, Rank.ACE, turn=1))

    page = seen(state)

    assert "picked 1: Q\n" in page
    assert "which rank" not in page
    assert "bluff" not in page
    for key in ("=", "tab"):
        done: Done = after(state, key)
        assert done.desk.typing is None
        assert "when your turn has come" in hint(done)


def test_the_pile_of_a_free_rank_says_what_all_follow_with() -> None:
    kings = played(1, 0, 1, Rank.KING, turn=1)
    state = others_turn(TableRules(rank_order=RankOrder.FREE), kings)

    assert 'you will say "1 KING"' in seen(state)


def test_five_queens_were_a_sure_lie_because_somebody_held_none() -> None:
    five = played(1, 0, 5, Rank.TWO, turn=1)  # there is none in this hand
    state = dealt(rules=TableRules(max_cards=8))

    page, (line,) = seen(folded((five,), state)), lines(state, five)

    assert "A sure lie: there are only 4 twos." in page
    assert "A sure lie: there are only 4." in line


def test_who_sat_there_without_laying_was_said_to_be_away() -> None:
    stood_in = e.ChairChanged(seat=Seat(0), name="ana", chair=e.Chair.STAND_IN)

    page = seen(folded((stood_in,), dealt()), Desk())

    assert "ana   has a stand-in: a computer plays on" in page
    assert "away" not in page


def test_where_cards_are_sneaked_in_a_wrong_doubt_was_said_to_cost_only_what_had_been_said() -> (
    None
):
    mine = e.Laid(play=PlayNumber(1), cards=a_hand()[:3])
    plays = (played(1, 3, 1, Rank.ACE, turn=4), played(2, 4, 1, Rank.TWO, turn=5))

    sneaking = folded((mine, *plays), dealt(turn=3, rules=TableRules(sneak=2)))
    plain = folded(plays[1:], dealt(turn=4))

    assert "A wrong doubt costs you 4 cards or more." in seen(sneaking)
    assert "A wrong doubt costs you 1 card." in seen(plain)


def test_who_was_asked_which_rank_was_not_told_which_there_were() -> None:
    mine = folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(turn=2, rules=CHOICE))
    free = dealt(turn=3, rules=TableRules(rank_order=RankOrder.FREE))

    assert "say which rank> 2 A K: press its key" in seen(mine, NAMING)
    assert "say which rank> press its key" in seen(free, NAMING)


@pytest.mark.parametrize(
    ("name", "said"),
    [pytest.param("bo", True, id="a player"), pytest.param("maya", False, id="the host")],
)
def test_the_first_of_two_who_wanted_a_clock_was_not_told_that_it_takes_two(
    name: str, *, said: bool
) -> None:
    state = folded((Renamed(name=name),), dealt(you=1, rules=TableRules(turn_s=0)))
    clock = at_table.start_clock(state)
    assert isinstance(clock, StartClock)

    printed = lines(state, Sent(command=clock), Accepted(n=clock.n))
    page = seen(folded((Sent(command=clock), Accepted(n=clock.n)), state))

    waits = "You have asked for a clock: it starts once two players have (D1)."
    assert printed == [f"NOTE: {waits}"] * said
    assert ("two players have" in page) is said


def test_a_clock_that_cannot_be_had_was_asked_for_all_the_same() -> None:
    mine = at_table.start_clock(dealt(turn=3, rules=TableRules(turn_s=0)))
    theirs = at_table.start_clock(dealt())

    assert mine == Hinted(text="The table waits for you: only others can hurry you.")
    assert isinstance(theirs, Hinted)


def test_nothing_could_be_doubted_it_was_said_while_older_plays_could() -> None:
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP)
    plays = (played(1, 2, 1, Rank.ACE, turn=3), played(2, 3, 1, Rank.TWO, turn=4))  # mine last

    state = folded(plays, dealt(turn=2, rules=rules))

    assert hint(after(state, "y")) == at_table.ONLY_OLDER
    assert "believe or doubt" in hint(after(folded(plays, dealt(turn=2)), "y"))


def test_whoever_had_voted_yes_was_offered_to_vote_yes_and_in_a_small_window_nothing_else() -> None:
    open_vote = folded((ASKS,), the_window())
    said_yes, said_no = (replying(open_vote, key) for key in "vV")

    assert "v vote yes   V vote no" in bar(open_vote, size=WIDE)
    for size in (SMALL, USUAL):
        assert "V vote no" in bar(said_yes, size=size)
        assert "v vote yes" not in bar(said_yes, size=size)
        assert "v vote yes" in bar(said_no, size=size)
        assert "V vote no" not in bar(said_no, size=size)


def replying(state: ClientState, key: str) -> ClientState:
    """The state once what this key sends is on its way."""
    (command,) = after(state, key).told
    assert isinstance(command, CastVote)
    return folded((Sent(command=command),), state)


@pytest.mark.parametrize("size", [SMALL, USUAL, WIDE], ids=str)
def test_a_long_name_was_cut_off_in_the_box_above_an_empty_line(size: tuple[int, int]) -> None:
    name = "Cyprian-Maxim-16"
    sixes = played(1, 2, 7, Rank.SIX, turn=3)

    page = seen(folded((sixes,), dealt(names=("ana", "bo", name, "maya"), turn=2)), size=size)

    side = "\N{BOX DRAWINGS LIGHT VERTICAL}"
    box = [row.split(side)[2].strip() for row in page.splitlines() if row.count(side) > 2]
    assert box[0].startswith((f"{name}:", f"{name} says:"))
    assert box[1 if size != WIDE else 0].endswith("7 x SIXES")
    assert all(box)


def test_in_a_small_window_a_refusal_stood_for_a_minute_in_place_of_the_newest_play() -> None:
    refused = Refused(n=CommandNumber(7), code=Refusal.NOTHING_TO_LET_GO)
    state = folded((refused, played(1, 1, 2, Rank.ACE, turn=2)), dealt(turn=1))

    early, later = (seen(state, size=SMALL, now=now) for now in (10.0, 20.0))

    assert " - There is no play for you to believe or doubt now" in early
    assert " - There is no play" not in later
    assert "   1 bo " in later


def test_in_a_small_window_a_row_was_empty_for_news_that_had_had_its_time() -> None:
    """In it stands what was said before them, as it does in a larger window."""
    said = folded((e.Said(name="cy", text="two more and we start"),), dealt(turn=1))
    back = e.LobbyNews(news=e.News.BACK, name="bo")
    state = folded((back, played(1, 1, 2, Rank.ACE, turn=2)), said)

    early, later = (seen(state, size=SMALL, now=now) for now in (10.0, 20.0))

    assert " - bo is back" in early
    assert "2 x A   ...\n <cy> two more and we start" in later


def test_in_a_small_window_a_vote_stood_for_a_minute_in_place_of_the_newest_play() -> None:
    """Above the keys it stands for as long as it is open, and with the newest count."""
    state = folded((ASKS, played(1, 1, 2, Rank.ACE, turn=2)), dealt(turn=1))

    early, later = (seen(state, size=SMALL, now=now) for now in (10.0, 20.0))

    assert " - bo asks to end the deal" in early
    assert " - bo asks to end the deal" not in later
    assert " bo asks to end the deal" in later
    assert "   1 bo " in later
