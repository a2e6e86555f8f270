"""A player who vanishes and comes back with the stored secret, a watcher, two lobbies at once."""

import re
from contextlib import AsyncExitStack
from pathlib import Path

import trio

from tests.support.processes import Terminal, a_plain_client, a_plain_party, a_process, a_server

UNHURRIED = ("--commands-per-s", "1000", "--commands-burst", "1000")
LONG_WINDOW = "classic.w30.lw60.r0"


async def a_deal(
    stack: AsyncExitStack, home: Path, address: str, *names: str, rules: str = LONG_WINDOW
) -> list[Terminal]:
    """Plain clients at a deal that has just begun, the one to move first in the list."""
    host, *guests = await a_plain_party(stack, home, address, *names, rules=rules)
    await host.type("start")
    turns = [
        (await terminal.wait_for("^TURN: (you|[a-z]+)")).group(1) for terminal in (host, *guests)
    ]
    first = turns.index("you")
    everybody = [host, *guests]
    return everybody[first:] + everybody[:first]


def example(terminal: Terminal) -> str:
    """What the client says may be laid now."""
    line = next(line for line in reversed(terminal.lines) if line.startswith("TURN: you"))
    return line.partition("Example: ")[2]


def name_of(terminal: Terminal) -> str:
    """The name under which a client has joined."""
    greeting = next(line for line in terminal.lines if line.startswith("HELLO: welcome"))
    found = re.search(r"welcome,? (\w+)", greeting)
    assert found is not None
    return found.group(1)


async def test_a_killed_client_comes_back_to_its_seat_in_mid_window_and_may_still_doubt(
    tmp_path: Path,
) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(a_server(tmp_path))
        mover, doubter, _ = await a_deal(stack, tmp_path, address, "ana", "bo", "cy")
        doubter_name = name_of(doubter)
        doubter.process.kill()
        await doubter.ended.wait()
        await mover.wait_for(f"{doubter_name}.*(lost|away)")
        await mover.type(example(mover))
        await mover.wait_for("^LAID:")

        again = await stack.enter_async_context(a_plain_client(tmp_path, address, doubter_name))
        await again.wait_for("^(SAYS|TABLE|PILE|HAND)")
        await again.type("b 1")
        verdict = await again.wait_for("^DOUBT: (.*)")
        await mover.wait_for(f"^REVEAL: {doubter_name} |^DOUBT: {doubter_name} (.*)")

        assert "first" in verdict.group(1)


async def test_a_watcher_follows_a_deal_and_never_sees_a_hand(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(a_server(tmp_path))
        mover, *_ = await a_deal(stack, tmp_path, address, "ana", "bo", "cy")
        code = next(
            found.group(1)
            for line in mover.lines
            if (found := re.search(r"^LOBBY: (\S+),", line)) is not None
        )
        watcher = await stack.enter_async_context(a_plain_client(tmp_path, address, "eve"))
        await watcher.wait_for("^HALL:")
        await watcher.type(f"watch {code}")
        await watcher.wait_for("^LOBBY:")

        await mover.type(example(mover))
        await watcher.wait_for("^SAYS:")
        await watcher.type("b")
        await watcher.wait_for("^NO: .*watching")

        assert not any(line.startswith("HAND: 1") for line in watcher.lines)


async def test_two_lobbies_play_at_once(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(a_server(tmp_path, *UNHURRIED))
        first = await a_deal(stack, tmp_path, address, "ana", "bo")
        second = await a_deal(stack, tmp_path, address, "kim", "lee")

        await first[0].type(example(first[0]))
        await first[1].wait_for("^SAYS:")
        await second[0].type(example(second[0]))
        await second[1].wait_for("^SAYS:")

        assert not any("kim" in line or "lee" in line for line in first[1].lines if "SAYS" in line)


async def test_a_practice_server_goes_when_the_client_that_started_it_is_killed(
    tmp_path: Path,
) -> None:
    async with a_process(tmp_path, "client", "play", "--plain", "--name", "ana") as client:
        address = (await client.wait_for(r"^LINK: .*?(\d+\.\d+\.\d+\.\d+:\d+)")).group(1)
        host, port = address.rsplit(":", 1)
        stream = await trio.open_tcp_stream(host, int(port))

        client.process.kill()
        with trio.fail_after(20):
            while await stream.receive_some():
                pass

        await stream.aclose()
