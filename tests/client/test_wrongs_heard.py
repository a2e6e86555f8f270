"""Wrongs that were heard while playing line by line, each with a test named after it."""

import io

from client.plain.console import Console
from client.plain.loop import PlainClient
from client.plain.reports import time_lines
from client.plain.told import told, without_advice
from client.plain.typed import help_lines, understand
from client.state import ClientState, Hinted
from client.store import AnyEvent, reduce
from client.visit import Visit
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import PlayNumber
from tests.support.screen_states import (
    dealt,
    folded,
    lobby_state,
    online,
    played,
    ruled,
    stands,
)


def lines(before: ClientState, *events: AnyEvent) -> list[str]:
    """All that is printed for these events."""
    printed: list[str] = []
    state = before
    for event in events:
        earlier, state = state, reduce(state, event, 10.0)
        printed.extend(told(earlier, event, state))
    return printed


def test_keys_everybody_knows_by_now_were_read_out_with_every_play() -> None:
    first = lines(dealt(), played(1, 0, 1, Rank.ACE, turn=1))
    later = lines(dealt(turn=2), played(7, 2, 1, Rank.SEVEN, turn=3, left=4))

    assert first == ["SAYS: ana 1 ace, 7 left. You hold 1 of 4. (4 s: b doubts, y believes)"]
    assert later == ["SAYS: cy 1 seven, 4 left. You hold 1 of 4. You are next: eights."]


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

    assert lines(hand, laid, last) == ["LAID: you, 1 ace (1 ace: true). 0 left. Out if it stands."]


def test_holding_none_of_the_rank_due_seemed_to_be_the_end() -> None:
    waiting = folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(turn=2))

    said = understand(waiting, "2", 10.0)

    assert said == Hinted(text="You hold no twos: lay others, said to be twos. Example: a")


def test_the_help_named_words_but_not_the_game() -> None:
    overview = "\n".join(help_lines())

    assert "lay cards face down and say how many they are of the rank due" in overview
    assert "A lie: the player takes the pile. The truth: you do." in overview


def test_between_deals_nobody_said_what_to_do() -> None:
    mine = e.LobbySeat(name="maya", ready=True)
    ready = lobby_state(host="ana", seats=(e.LobbySeat(name="ana"), mine))

    assert lines(online(), e.HallChanged(online=1, lobbies=()))[-1].startswith("NEXT: create ")
    assert lines(online(), e.LobbyChanged(lobby=lobby_state()))[-1] == (
        "NEXT: add casual adds a computer player, start (d) deals."
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


def test_leaving_a_practice_game_promised_that_the_seat_is_kept() -> None:
    out = io.StringIO()
    client = PlainClient(
        Visit(name="maya", passing=True), Console(None, out, is_terminal=True), clock=lambda: 9.0
    )

    assert client._ask_to_leave(130) is False
    assert "LEAVE: once more and you leave.\n" in out.getvalue()
