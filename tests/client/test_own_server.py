"""A server that this client has started and that has ended: what is said of it, and where one goes from there."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input

from client.full_screen.screen_client import ScreenClient
from client.line import child
from client.line import network as module
from client.line.server_line import PRACTICE_OVER
from client.screens.desk import Desk, Overlay
from client.screens.parting import parting_text
from client.start.visit import Visit
from client.state import ClientState, Connecting, LinkLost, LinkRefused, Renamed
from client.way_in.address import read_address
from client.way_in.own_server import start_again
from tests.support.fake_server import FakeServer
from tests.support.fake_tables import at_a_table
from tests.support.heard import lines
from tests.support.looking import SMALL, USUAL, seen
from tests.support.playing import HOME, Play, run
from tests.support.ptys import CLIENT, on_a_terminal
from tests.support.screen import Terminal
from tests.support.screen_states import WELCOME, dealt, folded, in_lobby, online

AGAIN = (
    "facedown-server --host 192.168.1.20 --port 5252"  # so it was, at the address of these tests
)
LOST = LinkLost(reason="it broke", attempt=1, retry_s=4.0)
ENDED = LinkLost(reason="it broke", attempt=2, retry_s=4.0, ended=True)
TRYING = Connecting(address="192.168.1.20:5252", encrypted=True)


# --- one that is hosted -----------------------------------------------------------------------------


def one_that_has_ended() -> "subprocess.Popen[bytes]":
    with subprocess.Popen((sys.executable, "-c", "")) as process:
        process.wait()
    return process


@asynccontextmanager
async def hosting(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Play]:
    """A client at the table of a server that it has started, but whose process has ended."""
    monkeypatch.setattr(module, "FIRST_RETRY_S", 0.01)
    terminal = Terminal()
    with create_pipe_input() as keyboard:
        async with FakeServer(at_a_table) as server:
            own = child.Child(process=one_that_has_ended(), address=server.address)
            here = (f"192.0.2.7:{server.address.port}",)
            visit = Visit(name="maya", address=server.address, server=own, hosted_at=here)
            client = ScreenClient(visit, HOME, terminal=(keyboard, terminal.output))
            ended = asyncio.ensure_future(client.run())
            yield Play(
                client=client, terminal=terminal, keyboard=keyboard, server=server, ended=ended
            )
            keyboard.send_text("\x03\x03")
            await ended


def test_a_host_whose_server_had_died_was_told_to_wait_until_it_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario() -> tuple[str, str]:
        async with hosting(monkeypatch) as play:
            await play.shows("your turn: ACES")
            await play.server.vanish()
            await play.shows("The server that you started here has ended. To go on")
            shown = play.terminal.text
            await play.server.listen(play.server.address.port)  # as its host was told to
            await play.terminal.settles(lambda: "has ended. To" not in play.terminal.rows[-2])
            return shown, str(play.server.address.port)

    shown, port = run(scenario)

    assert f"facedown-server --lan --port {port}" in " ".join(shown.split())
    assert "trying again" not in shown


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=["60x20", "80x24"])
def test_it_is_whole_with_the_way_out(size: tuple[int, int]) -> None:
    page = " ".join(seen(folded((LOST, TRYING, ENDED), dealt()), size=size).split())

    assert f"has ended. To go on, in another terminal: {AGAIN} (Ctrl-C twice leaves)" in page


def test_the_log_and_the_plain_client_say_it_once() -> None:
    first = lines(folded((LOST, TRYING), dealt()), ENDED)
    again = lines(folded((LOST, TRYING, ENDED, TRYING), dealt()), ENDED)

    assert first == [
        f"NOTE: The server that you started here has ended. To go on, in another terminal: {AGAIN}"
    ]
    assert again == []


def test_a_terminal_that_is_too_small_said_nothing_of_a_line_that_is_lost() -> None:
    lost, ended = folded((LOST,), dealt()), folded((LOST, TRYING, ENDED), dealt())
    pages = [seen(state, size=(40, 12)) for state in (dealt(), lost, ended)]

    assert ["Connection lost: wait." in page for page in pages] == [False, True, False]
    assert ["The server has ended." in page for page in pages] == [False, False, True]


def test_a_server_that_is_there_again_has_not_ended() -> None:
    assert not folded((LOST, TRYING, ENDED, TRYING, WELCOME), dealt()).link.ended


@pytest.mark.parametrize(
    ("address", "for_friends", "command"),
    [
        ("127.0.0.1", True, "facedown-server --lan --port 5252"),
        ("127.0.0.1", False, "facedown-server --port 5252"),
        ("192.0.2.7", True, "facedown-server --host 192.0.2.7 --port 5252"),
    ],
    ids=["everywhere", "this machine", "one network"],
)
def test_a_server_for_one_network_was_to_be_started_again_for_all(
    address: str, command: str, *, for_friends: bool
) -> None:
    assert start_again(read_address(address), for_friends=for_friends) == command


def test_leaving_a_server_that_has_ended_told_of_a_seat_that_is_kept_while_it_runs() -> None:
    parting = parting_text(folded((ENDED,), dealt()), Desk())

    assert parting.startswith("Your seat is kept. To come back once the server runs again:\n")


# --- one for practice -------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["--no-plain", "--plain"])
def test_who_practised_was_held_at_a_table_whose_server_had_died(tmp_path: Path, mode: str) -> None:
    with on_a_terminal(tmp_path, *CLIENT, "play", mode) as client:
        client.shows("HAND")
        children = Path(f"/proc/{client.process.pid}/task/{client.process.pid}/children")
        os.kill(int(children.read_text(encoding="ascii")), signal.SIGKILL)

        client.shows("The server for practice has ended, and the deal with it.")
        if mode == "--plain":
            assert client.ends() == 5
            assert "trying to come back" not in client.text
        else:
            client.press_until("\r", "HAND")  # practice, the first of the list


def test_leaving_was_said_to_end_a_practice_that_had_ended() -> None:
    asked = Desk(passing=True, overlay=Overlay.MENU)
    over = LinkRefused(text=PRACTICE_OVER)

    assert "quit (this practice ends)" in seen(dealt(), asked)
    assert "this practice" not in seen(folded((over,), dealt()), asked)


# --- any other --------------------------------------------------------------------------------------

STANDS_IN = "If it lasts, a computer plays for you until you are back."


@pytest.mark.parametrize(
    ("state", "said"),
    [
        pytest.param(
            dealt(), f"Your seat is kept; Ctrl-C twice leaves. {STANDS_IN}", id="in a deal"
        ),
        pytest.param(in_lobby(), "Your seat is kept; Ctrl-C twice leaves.", id="between deals"),
        pytest.param(
            folded((Renamed(name="eve"),), dealt(you=None)), "Ctrl-C twice leaves.", id="watching"
        ),
        pytest.param(online(), "Ctrl-C twice leaves.", id="in the hall"),
    ],
)
def test_a_lost_line_did_not_say_what_becomes_of_the_hand_nor_how_to_leave(
    state: ClientState, said: str
) -> None:
    page = " ".join(seen(folded((LOST,), state)).split())

    assert f"Connection lost: trying again in 3 s. {said}" in page
    assert (STANDS_IN in page) == (STANDS_IN in said)
