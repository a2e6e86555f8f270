"""What the plain client prints for each event."""

import asyncio
import io

import pytest

from client import state as s
from client.plain.console import Console
from client.plain.loop import PlainClient
from client.plain.ticks import next_tick
from client.start.visit import Visit
from client.state import ClientState
from client.store import AnyEvent, reduce
from protocol import commands as c
from protocol import events as e
from protocol.answers import Ping, Refused
from protocol.cards import Rank, read_faces
from protocol.numbers import CardId, CommandNumber, PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.rules import TableRules
from protocol.views import TableSnapshot
from tests.support.heard import lines
from tests.support.screen_states import (
    NAMES,
    WELCOME,
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

ONE = CommandNumber(1)
QUEEN = played(1, 3, 1, Rank.QUEEN, turn=4)
KING = played(2, 4, 1, Rank.KING, turn=5, left=0, last=True, protected_us=8_000_000)


def doubted() -> ClientState:
    """Maya has doubted dee's last king."""
    doubt = s.Sent(command=c.Challenge(n=ONE, deal=1, play=PlayNumber(2)))
    return folded((QUEEN, KING, doubt), dealt())


def test_a_claim_is_told_with_what_can_be_done() -> None:
    assert lines(folded((QUEEN,), dealt()), KING) == [
        "SAYS: dee 1 king, 0 left: out if it stands, pile 2. You hold 2 of 4. (8 s: b doubts, y believes)"
    ]


def test_who_is_next_hears_the_rank_with_the_claim() -> None:
    told_it = lines(dealt(), played(1, 2, 1, Rank.TWO, turn=3))

    assert "You are next: threes." in told_it[0]


def test_an_own_bluff_is_told_as_one() -> None:
    hand = dealt(turn=3)
    assert hand.table is not None
    cards = (hand.table.hand[9], hand.table.hand[3])

    assert lines(
        hand, e.Laid(play=PlayNumber(1), cards=cards), played(1, 3, 2, Rank.QUEEN, turn=4)
    ) == ["LAID: you, 2 queens (1 five, 1 queen: a bluff). 10 left."]


def test_what_a_computer_laid_for_me_was_told_as_if_i_had_laid_it() -> None:
    stands_in = e.ChairChanged(seat=YOU, name="maya", chair=e.Chair.STAND_IN)
    replaced = folded((stands_in,), dealt(turn=3))
    assert replaced.table is not None
    cards = replaced.table.hand[9:10]

    (told_it,) = lines(
        replaced, e.Laid(play=PlayNumber(1), cards=cards), played(1, 3, 1, Rank.QUEEN, turn=4)
    )

    assert told_it == "LAID: a computer for you, 1 queen, true. 11 left."


def test_a_play_that_stands_is_told_to_its_player() -> None:
    assert lines(folded((QUEEN,), dealt()), stands(1))[0] == "STANDS: your 1 queen."


def test_my_doubt_was_first_and_the_reveal_follows() -> None:
    assert lines(doubted(), ruled())[:3] == [
        "DOUBT: You doubted first, by 83 ms over bo.",
        "REVEAL: dee laid the seven of clubs. A lie. dee takes 8 cards.",
        "CALLS: you 1.2 s (round trip 3.0 ms), bo +83 ms (ssh).",
    ]


def test_a_doubt_of_the_truth_costs_me_the_pile_and_tells_my_hand() -> None:
    told_it = lines(doubted(), ruled(lie=False))

    assert "REVEAL: dee laid the king of clubs. True. You take 8 cards." in told_it
    assert any(line.startswith("HAND: ") for line in told_it)


def test_somebody_elses_doubt_is_told_with_both_names() -> None:
    state = folded((QUEEN, KING), dealt())
    call = (e.Call(seat=Seat(1), after_us=500_000),)

    assert lines(state, ruled(challenger=Seat(1), calls=call))[0] == "DOUBT: bo doubted dee."


def test_a_doubt_that_came_too_late_tells_by_how_much() -> None:
    late = Refused(n=ONE, code=Refusal.TOO_LATE, late_us=40_000)

    assert lines(doubted(), late) == ["DOUBT: Too late by 40 ms: it costs nothing."]


def test_a_whole_pile_is_told_play_by_play() -> None:
    pile = (
        e.ShownPlay(play=PlayNumber(1), seat=YOU, count=1, rank=Rank.QUEEN, faces=read_faces("QS")),
    )

    assert "PILE: play 1 you said 1 queen, laid the queen of spades: true." in lines(
        doubted(), ruled(pile=pile)
    )


def test_a_ready_play_and_its_return_are_told() -> None:
    held = e.Held(held=e.HeldPlay(cards=(CardId(0),), count=1, rank=Rank.TWO))
    open_play = folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(turn=2))

    assert lines(open_play, held, e.HeldBack()) == [
        "READY: 1 two, if nobody doubts. (back takes it back)",
        "BACK: what you had ready is in your hand again.",
    ]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (e.Passed(seat=Seat(0), turn=Seat(1)), "PASS: ana."),
        (e.WentOut(seat=Seat(0), place=1, turn=Seat(1)), "OUT: ana is out, 1st place."),
        (e.WentOut(seat=YOU, place=2, turn=Seat(4)), "OUT: you are out, 2nd place."),
        (
            e.ChairChanged(seat=Seat(0), name="ana", chair=e.Chair.STAND_IN),
            "SEAT: a computer player stands in for ana.",
        ),
        (
            e.ChairChanged(seat=YOU, name="maya", chair=e.Chair.STAND_IN),
            "SEAT: a computer player stands in for you, until you lay, doubt or believe.",
        ),
        (
            e.ChairChanged(seat=YOU, name="maya", chair=e.Chair.OWNER),
            "SEAT: you play again.",
        ),
        (e.Stopping(reason=e.StopReason.VOTE), "ENDING: by vote. The last play has been made"),
        (
            e.Paused(reason=e.PauseReason.ASKED, left_us=900_000_000),
            "NOTE: The table is paused. At most 15 minutes.",
        ),
        (e.Said(name="bo", text="hi"), "SAY bo: hi"),
        (e.LobbyNews(news=e.News.LOST, name="cy"), "NEWS: cy lost the connection"),
        (e.TurnClock(seat=YOU, left_us=22_000_000), "TIME: 22 seconds left for your turn."),
        (s.LinkLost(reason="reset", attempt=1, retry_s=1), "LINK: trying to come back"),
    ],
)
def test_each_event_has_its_line(event: AnyEvent, line: str) -> None:
    assert any(one.startswith(line) for one in lines(dealt(rules=TableRules(play_on=True)), event))


def test_the_result_is_told_in_the_order_of_places() -> None:
    over = e.DealOver(reason=e.StopReason.OUT, places=(2, 3, 4, 1, 5, 5), cards=(1, 2, 3, 0, 9, 9))

    assert lines(dealt(), over)[:3] == [
        "OVER: one hand is empty; rules classic.",
        "RESULT: 1st you, out.",
        "RESULT: 2nd ana, 1 card.",
    ]


def test_the_confession_is_counted_and_can_be_heard() -> None:
    state = folded((played(1, 0, 1, Rank.ACE, turn=1),), dealt())

    assert lines(state, e.Confession(play=PlayNumber(1), faces=(read_faces("2C"),))) == [
        "CONFESSION: 1 of 1 play was a lie. Type confess to hear them, stats for who lied and doubted."
    ]


@pytest.mark.parametrize(
    ("faces", "counted"),
    [("AC 2H", "0 of 2 plays were lies"), ("3C 2H", "1 of 2 plays was a lie")],
    ids=["none", "one"],
)
def test_a_single_lie_among_several_plays_was_counted_as_lies(faces: str, counted: str) -> None:
    plays = (played(1, 0, 1, Rank.ACE, turn=1), played(2, 1, 1, Rank.TWO, turn=2))
    shown = e.Confession(play=PlayNumber(1), faces=tuple(map(read_faces, faces.split())))

    assert lines(folded(plays, dealt()), shown)[0].startswith(f"CONFESSION: {counted}.")


def test_a_snapshot_tells_where_the_deal_is() -> None:
    table = dealt().table
    assert table is not None

    told_it = lines(in_lobby(), TableSnapshot(table=table.table, you=YOU, hand=table.hand))

    assert told_it[0].startswith("DEAL: under way, 0 plays so far.")
    assert told_it[-1] == "TURN: ana, aces."


def test_the_turn_is_told_once_for_each_move() -> None:
    told_it = lines(
        dealt(),
        played(1, 0, 1, Rank.ACE, turn=1),
        stands(1),
        e.TurnClock(seat=Seat(1), left_us=45_000_000),
    )

    assert [line for line in told_it if line.startswith("TURN")] == ["TURN: bo, twos."]


def test_nobody_is_to_move_while_a_true_last_play_goes_out() -> None:
    last = ruled(lie=False, reveal_us=0)
    over = e.DealOver(reason=e.StopReason.OUT, places=(2, 2, 2, 6, 1, 5), cards=(7, 7, 7, 20, 0, 9))

    told_it = lines(doubted(), last, e.WentOut(seat=Seat(4), place=1, turn=Seat(5)), over)

    assert "OUT: dee is out, 1st place." in told_it
    assert not any(line.startswith("TURN") for line in told_it)


def test_entering_a_lobby_tells_its_seats_and_later_only_what_changed() -> None:
    people = (e.LobbySeat(name=name, ready=name == "ana") for name in ("ana", "bo", "maya"))
    changed = lobby_state(seats=people)

    first = lines(online(), e.LobbyChanged(lobby=lobby_state()))
    second = lines(in_lobby(), e.LobbyChanged(lobby=changed))

    assert first[0].startswith(
        "LOBBY: FOX-42, waiting, rules classic, challenge 4 seconds, host maya."
    )
    assert second == ["SEAT: ana, ready."]


def test_who_is_ready_is_told_until_the_next_deal_is_over() -> None:
    ready = e.SeatChanged(name="ana", ready=True)
    over = e.StageChanged(stage=e.LobbyStage.BETWEEN_DEALS, deals=1, wins=(0,) * len(NAMES))

    assert lines(in_lobby(), ready) == ["SEAT: ana, ready."]
    assert lines(folded((ready,), in_lobby()), over) == ["SEAT: ana, not ready."]


def test_news_of_a_lobby_that_is_not_known_yet_is_not_told() -> None:
    assert lines(online(), e.SeatChanged(name="ana", ready=True)) == []


def test_being_back_after_a_lost_line_is_told_as_that() -> None:
    lost = reduce(online(), s.LinkLost(reason="reset", attempt=1, retry_s=1), 0.0)

    assert lines(lost, WELCOME)[0] == "HELLO: back, maya."


def test_the_other_players_letting_go_is_not_told() -> None:
    assert lines(folded((QUEEN,), dealt()), e.LetGo(play=PlayNumber(1), count=2)) == []


# --- the clock ---------------------------------------------------------------------------------


def test_my_clock_is_read_out_at_10_5_and_3_seconds() -> None:
    state = reduce(dealt(turn=3), e.TurnClock(seat=YOU, left_us=45_000_000), 100.0)

    ticks, now = [], 100.0
    while tick := next_tick(state, now):
        now, line = tick
        ticks.append((now, line))

    assert ticks == [
        (135.0, "TIME: 10 seconds left."),
        (140.0, "TIME: 5 seconds left."),
        (142.0, "TIME: 3 seconds left."),
    ]


def test_somebody_elses_clock_is_not_read_out() -> None:
    state = reduce(dealt(), e.TurnClock(seat=Seat(0), left_us=45_000_000), 100.0)

    assert next_tick(state, 100.0) is None


def test_a_long_window_is_read_out_once_to_who_may_doubt() -> None:
    state = reduce(folded((QUEEN,), dealt()), KING, 100.0)

    assert next_tick(state, 100.0) == (105.0, "TIME: 3 seconds to doubt.")
    assert next_tick(reduce(state, e.YouLetGo(play=PlayNumber(2)), 100.0), 100.0) is None


def test_what_came_at_the_moment_of_a_reading_took_it_away() -> None:
    out, now = io.StringIO(), [100.0]
    client = PlainClient(
        Visit(name="maya"), Console(None, out, is_terminal=False), clock=lambda: now[0]
    )
    client.state = dealt(turn=3)

    async def with_pings() -> None:
        client.tell((e.TurnClock(seat=YOU, left_us=45_000_000),))
        for now[0] in (135.001, 135.002, 140.001, 142.001):
            client.tell((Ping(nonce=1),))
            await asyncio.sleep(0.01)

    asyncio.run(with_pings())

    _, *read_out = out.getvalue().splitlines()
    assert read_out == [f"TIME: {left} seconds left." for left in (10, 5, 3)]


# A screen reader at a pace that its users call comfortable says about five words a second.
WORDS_IN_A_WINDOW = 4 * 5


def test_a_claim_is_heard_before_a_window_of_four_seconds_is_over() -> None:
    early = tuple(played(n, n % 3, 1, Rank.ACE.up(n - 1), turn=3) for n in range(1, 8))
    state = folded(early, dealt(hand="QS QH QC QD"))

    (said, *_) = lines(state, played(8, 2, 2, Rank.QUEEN, turn=3))

    assert said == "SAYS: cy 2 queens, 7 left, pile 9. A sure lie: you hold 4. You are next: kings."
    assert len(said.split()) <= WORDS_IN_A_WINDOW
    assert said.split()[1:4] == ["cy", "2", "queens,"]  # what matters comes first
