"""A table in a network of its own, where the line of one player goes dead without a word.

Run by module inside `unshare --net`, where 127.0.0.9 can be made unreachable without harm to anybody:
prints after how many seconds the others heard that the player was gone.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import trio

from protocol import events as e
from tests.support.far_guests import FarGuest, a_live_server
from tests.support.guests import deal, gather

DEAD = "127.0.0.9"
FLAGS = ("--silence-s=3", "--ping-s=0.5")


def configure(*arguments: str) -> None:
    """Change this network."""
    subprocess.run(["ip", *arguments], check=True)


async def main() -> None:
    """Play, let the line go dead, and wait for the news."""
    configure("link", "set", "lo", "up")
    with tempfile.TemporaryDirectory() as home:
        async with trio.open_nursery() as nursery, a_live_server(Path(home), *FLAGS) as server:
            ana, bo = FarGuest(server, nursery, "ana"), FarGuest(server, nursery, "bo", source=DEAD)
            await gather(ana, bo, rules="classic.w0")
            first, second = await deal(ana, bo)
            await first.lay()
            await second.wait_for(e.Played)

            configure("route", "add", "blackhole", f"{DEAD}/32", "table", "local")
            began = trio.current_time()
            await ana.wait_for(e.LobbyNews, lambda line: line.news is e.News.LOST)
            sys.stdout.write(f"lost after {trio.current_time() - began:.3f} s\n")
            nursery.cancel_scope.cancel()


if __name__ == "__main__":
    trio.run(main)
