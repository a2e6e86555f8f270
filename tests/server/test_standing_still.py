"""A server that stood still for a while: what came in that time is heard before anybody is given up."""

import os

import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol.answers import Accepted
from protocol.codec import encode_command
from protocol.numbers import CommandNumber
from tests.support.doors import a_door

CALLERS = 10  # in which order the loop sees to things is by chance


async def test_who_spoke_while_the_server_stood_still_was_once_given_up_for_their_silence(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    async with a_door(nursery, ping_s=1, silence_s=3) as door:
        callers = [await door.enter(f"p{number}") for number in range(CALLERS)]
        word = encode_command(c.Say(n=CommandNumber(1), text="still here"))
        for caller in callers:
            assert isinstance(caller.stream, trio.SocketStream)
            os.write(caller.stream.socket.fileno(), word)
        mock_clock.jump(3.5)

        for caller in callers:
            await caller.wait_for(Accepted)
