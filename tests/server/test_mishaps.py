"""A table that hits a fault of ours: it stands still, says so, loses nothing, and goes on when asked to."""

import logging
from collections.abc import Callable
from typing import cast

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

import server.table.intake
import server.table.table
from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.refusals import Refusal
from protocol.rules import CLASSIC
from server.game.view import view_for
from server.hall import Hall
from server.lobby.mishaps import MOST_MISHAPS
from server.table.table import Table
from tests.support.books import as_kept
from tests.support.guests import Guest, a_hall, a_table, code_of, host_of
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

RULES = "classic.t-off"


async def a_broken_table(
    nursery: trio.Nursery, park_h: float = 24.0
) -> tuple[Hall, tuple[Guest, ...], int, int]:
    """A table whose fault came with a challenge, while the next player's cards were held."""
    hall = a_hall(nursery, store=MemoryStore(), park_h=park_h)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules=RULES)
    first, second, third = guests
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    held = await second.lay()
    await second.wait_for(e.Held)
    break_rulings(hall)
    doubt = await third.doubt()
    for guest in guests:
        await hears_of_it(guest)
    return hall, guests, held, doubt


BEGUN_ANEW = {
    *(
        "deal",
        "holders",
        "company",
        "settings",
        "rng",
        "began",
        "ran_since",
    ),  # given
    *("halt", "pause_wanted"),  # which the lobby sees to
    *("calls", "clock", "vote", "gone_on", "clocks_wanted"),  # which may be what has failed
    *("_batch", "_due", "_in_hand", "_kept", "_intake"),  # which the lobby has taken back
    "public_log",  # which is packed again
}
"""The fields of a table that the table in its place does not take over."""


class Anything:
    """A value that is no other's, of a field that has any field."""

    def __getattr__(self, _: str) -> "Anything":
        return Anything()

    def __add__(self, _: object) -> "Anything":
        return Anything()


async def test_each_new_field_of_a_table_was_lost_at_a_fault_unless_somebody_thought_of_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    await a_table(hall, nursery, "ana", "bo", rules=RULES)
    table = table_of(hall)
    before, closings = dict(vars(table)), table.calls.closings

    table.take_the_place_of(cast("Table", Anything()))
    taken_over = {name for name, value in vars(table).items() if value is not before[name]}
    vars(table).update(before)  # it is played on
    table.calls.closings = closings

    assert taken_over | BEGUN_ANEW == set(before)
    assert not taken_over & BEGUN_ANEW


async def test_one_field_more_once_made_each_table_larger_by_a_fiftieth(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """Objects of a class share the names of their fields, unless there are as many as this (CPython)."""
    too_many = 30
    hall = a_hall(nursery)
    await a_table(hall, nursery, "ana", "bo", rules=RULES)
    table = table_of(hall)

    for each in (table, *hall.lobbies.values()):
        assert len(vars(each)) < too_many


async def test_a_doubt_that_a_table_failed_to_take_in_was_never_answered(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules=RULES)
    await guests[0].lay(truth=False)
    await guests[2].wait_for(e.Played)
    break_once(server.table.intake, "settle")

    doubt = await guests[2].doubt()
    await hears_of_it(guests[2])

    assert code_of(await guests[2].answer_to(doubt)) is Refusal.PAUSED


async def test_who_was_too_late_heard_after_a_fault_that_it_was_by_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.t-off")
    first, second, third = guests
    await first.lay()
    await second.wait_for(e.Played)
    await second.lay()
    await third.wait_for(e.Played, lambda play: play.play == 2)
    break_commands(hall)
    await first.send(c.GoOn, play=0)
    await hears_of_it(third)
    await host_of(guests).ask(c.ResumeTable)
    await third.wait_for(e.Resumed, lambda event: event.in_us == 0)

    late = await third.ask(c.Challenge, play=1)

    assert isinstance(late, Refused)
    assert late.code is Refusal.TOO_LATE
    assert late.late_us


async def test_a_fault_of_ours_once_cost_the_deal(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall, (first, second, third), held, doubt = await a_broken_table(nursery)
    before = table_of(hall).deal
    tried_meanwhile = await third.ask(c.Challenge, play=1)

    resumed = await third.ask(c.ResumeTable)  # any player may, and there is a count of three
    await third.wait_for(e.Resumed, lambda event: event.in_us == 0)
    called = await third.answer_to(await third.doubt())
    ruled = await first.wait_for(e.Ruled)

    assert code_of(await third.answer_to(doubt)) is Refusal.TRY_AGAIN
    assert code_of(tried_meanwhile) is Refusal.PAUSED
    assert isinstance(resumed, Accepted)
    assert isinstance(called, Accepted)
    assert ruled.shown.play == before.table.newest == 1
    assert code_of(await second.answer_to(held)) is Refusal.CALLED_FIRST  # once, as ever
    assert "this is a fault of ours" in caplog.text
    assert third.lobby is not None
    assert third.lobby.stage is e.LobbyStage.PLAYING


async def test_what_goes_on_is_what_the_journal_has_and_everybody_is_shown_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests, _, _ = await a_broken_table(nursery)
    table = table_of(hall)
    store = hall._store
    (lobby,) = recovered(store.read())

    assert lobby.deal == as_kept(table)
    for guest in guests:
        assert guest.view == view_for(table.deal, guest.seat)


async def test_held_cards_take_effect_after_a_mistake_and_are_answered_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests, held, _ = await a_broken_table(nursery)
    _, second, third = guests

    await host_of(guests).ask(c.ResumeTable)
    answer = await second.answer_to(held)
    await third.wait_for(e.Played)

    assert isinstance(answer, Accepted)
    assert table_of(hall).deal.table.newest == 2


async def test_a_fault_after_something_was_kept_does_not_deny_that_it_was_done(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules=f"{RULES}.w0")
    first, _, third = guests
    table_of(hall).calls.note_closings = broken  # type: ignore[method-assign]

    laid = await first.answer_to(await first.lay())
    await hears_of_it(third)

    assert isinstance(laid, Accepted)
    assert table_of(hall).deal.table.newest == 1
    assert third.view is not None
    assert third.view.table.newest == 1  # though nobody was told of the play itself


async def test_a_play_that_was_kept_was_once_not_made_if_its_window_could_not_be_opened(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules=f"{RULES}.w0")
    break_once(server.table.table, "restart_window")

    laid = await guests[0].answer_to(await guests[0].lay())
    await hears_of_it(guests[2])

    (kept,) = recovered(hall._store.read())
    assert isinstance(laid, Accepted)
    assert kept.deal is not None
    assert kept.deal.hands == table_of(hall).deal.hands
    assert guests[2].view is not None
    assert guests[2].view.table == table_of(hall).deal.table


async def test_an_automatic_play_that_was_never_kept_once_made_the_next_clock_short(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    slow, other = await a_table(hall, nursery, "ana", "bo")
    break_once(table_of(hall).book, "keep")
    await hears_of_it(other)
    await other.ask(c.ResumeTable)
    await other.wait_for(e.Resumed, lambda event: event.in_us == 0)
    went_on = trio.current_time()

    played = await other.wait_for(e.Played, lambda play: play.seat == slow.seat)

    assert played.auto
    assert trio.current_time() - went_on == pytest.approx(CLASSIC.turn_s, abs=0.1)


async def test_a_watcher_cannot_let_a_table_go_on_after_a_mistake(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests, _, _ = await a_broken_table(nursery)
    watcher = Guest(hall, nursery, "wim")
    await watcher.connect()
    assert guests[0].lobby is not None
    await watcher.ask(c.JoinLobby, code=guests[0].lobby.code, watch=True)
    shown = await hears_of_it(watcher)

    refused = await watcher.ask(c.ResumeTable)

    assert shown.pause == 1
    assert code_of(refused) is Refusal.NOT_HOST


async def test_no_clock_runs_while_a_table_stands_still_after_a_mistake(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests, held, _ = await a_broken_table(nursery)
    seen = [len(guest.heard) for guest in guests]

    await trio.sleep(600)

    assert [len(guest.heard) for guest in guests] == seen
    assert held in {number for person in hall.people for number in person.pending}


async def test_a_table_that_nobody_lets_go_on_is_archived_like_a_parked_one(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, guests, _, _ = await a_broken_table(nursery, park_h=0.1)

    await trio.sleep(6 * 60 + 1)
    await wait_all_tasks_blocked()

    assert guests[0].lobby is not None
    assert guests[0].lobby.stage is not e.LobbyStage.PLAYING


@pytest.mark.parametrize("way", ["lost lines", "seats given up"])
async def test_a_table_stopped_by_a_mistake_once_went_on_by_itself_when_people_came_back(
    way: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests, _, _ = await a_broken_table(nursery)
    for guest in guests:
        await (guest.vanish() if way == "lost lines" else guest.ask(c.GiveUpSeat))
    await trio.sleep(3600)
    for guest in guests:
        await (guest.connect(resume=True) if way == "lost lines" else guest.ask(c.ReturnToSeat))
    await trio.sleep(600)
    halt, newest = table_of(hall).halt, table_of(hall).deal.table.newest

    resumed = await guests[1].ask(c.ResumeTable)
    await guests[2].wait_for(e.Resumed, lambda event: event.in_us == 0)

    assert halt is not None
    assert halt.reason is e.PauseReason.MISTAKE
    assert newest == 1
    assert isinstance(resumed, Accepted)


async def test_a_deal_that_stands_still_after_a_mistake_can_be_ended_by_a_vote(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, guests, _, _ = await a_broken_table(nursery)
    await guests[0].ask(c.CallVote, on=e.VoteOn.END_DEAL)
    for guest in guests[1:]:
        await guest.wait_for(e.VoteState)
        await guest.ask(c.CastVote, yes=True)

    over = await guests[2].wait_for(e.DealOver)

    assert over.reason is e.StopReason.VOTE


async def test_a_table_that_fails_again_and_again_ends_its_deal_and_not_the_evening(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules=RULES)
    monkeypatch.setattr("server.table.table.alarms.next_timer", broken)

    await guests[0].send(c.GoOn, play=0)
    await guests[2].wait_for(e.LobbyNews, lambda line: line.news is e.News.DEAL_LOST)
    monkeypatch.undo()
    paused = guests[2].all_heard(e.Paused)
    said = await guests[0].ask(c.Say, text="again?")
    ready = [await guest.ask(c.SetReady) for guest in guests]
    again = await host_of(guests).ask(c.StartDeal)

    assert len(paused) == MOST_MISHAPS
    assert all(isinstance(answer, Accepted) for answer in (said, *ready, again))


async def test_a_fault_at_one_table_touches_no_other(
    nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    hall = a_hall(nursery)
    here = await a_table(hall, nursery, "ana", "bo", rules=RULES)
    there = await a_table(hall, nursery, "cy", "dee", rules=f"{RULES}.w0")
    broken_one = here[0].lobby
    assert broken_one is not None
    table = hall.lobbies[broken_one.code].table
    assert table is not None
    table.calls.hear = broken  # type: ignore[method-assign]
    await here[0].lay()
    await here[1].wait_for(e.Played)

    await here[1].doubt()
    await hears_of_it(here[0])
    answer = await there[0].answer_to(await there[0].lay())

    assert isinstance(answer, Accepted)
    assert there[1].all_heard(e.Paused) == []
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


async def test_a_fault_of_a_computer_player_stops_its_table_only_until_it_is_let_go_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host = Guest(hall, nursery, "ana")
    await host.connect()
    await host.ask(c.CreateLobby, rules=f"{RULES}.w0")
    await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StartDeal)
    await host.wait_for(e.HandDealt)
    bot = next(holder.bot for holder in table_of(hall).holders if holder.owner is None)
    once: Callable[..., object] = bot.temperament.decide_play
    object.__setattr__(bot.temperament, "decide_play", broken)
    try:
        if host.view is not None and host.view.table.turn == host.seat:
            await host.lay()
        await hears_of_it(host)
    finally:
        object.__setattr__(bot.temperament, "decide_play", once)

    await host.ask(c.ResumeTable)
    played = await host.wait_for(e.Played, lambda play: play.seat != host.seat)

    assert played.count >= 1
