"""`facedown-server` on a folder or an address that it cannot have: one sentence, and exit code 2."""

import os
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from tests.server.test_main import (
    COMMAND,
    PATIENCE_S,
    a_server,
    a_start_that_fails,
    everything,
    own_environment,
)
from tests.support.journals import change_by_hand, some_of_everything
from tests.support.processes import ROOT, kill, start


def a_newer_schema(data: Path) -> None:
    change_by_hand(data, "UPDATE meta SET value = 99 WHERE name = 'schema'")


def a_damaged_record(data: Path) -> None:
    change_by_hand(data, "UPDATE actions SET body = zeroblob(9) WHERE number = 17")


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        pytest.param(a_newer_schema, "is a journal of version 99, and this", id="a newer schema"),
        pytest.param(a_damaged_record, "lobby FOX-42, record 17: its checksum", id="damage"),
    ],
)
def test_a_journal_that_cannot_be_used_is_answered_with_a_sentence(
    harm: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    some_of_everything(tmp_path)
    harm(tmp_path)

    code, complaint = trio.run(a_start_that_fails, "--port", "0", "--data", str(tmp_path))

    assert code == 2
    assert said in complaint
    assert complaint.count("\n") == 1


async def test_a_second_server_on_the_folder_is_answered_with_a_sentence(tmp_path: Path) -> None:
    async with a_server(tmp_path) as server:
        code, complaint = await a_start_that_fails("--port", "0", "--data", str(tmp_path))
        await server.enter("ana")

    assert code == 2
    assert f"the server with process id {server.process.pid} is using {tmp_path}" in complaint
    assert complaint.count("\n") == 1


async def test_a_second_server_was_told_to_join_the_first_on_a_port_where_nobody_was(
    tmp_path: Path,
) -> None:
    async with a_server(tmp_path) as server:
        _, complaint = await a_start_that_fails("--port", "0", "--data", str(tmp_path))

    assert f"Join it (facedown join localhost:{server.port}), stop it" in complaint


async def test_a_port_that_is_taken_was_once_blamed_on_loopback_where_lan_was_asked_for(
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        _, said = await a_start_that_fails("--lan", "--port", str(port), "--data", str(tmp_path))

    assert f"cannot listen on 0.0.0.0:{port}: Address already in use." in said


@pytest.mark.parametrize(
    "host",
    [
        pytest.param("203.0.113.9", id="of another machine"),
        pytest.param("fe80::9", id="of one link that is not named"),
    ],
)
async def test_another_port_was_advised_where_the_address_was_not_of_this_machine(
    host: str, tmp_path: Path
) -> None:
    code, said = await a_start_that_fails("--host", host, "--data", str(tmp_path))

    assert code == 2
    assert said.endswith("--host is an address of this machine; --lan listens on all of them.\n")


async def test_a_server_without_an_output_once_ended_in_a_traceback(tmp_path: Path) -> None:
    arguments = ["--port", "0", "--data", str(tmp_path), "--until-eof"]
    silent = ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, *arguments]

    with trio.fail_after(PATIENCE_S):
        ended = await trio.run_process(silent, cwd=ROOT, check=False, capture_stderr=True)

    assert b"Traceback" not in ended.stderr
    assert ended.returncode == 0


async def test_a_bad_setting_in_the_environment_is_answered_with_a_sentence(
    tmp_path: Path,
) -> None:
    code, said = await a_start_that_fails(
        "--data", str(tmp_path), environment={"FACEDOWN_SERVER_PORT": "many"}
    )

    assert (code, said) == (
        2,
        "facedown-server: FACEDOWN_SERVER_PORT cannot be 'many': it is a whole number\n",
    )


async def test_a_misspelt_variable_was_passed_over_in_silence(tmp_path: Path) -> None:
    missing = ("--check", str(tmp_path / "missing"))

    _, said = await a_start_that_fails(*missing, environment={"FACEDOWN_SERVER_PROT": "1"})

    assert "Did you mean FACEDOWN_SERVER_PORT?" in said


async def test_a_damaged_server_id_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "server-id"
    path.write_bytes(b"\xff shopping list \x00")

    code, said = await a_start_that_fails("--port", "0", "--data", str(tmp_path))

    assert code == 2
    assert said.startswith(f"facedown-server: {path} is damaged.")
    assert path.read_bytes() == b"\xff shopping list \x00"


async def test_a_server_id_that_cannot_be_read_is_answered_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "server-id").mkdir()

    code, said = await a_start_that_fails("--port", "0", "--data", str(tmp_path))

    assert code == 2
    assert said.startswith(f"facedown-server: cannot use {tmp_path / 'server-id'}: ")
    assert said.count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
async def test_a_server_that_was_stopped_by_ctrl_c_as_it_started_printed_a_traceback(
    tmp_path: Path,
) -> None:
    settings = tmp_path / "settings"
    os.mkfifo(settings)
    command = [*COMMAND, "--config", str(settings)]
    process = await start(command, own_environment(), stderr=subprocess.PIPE)

    with trio.fail_after(PATIENCE_S), await trio.to_thread.run_sync(settings.open, "w"):
        process.send_signal(signal.SIGINT)  # while it reads them
        said = await everything(process.stderr)
        code = await process.wait()
    await kill(process)

    assert (code, said) == (-signal.SIGINT, "")
