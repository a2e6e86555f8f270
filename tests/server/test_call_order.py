"""The order in which calls are told is the order in which they came (RULES C5, C8)."""

from random import Random

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.numbers import CommandNumber, PlayNumber
from protocol.refusals import Refusal
from server.arrivals import Arrived, now_us
from server.errand import Errand
from tests.support.attackers import person_of
from tests.support.guests import a_hall, a_table, code_of


async def test_of_calls_read_in_one_go_the_second_was_once_told_last(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, *others = await a_table(hall, nursery, "ana", "bo", "cy", "dee", "eve")
    await first.lay()
    for guest in others:
        await guest.wait_for(e.Played)
    await trio.sleep(0.001)
    lobby = next(iter(hall.lobbies.values()))
    assert lobby.table is not None
    now = lobby.table.began + lobby.table.now
    Random(3).shuffle(others)
    errands = [
        Errand(
            person=lobby.people[guest.name],
            command=c.Challenge(n=CommandNumber(99), deal=1, play=PlayNumber(1)),
            at=now - 100 + 10 * place,
        )
        for place, guest in enumerate(others)
    ]

    for errand in reversed(errands):  # read in the wrong order, as chance may have it
        lobby.take(errand)
    ruled = await first.wait_for(e.Ruled)

    assert [call.seat for call in ruled.calls] == [guest.seat for guest in others]
    assert [call.after_us for call in ruled.calls[1:]] == [10, 20, 30]
    assert not first.all_heard(e.LateCall)


async def test_where_each_play_has_one_who_may_doubt_a_photo_finish_was_said_to_do_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    rules = "next-only.until-pickup.pf200.w0"
    first, second, third = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules=rules)
    await first.lay()
    await second.wait_for(e.Played)
    await second.lay()
    await third.wait_for(e.Played, lambda played: played.play == 2)

    await second.send(c.Challenge, play=1)
    await trio.sleep(0.15)
    await third.send(c.Challenge, play=2)

    ruled = await first.wait_for(e.Ruled)
    assert (ruled.shown.play, ruled.challenger) == (2, third.seat)
    assert ruled.dead_heat is e.DeadHeat.PHOTO_FINISH


async def test_who_doubted_an_older_play_was_once_told_as_if_it_had_lain_there_from_the_start(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    rules = "classic.until-pickup.w0"
    first, second, third = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules=rules)
    await trio.sleep(20)
    await first.lay()
    await second.wait_for(e.Played)
    opened = trio.current_time()
    await second.lay()
    await third.wait_for(e.Played, lambda played: played.play == 2)
    await trio.sleep(3)

    await third.ask(c.Challenge, play=1)

    ruled = await first.wait_for(e.Ruled)
    assert ruled.calls[0].after_us / 1e6 == pytest.approx(trio.current_time() - opened, abs=0.01)


async def test_beside_a_call_that_counts_a_later_one_of_a_play_that_never_was_is_refused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    await first.lay()
    await third.wait_for(e.Played)
    await trio.sleep(0.001)
    number, now = CommandNumber(99), now_us()

    for guest, play, ago in ((second, 1, 20), (third, 99, 10)):
        call = c.Challenge(n=number, deal=1, play=PlayNumber(play))
        arrived = Arrived(data=b"", at=now - ago, stamped=True, settled=True)
        hall.obey(person_of(hall, guest), call, arrived)

    assert isinstance(await second.answer_to(number), Accepted)
    assert code_of(await third.answer_to(number)) is Refusal.NOT_ANNOUNCED


async def test_a_photo_finish_goes_on_when_the_protected_time_of_the_play_is_over(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy", rules="w1.pf300")
    await first.lay()
    await third.wait_for(e.Played)

    await trio.sleep(0.9)
    await third.doubt()
    await trio.sleep(0.2)
    await second.doubt()
    ruled = await first.wait_for(e.Ruled)

    assert (ruled.challenger, ruled.dead_heat) == (second.seat, e.DeadHeat.PHOTO_FINISH)
