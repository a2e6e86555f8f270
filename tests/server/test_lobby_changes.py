"""What people hear of a lobby makes it, for each of them, the lobby that it is."""

from collections.abc import Callable
from random import Random

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.rules import CLASSIC
from server.lobby import seating
from server.lobby.changes import changes
from tests.support.guests import a_hall, a_party, end_by_vote

LOBBY = e.LobbyState(
    code="FOX-42",
    rules=CLASSIC,
    settings=e.LobbySettings(),
    host="ana",
    stage=e.LobbyStage.GATHERING,
    seats=(e.LobbySeat(name="ana", ready=True), e.LobbySeat(name="bo"), e.LobbySeat(name="cy")),
)
PLAYING = seating.dealt(LOBBY)


def kinds(before: e.LobbyState | None, after: e.LobbyState) -> list[str]:
    """What is told of this change, in order."""
    return [type(event).__name__ for event in changes(before, after)]


def test_who_knows_nothing_is_told_everything() -> None:
    assert changes(None, LOBBY) == (e.LobbyChanged(lobby=LOBBY),)


def test_of_no_change_nothing_is_told() -> None:
    assert changes(LOBBY, replace(LOBBY)) == ()


@pytest.mark.parametrize(
    ("before", "change", "told"),
    [
        pytest.param(
            LOBBY,
            lambda lobby: seating.ready(lobby, "bo", is_ready=True),
            ["SeatChanged"],
            id="one is ready",
        ),
        pytest.param(
            LOBBY,
            lambda lobby: seating.connected(lobby, "ana", is_connected=False),
            ["SeatChanged"],
            id="one has lost the line",
        ),
        pytest.param(LOBBY, seating.dealt, ["StageChanged"], id="a deal begins"),
        pytest.param(
            PLAYING, lambda lobby: seating.deal_over(lobby, ("bo",), 1), ["StageChanged"], id="over"
        ),
        pytest.param(
            replace(PLAYING, asking=("dee",)),
            lambda lobby: seating.deal_over(lobby, (), 1),
            ["StageChanged"],
            id="over while somebody asks for a seat",
        ),
        pytest.param(
            LOBBY, lambda lobby: seating.with_host(lobby, "bo"), ["LobbyChanged"], id="a new host"
        ),
        pytest.param(
            LOBBY,
            lambda lobby: seating.shuffled(lobby, Random(7)),
            ["LobbyChanged"],
            id="other seats",
        ),
        pytest.param(
            LOBBY, lambda lobby: seating.with_person(lobby, "dee"), ["LobbyChanged"], id="one more"
        ),
        pytest.param(
            PLAYING,
            lambda lobby: seating.without(seating.deal_over(lobby, (), 1), "cy"),
            ["LobbyChanged"],
            id="over, and one has gone",
        ),
        pytest.param(
            PLAYING,
            lambda lobby: seating.ready(seating.deal_over(lobby, (), 1), "bo", is_ready=True),
            ["StageChanged", "SeatChanged"],
            id="over, and one is ready at once",
        ),
    ],
)
def test_a_change_is_told_in_as_few_words_as_say_it(
    before: e.LobbyState, change: Callable[[e.LobbyState], e.LobbyState], told: list[str]
) -> None:
    assert kinds(before, change(before)) == told


async def test_all_that_was_told_of_an_evening_makes_the_lobby_as_it_is(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, second, third = await a_party(hall, nursery, "ana", "bo", "cy", rules="m2")
    (lobby,) = hall.lobbies.values()

    async def all_know_it() -> None:
        await trio.testing.wait_all_tasks_blocked()
        assert [guest.lobby for guest in (host, second, third)] == [lobby.state] * 3

    for _ in range(2):
        await second.ask(c.SetReady)
        await third.ask(c.SetReady)
        await all_know_it()
        await host.ask(c.StartDeal)
        await all_know_it()
        await third.vanish()
        await third.connect(resume=True)
        await all_know_it()
        await end_by_vote(host, second, third)
        await all_know_it()
    await host.ask(c.ShuffleSeats)
    assert isinstance(await host.ask(c.AddComputer, temperament="casual"), Accepted)
    await third.ask(c.StandUp)
    await all_know_it()


async def test_who_comes_back_is_shown_the_lobby_and_the_others_only_that(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, second = await a_party(a_hall(nursery), nursery, "ana", "bo")
    await second.vanish()
    heard = len(host.heard)

    await second.connect(resume=True)
    await second.wait_for(e.LobbyChanged)
    await host.wait_for(e.LobbyNews, lambda line: line.news is e.News.BACK)

    since = [event for _, event in host.heard[heard:]]
    assert e.SeatChanged(name="bo") in since
    assert not any(isinstance(event, e.LobbyChanged) for event in since)
