"""A lobby is followed from what its people are told; most of that is no news to it."""

import pytest
from msgspec.structs import replace

from protocol import events as e
from protocol.lobby import follow
from protocol.rules import CLASSIC

ANN = e.LobbySeat(name="Ann", ready=True, wins=2)
BEN = e.LobbySeat(name="Ben")
ROBOT = e.LobbySeat(name="casual", kind=e.SeatKind.COMPUTER, temperament="casual", ready=True)
LOBBY = e.LobbyState(
    code="FOX-42",
    rules=CLASSIC,
    settings=e.LobbySettings(),
    host="Ann",
    stage=e.LobbyStage.PLAYING,
    seats=(ANN, BEN, ROBOT),
    watching=("Cleo",),
    deals=3,
    asking=("Cleo",),
)
OVER = e.StageChanged(stage=e.LobbyStage.BETWEEN_DEALS, deals=3, wins=(2, 1, 0))


def followed(event: e.Event) -> e.LobbyState:
    """The lobby after this event; there must be one."""
    lobby = follow(LOBBY, event)
    assert lobby is not None
    return lobby


def test_the_whole_lobby_is_what_it_says() -> None:
    assert follow(None, e.LobbyChanged(lobby=LOBBY)) == LOBBY


def test_who_has_left_is_in_no_lobby() -> None:
    assert follow(LOBBY, e.LobbyLeft()) is None


@pytest.mark.parametrize(
    "event",
    [e.SeatChanged(name="Ben", ready=True), OVER, e.Online(count=3)],
    ids=["a seat", "the stage", "something else"],
)
def test_who_is_in_no_lobby_follows_none(event: e.Event) -> None:
    assert follow(None, event) is None


@pytest.mark.parametrize(("ready", "connected"), [(True, True), (False, True), (False, False)])
def test_one_seat_changes_and_no_other(ready: bool, connected: bool) -> None:  # noqa: FBT001
    after = followed(e.SeatChanged(name="Ben", ready=ready, connected=connected))

    assert after.seats == (ANN, replace(BEN, ready=ready, connected=connected), ROBOT)
    assert replace(after, seats=LOBBY.seats) == LOBBY


def test_when_a_deal_begins_whoever_is_ready_stays_so() -> None:
    begun = e.StageChanged(stage=e.LobbyStage.PLAYING, deals=4, wins=(2, 1, 0))

    after = followed(begun)

    assert (after.stage, after.deals) == (e.LobbyStage.PLAYING, 4)
    assert [seat.ready for seat in after.seats] == [True, False, True]
    assert [seat.wins for seat in after.seats] == [2, 1, 0]
    assert after.asking == ("Cleo",)


def test_when_a_deal_is_over_only_computer_players_are_ready_and_nobody_asks() -> None:
    after = followed(OVER)

    assert after.stage is e.LobbyStage.BETWEEN_DEALS
    assert [seat.ready for seat in after.seats] == [False, False, True]
    assert after.asking == ()


def test_a_match_that_is_won_has_its_winner() -> None:
    assert followed(replace(OVER, match_winner="Ann")).match_winner == "Ann"


def test_a_stage_of_other_seats_than_are_known_changes_nothing() -> None:
    assert follow(LOBBY, replace(OVER, wins=(1, 2))) is LOBBY


def test_other_events_change_nothing() -> None:
    assert follow(LOBBY, e.Said(name="Ann", text="Hi")) is LOBBY
