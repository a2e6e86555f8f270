"""Wrongs that were heard while playing line by line, each with a test named after it."""

import io

import pytest

from client import selectors
from client.plain.after_lines import stats_lines
from client.plain.console import Console
from client.plain.loop import PlainClient
from client.plain.play_words import is_a_play
from client.plain.reports import table_lines, time_lines, turn_line
from client.plain.ticks import next_tick
from client.plain.told import told, without_advice
from client.plain.typed import ELSEWHERE, find, help_lines, understand
from client.plain.word import Reply
from client.start.visit import Visit
from client.state import ClientState, Hinted, LinkLost, Painted, Sent, Unkept
from client.store import reduce
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import CardId, CommandNumber, PlayNumber, Seat
from protocol.rules import TableRules
from protocol.views import TableSnapshot
from tests.support.heard import lines
from tests.support.scenes import the_result
from tests.support.screen_states import (
    MAY_START,
    NAMES,
    YOU,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    played,
    ruled,
    stands,
)


def test_keys_everybody_knows_by_now_were_read_out_with_every_play() -> None:
    first = lines(dealt(), played(1, 0, 1, Rank.ACE, turn=1))
    later = lines(dealt(turn=2), played(7, 2, 1, Rank.SEVEN, turn=3, left=4))

    assert first == [
        "SAYS: ana 1 ace, 7 left, pile 1. You hold 1 of 4. (4 s: b doubts, y believes)"
    ]
    assert later == ["SAYS: cy 1 seven, 4 left, pile 1. You hold 1 of 4. You are next: eights."]


def test_a_sure_lie_was_told_on_the_screen_only() -> None:
    (line,) = lines(dealt(turn=2), played(7, 2, 4, Rank.KING, turn=3))

    assert "A sure lie: you hold 2." in line


def test_that_somebody_elses_play_stands_was_said_once_more_before_each_turn() -> None:
    table = folded((played(1, 1, 1, Rank.ACE, turn=2),), dealt(turn=1))

    assert lines(table, stands(1)) == ["TURN: cy, twos."]


def test_own_last_cards_were_laid_without_a_word_of_what_they_mean() -> None:
    hand = dealt("AS", turn=3)
    assert hand.table is not None
    laid = e.Laid(play=PlayNumber(1), cards=hand.table.hand)
    last = played(1, 3, 1, Rank.ACE, turn=4, left=0, last=True)

    assert lines(hand, laid, last) == ["LAID: you, 1 ace, true. 0 left. Out if it stands."]


def test_holding_none_of_the_rank_due_seemed_to_be_the_end() -> None:
    waiting = folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(turn=2))

    said = understand(waiting, "2", 10.0)

    assert said == Hinted(text="You hold no twos: lay others, said to be twos. Example: a")


def test_the_help_named_words_but_not_the_game() -> None:
    overview = "\n".join(help_lines())

    assert "lay cards face down and say how many they are of the rank due" in overview
    assert "A lie: the player takes the pile. The truth: you do." in overview


@pytest.mark.parametrize(
    ("stage", "seats", "said"),
    [
        (e.LobbyStage.GATHERING, 1, "it takes two: add casual adds a computer player."),
        (e.LobbyStage.BETWEEN_DEALS, 4, "start (d) deals again."),
    ],
    ids=["alone", "after a deal"],
)
def test_whoever_practised_was_told_to_add_another_computer_player_after_each_deal(
    stage: e.LobbyStage, seats: int, said: str
) -> None:
    names = ("maya", "ana", "bo", "cy")[:seats]
    sitting = [e.LobbySeat(name=name, ready=name != "maya") for name in names]
    event = e.LobbyChanged(lobby=lobby_state(stage=stage, seats=sitting))

    assert lines(online(), event)[-1] == f"NEXT: {said}"


def test_between_deals_nobody_said_what_to_do() -> None:
    mine = e.LobbySeat(name="maya", ready=True)
    ready = lobby_state(host="ana", seats=(e.LobbySeat(name="ana"), mine))

    assert lines(online(), e.HallChanged(online=1, lobbies=()))[-1].startswith("NEXT: create ")
    assert lines(online(), e.LobbyChanged(lobby=MAY_START))[-1] == (
        "NEXT: start (d) deals, add casual adds a computer player."
    )
    assert lines(online(), e.LobbyChanged(lobby=lobby_state(host="ana")))[-1] == (
        "NEXT: ready (r) if you are."
    )
    assert lines(online(), e.LobbyChanged(lobby=ready))[-1] == "NEXT: wait for ana to start."


def test_practice_was_told_to_start_what_starts_by_itself() -> None:
    told_it = lines(online(), e.LobbyChanged(lobby=lobby_state()))

    assert not any(line.startswith("NEXT") for line in without_advice(told_it))


def test_one_lobby_was_1_lobbies() -> None:
    one = e.Listing(
        code="FOX-42",
        host="ana",
        stage=e.LobbyStage.GATHERING,
        rules=lobby_state().rules,
        size=6,
        seated=("ana",),
    )

    assert lines(online(), e.HallChanged(online=2, lobbies=(one,)))[0] == "HALL: 2 online, 1 lobby."


def test_the_last_half_second_was_0_seconds() -> None:
    reading = folded((played(2, 4, 1, Rank.KING, turn=5), ruled()), dealt())

    assert next(time_lines(reading, 2.6)) == (
        "TIME: 1 second until the next play; go does not wait."
    )


UNKEPT = Unkept(where="/home/maya (no space left on device)")


@pytest.mark.parametrize(
    ("state", "passing", "cost"),
    [
        (dealt(), False, "; your seat is kept"),
        (dealt(), True, "; this practice ends"),
        (folded((UNKEPT,), dealt()), False, "; you lose your seat"),
        (online(), False, ""),
        (folded((UNKEPT,), online()), False, ""),
    ],
    ids=["a seat", "practice", "a seat without its secret", "no seat", "nor a secret"],
)
def test_leaving_cost_a_seat_that_nobody_had_and_practice_promised_that_it_is_kept(
    state: ClientState,
    passing: bool,  # noqa: FBT001 - a parameter
    cost: str,
) -> None:
    out = io.StringIO()
    visit = Visit(name="maya", passing=passing)
    client = PlainClient(visit, Console(None, out, is_terminal=True), clock=lambda: 9.0)
    client.state = state

    assert client._ask_to_leave(130) is False
    assert f"LEAVE: once more and you leave{cost}.\n" in out.getvalue()


BO_SAYS = played(1, 1, 1, Rank.ACE, turn=2)


def test_ten_seconds_were_told_twice() -> None:
    clock = folded((e.TurnClock(seat=YOU, left_us=45_000_000),), dealt(turn=3))
    later = reduce(clock, Painted(play=PlayNumber(0)), 35.0)

    reminder = e.TurnClock(seat=YOU, left_us=10_000_000)

    assert next_tick(clock, 0.0) == (35.0, "TIME: 10 seconds left.")
    assert tuple(told(later, reminder, reduce(later, reminder, 35.0))) == ()


def test_a_clock_that_became_shorter_is_told() -> None:
    shorter = e.TurnClock(seat=YOU, left_us=10_000_000)

    assert lines(dealt(turn=3), shorter) == ["TIME: 10 seconds left for your turn."]


def test_the_answer_to_a_vote_was_asked_for_before_the_vote_was_told() -> None:
    vote = e.VoteState(
        vote=1, on=e.VoteOn.END_DEAL, by="bo", yes=1, no=0, needed=4, left_us=60_000_000
    )

    assert lines(dealt(), vote) == [
        "NOTE: bo asks to end the deal: 1 yes, 0 no, 4 needed, 60 seconds.",
        "VOTE: answer yes or no.",
    ]


def test_a_lost_line_promised_a_seat_to_whoever_had_none() -> None:
    lost = LinkLost(reason="reset", attempt=1, retry_s=1)

    assert lines(online(), lost)[-1] == "LINK: trying to come back. (quit leaves)"
    assert lines(dealt(), lost)[-1] == "LINK: trying to come back; your seat is kept. (quit leaves)"


def test_of_what_was_asked_before_the_line_was_lost_nothing_was_said() -> None:
    asked = folded((Sent(command=c.Say(n=CommandNumber(1), text="hello")),), online())

    told = lines(asked, LinkLost(reason="no answer", attempt=1, retry_s=1))

    assert told[-1] == "LINK: what you asked for is sent when the connection is back."


def test_after_a_deal_everybody_was_told_to_wait_who_had_to_be_ready() -> None:
    ready = e.SeatChanged(name="maya", ready=True)
    over = e.DealOver(reason=e.StopReason.VOTE, places=(1,) * 6, cards=(9,) * 6)
    stage = e.StageChanged(
        stage=e.LobbyStage.BETWEEN_DEALS, deals=1, wins=(0, 0, 0, 1, 0, 0), match_winner=""
    )
    lobby = lobby_state(host="ana", stage=e.LobbyStage.PLAYING, rules=TableRules(match_wins=3))
    playing = folded((e.LobbyChanged(lobby=lobby), ready), dealt())

    assert lines(playing, over, stage)[-2:] == [
        "MATCH: it goes to 3 deals won. Won: maya 1.",
        "NEXT: ready (r) if you are.",
    ]


def test_in_a_deal_that_runs_everybody_was_said_not_to_be_ready() -> None:
    playing = e.LobbyChanged(lobby=lobby_state(stage=e.LobbyStage.PLAYING))

    told_it = lines(online(), playing)

    assert "SEAT: 2 bo." in told_it
    assert not any(line.startswith("NEXT") for line in told_it)


def test_the_doubted_play_was_told_once_more_with_the_pile() -> None:
    shown = ruled().shown

    assert not any(
        line.startswith("PILE")
        for line in lines(folded(the_kings(), dealt()), ruled(pile=(shown,)))
    )


def test_nobody_said_that_a_ruling_can_be_gone_on_from() -> None:
    first = folded(the_kings(), dealt())

    assert lines(first, ruled())[-1] == ("NEXT: go (g) if you are ready; the next play waits 3 s.")
    again = folded((ruled(), *the_kings(3)), first)
    assert not any(line.startswith("NEXT") for line in lines(again, ruled()))


def the_kings(first: int = 1) -> tuple[e.Played, ...]:
    """Two plays, the second of them dee's king."""
    return (
        played(first, 3, 1, Rank.QUEEN, turn=4),
        played(first + 1, 4, 1, Rank.KING, turn=5),
    )


def test_closed_to_doubt_2_of_0_believed_it() -> None:
    let_go = e.LetGo(play=PlayNumber(1), count=2)
    closed = folded((BO_SAYS, let_go, stands(1)), dealt(turn=1))

    assert "PILE: 1 card. Last, play 1: bo said 1 ace." in tuple(table_lines(closed))


def test_where_one_believed_it_1_of_5_believe_it() -> None:
    let_go = e.LetGo(play=PlayNumber(1), count=1)
    open_play = folded((BO_SAYS, let_go), dealt(turn=1))

    said = "PILE: 1 card. Last, play 1: bo said 1 ace; 1 of 5 believes it."
    assert said in tuple(table_lines(open_play))


def test_who_watches_a_deal_was_not_told_how_to_get_into_it() -> None:
    seats = [e.LobbySeat(name=name) for name in NAMES if name != "maya"]
    watching = folded(
        (
            e.LobbyChanged(lobby=lobby_state(seats=seats, stage=e.LobbyStage.PLAYING)),
            e.ChairChanged(seat=Seat(1), name="bo", chair=e.Chair.COMPUTER),
        ),
        dealt(you=None, names=NAMES[:3]),
    )
    table = selectors.public(watching)
    assert table is not None

    assert lines(watching, TableSnapshot(table=table))[1] == (
        "NEXT: you are watching; sit takes a seat for the next deal, sit 2 asks for the seat of bo."
    )


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("bs", "b (doubt)"),
        ("Cheat!", "b (doubt)"),
        ("exit", "quit"),
        ("score", "evening"),
        ("kick", "remove NAME"),
        ("raedy", "ready"),
    ],
)
def test_what_people_type_who_know_other_games_was_no_word_and_no_more(
    typed: str, meant: str
) -> None:
    said = understand(dealt(), typed, 10.0)

    assert said == Hinted(text=f"{typed} is not a word here. Did you mean {meant}?")


def test_every_word_that_is_suggested_is_one() -> None:
    first = {meant.split()[0] for meant in ELSEWHERE.values()} - {"the"}

    assert all(find(word) for word in first)
    assert not any(find(word) or is_a_play(word) for word in ELSEWHERE)


def test_what_a_computer_player_is_like_was_told_on_the_screen_only() -> None:
    kinds = understand(in_lobby(), "add", 10.0)

    assert kinds == Reply(
        lines=(
            "ADD: casual, mostly honest, doubts by gut feeling.",
            "ADD: certain, honest, doubts what hand or pile disproves, and last cards.",
            "ADD: proof, the same, and forgets nothing that it has seen.",
            "ADD: for example add casual.",
        )
    )


def test_asking_for_a_pace_was_refused_in_one_long_line() -> None:
    paces = understand(in_lobby(), "pace", 10.0)

    assert isinstance(paces, Reply)
    assert paces.lines[0] == "PACE: fast, 3 s to doubt, 20 s for a turn: for a practised table."
    assert understand(in_lobby(), "pace slow", 10.0) == Hinted(
        text="There is no pace slow: fast, normal, beginners, readers."
    )


def test_who_had_sat_down_during_a_deal_was_told_to_take_a_seat() -> None:
    assert understand(dealt(you=None), "b", 10.0) == Hinted(
        text="You only watch this deal: you are dealt in next time."
    )


def test_the_cards_of_a_lie_were_told_as_numbers_without_a_name() -> None:
    told_it = "\n".join(stats_lines(the_result()))

    assert "fastest doubt: you after" in told_it
    assert " and laid 1 " in told_it


def test_how_many_of_the_rank_due_i_hold_was_told_on_the_screen_only() -> None:
    my_turn = dealt("AS AD 5C", turn=3)

    assert turn_line(my_turn) == "TURN: you, claim aces, 45 seconds. You hold 2. Example: a"
    assert "You hold none. Example: 5" in turn_line(dealt("5C", turn=3))


def test_a_bluff_was_the_example_where_a_joker_would_have_been_true() -> None:
    assert turn_line(dealt("5C JK", turn=3)).endswith("You hold 1 with jokers. Example: x")


def test_that_somebody_who_is_gone_is_not_ready_was_told_during_a_deal() -> None:
    gone = e.SeatChanged(name="bo", ready=False, connected=False)
    ready = e.SeatChanged(name="bo", ready=True)

    assert lines(folded((ready,), dealt()), gone) == []


def test_the_hall_was_told_before_the_reason_of_being_there() -> None:
    out = e.LobbyLeft(reason="The host has removed you from the lobby.")

    assert lines(in_lobby(), out) == [
        "NEWS: The host has removed you from the lobby.",
        "HALL: you are back in the hall.",
    ]


def test_a_play_laid_ready_after_a_ruling_waited_for_a_doubt_and_asked_for_a_play() -> None:
    king = played(2, 4, 1, Rank.KING, turn=5)
    after_it = folded((king, ruled(turn=Seat(YOU))), dealt())
    ready = e.Held(held=e.HeldPlay(cards=(CardId(0),), count=1, rank=Rank.ACE))

    assert lines(after_it, ready, e.RevealOver()) == [
        "READY: 1 ace, after the pause. (back takes it back)"
    ]
    assert lines(after_it, e.RevealOver())[0].startswith("TURN: you, claim")
