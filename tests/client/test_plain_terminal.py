"""The plain client on a real terminal, at a table: however it ends, and typed lines that mean one thing once."""

import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from protocol import commands as c
from protocol.cards import Rank
from protocol.commands import Command
from protocol.events import Event
from tests.support.fake_tables import at_a_table
from tests.support.ptys import CLIENT, RUN, PtyClient, changed, on_a_terminal
from tests.support.screen_states import played
from tests.support.server_thread import ThreadedServer, a_server_beside

DEE_SAYS = played(2, 4, 1, Rank.KING, turn=5)
SHELL = ("/bin/bash", "--norc", "--noprofile", "-i")


@contextmanager
def playing(
    home: Path, *events: Event, client: tuple[str, ...] = CLIENT
) -> Iterator[tuple[PtyClient, ThreadedServer]]:
    """A client at a table at which this has happened, on a terminal that cannot draw."""
    with (
        a_server_beside(at_a_table) as server,
        on_a_terminal(home, *client, "join", server.address, term="dumb") as terminal,
    ):
        terminal.shows("TURN: you, claim aces")
        if events:
            server.say(*events)
        yield terminal, server


def send(number: int) -> Callable[[PtyClient], None]:
    """Send a signal."""
    return lambda client: client.send(number)


def interrupt_twice(client: PtyClient) -> None:
    """Two SIGINTs, the second once the first was understood."""
    client.send(signal.SIGINT)
    client.shows("LEAVE: once more")
    client.send(signal.SIGINT)


ENDS = [
    pytest.param(interrupt_twice, 130, id="SIGINT twice"),
    pytest.param(send(signal.SIGTERM), 143, id="SIGTERM"),
    pytest.param(send(signal.SIGHUP), 129, id="SIGHUP"),
]


@pytest.mark.parametrize(("leave", "code"), ENDS)
@pytest.mark.parametrize("server_gone", [False, True], ids=["in a deal", "without a server"])
def test_the_terminal_is_as_it_was(
    tmp_path: Path, leave: Callable[[PtyClient], None], code: int, *, server_gone: bool
) -> None:
    with playing(tmp_path) as (client, server):
        if server_gone:
            server.vanish()
            client.shows("LINK: trying to come back; your seat is kept.")
        leave(client)

        assert client.ends() == code
        assert client.left_behind() == []
        assert b"\x1b" not in client.written  # nothing was ever drawn


def test_after_a_second_ctrl_d_nothing_was_heard_any_more(tmp_path: Path) -> None:
    with playing(tmp_path, client=changed({"client.plain.loop:TWICE_S": "0"})) as (client, server):
        place = 0
        for number in range(3):
            client.types(b"\x04")
            place = client.prints("LEAVE: once more", place)
            client.types(f"say still here {number}\n".encode())
            assert server.hears(c.Say, number + 1).text == f"still here {number}"


def test_a_vanished_terminal_ends_it(tmp_path: Path) -> None:
    with playing(tmp_path) as (client, _):
        client.hang_up()

        assert client.code_unread() == 129


def test_a_terminal_that_takes_nothing_does_not_hold_it(tmp_path: Path) -> None:
    with playing(tmp_path) as (client, _):
        client.stall(b"help lobby\n")
        client.send(signal.SIGTERM)

        assert client.code_unread() == 143


def test_on_a_terminal_left_non_blocking_nothing_was_heard_after_a_moment_without_room(
    tmp_path: Path,
) -> None:
    left_so = "import os; os.set_blocking(1, False)"
    after_it = (sys.executable, "-c", f"{left_so}; {RUN}")

    with playing(tmp_path, client=after_it) as (client, server):
        client.stall(b"help lobby\n")
        server.say(DEE_SAYS)

        client.prints("SAYS: dee 1 king")


def test_a_crash_is_a_sentence_and_a_file(tmp_path: Path) -> None:
    broken = changed({"client.line.network:Network.send": "lambda *_: 1 / 0"})
    with playing(tmp_path, client=broken) as (client, _):
        client.types(b"say hello\n")

        assert client.ends() == 1
        assert client.left_behind() == []
        assert "stopped because of a bug (ZeroDivisionError)" in client.screen
        assert "Your seat is kept. To come back: facedown join" in client.screen
        assert "Traceback" not in client.screen
    assert list((tmp_path / "state" / "facedown").glob("crash-*.txt"))


def test_a_job_that_was_stopped_goes_on(tmp_path: Path) -> None:
    with (
        a_server_beside(at_a_table) as server,
        on_a_terminal(tmp_path, *SHELL, term="dumb") as shell,
    ):
        shell.types(f"PS1='ready> '; {shlex.join(CLIENT)} join {server.address}\n".encode())
        shell.shows("TURN: you, claim aces")
        shell.types(b"\x1a")
        shell.shows("Stopped")
        shell.types(b"fg\n")
        shell.types(b"say back again\n")

        assert server.hears(c.Say).text == "back again"


def sent(client: PtyClient, server: ThreadedServer) -> list[type]:
    """What the client has sent; words said last prove that nothing else is on its way."""
    client.types(b"say done\n")
    server.hears(c.Say)
    return [kind for kind in server.order() if issubclass(kind, Command) and kind is not c.Say]


def test_the_same_word_four_times_doubts_once(tmp_path: Path) -> None:
    with playing(tmp_path, DEE_SAYS, client=changed({"client.selectors:FRESH_S": "0"})) as (
        client,
        server,
    ):
        client.shows("SAYS: dee 1 king")
        client.types(b"b\nb\nb\nb\n")

        assert sent(client, server) == [c.Challenge]


def test_a_doubt_in_the_first_moment_of_a_new_play_is_not_sent(tmp_path: Path) -> None:
    with playing(tmp_path, DEE_SAYS, client=changed({"client.selectors:FRESH_S": "60"})) as (
        client,
        server,
    ):
        client.shows("SAYS: dee 1 king")
        client.types(b"b\n")
        client.shows("NO: A newer play")

        assert sent(client, server) == []
