"""Questions about a state: windows, who is away, what is on its way."""

from client import selectors
from client import state as s
from client.store import reduce
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import CardId, CommandNumber, PileNumber, PlayNumber, Seat
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
    lobby = e.LobbyChanged(lobby=lobby_state(stage=e.LobbyStage.PLAYING, seats=seats))

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

    assert not selectors.options(state).may_play
    assert not selectors.window_open(state)


def test_i_am_host_of_the_lobby_that_says_so() -> None:
    assert selectors.is_host(in_lobby())
    assert not selectors.is_host(in_lobby(lobby_state(host="ana")))
