"""What people are told when a door stays shut: real processes, sentences a person understands."""

from contextlib import AsyncExitStack
from pathlib import Path

import trio

from protocol.answers import MAJOR, Refused
from protocol.commands import Hello
from protocol.connection import ClientConnection
from tests.support.processes import a_plain_client, a_server


async def test_whoever_knocks_wrongly_is_told_why_and_may_try_again(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(a_server(tmp_path))
        host = await stack.enter_async_context(a_plain_client(tmp_path, address, "ana"))
        guest = await stack.enter_async_context(a_plain_client(tmp_path, address, "bo"))
        await host.wait_for("^HALL:")
        await host.type("create classic password swordfish")
        code = (await host.wait_for(r"^LOBBY: (\S+),")).group(1)
        await guest.wait_for("^HALL:")

        await guest.type("join NO-99")
        await guest.wait_for("No lobby has that code")
        await guest.type(f"join {code} herring")
        await guest.wait_for("needs the right password")
        await guest.type(f"join {code.lower()} swordfish")
        await guest.wait_for(f"^LOBBY: {code}")


async def test_a_full_lobby_can_still_be_watched(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(a_server(tmp_path))
        host = await stack.enter_async_context(a_plain_client(tmp_path, address, "ana"))
        guest = await stack.enter_async_context(a_plain_client(tmp_path, address, "bo"))
        await host.wait_for("^HALL:")
        await host.type("create")
        code = (await host.wait_for(r"^LOBBY: (\S+),")).group(1)
        for _ in range(9):
            await host.type("add casual")
            await host.wait_for("a computer player, sat down")
        await guest.wait_for("^HALL:")

        await guest.type(f"join {code}")
        await guest.wait_for("That lobby is full")
        await guest.type(f"watch {code}")
        await guest.wait_for(f"^LOBBY: {code}")


async def test_a_name_that_looks_like_a_taken_one_is_refused_with_exit_code_4(
    tmp_path: Path,
) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(a_server(tmp_path))
        first = await stack.enter_async_context(a_plain_client(tmp_path, address, "bill"))
        await first.wait_for("^HALL:")

        second = await stack.enter_async_context(a_plain_client(tmp_path, address, "b1ll"))
        await second.wait_for("already has that name")

        assert await second.process.wait() == 4


async def test_a_second_terminal_of_the_same_user_is_somebody_of_its_own(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(a_server(tmp_path))
        first = await stack.enter_async_context(a_plain_client(tmp_path, address, "ana"))
        await first.wait_for("^HALL:")
        await first.type("create")
        await first.wait_for("^LOBBY:")

        # The same home folder, so the same stored secrets: the first one's are in use.
        same_user = a_plain_client(tmp_path, address, "ana")
        second = await stack.enter_async_context(same_user)
        await second.wait_for("already has that name")
        await first.type("say still here")

        await first.wait_for("^SAY ana: still here")


async def test_nobody_there_is_said_with_the_next_step_and_exit_code_3(tmp_path: Path) -> None:
    async with a_plain_client(tmp_path, "127.0.0.1:1", "ana") as alone:
        await alone.wait_for("Could not reach 127.0.0.1:1")

        assert await alone.process.wait() == 3


async def test_an_old_client_is_told_to_update(tmp_path: Path) -> None:
    async with a_server(tmp_path) as address:
        host, port = address.rsplit(":", 1)
        stream = await trio.open_tcp_stream(host, int(port))
        connection = ClientConnection()
        old = Hello(major=MAJOR - 1, minor=0, client="old", name="ana")

        await stream.send_all(connection.send(old))
        data = await stream.receive_some()
        (_, answer), *_ = connection.receive(bytes(data))

        assert isinstance(answer, Refused)
        assert "update your client" in answer.text
        await stream.aclose()
