"""Commands that come again after a reconnect: answered again, never done twice."""

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused, Welcome
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from protocol.rules import CLASSIC
from server.journal.records import STORED_ANSWERS
from tests.support.callers import a_call, a_hello, say_command, the_only_person
from tests.support.guests import Guest, a_hall, a_party


async def send_again(guest: Guest, number: int, text: str) -> None:
    await guest.write(say_command(number, text))
    await wait_all_tasks_blocked()


def answers_of(guest: Guest, number: int) -> list[e.Event]:
    return [event for event in guest.all_heard(e.Event) if getattr(event, "n", None) == number]


async def test_a_command_that_comes_again_gets_its_stored_answer_and_is_not_done_twice(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, bo = await a_party(a_hall(nursery), nursery, "ana", "bo")
    number = await ana.send(c.Say, text="once")
    await ana.answer_to(number)
    await ana.vanish()

    await ana.connect(resume=True)
    await send_again(ana, number, "once")

    assert answers_of(ana, number) == [Accepted(n=CommandNumber(number))] * 2
    assert len(bo.all_heard(e.Said)) == 1


async def test_a_refused_command_that_comes_again_is_refused_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (ana,) = await a_party(a_hall(nursery), nursery, "ana")
    number = await ana.send(c.Say, text="\u200b")
    first = await ana.answer_to(number)

    await send_again(ana, number, "this time something")

    assert isinstance(first, Refused)
    assert first.code is Refusal.EMPTY_TEXT
    assert answers_of(ana, number) == [first, first]
    assert not ana.all_heard(e.Said)


async def test_the_last_32_answers_are_kept_and_older_numbers_are_refused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (ana,) = await a_party(a_hall(nursery, commands_burst=1_000), nursery, "ana")
    numbers = [await ana.send(c.SetReady, ready=bool(step % 2)) for step in range(40)]
    await ana.answer_to(numbers[-1])
    newest, oldest_kept, too_old = numbers[-1], numbers[-STORED_ANSWERS], numbers[-33]

    for number in (newest, oldest_kept, too_old):
        await send_again(ana, number, "again")

    assert answers_of(ana, newest)[1:] == [Accepted(n=CommandNumber(newest))]
    assert answers_of(ana, oldest_kept)[1:] == [Accepted(n=CommandNumber(oldest_kept))]
    (refused,) = answers_of(ana, too_old)[1:]
    assert isinstance(refused, Refused)
    assert refused.code is Refusal.OLD_NUMBER


async def test_a_number_that_was_skipped_is_an_old_number(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (ana,) = await a_party(a_hall(nursery), nursery, "ana")
    await send_again(ana, 50, "fifty")

    await send_again(ana, 49, "forty-nine")

    (refused,) = answers_of(ana, 49)
    assert isinstance(refused, Refused)
    assert refused.code is Refusal.OLD_NUMBER


async def test_a_command_still_waiting_is_answered_on_the_newer_connection_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (ana,) = await a_party(hall, nursery, "ana")
    person = the_only_person(hall)
    number = CommandNumber(person.last_command + 1)
    person.last_command = number
    person.pending.append(number)  # as of a play that is held (RULES C3)
    await ana.vanish()

    await ana.connect(resume=True)
    await send_again(ana, number, "again")
    assert answers_of(ana, number) == []
    person.answer(number)
    person.flush()
    await wait_all_tasks_blocked()

    assert answers_of(ana, number) == [Accepted(n=number)]


async def test_the_welcome_says_which_command_was_the_last(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (ana,) = await a_party(a_hall(nursery), nursery, "ana")
    number = await ana.send(c.Say, text="hi")
    await ana.answer_to(number)

    await ana.vanish()
    await ana.connect(resume=True)

    assert ana.welcome is not None
    assert ana.welcome.last_command == number
    assert ana.welcome.resumed


async def test_another_epoch_is_not_resumed_but_shown_afresh(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (ana,) = await a_party(hall, nursery, "ana")
    caller = a_call(hall, nursery)

    await caller.say(a_hello("ana", secret=ana.secret, epoch="of an earlier start"))

    assert not (await caller.wait_for(Welcome)).resumed
    assert (await caller.wait_for(e.LobbyChanged)).lobby.rules == CLASSIC


async def test_whoever_said_again_what_was_not_answered_was_once_sent_away_for_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, refusals_burst=1, refusals_per_s=0.1, commands_burst=1_000)
    (ana,) = await a_party(hall, nursery, "ana")
    numbers = [await ana.send(c.SetReady, ready=bool(step % 2)) for step in range(20)]
    await ana.answer_to(numbers[-1])

    for _ in range(3):
        await ana.vanish()
        await ana.connect(resume=True)
        for number in numbers:
            await send_again(ana, number, "again")

    assert ana.is_connected
    assert len(answers_of(ana, numbers[-1])) == 1 + 3


async def test_whoever_says_the_same_again_and_again_on_one_line_has_to_go(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, refusals_burst=1, refusals_per_s=0.1)
    (ana,) = await a_party(hall, nursery, "ana")
    number = await ana.send(c.SetReady)
    await ana.answer_to(number)

    await send_again(ana, number, "again")
    is_heard_once = not ana.said_goodbye()
    await send_again(ana, number, "and again")
    await send_again(ana, number, "and again")

    assert is_heard_once
    assert ana.said_goodbye()
