"""What a player means at the table, and the reason when it cannot be."""

import pytest

from client import state as s
from client.intents import at_table
from client.intents.shared import UNNUMBERED, explain
from client.state import BelieveAll, ClientState, Hinted, Picked
from client.store import reduce
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import CardId, CommandNumber, PileNumber, PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.rules import ChallengeUntil, RankOrder, TableRules
from tests.support.screen_states import dealt, folded, in_lobby, played, ruled, stands

ONE = CommandNumber(1)
ACE_SAID = played(1, 0, 1, Rank.ACE, turn=1)
KING_SAID = played(1, 0, 1, Rank.KING, turn=3)
SHOWN = s.Painted(play=PlayNumber(1))
NOW = 10.0  # long after everything was shown


def mine(**more: object) -> ClientState:
    """My turn, aces due, nothing on the table."""
    return dealt(turn=3, **more)  # type: ignore[arg-type]


def open_window(**more: object) -> ClientState:
    """Ana has said one ace, and it is on the screen."""
    return folded((ACE_SAID, SHOWN), dealt(**more))  # type: ignore[arg-type]


def typed(state: ClientState, keys: str) -> ClientState:
    """The state after picking with these keys."""
    for key in keys:
        act = at_table.pick(state, at_table.RANK_KEYS[key])
        assert isinstance(act, Picked)
        state = reduce(state, act, NOW)
    return state


def hint(outcome: object) -> str:
    """The reason given."""
    assert isinstance(outcome, Hinted)
    return outcome.text


# --- picking -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "picked"),
    [("3", 1), ("33", 2), ("333", 0), ("3a", 2), ("t0", 0)],
    ids=["one", "two", "after the last none", "two ranks", "zero is the ten as well"],
)
def test_rank_keys_pick_one_more_of_that_rank(keys: str, picked: int) -> None:
    assert len(typed(mine(), keys).picks) == picked


@pytest.mark.parametrize(
    ("key", "reason"),
    [("2", "You hold no two."), ("x", "You hold no joker.")],
)
def test_a_rank_that_cannot_be_picked_says_why(key: str, reason: str) -> None:
    assert hint(at_table.pick(mine(), at_table.RANK_KEYS[key])) == reason


def test_cards_can_be_picked_before_it_is_my_turn() -> None:
    assert typed(open_window(), "q").picks != ()


def test_all_of_a_rank_are_picked_and_then_none() -> None:
    every = at_table.pick_all(mine(), Rank.THREE)
    assert isinstance(every, Picked)

    assert len(every.cards) == 2
    assert at_table.pick_all(reduce(mine(), every, NOW), Rank.THREE) == Picked()


def test_backspace_unpicks_the_card_picked_last() -> None:
    state = typed(mine(), "aq")

    assert at_table.back(state) == Picked(cards=state.picks[:1])


def test_backspace_with_nothing_picked_takes_back_what_lies_ready() -> None:
    ready = e.Held(held=e.HeldPlay(cards=(CardId(0),), count=1, rank=Rank.ACE))

    assert at_table.back(folded((ready,), mine())) == c.TakeBack(
        n=UNNUMBERED, deal=1, after=PlayNumber(0)
    )


# --- laying ------------------------------------------------------------------------------------


def test_enter_lays_what_is_picked_as_the_rank_due() -> None:
    state = typed(mine(), "q5")

    assert at_table.lay(state) == c.PlayCards(
        n=UNNUMBERED,
        deal=1,
        after=PlayNumber(0),
        pile=PileNumber(0),
        cards=state.picks,
        count=2,
        rank=Rank.ACE,
    )


def test_next_to_move_may_lay_while_the_window_is_open() -> None:
    state = typed(folded((KING_SAID, SHOWN), dealt()), "a")

    assert isinstance(at_table.lay(state), c.PlayCards)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (mine(), "Pick cards first"),
        (typed(dealt(), "q"), "It is ana's turn"),
        (typed(open_window(), "q"), "but b doubts ana's 1 ace, y believes."),
        (folded((e.YouLetGo(play=PlayNumber(1)),), open_window()), "b doubts ana's 1 ace."),
        (typed(mine(), "33557"), "more cards than one play may claim"),
        (reduce(typed(mine(), "q"), e.Paused(reason=e.PauseReason.ASKED), 0), "paused"),
        (reduce(typed(mine(), "q"), s.LinkLost(reason="x", attempt=1, retry_s=1), 0), "connection"),
        (reduce(dealt(you=None), s.Renamed(name="zed"), NOW), "You are watching"),
        (in_lobby(), "No deal"),
    ],
    ids=[
        "nothing picked",
        "not my turn",
        "a play to answer",
        "believed",
        "too many",
        "paused",
        "no line",
        "watching",
        "no deal",
    ],
)
def test_enter_says_why_nothing_is_laid(state: ClientState, reason: str) -> None:
    assert reason in hint(at_table.lay(state))


def test_a_play_under_way_is_not_sent_twice() -> None:
    state = typed(mine(), "a")
    play = at_table.lay(state)
    assert isinstance(play, c.PlayCards)

    state = reduce(state, s.Sent(command=play), NOW)

    assert hint(at_table.lay(state)) == at_table.ON_ITS_WAY


def test_a_free_claim_of_jokers_alone_has_to_be_named() -> None:
    state = typed(mine(hand="JK 2C", rules=TableRules(rank_order=RankOrder.FREE)), "x")

    assert hint(at_table.lay(state)) == at_table.SAY_RANK
    named = at_table.lay(state, rank=Rank.SIX)
    assert isinstance(named, c.PlayCards)
    assert named.rank is Rank.SIX


def test_a_card_too_many_is_sneaked_in_where_the_rules_allow_it() -> None:
    state = typed(mine(rules=TableRules(max_cards=1, sneak=1)), "a3")

    play = at_table.lay(state)

    assert isinstance(play, c.PlayCards)
    assert (len(play.cards), play.count) == (2, 1)


def test_passing_where_there_is_none_says_so() -> None:
    assert "no passing" in hint(at_table.pass_turn(mine()))


def test_passing_where_the_rules_allow_it() -> None:
    state = folded((KING_SAID,), dealt(rules=TableRules(passing=True)))

    assert isinstance(at_table.pass_turn(state), c.Pass)


# --- doubting ----------------------------------------------------------------------------------


def test_b_doubts_the_play_on_the_screen_by_its_number() -> None:
    assert at_table.doubt(open_window(), NOW) == c.Challenge(
        n=UNNUMBERED, deal=1, play=PlayNumber(1)
    )


@pytest.mark.parametrize("pressed_at", [0.0, 0.249], ids=["at once", "just before 250 ms"])
def test_b_right_after_a_new_play_was_meant_for_the_one_before(pressed_at: float) -> None:
    state = folded((ACE_SAID, SHOWN), dealt(), at=0.0)

    assert (
        hint(at_table.doubt(state, pressed_at))
        == "A newer play: ana said 1 ace. b again doubts it."
    )


def test_b_250_ms_after_the_play_was_shown_is_sent() -> None:
    assert isinstance(at_table.doubt(open_window(), 0.25), c.Challenge)


def test_a_play_that_was_never_shown_is_not_doubted() -> None:
    assert "newer play" in hint(at_table.doubt(folded((ACE_SAID,), dealt()), NOW))


def test_a_play_named_by_its_number_is_doubted_at_once() -> None:
    state = folded((ACE_SAID, SHOWN), dealt(), at=0.0)

    assert isinstance(at_table.doubt(state, 0.0, PlayNumber(1)), c.Challenge)


def test_an_older_play_can_be_named_where_the_rules_allow_it() -> None:
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP)
    state = folded((ACE_SAID, played(2, 1, 1, Rank.TWO, turn=2)), dealt(rules=rules))

    assert at_table.doubt(state, NOW, PlayNumber(1)) == c.Challenge(
        n=UNNUMBERED, deal=1, play=PlayNumber(1)
    )


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (dealt(), "no play to doubt yet"),
        (folded((stands(1),), open_window()), "Too late"),
        (folded((played(1, 3, 1, Rank.ACE, turn=4), SHOWN), mine()), "your own play"),
        (folded((ACE_SAID, SHOWN, s.Renamed(name="zed")), dealt(you=None)), "You are watching"),
        (folded((ACE_SAID, SHOWN), dealt(you=None)), "you are dealt in next time"),
    ],
    ids=["nothing laid", "closed for good", "my own", "watching", "came during the deal"],
)
def test_b_says_why_there_is_nothing_to_doubt(state: ClientState, reason: str) -> None:
    assert reason in hint(at_table.doubt(state, NOW))


def test_while_my_doubt_is_under_way_nothing_else_is_sent() -> None:
    sent = s.Sent(command=c.Challenge(n=ONE, deal=1, play=PlayNumber(1)))
    state = reduce(open_window(), sent, NOW)

    assert hint(at_table.doubt(state, NOW)) == "You have doubted that play already."
    assert hint(at_table.believe(state)) == at_table.RULING_FIRST


# --- believing ---------------------------------------------------------------------------------


def test_y_lets_the_newest_play_go() -> None:
    assert at_table.believe(open_window()) == c.LetGoOf(n=UNNUMBERED, deal=1, play=PlayNumber(1))


def test_y_twice_says_that_b_still_doubts() -> None:
    state = folded((e.YouLetGo(play=PlayNumber(1)),), open_window())

    assert "b still doubts" in hint(at_table.believe(state))
    assert isinstance(at_table.doubt(state, NOW), c.Challenge)


def test_capital_y_believes_everything_until_it_is_taken_back() -> None:
    assert at_table.believe_all(open_window()) == BelieveAll(on=True)

    believing = reduce(open_window(), BelieveAll(on=True), NOW)

    assert at_table.automatic(believing) == c.LetGoOf(n=UNNUMBERED, deal=1, play=PlayNumber(1))
    assert at_table.believe_all(believing) == BelieveAll(on=False)


def test_nothing_is_believed_unasked() -> None:
    assert at_table.automatic(open_window()) is None


def test_last_cards_are_not_believed_by_habit() -> None:
    last = played(1, 0, 1, Rank.ACE, turn=1, left=0, last=True)

    state = folded((last, BelieveAll(on=True)), dealt())

    assert at_table.automatic(state) is None


# --- reading, voting, pausing ------------------------------------------------------------------


def after_a_ruling() -> ClientState:
    """Dee's king was doubted and everybody may read."""
    return folded(
        (played(1, 3, 1, Rank.ACE, turn=4), played(2, 4, 1, Rank.KING, turn=5), ruled()), dealt()
    )


def test_a_ruling_is_gone_on_from_once() -> None:
    state = after_a_ruling()

    going = at_table.go_on(state)

    assert going == c.GoOn(n=UNNUMBERED, deal=1, play=PlayNumber(2))
    read = reduce(state, s.Sent(command=c.GoOn(n=ONE, deal=1, play=PlayNumber(2))), NOW)
    assert hint(at_table.go_on(read)) == explain(read, Refusal.NOTHING_TO_READ).text


def test_the_host_pauses_and_others_ask_the_table() -> None:
    host = dealt()
    guest = reduce(host, s.Renamed(name="bo"), NOW)

    assert at_table.pause(host) == c.PauseTable(n=UNNUMBERED, deal=1)
    assert at_table.pause(guest) == c.CallVote(n=UNNUMBERED, deal=1, on=e.VoteOn.PAUSE)


def test_a_vote_needs_to_be_open() -> None:
    assert "no vote" in hint(at_table.cast_vote(dealt(), yes=True))


def test_a_second_vote_waits_for_the_first() -> None:
    vote = e.VoteState(vote=1, on=e.VoteOn.PAUSE, by="bo", yes=1, no=0, needed=3, left_us=1)

    state = folded((vote,), dealt())

    assert "already open" in hint(at_table.call_vote(state, e.VoteOn.END_DEAL))
    assert at_table.cast_vote(state, yes=False) == c.CastVote(
        n=UNNUMBERED, deal=1, vote=1, yes=False
    )


def test_resuming_needs_a_pause() -> None:
    assert "not paused" in hint(at_table.resume(dealt()))


def test_a_clock_is_started_for_the_turn_that_is_seen() -> None:
    state = dealt(turn=1, rules=TableRules(turn_s=0))

    assert at_table.start_clock(state) == c.StartClock(
        n=UNNUMBERED, deal=1, seat=Seat(1), after=PlayNumber(0), pile=PileNumber(0)
    )


def test_a_host_who_watches_starts_a_clock_too() -> None:
    host = dealt(you=None, turn=1, rules=TableRules(turn_s=0))
    guest = reduce(host, s.Renamed(name="bo"), NOW)

    assert isinstance(at_table.start_clock(host), c.StartClock)
    assert hint(at_table.start_clock(guest)) == at_table.NEXT_TIME


def test_a_pause_is_ended_by_its_number() -> None:
    paused = folded((e.Paused(reason=e.PauseReason.ASKED, pause=3),), dealt())

    assert at_table.resume(paused) == c.ResumeTable(n=UNNUMBERED, deal=1, pause=3)


def test_a_clock_that_runs_is_not_started_again() -> None:
    state = folded((e.TurnClock(seat=Seat(0), left_us=1_000_000),), dealt())

    assert "already running" in hint(at_table.start_clock(state))
