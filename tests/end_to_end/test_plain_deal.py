"""Whole deals by plain clients: real processes, real TCP, typed lines.

Policy of these tests: loopback only, port 0, no sleeps; the order of events is decided by what is
on the screen; every wait has a limit.
"""

from contextlib import AsyncExitStack
from pathlib import Path

from tests.support.processes import a_plain_party, a_server, plays_along

FAST = "classic.w0.lw2.r0"
UNHURRIED = ("--commands-per-s", "1000", "--commands-burst", "1000")  # scripted players are quick


async def test_four_plain_clients_play_a_deal_to_its_end(tmp_path: Path) -> None:
    names = ("ana", "bo", "cy", "dee")
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(a_server(tmp_path, *UNHURRIED))
        players = await a_plain_party(stack, tmp_path, address, *names, rules=FAST)
        for terminal in players:
            terminal.on_line = plays_along

        await players[0].type("start")
        results = [await terminal.wait_for("^RESULT: (.*)") for terminal in players]

        assert all("1st" in result.group(1) for result in results)
