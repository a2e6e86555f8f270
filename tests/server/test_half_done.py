"""Of what a fault of ours leaves half done nothing is there afterwards, and nobody is told of it."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.codes import rules_code
from protocol.numbers import CommandNumber, PlayNumber
from protocol.refusals import Refusal
from server.arrivals import Arrived, now_us
from server.errand import Errand
from server.hall import Hall
from server.journal.records import Change, LobbyKept
from server.lobby.lobby import Lobby
from server.lobby.mishaps import MOST_MISHAPS
from server.lobby.records import record_of
from server.person import Person
from server.table.table import Table
from tests.support.attackers import person_of
from tests.support.guests import (
    Guest,
    a_hall,
    a_newcomer,
    a_party,
    a_table,
    code_of,
    deal,
    the_lobby,
)
from tests.support.lives import recovered
from tests.support.memory_store import MemoryStore
from tests.support.mishaps import (
    break_commands,
    break_once,
    break_rulings,
    broken,
    hears_of_it,
    table_of,
)

RULES = "w0.t-off"


async def a_lobby(nursery: trio.Nursery) -> tuple[Hall, tuple[Guest, ...]]:
    hall = a_hall(nursery)
    guests = await a_party(hall, nursery, "ana", "bo", "cy", rules=RULES)
    return hall, guests


async def test_half_of_what_was_asked_was_once_told_when_its_deal_ended_with_the_last_fault(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    await deal(*guests)
    table_of(hall).mishaps = MOST_MISHAPS
    break_once(the_lobby(hall), "news")

    refused = await guests[0].ask(c.SetRules, rules="bluff")
    ended = await guests[2].wait_for(e.LobbyNews, lambda line: line.news is e.News.DEAL_LOST)
    await wait_all_tasks_blocked()

    (kept,) = recovered(hall._store.read())
    assert code_of(refused) is Refusal.TRY_AGAIN
    assert ended.name == "ana"
    assert rules_code(kept.lobby.state.rules) == RULES
    assert kept.lobby.state == the_lobby(hall).state == guests[2].lobby
    assert kept.lobby.state.stage is not e.LobbyStage.PLAYING


async def test_whoever_was_coming_in_when_a_table_failed_was_once_told_that_they_had_left(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_lobby(nursery)
    await deal(*guests)
    joiner = Guest(hall, nursery, "dee")
    await joiner.connect()
    lobby = the_lobby(hall)
    break_commands(hall)

    for guest, command in (
        (guests[0], c.GoOn(n=CommandNumber(50), deal=1, play=PlayNumber(1))),
        (joiner, c.JoinLobby(n=CommandNumber(50), code=lobby.code)),
    ):
        hall.obey(
            person_of(hall, guest),
            command,
            Arrived(data=b"", at=now_us(), stamped=False, settled=True),
        )
    answer = await joiner.answer_to(50)
    await hears_of_it(joiner)
    await wait_all_tasks_blocked()

    assert isinstance(answer, Accepted)
    assert not joiner.all_heard(e.LobbyLeft)
    assert joiner.lobby == lobby.state == guests[0].lobby


async def test_a_vote_to_end_a_deal_was_once_forgotten_if_a_fault_came_before_the_end(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, guests = await a_lobby(nursery)
    await deal(*guests)
    monkeypatch.setattr("server.table.table.apply", broken)
    await guests[0].ask(c.CallVote, on=e.VoteOn.END_DEAL)
    await guests[1].wait_for(e.VoteState)
    await guests[1].ask(c.CastVote, yes=True)
    await hears_of_it(guests[0])
    monkeypatch.undo()

    await guests[0].ask(c.ResumeTable)
    over = await guests[2].wait_for(e.DealOver)

    assert over.reason is e.StopReason.VOTE


@pytest.mark.parametrize("asks", ["the host for a watcher", "whoever had given it up"])
async def test_a_seat_whose_change_failed_once_had_its_new_owner_who_was_shown_the_hand(
    asks: str, nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, guests = await a_lobby(nursery)
    host, other = guests[0], guests[2]
    await other.ask(c.StandUp)
    await host.ask(c.AddComputer, temperament="casual")
    await guests[1].ask(c.SetReady)
    await host.ask(c.StartDeal)
    table = await a_seat_to_change(hall, asks, *guests)
    heard = len(other.heard)
    monkeypatch.setattr("server.table.table.apply", broken)

    if asks == "the host for a watcher":
        refused = await host.ask(c.AnswerSeat, name="cy", yes=True)
    else:
        refused = await other.ask(c.ReturnToSeat)
    await other.wait_for(e.Paused)
    monkeypatch.undo()

    assert code_of(refused) is Refusal.TRY_AGAIN
    assert not [event for _, event in other.heard[heard:] if isinstance(event, e.HandDealt)]
    assert other.view is not None
    assert (other.view.you, other.view.hand) == (None, ())
    (kept,) = recovered(hall._store.read())
    assert record_of(the_lobby(hall)).holders == kept.lobby.holders
    assert table is not the_lobby(hall).table


async def a_seat_to_change(hall: Hall, asks: str, *guests: Guest) -> Table:
    """Somebody watches a deal, and could be given a seat, or has taken one over and given it up."""
    table = the_lobby(hall).table
    assert table is not None
    other = guests[2]
    await other.wait_for(e.DealStarted)
    seat = next(holder.seat for holder in table.holders if holder.owner is None)
    await other.ask(c.SitDown, deal=1, seat=seat)
    if asks == "whoever had given it up":
        await guests[0].ask(c.AnswerSeat, name="cy", yes=True)
        await other.ask(c.GiveUpSeat)
    return table


class Witness(MemoryStore):
    """A journal, and all states of lobbies that were ever kept in it."""

    def __init__(self) -> None:
        super().__init__()
        self.states: list[e.LobbyState] = []

    async def commit(self, *changes: Change) -> None:
        """Note what is kept."""
        self.states += [each.lobby.state for each in changes if isinstance(each, LobbyKept)]
        await super().commit(*changes)


async def test_of_a_lobby_whose_deal_was_lost_something_was_once_told_that_was_never_kept(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = Witness()
    hall = a_hall(nursery, store=store)
    guests = await a_party(hall, nursery, "ana", "bo", "cy", rules=RULES)
    await deal(*guests)
    table_of(hall).mishaps = MOST_MISHAPS
    break_commands(hall)

    await guests[2].vanish()
    await guests[0].wait_for(e.LobbyNews, lambda line: line.news is e.News.DEAL_LOST)

    told = [event.lobby for event in guests[0].all_heard(e.LobbyChanged)]
    assert not any(seat.connected for seat in told[-1].seats if seat.name == "cy")
    assert all(state in store.states for state in told)


async def test_whose_cards_lay_ready_in_a_lobby_that_could_not_be_mended_was_once_never_answered(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.t-off")
    await first.lay()
    await second.wait_for(e.Played)
    held = await second.lay()
    await second.wait_for(e.Held)
    break_rulings(hall)
    monkeypatch.setattr("server.lobby.mishaps.take_up", broken)

    doubt = await third.doubt()

    assert code_of(await third.answer_to(doubt)) is Refusal.TRY_AGAIN
    assert code_of(await second.answer_to(held)) is Refusal.NO_DEAL
    assert not hall.lobbies


async def test_a_lobby_that_failed_once_more_while_it_was_mended_was_there_again_after_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, guests = await a_lobby(nursery)
    monkeypatch.setattr("server.lobby.mishaps._see_off", broken)
    break_once(the_lobby(hall).rng, "shuffle")

    await guests[0].ask(c.ShuffleSeats)
    for guest in guests:
        await guest.wait_for(e.LobbyLeft)

    assert not recovered(hall._store.read())


async def test_two_who_could_not_be_told_that_their_lobby_is_closed_ended_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, (host, second, third) = await a_lobby(nursery)
    left = hall.left

    def cannot_tell(person: Person, reason: str) -> None:
        if person.name != third.name:
            broken()
        left(person, reason)

    monkeypatch.setattr(hall, "left", cannot_tell)
    the_lobby(hall).give_way()

    await third.wait_for(e.LobbyLeft)
    created = [await guest.ask(c.CreateLobby) for guest in (host, second)]

    assert all(isinstance(answer, Accepted) for answer in created)


async def test_while_a_lobby_that_could_not_be_mended_closed_one_after_the_other_was_made_its_host(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, guests = await a_lobby(nursery)
    monkeypatch.setattr("server.lobby.mishaps.take_up", broken)
    break_once(the_lobby(hall).rng, "shuffle")

    await guests[0].ask(c.ShuffleSeats)
    for guest in guests:
        await guest.wait_for(e.LobbyLeft)

    news = [line.news for line in guests[2].all_heard(e.LobbyNews)]
    assert e.News.NEW_HOST not in news


async def test_after_a_fault_of_ours_whoever_had_come_in_with_a_password_was_told_to_try_again(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(nursery)
    ana = await a_newcomer(hall, nursery, "ana")
    entrance = vars(hall._entrance)
    join, finish = hall._entrance._join, hall._entrance._finish

    def join_and_break(errand: Errand, lobby: Lobby) -> None:
        join(errand, lobby)
        monkeypatch.setattr(errand.person.line, "flush", broken)

    async def finish_and_mend(errand: Errand, *steps: Any) -> None:  # noqa: ANN401 - as they are
        await finish(errand, *steps)
        monkeypatch.undo()  # others who send something are none of this

    entrance["_join"], entrance["_finish"] = join_and_break, finish_and_mend
    created = await ana.ask(c.CreateLobby, password="w")  # noqa: S106

    assert isinstance(created, Accepted)


async def test_cards_that_lay_ready_were_never_kept_if_a_table_failed_as_it_took_anothers_place(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.t-off")
    first, second, third = guests
    await first.lay()
    await second.wait_for(e.Played)
    await second.lay()
    await second.wait_for(e.Held)
    break_once(Table, "take_the_place_of")
    table_of(hall).hear = broken  # type: ignore[method-assign]

    await third.doubt()
    await hears_of_it(third)
    for guest in guests:
        await guest.ask(c.ResumeTable, pause=table_of(hall).halts)
    await third.wait_for(e.Played, lambda play: play.play == 2)

    (kept,) = recovered(hall._store.read())
    assert kept.deal is not None
    assert kept.deal.table.newest == table_of(hall).deal.table.newest == 2


async def test_a_lobby_whose_maker_could_not_be_let_in_was_there_for_good(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, idle_min=1)
    ana = await a_newcomer(hall, nursery, "ana")
    break_once(Lobby, "take")

    refused = await ana.ask(c.CreateLobby)
    await trio.sleep(61)

    assert code_of(refused) is Refusal.TRY_AGAIN
    assert not hall.lobbies
