"""Votes, pauses, lost lines and the end of a deal, at the most awkward moments (RULES B21, C, D)."""

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.numbers import CommandNumber, PlayNumber
from protocol.refusals import Refusal
from server.game.view import view_for
from tests.support.attackers import arrive_together, send_together
from tests.support.guests import Guest, a_hall, a_party, a_table, code_of, host_of
from tests.support.memory_store import MemoryStore
from tests.support.mishaps import table_of

END, PAUSE = {"on": e.VoteOn.END_DEAL}, {"on": e.VoteOn.PAUSE}


async def all_vote_to(guests: tuple[Guest, ...], what: dict[str, e.VoteOn]) -> None:
    """Call a vote that everybody is for."""
    await guests[0].ask(c.CallVote, **what)
    for guest in guests[1:]:
        await guest.ask(c.CastVote, yes=True)


# --- the end, twice or too early --------------------------------------------------------------------


async def test_a_vote_to_end_a_deal_that_was_ending_already_once_broke_the_table(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.plays-1")
    await guests[0].lay()
    await guests[1].wait_for(e.Stopping)

    await all_vote_to(guests, END)
    over = await guests[2].wait_for(e.DealOver)

    assert over.reason is e.StopReason.PLAYS


async def test_the_time_running_out_of_a_deal_that_was_ending_already_once_broke_the_table(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(
        a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.plays-1.min-1.lw60.t600"
    )
    await trio.sleep(30)
    await guests[0].lay()
    stopping = await guests[1].wait_for(e.Stopping)

    over = await guests[1].wait_for(e.DealOver)

    assert stopping.reason is over.reason is e.StopReason.PLAYS


async def test_a_vote_to_end_the_deal_once_swept_away_a_challenge_that_was_being_decided(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(
        a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.until-pickup.pf500.w0"
    )
    first, second, third = guests
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    await second.lay()
    await third.wait_for(e.Played, lambda play: play.play == 2)

    doubted = await third.send(c.Challenge, play=1)
    await all_vote_to(guests, END)
    ruled = await first.wait_for(e.Ruled)
    over = await first.wait_for(e.DealOver)

    assert isinstance(await third.answer_to(doubted), Accepted)
    assert ruled.shown.play == 1
    assert over.reason is e.StopReason.VOTE


async def test_a_challenge_followed_by_the_loss_of_all_lines_once_broke_the_table(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second = await a_table(hall, nursery, "ana", "bo", rules="classic.pf500")
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    doubted = await second.doubt()
    await wait_all_tasks_blocked()
    await second.vanish()
    await first.vanish()
    await trio.sleep(5)

    await first.connect(resume=True)
    await second.connect(resume=True)
    await second.wait_for(e.WindowState)
    await second.write(c.Challenge(n=CommandNumber(doubted), deal=1, play=PlayNumber(1)))

    assert isinstance(await second.answer_to(doubted), Accepted)
    assert [ruled.taker for ruled in second.all_heard(e.Ruled)] == [first.seat]
    assert second.view == view_for(table_of(hall).deal, second.seat)


async def test_doubting_twice_in_one_breath_once_left_the_second_without_an_answer(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await first.lay()
    await third.wait_for(e.Played)

    once, twice = await send_together(third, (c.Challenge, {"play": 1}), (c.Challenge, {"play": 1}))

    assert isinstance(await third.answer_to(once), Accepted)
    assert code_of(await third.answer_to(twice)) is Refusal.NOT_FIRST
    ruled = await second.wait_for(e.Ruled)
    assert [call.seat for call in ruled.calls] == [third.seat]


# --- pauses and votes ---------------------------------------------------------------------------------


async def test_a_host_could_once_keep_a_majority_from_ending_the_deal_by_pausing_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await guests[0].lay()
    await guests[1].wait_for(e.ProtectionOver)
    await host_of(guests).ask(c.PauseTable)
    paused_at = trio.current_time()

    await all_vote_to(guests, END)
    over = await guests[1].wait_for(e.DealOver)

    assert over.reason is e.StopReason.VOTE
    assert trio.current_time() - paused_at < 10


async def test_a_vote_to_pause_a_paused_table_once_paused_it_again_afterwards(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await host_of(guests).ask(c.PauseTable)

    refused = await guests[1].ask(c.CallVote, **PAUSE)

    assert code_of(refused) is Refusal.PAUSED


async def test_a_pause_voted_for_before_the_host_paused_does_not_come_afterwards(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await guests[0].ask(c.CallVote, **PAUSE)
    await host_of(guests).ask(c.PauseTable)
    await guests[1].ask(c.CastVote, yes=True)
    await guests[2].ask(c.CastVote, yes=True)
    await host_of(guests).ask(c.ResumeTable)
    await guests[1].wait_for(e.WindowState)
    paused = len(guests[1].all_heard(e.Paused))

    await guests[0].lay()
    await trio.sleep(10)

    assert len(guests[1].all_heard(e.Paused)) == paused


async def test_one_person_once_kept_others_from_voting_with_one_vote_after_another(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await first.ask(c.CallVote, **PAUSE)
    for guest in (second, third):
        await guest.ask(c.CastVote, yes=False)

    again = await first.ask(c.CallVote, **PAUSE)
    other = await second.ask(c.CallVote, **END)

    assert code_of(again) is Refusal.TOO_FAST
    assert isinstance(other, Accepted)


async def test_whose_vote_had_failed_was_told_to_wait_a_moment_where_it_was_a_minute(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await first.ask(c.CallVote, **PAUSE)
    for guest in (second, third):
        await guest.ask(c.CastVote, yes=False)
    failed_at = trio.current_time()

    await trio.sleep_until(failed_at + 18)
    again = await first.ask(c.CallVote, **PAUSE)
    await trio.sleep_until(failed_at + 61)
    later = await first.ask(c.CallVote, **PAUSE)

    assert isinstance(again, Refused)
    assert again.text.endswith("Your last vote failed: you can call the next one in 42 s.")
    assert isinstance(later, Accepted)


# --- clocks ---------------------------------------------------------------------------------------------


async def test_giving_up_and_coming_back_once_wound_the_turn_clock_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, _ = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    started = trio.current_time()
    await trio.sleep(40)

    await send_together(first, (c.GiveUpSeat, {}), (c.ReturnToSeat, {}))
    played = await second.wait_for(e.Played)

    assert played.auto
    assert trio.current_time() - started < 46


async def test_the_clock_of_a_seat_that_was_given_up_does_not_run(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, _ = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await trio.sleep(44)

    await first.ask(c.GiveUpSeat)
    played = await second.wait_for(e.Played)

    assert not played.auto


async def test_whoever_stalls_could_once_make_others_ask_for_a_clock_again_and_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    *others, host = await a_party(hall, nursery, "host-to-be", "bo", "cy", "dee", rules="family")
    await others[0].ask(c.HandOver, name=host.name)
    guests = (*others, host)
    for guest in others:
        await guest.ask(c.SetReady)
    await host.ask(c.StartDeal)
    for guest in guests:
        await guest.wait_for(e.HandDealt)
    view = guests[0].view
    assert view is not None
    by_seat = sorted(guests, key=lambda guest: (guest.seat - view.table.turn) % 4)
    first, second, *_ = by_seat
    await first.lay()
    await second.wait_for(e.ProtectionOver)
    askers = [guest for guest in by_seat if guest not in (second, host)][:2]

    await askers[0].ask(c.StartClock)
    await second.ask(c.LetGoOf, play=1)
    await askers[1].ask(c.StartClock)
    clock = await first.wait_for(e.TurnClock)

    assert (clock.seat, clock.left_us) == (second.seat, 30_000_000)


async def test_letting_go_of_a_play_again_is_not_written_down_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    first, second, third = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    await first.lay()
    await third.wait_for(e.Played)
    await third.believe()
    await second.wait_for(e.LetGo)
    written = store.read().lobbies

    again = await third.believe()

    assert isinstance(again, Accepted)
    assert store.read().lobbies == written


async def test_two_who_leave_at_the_same_instant_leave_a_table_that_goes_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    mover = first.seat

    left = arrive_together(hall, (first, c.LeaveLobby, {}), (second, c.LeaveLobby, {}))
    played = await third.wait_for(e.Played)

    assert isinstance(await first.answer_to(left[0]), Accepted)
    assert isinstance(await second.answer_to(left[1]), Accepted)
    assert (played.seat, played.auto) == (mover, False)
    assert third.lobby is not None
    assert third.lobby.host == third.name
