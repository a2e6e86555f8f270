"""Challenges, windows and held plays at a running table (RULES B17, B19, B23, C), on a mock clock."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.numbers import CommandNumber, PlayNumber
from protocol.refusals import Refusal
from server.errand import Errand
from server.hall import Hall
from tests.support.guests import Guest, a_hall, a_table, code_of


async def a_play(
    hall: Hall, nursery: trio.Nursery, *names: str, rules: str = "classic"
) -> tuple[Guest, ...]:
    """A table at which the first to move has just laid a card, and all others have heard of it."""
    first, *others = await a_table(hall, nursery, *names, rules=rules)
    await first.lay()
    for guest in others:
        await guest.wait_for(e.Played)
    return first, *others


async def test_a_lie_that_is_doubted_costs_its_player_the_pile(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    liar, doubter, _ = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")

    await liar.lay(truth=False)
    await doubter.wait_for(e.Played)
    answer = await doubter.answer_to(await doubter.doubt())

    ruled = await doubter.wait_for(e.Ruled)
    assert isinstance(answer, Accepted)
    assert (ruled.lie, ruled.taker, ruled.challenger) == (True, liar.seat, doubter.seat)


async def test_a_play_in_the_protected_time_is_held_until_it_is_over(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second, third = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")
    opened = trio.current_time()

    number = await second.lay()
    await second.wait_for(e.Held)
    answer = await second.answer_to(number)

    assert isinstance(answer, Accepted)
    assert 3.9 < trio.current_time() - opened < 4.1
    assert not third.all_heard(e.Held)


async def test_a_challenge_in_the_protected_time_gives_held_cards_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second, third = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")
    number = await second.lay()
    await second.wait_for(e.Held)

    await third.doubt()

    assert code_of(await second.answer_to(number)) is Refusal.CALLED_FIRST
    assert second.view is not None
    assert second.view.held is None


async def test_what_is_held_can_be_taken_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second, _ = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")
    number = await second.lay()
    await second.wait_for(e.Held)

    taken_back = await second.ask(c.TakeBack, after=1)

    assert isinstance(taken_back, Accepted)
    assert code_of(await second.answer_to(number)) is Refusal.TAKEN_BACK


async def test_another_play_replaces_the_one_that_is_held(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second, _ = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")

    replaced = await second.lay(cards=1)
    kept = await second.lay(cards=2)

    assert code_of(await second.answer_to(replaced)) is Refusal.TAKEN_BACK
    assert isinstance(await second.answer_to(kept), Accepted)
    played = await second.wait_for(e.Played, lambda play: play.play == 2)
    assert played.count == 2


async def test_a_window_closes_at_once_when_all_have_let_go(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")
    opened = trio.current_time()

    await second.believe()
    await third.believe()
    await first.wait_for(e.Stands)

    assert trio.current_time() - opened < 0.1
    assert code_of(await third.answer_to(await third.doubt())) is Refusal.TOO_LATE


async def test_with_two_players_the_next_play_takes_effect_at_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second = await a_play(a_hall(nursery), nursery, "ana", "bo")
    opened = trio.current_time()

    answer = await second.answer_to(await second.lay())

    assert isinstance(answer, Accepted)
    assert trio.current_time() - opened < 0.1


async def test_a_challenge_to_an_older_play_says_how_late_it_was(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second, third = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.w0")
    await second.lay()
    await third.wait_for(e.Played, lambda play: play.play == 2)
    await trio.sleep(0.5)

    answer = await third.ask(c.Challenge, play=1)

    assert isinstance(answer, Refused)
    assert answer.code is Refusal.TOO_LATE
    assert answer.late_us is not None
    assert 490_000 < answer.late_us < 510_000
    assert not third.all_heard(e.Ruled)


async def test_a_challenge_to_a_play_that_is_not_announced_is_refused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second, _ = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")

    answer = await second.ask(c.Challenge, play=2)

    assert code_of(answer) is Refusal.NOT_ANNOUNCED


async def test_a_play_sent_before_the_ruling_arrives_to_find_that_somebody_called_first(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second, third = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")
    aimed_at = second.view
    assert aimed_at is not None
    await third.doubt()
    await third.wait_for(e.Ruled)

    answer = await second.ask(
        c.PlayCards, after=1, pile=0, cards=(aimed_at.hand[0].id,), count=1, rank=2
    )

    assert code_of(answer) is Refusal.CALLED_FIRST


async def test_late_calls_are_added_for_one_second_and_cost_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third, fourth = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy", "dee")
    await second.doubt()
    await second.wait_for(e.Ruled)
    await trio.sleep(0.3)

    answer = await third.ask(c.Challenge, play=1)
    late = await first.wait_for(e.LateCall)
    await trio.sleep(1)
    too_late = await fourth.ask(c.Challenge, play=1)

    assert code_of(answer) is Refusal.NOT_FIRST
    assert late.call.seat == third.seat
    assert 290_000 < late.call.after_us < 310_000
    assert code_of(too_late) is Refusal.NOT_FIRST
    assert len(first.all_heard(e.LateCall)) == 1


async def test_calls_that_arrive_together_are_decided_by_the_nearest_to_the_left(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    for seed in range(6):
        hall = a_hall(nursery, seed=seed)
        first, *others = await a_play(hall, nursery, "ana", "bo", "cy", "dee")

        async with trio.open_nursery() as at_once:
            for guest in others:
                at_once.start_soon(guest.doubt)
        ruled = await first.wait_for(e.Ruled)

        assert ruled.challenger == others[0].seat
        assert ruled.dead_heat is e.DeadHeat.EQUAL_ARRIVAL
        assert {call.seat for call in ruled.calls} == {guest.seat for guest in others}


async def test_inside_the_photo_finish_the_nearest_to_the_left_wins(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_play(
        a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.pf200"
    )

    await third.doubt()
    await trio.sleep(0.15)
    await second.doubt()
    ruled = await first.wait_for(e.Ruled)

    assert ruled.challenger == second.seat
    assert ruled.dead_heat is e.DeadHeat.PHOTO_FINISH
    assert [call.seat for call in ruled.calls] == [third.seat, second.seat]
    assert ruled.calls[1].after_us == pytest.approx(150_000, abs=1_000)


async def test_outside_the_photo_finish_the_first_wins(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_play(
        a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.pf200"
    )

    await third.doubt()
    await trio.sleep(0.25)
    await second.doubt()
    ruled = await first.wait_for(e.Ruled)

    assert ruled.challenger == third.seat
    assert ruled.dead_heat is None


async def test_cards_that_come_during_a_photo_finish_close_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_play(
        a_hall(nursery), nursery, "ana", "bo", "cy", rules="classic.w0.pf300"
    )

    await third.doubt()
    await trio.sleep(0.1)
    answer = await second.answer_to(await second.lay())

    assert code_of(answer) is Refusal.CALLED_FIRST
    assert (await first.wait_for(e.Ruled)).challenger == third.seat


async def test_a_call_read_only_after_the_deadline_that_arrived_at_it_still_counts(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    for seed in range(10):
        hall = a_hall(nursery, seed=seed)
        first, second, third = await a_play(hall, nursery, "ana", "bo", "cy")
        await second.lay()  # held: it goes down when the protected time ends
        await second.wait_for(e.Held)
        lobby = next(iter(hall.lobbies.values()))
        assert lobby.table is not None
        closing = lobby.table.began + (lobby.table.deal.protected_until or 0)
        call = c.Challenge(n=CommandNumber(99), deal=1, play=PlayNumber(1))
        errand = Errand(person=lobby.people[third.name], command=call, at=closing)

        # Due in the same pass as the table's own deadline, before or after it as chance has it.
        await trio.sleep_until(closing / 1_000_000)
        lobby.take(errand)
        ruled = await first.wait_for(e.Ruled)

        assert ruled.challenger == third.seat


async def test_the_reveal_holds_the_next_play_until_everybody_has_gone_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")
    await second.doubt()
    await second.wait_for(e.Ruled)
    ruled_at = trio.current_time()
    number = await second.lay()
    await second.wait_for(e.Held)

    for guest in (first, second, third):
        await guest.ask(c.GoOn, play=1)

    assert isinstance(await second.answer_to(number), Accepted)
    assert trio.current_time() - ruled_at < 0.1


async def test_a_ruling_was_once_shown_to_its_end_for_somebody_whose_line_was_down(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")
    await second.doubt()
    await second.wait_for(e.Ruled)
    ruled_at = trio.current_time()
    for guest in (first, second):
        await guest.ask(c.GoOn, play=1)

    await third.vanish()
    await second.wait_for(e.RevealOver)

    assert trio.current_time() - ruled_at < 0.1


async def test_going_on_from_an_older_ruling_once_counted_for_the_newest(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")
    await third.doubt()
    await second.wait_for(e.RevealOver)
    await second.lay()
    await first.wait_for(e.Played, lambda play: play.play == 2)
    await first.doubt()
    await third.wait_for(e.Ruled, lambda ruled: ruled.shown.play == 2)

    late = await third.ask(c.GoOn, play=1)

    assert code_of(late) is Refusal.NOTHING_TO_READ
    assert isinstance(await third.ask(c.GoOn, play=2), Accepted)


async def test_taking_back_what_was_held_earlier_once_took_back_what_is_held_now(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second, third = await a_play(a_hall(nursery), nursery, "ana", "bo", "cy")
    await second.lay()
    await third.wait_for(e.Played, lambda play: play.play == 2)
    number = await third.lay()
    await third.wait_for(e.Held)

    late = await third.ask(c.TakeBack, after=1)

    assert code_of(late) is Refusal.NOTHING_HELD
    assert isinstance(await third.answer_to(number), Accepted)


async def test_somebody_who_comes_back_in_mid_window_may_still_challenge(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await third.vanish()
    await first.lay(truth=False)
    await second.wait_for(e.Played)

    await third.connect(resume=True)
    await third.wait_for(e.WindowState)
    answer = await third.answer_to(await third.doubt())

    assert isinstance(answer, Accepted)
    assert (await first.wait_for(e.Ruled)).challenger == third.seat
