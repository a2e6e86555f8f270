"""A lobby that hits a fault of ours between deals: it stays, loses nothing, says so, and goes on."""

from typing import cast

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

import server.lobby.deals
from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Welcome
from protocol.codes import rules_code
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from server.arrivals import Arrived, now_us
from server.hall import Hall
from server.lobby.mishaps import MOST_MISHAPS
from server.session import Session
from server.table.table import Table
from tests.support.attackers import person_of
from tests.support.guests import Guest, a_hall, a_party, code_of, the_lobby
from tests.support.lives import recovered
from tests.support.mishaps import break_once, broken

RULES = "w0.t-off"


async def hears_of_it(guest: Guest) -> e.LobbyNews:
    return await guest.wait_for(e.LobbyNews, lambda line: line.news is e.News.MISTAKE)


async def a_lobby(nursery: trio.Nursery) -> tuple[Hall, tuple[Guest, ...]]:
    hall = a_hall(nursery)
    guests = await a_party(hall, nursery, "ana", "bo", "cy", rules=RULES)
    return hall, guests


async def deals(*guests: Guest) -> None:
    for guest in guests[1:]:
        await guest.ask(c.SetReady)
    assert isinstance(await guests[0].ask(c.StartDeal), Accepted)
    for guest in guests:
        await guest.wait_for(e.HandDealt)


async def test_a_fault_of_ours_between_deals_once_cost_the_lobby(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall, guests = await a_lobby(nursery)
    before = guests[1].lobby
    break_once(the_lobby(hall).rng, "shuffle")

    refused = await guests[0].ask(c.ShuffleSeats)
    for guest in guests:
        await hears_of_it(guest)
    again = await guests[0].ask(c.ShuffleSeats)

    assert code_of(refused) is Refusal.TRY_AGAIN
    assert "this is a fault of ours" in caplog.text
    assert not guests[1].all_heard(e.LobbyLeft)
    assert before is not None
    assert guests[1].lobby is not None
    assert guests[1].lobby.code == before.code
    assert isinstance(again, Accepted)
    await deals(*guests)


async def test_of_a_command_that_failed_half_way_nothing_comes_along(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    break_once(the_lobby(hall), "news")

    refused = await guests[0].ask(c.SetRules, rules="bluff")
    await hears_of_it(guests[2])

    (kept,) = recovered(hall._store.read())
    assert code_of(refused) is Refusal.TRY_AGAIN
    assert kept.lobby.state == the_lobby(hall).state == guests[2].lobby
    assert rules_code(the_lobby(hall).state.rules) == RULES


async def test_what_was_kept_before_the_fault_is_not_denied_and_everybody_is_shown_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    break_once(the_lobby(hall), "deliver")

    said = await guests[1].ask(c.Say, text="hello")
    heard = await guests[2].wait_for(e.TalkSoFar)
    await hears_of_it(guests[2])
    break_once(the_lobby(hall), "deliver")
    ready = await guests[1].ask(c.SetReady)
    await hears_of_it(guests[2])

    assert isinstance(said, Accepted)
    assert isinstance(ready, Accepted)
    assert [line.text for line in heard.lines] == ["hello"]
    assert guests[2].lobby is not None
    assert [seat.ready for seat in guests[2].lobby.seats] == [False, True, False]


async def test_whoever_joins_with_a_fault_is_in_the_hall_and_can_join_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    joiner = Guest(hall, nursery, "dee")
    await joiner.connect()
    code = the_lobby(hall).code
    break_once(the_lobby(hall), "news")

    refused = await joiner.ask(c.JoinLobby, code=code)
    await hears_of_it(guests[0])
    again = await joiner.ask(c.JoinLobby, code=code)

    assert code_of(refused) is Refusal.TRY_AGAIN
    assert isinstance(again, Accepted)
    assert joiner.lobby == guests[0].lobby == the_lobby(hall).state


async def test_whoever_said_something_while_joining_with_a_fault_was_once_nowhere_for_good(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    joiner = Guest(hall, nursery, "dee")
    await joiner.connect()
    code = the_lobby(hall).code
    break_once(the_lobby(hall), "news")

    person = person_of(hall, joiner)
    first, second = CommandNumber(50), CommandNumber(51)

    for command in (c.JoinLobby(n=first, code=code), c.Say(n=second, text="hello")):
        hall.obey(person, command, Arrived(data=b"", at=now_us(), stamped=False))
    refused = [code_of(await joiner.answer_to(number)) for number in (first, second)]
    joiner._number = second
    again = await joiner.ask(c.JoinLobby, code=code)

    assert refused == [Refusal.TRY_AGAIN, Refusal.NOT_IN_A_LOBBY]
    assert isinstance(again, Accepted)
    assert joiner.lobby == guests[0].lobby == the_lobby(hall).state


async def test_who_was_lost_while_joining_with_a_fault_once_kept_their_name_from_others_for_good(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    joiner = Guest(hall, nursery, "dee")
    await joiner.connect()
    break_once(the_lobby(hall), "news")

    person = person_of(hall, joiner)
    join = c.JoinLobby(n=CommandNumber(1), code=the_lobby(hall).code)

    hall.obey(person, join, Arrived(data=b"", at=now_us(), stamped=False))
    cast("Session", person.line).close_now()
    await hears_of_it(guests[0])

    assert isinstance(await Guest(hall, nursery, "dee").connect(), Welcome)


async def test_whoever_is_at_the_door_meanwhile_comes_in(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    joiner = Guest(hall, nursery, "dee")
    await joiner.connect()
    lobby = the_lobby(hall)
    break_once(lobby.rng, "shuffle")

    shuffled = await guests[0].send(c.ShuffleSeats)
    joined = await joiner.send(c.JoinLobby, code=lobby.code)

    assert code_of(await guests[0].answer_to(shuffled)) is Refusal.TRY_AGAIN
    assert isinstance(await joiner.answer_to(joined), Accepted)
    assert lobby.includes(person_of(hall, joiner))


@pytest.mark.parametrize("fails", ["news", "see_out"])
async def test_whoever_leaves_with_a_fault_is_either_here_or_gone(
    fails: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    lobby = the_lobby(hall)
    break_once(lobby, fails)

    left = await guests[2].ask(c.LeaveLobby)
    await hears_of_it(guests[0])
    await wait_all_tasks_blocked()

    person = person_of(hall, guests[2])
    assert isinstance(left, Accepted) is (fails == "see_out")
    assert lobby.includes(person) is (person.lobby is lobby) is (fails == "news")
    assert guests[2].lobby == (lobby.state if fails == "news" else None)
    assert guests[0].lobby == lobby.state


async def test_a_line_that_is_lost_with_a_fault_is_known_to_be_lost(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    break_once(the_lobby(hall), "news")

    await guests[2].vanish()
    await hears_of_it(guests[0])
    away = guests[0].lobby
    await guests[2].connect(resume=True)
    await guests[0].wait_for(e.LobbyNews, lambda line: line.news is e.News.BACK)

    assert away is not None
    assert guests[0].lobby is not None
    assert [seat.connected for seat in away.seats] == [True, True, False]
    assert [seat.connected for seat in guests[0].lobby.seats] == [True, True, True]


async def test_a_deal_that_could_not_be_dealt_can_be_dealt_again(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, guests = await a_lobby(nursery)
    monkeypatch.setattr("server.lobby.deals.a_deal", broken)
    for guest in guests[1:]:
        await guest.ask(c.SetReady)

    refused = await guests[0].ask(c.StartDeal)
    await hears_of_it(guests[1])
    monkeypatch.undo()
    dealt = await guests[0].ask(c.StartDeal)

    assert code_of(refused) is Refusal.TRY_AGAIN
    assert isinstance(dealt, Accepted)
    assert (await guests[2].wait_for(e.DealStarted)).deal == 1


async def test_a_deal_that_was_kept_and_not_told_is_told_and_let_go_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    lobby = the_lobby(hall)
    for guest in guests[1:]:
        await guest.ask(c.SetReady)
    break_once(Table, "tell")

    started = await guests[0].ask(c.StartDeal)
    paused = await guests[2].wait_for(e.Paused)
    resumed = await guests[1].ask(c.ResumeTable)
    await guests[2].wait_for(e.Resumed, lambda event: event.in_us == 0)

    assert isinstance(started, Accepted)
    assert isinstance(resumed, Accepted)
    assert paused.reason is e.PauseReason.MISTAKE
    assert lobby.table is not None
    assert guests[2].view is not None
    assert guests[2].view.hand
    mover = next(guest for guest in guests if guest.seat == lobby.table.deal.table.turn)
    assert isinstance(await mover.answer_to(await mover.lay()), Accepted)


async def test_a_deal_whose_end_failed_ends_once_more_and_its_win_counts(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_party(hall, nursery, "ana", "bo", rules="classic.t-off.max-none.lw2.m3")
    await deals(*guests)
    lobby = the_lobby(hall)
    break_once(server.lobby.deals, "end_deal")
    view = guests[0].view
    assert view is not None
    first = next(guest for guest in guests if guest.seat == view.table.turn)

    assert first.view is not None
    await first.lay(cards=len(first.view.hand))
    await hears_of_it(guests[1])
    await guests[1].wait_for(e.StageChanged)
    await deals(*guests)

    assert lobby.state.deals == 2
    assert {seat.name: seat.wins for seat in lobby.state.seats}[first.name] == 1


async def test_a_lobby_that_fails_without_being_asked_is_closed_and_its_people_are_in_the_hall(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall, guests = await a_lobby(nursery)
    lobby = the_lobby(hall)
    lobby._idle_until_s = broken  # type: ignore[method-assign]

    await guests[0].ask(c.SetReady)
    for guest in guests:
        await guest.wait_for(e.LobbyLeft)

    assert len([line for line in caplog.records if "failed" in line.message]) == MOST_MISHAPS + 1
    assert not hall.lobbies
    assert isinstance(await guests[0].ask(c.CreateLobby), Accepted)


async def test_a_lobby_that_fails_whenever_it_is_asked_stays_for_as_long_as_anybody_likes(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    break_once(the_lobby(hall).rng, "shuffle", calls=3 * MOST_MISHAPS)

    answers = [await guests[0].ask(c.ShuffleSeats) for _ in range(3 * MOST_MISHAPS)]
    still = await guests[0].ask(c.ShuffleSeats)

    assert {code_of(answer) for answer in answers} == {Refusal.TRY_AGAIN}
    assert isinstance(still, Accepted)


async def test_a_lobby_that_could_not_even_be_opened_leaves_its_maker_in_the_hall(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(nursery)
    maker = Guest(hall, nursery, "ana")
    await maker.connect()
    monkeypatch.setattr("server.lobby.lobby.Lobby.welcome", broken)

    refused = await maker.ask(c.CreateLobby)
    await wait_all_tasks_blocked()
    monkeypatch.undo()

    assert code_of(refused) is Refusal.TRY_AGAIN
    assert not hall.lobbies
    assert isinstance(await maker.ask(c.CreateLobby), Accepted)


async def test_a_lobby_that_cannot_be_mended_is_closed(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, guests = await a_lobby(nursery)
    break_once(the_lobby(hall).rng, "shuffle")
    monkeypatch.setattr("server.lobby.mishaps.take_up", broken)

    await guests[0].ask(c.ShuffleSeats)
    for guest in guests:
        await guest.wait_for(e.LobbyLeft)

    assert not hall.lobbies
    assert isinstance(await guests[1].ask(c.CreateLobby), Accepted)


async def test_who_was_removed_stays_out_after_a_fault(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    await guests[0].ask(c.RemoveSeat, name="cy")
    await guests[2].wait_for(e.LobbyLeft)
    break_once(the_lobby(hall).rng, "shuffle")
    await guests[0].ask(c.ShuffleSeats)

    refused = await guests[2].ask(c.JoinLobby, code=the_lobby(hall).code)

    assert code_of(refused) is Refusal.WAS_REMOVED


async def test_half_of_what_was_asked_of_a_lobby_once_came_along_when_its_table_failed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    await deals(*guests)
    break_once(the_lobby(hall), "news")

    refused = await guests[0].ask(c.SetRules, rules="bluff")
    await guests[2].wait_for(e.Paused)
    await guests[1].ask(c.Say, text="hm")

    assert code_of(refused) is Refusal.TRY_AGAIN
    assert rules_code(the_lobby(hall).state.rules) == RULES
    assert guests[2].lobby == the_lobby(hall).state
