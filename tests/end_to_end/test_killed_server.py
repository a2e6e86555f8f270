"""The server dies without a word, again and again, and the deal goes on: real processes and TCP."""

import re
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import trio

from server.checkup import check_folder
from tests.support.processes import ROOT, Terminal, a_plain_client, environment

FAST = "classic.w0.lw2.r0"
UNHURRIED = ("--commands-per-s", "1000", "--commands-burst", "1000", "--reconnects-per-min", "600")
KILLS = 8
LINES_BETWEEN = 6


def plays_along(terminal: Terminal, line: str) -> str | None:
    """A player who does as the example says and believes everybody."""
    example = re.search(r"^TURN: you.*Example: (.+)$", line)
    if example:
        return example.group(1)
    return "y" if line.startswith("SAYS:") else None


class MortalServer:
    """A server on one port and one data folder, however often it is killed."""

    def __init__(self, home: Path) -> None:
        self.data = home / "kept"
        self.port = 0
        self._home = home
        self._process: trio.Process | None = None

    async def start(self) -> None:
        """Start it and wait until it is ready."""
        command = [sys.executable, "-m", "server", "--port", str(self.port)]
        self._process = await trio.lowlevel.open_process(
            [*command, "--data", str(self.data), *UNHURRIED],
            cwd=ROOT,
            env=environment(self._home),
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        line = b""
        while b"\n" not in line:
            data = await self._process.stdout.receive_some()
            assert data, "the server did not start"
            line += data
        found = re.search(rb"ready on \S+:(\d+)", line)
        assert found is not None
        self.port = int(found.group(1))

    async def kill(self) -> None:
        """Kill it as nothing can be helped against."""
        if self._process is not None:
            self._process.kill()
            await self._process.wait()
            assert self._process.stdout is not None
            await self._process.stdout.aclose()
            self._process = None


async def a_deal_of_four(stack: AsyncExitStack, home: Path, port: int) -> list[Terminal]:
    """Four plain clients at a deal that is about to begin; `start` is still to be typed."""
    names = ("ana", "bo", "cy", "dee")
    host, *guests = [
        await stack.enter_async_context(a_plain_client(home, f"127.0.0.1:{port}", name))
        for name in names
    ]
    await host.wait_for("^HALL:")
    await host.type(f"create {FAST}")
    code = (await host.wait_for(r"^LOBBY: (\S+),")).group(1)
    for guest in guests:
        await guest.wait_for("^HALL:")
        await guest.type(f"join {code}")
        await guest.wait_for("^LOBBY:")
        await guest.type("ready")
        await host.wait_for("^SEAT: .*, ready")
    return [host, *guests]


async def test_a_deal_survives_a_server_that_is_killed_again_and_again(tmp_path: Path) -> None:
    dice, server = Random(7), MortalServer(tmp_path)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(server.kill)
        await server.start()
        players = await a_deal_of_four(stack, tmp_path, server.port)
        for player in players:
            player.on_line = plays_along
        await players[0].type("start")

        for _ in range(KILLS):
            for _ in range(1 + dice.randrange(LINES_BETWEEN)):
                await players[0].wait_for("^(SAYS|LAID|RESULT)")
            await server.kill()
            assert check_folder(server.data).is_sound
            await server.start()
        results = [await player.wait_for("^RESULT: (.*)") for player in players]

    assert all("1st" in result.group(1) for result in results)
