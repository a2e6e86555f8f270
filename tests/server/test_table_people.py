"""People who are slow, away or gone, votes and pauses (RULES B20, D1 to D6, D9), on a mock clock."""

from functools import partial

import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.refusals import Refusal
from server.game.view import view_for
from tests.support.guests import Guest, a_hall, a_party, a_table, code_of
from tests.support.mishaps import table_of


def is_play(number: int, played: e.Played) -> bool:
    return played.play == number


async def test_whoever_is_slow_is_reminded_and_then_played_for(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    slow, other = await a_table(hall, nursery, "ana", "bo")
    started = trio.current_time()

    played = await other.wait_for(e.Played)

    assert played.auto
    assert played.count == 1
    assert 44.9 < trio.current_time() - started < 45.1
    lefts = [clock.left_us for clock in other.all_heard(e.TurnClock) if clock.seat == slow.seat]
    assert lefts == [22_500_000, 10_000_000]  # the start of the usual clock is not told


async def test_after_an_automatic_play_the_next_clock_is_ten_seconds_and_then_a_stand_in_comes(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    slow, other = await a_table(hall, nursery, "ana", "bo")
    await other.wait_for(e.Played)
    await other.lay()
    await other.wait_for(e.Played)
    turn_came = trio.current_time()

    await other.wait_for(e.Played, lambda play: play.seat == slow.seat)
    changed = await other.wait_for(e.ChairChanged)

    assert trio.current_time() - turn_came < 15
    assert (changed.seat, changed.chair) == (slow.seat, e.Chair.STAND_IN)


async def test_a_word_without_cards_once_made_the_ten_second_clock_long_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    slow, other = await a_table(hall, nursery, "ana", "bo")
    await other.wait_for(e.Played)
    await other.lay()
    await other.wait_for(e.Played)

    await slow.ask(c.LetGoOf, play=2)
    clock = await other.wait_for(e.TurnClock, lambda clock: clock.seat == slow.seat)

    assert clock.left_us == 10_000_000


async def test_laying_cards_and_taking_them_back_once_made_the_ten_second_clock_long_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    slow, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    await second.wait_for(e.Played)
    await second.lay()
    await third.wait_for(e.Played, partial(is_play, 2))
    await third.lay()
    await slow.wait_for(e.Played, partial(is_play, 3))

    await slow.lay()
    await slow.wait_for(e.Held)
    await slow.ask(c.TakeBack)
    clock = await third.wait_for(e.TurnClock, lambda clock: clock.seat == slow.seat)

    assert clock.left_us == 10_000_000


async def test_whoever_plays_again_has_the_whole_clock_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    slow, other = await a_table(hall, nursery, "ana", "bo")
    await other.wait_for(e.Played)
    await other.lay()
    await slow.wait_for(e.Played, partial(is_play, 2))
    await slow.lay()
    await other.wait_for(e.Played, partial(is_play, 3))
    await other.lay()

    clock = await other.wait_for(e.TurnClock, lambda clock: clock.left_us > 10_000_000)

    assert (clock.seat, clock.left_us) == (slow.seat, 22_500_000)


async def test_a_stand_in_goes_when_its_owner_does_anything(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    slow, other = await a_table(hall, nursery, "ana", "bo")
    await other.wait_for(e.Played)
    await other.lay()
    await other.wait_for(e.ChairChanged)

    await slow.ask(c.LetGoOf, play=1)
    changed = await other.wait_for(e.ChairChanged)

    assert changed.chair is e.Chair.OWNER


async def test_a_lost_line_keeps_the_seat_and_a_stand_in_comes_after_twenty_seconds(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, _ = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.t600")
    lost_at = trio.current_time()

    await second.vanish()
    changed = await first.wait_for(e.ChairChanged)
    assert 19.9 < trio.current_time() - lost_at < 20.1
    await second.connect(resume=True)
    returned = await first.wait_for(e.ChairChanged)

    assert (changed.seat, changed.chair) == (second.seat, e.Chair.STAND_IN)
    assert (returned.seat, returned.chair) == (second.seat, e.Chair.OWNER)


async def test_whoever_resumes_knows_exactly_what_the_server_would_show(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.w1.r0")
    await third.vanish()
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    await second.doubt()
    await second.wait_for(e.Ruled)
    await second.lay()
    await first.wait_for(e.Played, lambda play: play.play == 2)

    await third.connect(resume=True)
    await third.wait_for(e.WindowState)

    assert third.welcome is not None
    assert third.welcome.resumed
    assert third.view == view_for(table_of(hall).deal, third.seat)


async def test_whoever_has_missed_too_much_gets_a_snapshot_with_the_whole_log(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, replay=3)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.w0.r0")
    await first.lay()
    await second.wait_for(e.Played)
    await third.vanish()
    await second.lay()
    await first.wait_for(e.ChairChanged)
    for play in range(4, 9):
        mover = (first, second, third)[play % 3 - 1]
        if mover is not third:
            await mover.wait_for(e.Played, partial(is_play, play - 1))
            await mover.lay()

    await third.connect(resume=True)
    await third.wait_for(e.WindowState)

    assert third.welcome is not None
    assert not third.welcome.resumed
    assert third.view == view_for(table_of(hall).deal, third.seat)


async def test_a_seat_that_was_given_up_can_be_taken_back_in_the_same_deal(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, _ = await a_table(hall, nursery, "ana", "bo", "cy")

    await second.ask(c.GiveUpSeat)
    gone = await first.wait_for(e.ChairChanged)
    refused = await second.ask(c.LetGoOf, play=1)
    await second.ask(c.ReturnToSeat)
    back = await first.wait_for(e.ChairChanged)
    await second.wait_for(e.WindowState)

    assert (gone.chair, back.chair) == (e.Chair.COMPUTER, e.Chair.OWNER)
    assert code_of(refused) is Refusal.SEAT_GIVEN_UP
    assert second.view == view_for(table_of(hall).deal, second.seat)


async def test_a_table_without_people_is_parked_and_goes_on_with_a_full_window(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second = await a_table(hall, nursery, "ana", "bo")
    await first.lay()
    await second.wait_for(e.Played)
    await second.vanish()
    await first.vanish()
    await trio.sleep(3600)
    plays_while_away = table_of(hall).deal.table.newest

    await first.connect(resume=True)
    await first.wait_for(e.Resumed)
    state = await first.wait_for(e.WindowState, lambda state: state.protected_us > 0)

    assert plays_while_away == 1
    assert state.protected_us > 3_900_000


async def test_a_table_waits_half_a_minute_for_the_others_to_come_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second = await a_table(hall, nursery, "ana", "bo")
    await second.vanish()
    await first.vanish()
    await second.connect(resume=True)
    came_back = trio.current_time()

    waiting = await second.wait_for(e.Paused, lambda event: event.reason is e.PauseReason.WAITING)
    await second.wait_for(e.Resumed)

    assert waiting.left_us == 30_000_000
    assert 29.9 < trio.current_time() - came_back < 30.1


async def test_the_host_pauses_after_the_open_window_and_the_table_counts_in(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, _ = await a_table(hall, nursery, "ana", "bo", "cy")
    host = next(guest for guest in (first, second, _) if guest.name == "ana")
    await first.lay()
    await second.wait_for(e.Played)
    opened = trio.current_time()

    await host.ask(c.PauseTable)
    await second.wait_for(e.Paused)
    paused_after = trio.current_time() - opened
    refused = await second.answer_to(await second.lay())
    await host.ask(c.ResumeTable)
    count = await second.wait_for(e.Resumed)
    resumed_at = trio.current_time()
    await second.wait_for(e.WindowState)

    assert 3.9 < paused_after < 4.1
    assert code_of(refused) is Refusal.PAUSED
    assert count.in_us == 3_000_000
    assert 2.9 < trio.current_time() - resumed_at < 3.1


async def test_a_pause_that_has_not_begun_can_be_called_off_by_who_asked_for_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy")
    first, second, third = guests
    host, other = (first, second) if first.name == "ana" else (second, first)
    host = third if third.name == "ana" else host
    nothing_asked = await host.ask(c.ResumeTable)
    await first.lay()
    await second.wait_for(e.Played)

    await host.ask(c.PauseTable)
    denied = await other.ask(c.ResumeTable)
    called_off = await host.ask(c.ResumeTable)
    await second.wait_for(e.ProtectionOver)
    await second.lay()
    await third.wait_for(e.Played, partial(is_play, 2))

    assert code_of(nothing_asked) is Refusal.NOT_PAUSED
    assert code_of(denied) is Refusal.NOT_HOST
    assert isinstance(called_off, Accepted)
    assert third.all_heard(e.Paused) == []


async def test_a_pause_ends_by_itself_after_a_quarter_of_an_hour(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo")
    host = next(guest for guest in guests if guest.name == "ana")
    await host.ask(c.PauseTable)
    paused_at = trio.current_time()

    await host.wait_for(e.WindowState)

    assert 902 < trio.current_time() - paused_at < 904


async def test_a_majority_ends_the_deal_by_vote(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")

    await first.ask(c.CallVote, on=e.VoteOn.END_DEAL)
    await second.wait_for(e.VoteState)
    await second.ask(c.CastVote, yes=True)
    over = await third.wait_for(e.DealOver)

    assert over.reason is e.StopReason.VOTE


async def test_a_vote_without_a_majority_fails_after_a_minute(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.t600")
    await first.ask(c.CallVote, on=e.VoteOn.PAUSE)
    called_at = trio.current_time()
    await second.ask(c.CastVote, yes=False)

    ended = await third.wait_for(e.VoteState, lambda vote: vote.passed is not None)

    assert ended.passed is False
    assert 59.9 < trio.current_time() - called_at < 60.1


async def test_with_the_turn_clock_off_two_players_can_start_one(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy", rules="family")
    await trio.sleep(1000)
    others = [guest for guest in (second, third) if guest.name != "ana"]
    starters = others if len(others) == 2 else [others[0], first]
    if first in starters:
        # The seat to move cannot hurry itself; the host alone can hurry it.
        await next(guest for guest in (second, third) if guest.name == "ana").ask(c.StartClock)
    else:
        for guest in starters:
            await guest.ask(c.StartClock)
    clock_started = trio.current_time()

    played = await second.wait_for(e.Played)

    assert played.auto
    assert 29.9 < trio.current_time() - clock_started < 30.1


async def test_a_watcher_sees_the_public_deal_and_nothing_else(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_party(hall, nursery, "ana", "bo")
    watcher = Guest(hall, nursery, "eve")
    await watcher.connect()
    assert guests[0].lobby is not None
    await watcher.ask(c.JoinLobby, code=guests[0].lobby.code, watch=True)
    await guests[1].ask(c.SetReady)
    await guests[0].ask(c.StartDeal)
    await watcher.wait_for(e.DealStarted)
    first = next(guest for guest in guests if guest.view and guest.view.table.turn == guest.seat)

    await first.lay(truth=False)
    await watcher.wait_for(e.Played)
    refused = await watcher.ask(c.Challenge, play=1)

    private = (e.HandDealt, e.Laid, e.Took, e.Held)
    assert not any(isinstance(event, private) for _, event in watcher.heard)
    assert watcher.view == view_for(table_of(hall).deal, None)
    assert code_of(refused) is Refusal.WATCHING


async def test_computer_players_play_a_whole_deal_while_one_person_believes_everything(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (host,) = await a_party(hall, nursery, "ana", rules="classic.w2.r1")
    for temperament in ("casual", "certain", "proof"):
        await host.ask(c.AddComputer, temperament=temperament)
    await host.ask(c.StartDeal)

    over = await host.wait_for(e.DealOver)

    assert min(over.places) == 1
    assert over.reason is e.StopReason.OUT
    assert host.view is not None
    assert len(host.view.confession) == host.view.table.newest
