"""What comes over a line costs its sender the line and nobody else anything: mutated frames at the door."""

import logging
from random import Random

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from fuzzing.mutations import mutated
from fuzzing.samples import command_frames
from protocol import events as e
from protocol.answers import Accepted
from protocol.codec import encode_command
from protocol.framing import COMMAND_CAP, frame
from server.hall import Hall
from tests.support.callers import a_call, a_hello
from tests.support.chaos import NO_LIMITS
from tests.support.guests import a_hall, a_table

LINES = 120  # of each seed


async def throw(hall: Hall, nursery: trio.Nursery, data: bytes) -> None:
    """Somebody connects, sends these bytes in pieces, and is gone."""
    caller = a_call(hall, nursery)
    for at in range(0, len(data), 50):
        try:
            await caller.stream.send_all(data[at : at + 50])
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            break  # the server has heard enough
    await wait_all_tasks_blocked()
    await caller.stream.aclose()
    with trio.fail_after(60):
        await caller.closed.wait()


@pytest.mark.parametrize("seed", range(3))
async def test_mutated_lines_end_alone_and_a_table_beside_them_plays_on(
    seed: int,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    rng = Random(seed)
    hall = a_hall(nursery, **NO_LIMITS)
    first, _, third = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.t-off.w0")
    before = hall.people.online
    bodies = command_frames(rng, each=2)
    frames = [frame(body, COMMAND_CAP) for body in bodies]
    heard = len(third.heard)

    with caplog.at_level(logging.WARNING):
        for number in range(LINES):
            hello = encode_command(a_hello(f"guest {number}"))
            said = b"".join(rng.choice(frames) for _ in range(5))
            await throw(hall, nursery, mutated(hello + said, rng, frames))
            whole = [
                frame(mutated(rng.choice(bodies), rng, bodies)[:COMMAND_CAP] or b"x", COMMAND_CAP)
            ]
            await throw(hall, nursery, hello + b"".join(whole))

    assert isinstance(await first.answer_to(await first.lay()), Accepted)
    played = await third.wait_for(e.Played)
    assert played.play == 1
    assert [event for _, event in third.heard[heard:]] == [played]
    assert (hall.people.online, caplog.records) == (before, [])
