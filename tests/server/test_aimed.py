"""A command names what it was aimed at: sent again later, it never hits another deal, vote or turn."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.refusals import Refusal, explained
from tests.support.guests import Guest, a_hall, a_table, code_of

FIRST = 1  # the number of the first deal, vote and pause
OLD_AIMS: dict[type[c.AtTheTable], dict[str, Any]] = {
    c.PlayCards: {"cards": (0,), "count": 1, "rank": 1},
    c.Pass: {},
    c.TakeBack: {},
    c.Challenge: {"play": 1},
    c.LetGoOf: {"play": 1},
    c.GoOn: {"play": 1},
    c.StartClock: {},
    c.GiveUpSeat: {},
    c.ReturnToSeat: {},
    c.CallVote: {"on": e.VoteOn.END_DEAL},
    c.CastVote: {"vote": FIRST, "yes": True},
    c.PauseTable: {},
    c.ResumeTable: {"pause": FIRST},
}


async def vote_to_end(guests: tuple[Guest, ...]) -> None:
    await guests[0].ask(c.CallVote, on=e.VoteOn.END_DEAL)
    for guest in guests[1:]:
        await guest.wait_for(e.VoteState)
        await guest.ask(c.CastVote, yes=True)
    for guest in guests:
        await guest.wait_for(e.StageChanged, lambda news: news.stage is not e.LobbyStage.PLAYING)


async def deal_again(guests: tuple[Guest, ...]) -> tuple[Guest, ...]:
    """The same people play one more deal; they come in the order in which they play."""
    host = next(guest for guest in guests if guest.name == "ana")
    for guest in guests:
        await guest.ask(c.SetReady)
    await host.ask(c.StartDeal)
    for guest in guests:
        await guest.wait_for(e.HandDealt)
    view = host.view
    assert view is not None
    by_seat = sorted(guests, key=lambda guest: guest.seat)
    return (*by_seat[view.table.turn :], *by_seat[: view.table.turn])


async def a_second_deal(nursery: trio.Nursery, rules: str = "classic") -> tuple[Guest, ...]:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules=rules)
    await vote_to_end(guests)
    return await deal_again(guests)


def test_everything_asked_at_a_table_names_the_deal() -> None:
    assert set(OLD_AIMS) == set(c.TableCommand.__args__)


async def test_the_number_of_a_deal_once_came_again_with_the_next_match(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_second_deal(nursery)  # `classic`: each deal is a match of its own

    numbers = [[each.deal for each in guest.all_heard(e.DealStarted)] for guest in guests]

    assert numbers == [[1, 2]] * 3


@pytest.mark.parametrize("kind", list(OLD_AIMS), ids=lambda kind: kind.__name__)
async def test_a_command_sent_again_in_the_next_deal_once_met_a_play_with_the_same_number(
    kind: type[c.AtTheTable], nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_second_deal(nursery)
    await first.answer_to(await first.lay())
    await third.wait_for(e.Played)
    seen = len(third.heard)

    answer = await second.ask(kind, **{"deal": FIRST} | OLD_AIMS[kind])
    await wait_all_tasks_blocked()

    assert isinstance(answer, Refused)
    assert answer.code is Refusal.OTHER_DEAL
    assert (answer.clause, answer.text) == explained(Refusal.OTHER_DEAL)
    assert third.heard[seen:] == []


async def test_a_challenge_meant_for_another_deal_is_not_taken_into_an_open_contest(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_second_deal(nursery, "classic.pf500")
    await first.answer_to(await first.lay())
    await third.wait_for(e.Played)

    counts = await second.doubt()
    stale = await third.send(c.Challenge, deal=FIRST, play=1)
    await second.answer_to(counts)
    ruled = await first.wait_for(e.Ruled)

    assert code_of(await third.answer_to(stale)) is Refusal.OTHER_DEAL
    assert [call.seat for call in ruled.calls] == [second.seat]


async def test_a_vote_cast_again_once_counted_for_the_next_question(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.t600")
    first, second, third = guests
    await first.ask(c.CallVote, on=e.VoteOn.PAUSE)
    for guest in (second, third):
        await guest.ask(c.CastVote, vote=1, yes=False)
    await second.ask(c.CallVote, on=e.VoteOn.END_DEAL)

    stale = await third.ask(c.CastVote, vote=1, yes=True)
    fresh = await third.ask(c.CastVote, vote=2, yes=False)

    assert code_of(stale) is Refusal.OTHER_VOTE
    assert isinstance(fresh, Accepted)
    assert [vote.vote for vote in first.all_heard(e.VoteState)] == [1, 1, 1, 2, 2]


async def test_a_clock_asked_for_again_once_hurried_the_next_player(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.t-off.w0")
    first, second, third = guests
    asked_for = third.aim(c.StartClock)
    await first.answer_to(await first.lay())
    await third.wait_for(e.Played)

    stale = await third.ask(c.StartClock, **asked_for)
    fresh = await third.ask(c.StartClock)

    assert code_of(stale) is Refusal.STALE
    assert isinstance(fresh, Accepted)
    assert second.view is not None


async def test_going_on_asked_for_again_once_ended_the_next_pause(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.t600")
    host = next(guest for guest in guests if guest.name == "ana")
    await host.ask(c.PauseTable)
    await host.ask(c.ResumeTable, pause=1)
    await trio.sleep(5)
    await host.ask(c.PauseTable)

    stale = await host.ask(c.ResumeTable, pause=1)
    fresh = await host.ask(c.ResumeTable, pause=2)

    assert code_of(stale) is Refusal.OTHER_PAUSE
    assert isinstance(fresh, Accepted)


async def test_a_seat_asked_for_in_another_deal_is_not_given_in_this_one(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, *_ = await a_second_deal(nursery)
    watcher = Guest(first.hall, nursery, "wim")
    await watcher.connect()
    assert first.lobby is not None
    await watcher.ask(c.JoinLobby, code=first.lobby.code, watch=True)

    for deal in ({"deal": FIRST}, {}):
        answer = await watcher.ask(c.SitDown, seat=0, **deal)

        assert code_of(answer) is Refusal.OTHER_DEAL
