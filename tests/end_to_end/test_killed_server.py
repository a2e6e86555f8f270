"""The server dies without a word, again and again, and the deal goes on: real processes and TCP."""

import re
import sys
from contextlib import AsyncExitStack, closing
from pathlib import Path
from random import Random

import pytest
import trio

from client.words import claim
from protocol.events import Played
from server.journal.database import opened_to_look
from server.journal.kept import all_kept
from server.journal.recovery import recovered_lobby
from tests.support.homes import environment
from tests.support.processes import (
    PIPED,
    a_plain_party,
    kill,
    plays_along,
    start,
)

NAMES = ("ana", "bo", "cy", "dee")
FAST = "classic.d3.w0.lw2.r0"  # with one deck a deal was over before it had seen thirty kills
UNHURRIED = ("--commands-per-s", "1000", "--commands-burst", "1000", "--reconnects-per-min", "600")
KILLS = 30
BOUND_S = 120  # two thirds of a minute on a machine of its own
BLINK_S = 0.03  # it dies within this time after a play, in the middle of something
TOLD = re.compile(r"^(?:SAYS: (?P<who>\w+)|LAID: (?:you|the server for you),) (?P<said>\d+ \w+)")

Plays = dict[int, tuple[str, str]]
"""By number: who, and the claim."""


class MortalServer:
    """A server on one port and one data folder, however often it is killed."""

    def __init__(self, home: Path) -> None:
        self.data = home / "kept"
        self.port = 0
        self._home = home
        self._process: trio.Process | None = None

    async def start(self) -> None:
        """Start it and wait until it is ready."""
        command = [sys.executable, "-m", "server", "--port", str(self.port), "--until-eof"]
        self._process = await start(
            [*command, "--data", str(self.data), *UNHURRIED],
            environment(self._home, **PIPED),
            stderr=None,
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
            await kill(self._process)
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            await self._process.stdin.aclose()
            await self._process.stdout.aclose()
            self._process = None


def plays_told(name: str, lines: list[str]) -> Plays:
    """Every play of which this client was told, whatever came in between."""
    newest, told = 0, Plays()
    for line in lines:
        if shown := re.match(r"^DEAL: under way, (\d+) plays? so far", line):
            assert int(shown[1]) >= newest, "a play was told and is gone"
            newest = int(shown[1])
        elif play := TOLD.match(line):
            newest += 1
            told[newest] = (play["who"] or name, play["said"])
    return told


def plays_kept(folder: Path) -> Plays:
    """Every play of the running deal that is in the journal."""
    with closing(opened_to_look(folder)) as connection:
        (kept,) = all_kept(connection).lobbies
    deal = recovered_lobby(kept).deal
    assert deal is not None
    return {
        entry.play: (deal.table.seats[entry.seat].name, claim(entry.count, entry.rank))
        for entry in deal.log
        if isinstance(entry, Played)
    }


@pytest.mark.timeout(BOUND_S + 30)
async def test_a_deal_survives_a_server_that_is_killed_thirty_times(tmp_path: Path) -> None:
    dice, server = Random(7), MortalServer(tmp_path)
    async with AsyncExitStack() as stack:
        stack.enter_context(trio.fail_after(BOUND_S))
        stack.push_async_callback(server.kill)
        await server.start()
        address = f"127.0.0.1:{server.port}"
        players = await a_plain_party(stack, tmp_path, address, *NAMES, rules=FAST)
        for player in players:
            player.on_line = plays_along
        await players[0].type("start")

        for _ in range(KILLS):
            await players[0].wait_for("^(SAYS|LAID)")
            await trio.sleep(dice.uniform(0, BLINK_S))
            await server.kill()
            for player in players:
                await player.wait_for("^NOTE: Connection lost")  # by then it has said all it heard
            kept = plays_kept(server.data)
            for name, player in zip(NAMES, players, strict=True):
                assert plays_told(name, player.lines).items() <= kept.items()
            await server.start()
        results = [await player.wait_for("^RESULT: (.*)") for player in players]

    assert all("1st" in result.group(1) for result in results)
