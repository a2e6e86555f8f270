"""Questions about a state: mine and the next ranks, my hand, windows, what may be done."""

import pytest

from client import my_hand, selectors
from client import state as s
from client.store import reduce
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import CardId, CommandNumber, PileNumber, PlayNumber, Seat
from protocol.rules import RankOrder, TableRules
from tests.support.screen_states import (
    YOU,
    dealt,
    in_lobby,
    lobby_state,
    online,
    played,
    stands,
)

ACE_SAID = played(1, 0, 1, Rank.ACE, turn=1)


def test_my_next_ranks_go_up_by_the_number_of_players() -> None:
    # Six players, ana to claim aces, maya three turns on: 4, 10, 3, 9 (RULES A6).
    assert my_hand.next_ranks(dealt()) == (Rank.FOUR, Rank.TEN, Rank.THREE, Rank.NINE)


def test_where_the_rank_is_a_choice_there_are_no_next_ranks() -> None:
    assert my_hand.next_ranks(dealt(rules=TableRules(rank_order=RankOrder.FREE))) == ()


def test_the_hand_is_shown_by_rank_with_jokers_last() -> None:
    state = dealt("JK KS AH 2C")

    assert [str(card) for card in my_hand.cards(state)] == ["AH", "2C", "KS", "JK"]


def test_jokers_count_for_every_rank_i_hold() -> None:
    assert my_hand.held_of(dealt("JK KS KH 2C"), Rank.KING) == 3


@pytest.mark.parametrize(
    ("count", "sure"), [(2, False), (3, True)], ids=["two may be out there", "three may not"]
)
def test_holding_two_kings_proves_three_more_a_lie(count: int, sure: bool) -> None:  # noqa: FBT001
    state = dealt("KS KH 2C")

    assert my_hand.sure_lie(state, played(1, 0, count, Rank.KING, turn=1)) is sure


def test_a_play_of_my_own_is_no_sure_lie_to_me() -> None:
    assert not my_hand.sure_lie(dealt("KS KH"), played(1, 3, 4, Rank.KING, turn=4))


def test_the_claim_follows_the_cards_where_several_ranks_are_due() -> None:
    rules = TableRules(rank_order=RankOrder.FREE)
    state = reduce(dealt("KS KH 2C", rules=rules, turn=3), s.Picked(cards=(CardId(0),)), 0.0)

    assert my_hand.claimed_rank(state) is Rank.KING


def test_jokers_alone_leave_a_free_claim_open() -> None:
    state = dealt("JK 2C", rules=TableRules(rank_order=RankOrder.FREE), turn=3)

    assert my_hand.claimed_rank(state) is None


def test_seconds_left_never_go_below_zero() -> None:
    state = reduce(dealt(), ACE_SAID, 100.0)

    assert selectors.seconds_left(state.clocks.window_ends, 101.5) == 2.5
    assert selectors.seconds_left(state.clocks.window_ends, 200.0) == 0.0
    assert selectors.seconds_left(state.clocks.turn_ends, 100.0) is None


def test_how_many_could_still_doubt() -> None:
    open_window = reduce(dealt(), ACE_SAID, 0.0)

    assert selectors.can_still_doubt(open_window) == 5
    assert selectors.can_still_doubt(reduce(open_window, stands(1), 0.0)) == 0


def test_an_unshown_play_is_too_new_to_doubt_and_so_is_one_just_shown() -> None:
    state = reduce(dealt(), ACE_SAID, 100.0)
    shown = reduce(state, s.Painted(play=PlayNumber(1)), 100.0)

    assert selectors.newly_painted(state, 200.0)
    assert selectors.newly_painted(shown, 100.2)
    assert not selectors.newly_painted(shown, 100.25)


def test_a_lost_connection_shows_as_away() -> None:
    seats = [e.LobbySeat(name="ana", connected=False), e.LobbySeat(name="maya")]
    lobby = e.LobbyChanged(lobby=lobby_state(seats=seats))

    state = reduce(dealt(), lobby, 0.0)

    assert selectors.is_away(state, Seat(0))
    assert not selectors.is_away(state, YOU)


def test_a_move_is_pending_until_it_is_held() -> None:
    play = c.PlayCards(
        n=CommandNumber(1),
        deal=1,
        after=PlayNumber(0),
        pile=PileNumber(0),
        cards=(CardId(0),),
        count=1,
        rank=Rank.ACE,
    )
    sent = reduce(dealt(), s.Sent(command=play), 0.0)

    held = reduce(sent, e.Held(held=e.HeldPlay(cards=(CardId(0),), count=1, rank=Rank.ACE)), 0.0)

    assert (selectors.move_pending(sent), selectors.move_pending(held)) == (True, False)


def test_without_a_table_there_is_nothing() -> None:
    state = online()

    assert my_hand.cards(state) == ()
    assert my_hand.next_ranks(state) == ()
    assert not selectors.window_open(state)


def test_i_am_host_of_the_lobby_that_says_so() -> None:
    assert selectors.is_host(in_lobby())
    assert not selectors.is_host(in_lobby(lobby_state(host="ana")))
