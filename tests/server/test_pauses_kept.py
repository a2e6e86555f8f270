"""Pauses and votes when the server dies, everybody goes, or we fail: none is lost, no number comes twice."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.refusals import Refusal
from server.hall import Hall
from tests.support.guests import Guest, a_hall, a_table, code_of, host_of
from tests.support.lives import FullDisk, Photographer, come_back, restarted
from tests.support.memory_store import MemoryStore
from tests.support.mishaps import break_commands, break_rulings, hears_of_it

RULES = "classic.t600"
SITUATIONS = ("nothing has been played", "a window is open")


def is_asked(event: e.Paused) -> bool:
    return event.reason is e.PauseReason.ASKED


@pytest.mark.parametrize("situation", SITUATIONS)
async def test_a_pause_was_once_lost_with_the_server(
    situation: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy", rules=RULES)
    if situation == "a window is open":
        await guests[0].lay()
        await guests[1].wait_for(e.Played)
    asked = await host_of(guests).ask(c.PauseTable)

    await come_back(restarted(store, nursery), *guests)
    paused = await guests[1].wait_for(e.Paused, is_asked)
    seen = len(guests[1].heard)
    await trio.sleep(600)

    assert isinstance(asked, Accepted)
    assert paused.left_us == 15 * 60 * 1_000_000
    assert not [event for _, event in guests[1].heard[seen:] if isinstance(event, e.Played)]
    assert isinstance(await host_of(guests).ask(c.ResumeTable), Accepted)


async def a_table_about_to_pause(
    nursery: trio.Nursery, situation: str
) -> tuple[Hall, tuple[Guest, ...]]:
    """The host has asked for a pause; with an open window it has not begun yet."""
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.t600.w30")
    if situation == "a window is open":
        await guests[0].lay(truth=False)
        await guests[1].wait_for(e.Played)
    await host_of(guests).ask(c.PauseTable)
    return hall, guests


@pytest.mark.parametrize("situation", SITUATIONS)
async def test_a_pause_was_once_lost_when_everybody_left_during_it(
    situation: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, guests = await a_table_about_to_pause(nursery, situation)
    for guest in guests:
        await guest.vanish()
    await trio.sleep(3600)
    for guest in guests:
        await guest.connect(resume=True)

    told = [await guest.wait_for(e.Paused, is_asked) for guest in guests]

    assert {paused.left_us for paused in told} == {15 * 60 * 1_000_000}
    assert isinstance(await host_of(guests).ask(c.ResumeTable), Accepted)
    await guests[1].wait_for(e.Resumed, lambda event: event.in_us == 0)


async def test_a_pause_that_was_being_counted_out_does_not_begin_anew_for_those_who_come_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, guests = await a_table_about_to_pause(nursery, "nothing has been played")
    await host_of(guests).ask(c.ResumeTable)
    for guest in guests:
        await guest.vanish()
    heard = [len(guest.heard) for guest in guests]
    for guest in guests:
        await guest.connect(resume=True)

    await trio.sleep(60)

    later = [event for _, event in guests[1].heard[heard[1] :] if isinstance(event, e.Paused)]
    assert not list(filter(is_asked, later))


@pytest.mark.parametrize("situation", SITUATIONS)
async def test_a_pause_was_once_lost_by_a_fault_of_ours(
    situation: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, guests = await a_table_about_to_pause(nursery, situation)
    if situation == "a window is open":
        break_rulings(hall)
        await guests[1].doubt()
    else:
        break_commands(hall)
        await guests[1].send(c.CallVote, on=e.VoteOn.END_DEAL)
    await hears_of_it(guests[2])
    await host_of(guests).ask(c.ResumeTable)

    paused = await guests[2].wait_for(e.Paused, is_asked)

    assert paused.left_us == 15 * 60 * 1_000_000


async def test_a_pause_that_is_over_does_not_come_back_with_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy", rules=RULES)
    await host_of(guests).ask(c.PauseTable)
    await host_of(guests).ask(c.ResumeTable)
    await trio.sleep(5)

    await come_back(restarted(store, nursery), *guests)
    heard = len(guests[1].heard)
    await trio.sleep(60)

    later = [event for _, event in guests[1].heard[heard:] if isinstance(event, e.Paused)]
    assert not list(filter(is_asked, later))


async def test_a_pause_that_was_called_off_does_not_begin_after_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy", rules=RULES)
    await guests[0].lay()
    await guests[1].wait_for(e.Played)
    await host_of(guests).ask(c.PauseTable)
    await host_of(guests).ask(c.ResumeTable)

    await come_back(restarted(store, nursery), *guests)
    await trio.sleep(60)

    assert not list(filter(is_asked, guests[1].all_heard(e.Paused)))


async def test_the_numbers_of_votes_and_pauses_once_began_again_with_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy", rules=RULES)
    first, second, third = guests
    await first.ask(c.CallVote, on=e.VoteOn.PAUSE)
    await second.wait_for(e.VoteState)

    await come_back(restarted(store, nursery), *guests)
    await third.wait_for(e.Resumed)
    await second.ask(c.CallVote, on=e.VoteOn.END_DEAL)
    stale = await third.ask(c.CastVote, vote=1, yes=True)
    state = await first.wait_for(e.VoteState, lambda vote: vote.on is e.VoteOn.END_DEAL)
    await host_of(guests).ask(c.PauseTable)
    paused = await first.wait_for(e.Paused, is_asked)

    assert code_of(stale) is Refusal.OTHER_VOTE  # it was about another question
    assert state.vote == 2
    assert paused.pause > 1


async def test_a_vote_that_had_passed_was_once_taken_for_the_time_running_out(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = Photographer()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy", rules=RULES)
    await guests[0].ask(c.CallVote, on=e.VoteOn.END_DEAL)
    before = len(store.after_each)
    await guests[1].ask(c.CastVote, yes=True)

    voted = store.after_each[before]  # the server dies before the deal has ended
    await come_back(restarted(voted, nursery), *guests)
    for guest in guests:
        guest.heard.clear()
        guest._read_up_to = 0
    over = await guests[2].wait_for(e.DealOver)

    assert over.reason is e.StopReason.VOTE


async def test_a_deal_that_was_voted_over_was_once_paused_first_by_a_pause_that_had_been_put_off(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, guests = await a_table_about_to_pause(nursery, "nothing has been played")
    for guest in guests:
        await guest.vanish()
    for guest in guests[:2]:  # the table waits for the third
        await guest.connect(resume=True)

    await guests[0].ask(c.CallVote, on=e.VoteOn.END_DEAL)
    voted_at = trio.current_time()
    await guests[1].ask(c.CastVote, yes=True)
    over = await guests[0].wait_for(e.DealOver)

    assert over.reason is e.StopReason.VOTE
    assert trio.current_time() - voted_at < 1


@pytest.mark.parametrize("asked", [c.PauseTable, c.CallVote])
async def test_a_pause_or_a_vote_is_kept_before_it_is_told_or_acknowledged(
    asked: type[c.AtTheTable], nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy", rules=RULES)
    host = host_of(guests)
    fields = {"on": e.VoteOn.END_DEAL} if asked is c.CallVote else {}
    store.is_full = True
    number = await host.send(asked, **fields)
    await trio.sleep(5)
    told = [*guests[1].all_heard(e.VoteState), *filter(is_asked, guests[1].all_heard(e.Paused))]
    too_early = [answer for answer in host.all_heard(Accepted) if answer.n == number]

    store.is_full = False
    answer = await host.answer_to(number)

    assert (told, too_early) == ([], [])
    assert isinstance(answer, Accepted)
