"""`facedown-server` as a real process: the ready line, bad starts, signals, what is kept.

Every server here listens on loopback, on a port that the system gives, keeps its data in the test's
own folder, and is killed at the end of its test if it has not ended by itself.
"""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio

from protocol import commands as c
from protocol.answers import Accepted, Goodbye, Stamps, Welcome
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from tests.support.callers import FarEnd, a_hello
from tests.support.processes import ROOT, kill, leave_descriptors, start

COMMAND = [sys.executable, "-W", "error", "-m", "server"]
WITHOUT_STAMPS = [*COMMAND[:-1], "tests.support.server_without_stamps"]
READY = re.compile(r"facedown-server ready on ([\d.]+):(\d+)  (.+)  challenges timed (.+)\n")
PATIENCE_S = 30
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only on Linux")


def own_environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("FACEDOWN")}


class Server:
    """A running server."""

    def __init__(self, process: trio.Process, ready: re.Match[str]) -> None:
        self.process = process
        self.pid = process.pid
        self.host, port, self.kept, self.timed = ready.groups()
        self.port = int(port)
        self.calls = AsyncExitStack()

    async def call(self) -> FarEnd:
        stream = await trio.open_tcp_stream(self.host, self.port)
        await self.calls.enter_async_context(stream)
        return FarEnd(stream)

    async def enter(self, name: str) -> tuple[FarEnd, Welcome]:
        caller = await self.call()
        await caller.say(a_hello(name))
        return caller, await caller.wait_for(Welcome)

    async def stop(self, signal_number: int = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal and wait for the end: the exit code, and what was logged."""
        self.process.send_signal(signal_number)
        return await self.wait_for_end()

    async def wait_for_end(self) -> tuple[int, str]:
        with trio.fail_after(PATIENCE_S):
            return await self.process.wait(), await everything(self.process.stderr)


@asynccontextmanager
async def a_server(
    data: Path, *arguments: str, command: Sequence[str] = COMMAND, until_eof: bool = True
) -> AsyncIterator[Server]:
    """With `until_eof` it ends also where the tests are killed."""
    ends = ("--until-eof",) if until_eof else ()
    process = await start(
        [*command, "--port", "0", "--data", str(data), *ends, *arguments],
        own_environment(),
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    async with process.stdin, process.stdout, process.stderr:
        try:
            with trio.fail_after(PATIENCE_S):
                server = Server(process, await ready_line(process))
            async with server.calls:
                yield server
        finally:
            await kill(process)


async def ready_line(process: trio.Process) -> re.Match[str]:
    assert process.stdout is not None
    line = b""
    while not line.endswith(b"\n"):
        more = await process.stdout.receive_some()
        assert more, await everything(process.stderr)
        line += more
    ready = READY.fullmatch(line.decode())
    assert ready is not None, line
    return ready


async def everything(stream: trio.abc.ReceiveStream | None) -> str:
    assert stream is not None
    heard = bytearray()
    while data := await stream.receive_some():
        heard += data
    return heard.decode()


async def a_start_that_fails(
    *arguments: str, environment: dict[str, str] | None = None
) -> tuple[int, str]:
    """The exit code and what was written to standard error."""
    with trio.fail_after(PATIENCE_S):
        ended = await trio.run_process(
            [*COMMAND, *arguments],
            capture_stdout=True,
            capture_stderr=True,
            check=False,
            cwd=ROOT,
            env=own_environment() | (environment or {}),
        )
    assert ended.stdout == b""
    return ended.returncode, ended.stderr.decode()


# --- ready --------------------------------------------------------------------------------------


async def test_a_server_says_where_it_is_ready_and_lets_people_in(tmp_path: Path) -> None:
    async with a_server(tmp_path / "data", "--title", "Our game") as server:
        _, welcome = await server.enter("ana")

        assert server.host == "127.0.0.1"
        assert server.port > 0
        assert server.kept.startswith(f"data {tmp_path}/data (kept in ")
        assert welcome.title == "Our game"


async def test_a_server_that_keeps_nothing_once_named_a_folder_for_it(tmp_path: Path) -> None:
    async with a_server(tmp_path / "data", "--in-memory") as server:
        await server.enter("ana")

        assert server.kept == "nothing is kept: tables end with the server"


async def test_a_server_that_keeps_nothing_once_wrote_its_name_into_the_data_folder(
    tmp_path: Path,
) -> None:
    servers = []
    for _ in range(2):
        async with a_server(tmp_path / "data", "--in-memory") as server:
            _, welcome = await server.enter("ana")
            servers.append(welcome.server)
            await server.stop()

    assert not any(await trio.Path(tmp_path).iterdir())
    assert len(set(servers)) == 2  # else a client would come with a secret that nobody knows


async def test_the_ready_line_and_the_welcome_say_how_challenges_are_timed(tmp_path: Path) -> None:
    async with a_server(tmp_path) as server:
        _, welcome = await server.enter("ana")

        by_kernel = sys.platform.startswith("linux")
        assert ("kernel's arrival stamps" in server.timed) is by_kernel
        assert (welcome.stamps is Stamps.KERNEL) is by_kernel


async def test_without_stamps_the_ready_line_and_the_welcome_say_so(tmp_path: Path) -> None:
    async with a_server(tmp_path, command=WITHOUT_STAMPS) as server:
        _, welcome = await server.enter("ana")

        assert server.timed == "after reading (no kernel stamps here)"
        assert welcome.stamps is Stamps.AFTER_READ


# --- starts that fail ---------------------------------------------------------------------------


async def test_a_port_that_is_taken_is_answered_with_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        code, said = await a_start_that_fails("--port", str(port), "--data", str(tmp_path))

    assert code == 2
    assert said == (
        f"facedown-server: cannot listen on 127.0.0.1:{port}: Address already in use. "
        "Is a server running there already? Another --port may be free.\n"
    )


async def test_a_data_folder_that_cannot_be_had_is_answered_with_a_sentence(
    tmp_path: Path,
) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder", encoding="utf-8")

    code, said = await a_start_that_fails("--port", "0", "--data", str(file))

    assert code == 2
    assert said.startswith(f"facedown-server: cannot make the data folder {file}: ")
    assert said.count("\n") == 1


# --- the end ------------------------------------------------------------------------------------


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT], ids=lambda s: s.name)
async def test_a_signal_once_ended_the_server_with_an_error_and_without_a_goodbye(
    signal_number: int, tmp_path: Path
) -> None:
    async with a_server(tmp_path, until_eof=False) as server:
        ana, _ = await server.enter("ana")
        bo, _ = await server.enter("bo")
        await bo.say(c.CreateLobby(n=CommandNumber(1)))
        await bo.wait_for(Accepted)

        code, logged = await server.stop(signal_number)

        assert (code, logged) == (0, "")
        for person in (ana, bo):
            *_, last = await person.events_to_the_end()
            assert isinstance(last, Goodbye)
            assert last.code is Refusal.CLOSING


async def test_neither_strangers_nor_people_who_hear_nothing_hold_up_the_end(
    tmp_path: Path,
) -> None:
    async with a_server(tmp_path) as server:
        await server.call()
        stranger = await server.call()
        await stranger.send(b"\0\0")
        await server.enter("ana")
        started = trio.current_time()

        code, logged = await server.stop()

        assert (code, logged) == (0, "")
        assert trio.current_time() - started < 5


async def test_a_server_that_is_told_to_ends_with_its_standard_input(tmp_path: Path) -> None:
    async with a_server(tmp_path) as server:
        ana, _ = await server.enter("ana")
        assert server.process.stdin is not None
        await server.process.stdin.send_all(b"not the end yet\n")
        await server.enter("bo")

        await server.process.stdin.aclose()
        code, logged = await server.wait_for_end()

        assert (code, logged) == (0, "")
        *_, last = await ana.events_to_the_end()
        assert isinstance(last, Goodbye)


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT], ids=lambda s: s.name)
async def test_a_signal_together_with_the_end_of_its_input_was_once_the_death_of_a_server(
    signal_number: int, tmp_path: Path
) -> None:
    async with a_server(tmp_path) as server:
        ana, _ = await server.enter("ana")
        assert server.process.stdin is not None
        # Stopped, it finds all of them at once when it goes on.
        server.process.send_signal(signal.SIGSTOP)
        await server.process.stdin.aclose()
        server.process.send_signal(signal_number)
        server.process.send_signal(signal.SIGCONT)

        code, logged = await server.wait_for_end()

        assert (code, logged) == (0, "")
        *_, last = await ana.events_to_the_end()
        assert isinstance(last, Goodbye)


async def test_a_second_signal_while_it_is_closing_was_once_the_death_of_a_server(
    tmp_path: Path,
) -> None:
    async with a_server(tmp_path, until_eof=False) as server:
        ana, _ = await server.enter("ana")
        server.process.send_signal(signal.SIGTERM)
        *_, last = await ana.events_to_the_end()

        while server.process.poll() is None:  # to its very last moment
            server.process.send_signal(signal.SIGTERM)
            await trio.lowlevel.checkpoint()
        code, logged = await server.wait_for_end()

        assert (code, logged) == (0, "")
        assert isinstance(last, Goodbye)


async def test_a_server_that_is_not_told_to_outlives_its_standard_input(tmp_path: Path) -> None:
    async with a_server(tmp_path, until_eof=False) as server:
        assert server.process.stdin is not None
        await server.process.stdin.aclose()

        await server.enter("ana")
        code, _ = await server.stop()

        assert code == 0


async def test_after_the_end_the_port_is_free_again(tmp_path: Path) -> None:
    async with a_server(tmp_path) as server:
        await server.enter("ana")
        port = server.port
        await server.stop()

        async with a_server(tmp_path, "--port", str(port)) as again:
            assert again.port == port
            await again.enter("ana")


# --- what is kept -------------------------------------------------------------------------------


async def test_the_server_is_the_same_after_a_restart_and_the_epoch_another(
    tmp_path: Path,
) -> None:
    async with a_server(tmp_path) as server:
        _, before = await server.enter("ana")
        await server.stop()

    async with a_server(tmp_path) as server:
        _, after = await server.enter("ana")

    assert before.server == after.server
    assert before.epoch != after.epoch


async def test_another_data_folder_is_another_server(tmp_path: Path) -> None:
    async with a_server(tmp_path / "one") as one, a_server(tmp_path / "two") as two:
        _, of_one = await one.enter("ana")
        _, of_two = await two.enter("ana")

    assert of_one.server != of_two.server


async def test_a_server_id_that_was_never_written_to_the_end_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "server-id").write_text("", encoding="ascii")

    async with a_server(tmp_path) as server:
        _, welcome = await server.enter("ana")

    assert (tmp_path / "server-id").read_text(encoding="ascii") == welcome.server + "\n"


# --- out of descriptors -------------------------------------------------------------------------


@on_linux
async def test_out_of_descriptors_those_inside_play_on_and_later_others_come_in(
    tmp_path: Path,
) -> None:
    async with a_server(tmp_path) as server:
        ana, _ = await server.enter("ana")
        leave_descriptors(server.pid, 4)
        crowd = [await server.call() for _ in range(20)]

        for number in range(1, 6):
            await ana.say(c.Say(n=CommandNumber(number), text="still here"))
            await ana.wait_for(Accepted)
        for stranger in crowd:
            await stranger.stream.aclose()
        with trio.fail_after(PATIENCE_S):
            await server.enter("bo")
        code, logged = await server.stop()

    assert code == 0
    assert "cannot accept: Too many open files; running tables go on" in logged
    assert "Traceback" not in logged
