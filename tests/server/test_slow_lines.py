"""Whoever comes back on a slow line hears all that they have missed, however long it takes."""

import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Ping
from protocol.connection import ClientConnection
from server.hall import Hall
from tests.support.callers import Caller, a_call
from tests.support.guests import a_hall, a_party

PACE = 3_000  # bytes a second
LONG_TEXT = "\N{SLIGHTLY SMILING FACE}" * 200
MUCH_TALK = 100  # lines


def a_talkative_hall(nursery: trio.Nursery) -> Hall:
    return a_hall(nursery, chat_per_s=1e6, chat_burst=1_000_000, replay=2 * MUCH_TALK)


async def back_to_much_talk(hall: Hall, nursery: trio.Nursery) -> Caller:
    """Somebody says hello who has missed 80 KB."""
    ana, bo = await a_party(hall, nursery, "ana", "bo")
    await ana.vanish()
    for _ in range(MUCH_TALK):
        await bo.ask(c.Say, text=LONG_TEXT)
    line = a_call(hall, nursery)
    await line.say(ana.hello(resume=True))
    return line


async def hear_slowly(line: Caller, seconds: int) -> int:
    """Read so much each second for so long, and answer pings; how many lines of talk were heard."""
    connection, talk = ClientConnection(), 0
    for _ in range(seconds):
        await trio.sleep(1)
        with trio.move_on_after(0.5):
            data = bytes(await line.stream.receive_some(PACE))
            for _, event in connection.receive(data or None):
                talk += isinstance(event, e.Said)
                if isinstance(event, Ping):
                    await line.say(c.Pong(nonce=event.nonce))
    return talk


async def test_whoever_came_back_on_a_slow_line_was_once_given_up_while_they_were_being_told(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_talkative_hall(nursery)
    line = await back_to_much_talk(hall, nursery)

    talk = await hear_slowly(line, 30)

    assert talk == MUCH_TALK
    assert not line.closed.is_set()


async def test_a_line_that_dies_once_all_is_heard_is_given_up_as_soon_as_any_other(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_talkative_hall(nursery)
    line = await back_to_much_talk(hall, nursery)
    await hear_slowly(line, 60)
    died = trio.current_time()

    await line.closed.wait()

    assert trio.current_time() - died <= hall.settings.silence_s


async def test_a_line_that_dies_while_much_is_told_is_given_up_all_the_same(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_talkative_hall(nursery)
    line = await back_to_much_talk(hall, nursery)
    came = trio.current_time()

    await line.closed.wait()

    assert hall.settings.silence_s < trio.current_time() - came < 100
