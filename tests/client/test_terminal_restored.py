"""However the full-screen client ends, the terminal is as it was and the exit code says why.

Real processes on a terminal of their own: at a table of a fake server, or on the start screen.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.fake_tables import at_a_table
from tests.support.ptys import CLIENT, PtyClient, changed, on_a_terminal
from tests.support.server_thread import ThreadedServer, a_server_beside


@contextmanager
def at_the_start(home: Path, *command: str) -> Iterator[PtyClient]:
    """A client that shows its start screen."""
    with on_a_terminal(home, *command) as client:
        client.shows("practise")
        yield client


@contextmanager
def on_my_turn(home: Path, *prefix: str) -> Iterator[tuple[PtyClient, ThreadedServer]]:
    """A client at a table, to move; what stands before `join` may break it."""
    with a_server_beside(at_a_table) as server:
        command = (*(prefix or CLIENT), "join", server.address)
        with on_a_terminal(home, *command) as client:
            client.shows("your turn: ACES")
            yield client, server


def send(number: int) -> Callable[[PtyClient], None]:
    """Send a signal."""
    return lambda client: client.send(number)


def interrupt_twice(client: PtyClient) -> None:
    """Two SIGINTs from outside, the second once the first was understood."""
    client.send(signal.SIGINT)
    client.shows("Ctrl-C again leaves")
    client.send(signal.SIGINT)


def press(keys: bytes) -> Callable[[PtyClient], None]:
    """Type keys."""
    return lambda client: client.types(keys)


ENDS = [
    pytest.param(press(b"\x03\x03"), 130, id="Ctrl-C twice"),
    pytest.param(press(b"\x04\x04"), 130, id="Ctrl-D twice"),
    pytest.param(interrupt_twice, 130, id="SIGINT twice"),
    pytest.param(send(signal.SIGTERM), 143, id="SIGTERM"),
    pytest.param(send(signal.SIGHUP), 129, id="SIGHUP"),
]


@pytest.mark.parametrize(("leave", "code"), [pytest.param(press(b"q"), 0, id="q"), *ENDS])
def test_from_the_start_screen(
    tmp_path: Path, leave: Callable[[PtyClient], None], code: int
) -> None:
    with at_the_start(tmp_path) as client:
        leave(client)

        assert client.ends() == code
        assert client.left_behind() == []


@pytest.mark.parametrize(("leave", "code"), ENDS)
def test_from_a_table(tmp_path: Path, leave: Callable[[PtyClient], None], code: int) -> None:
    with on_my_turn(tmp_path) as (client, server):
        leave(client)

        assert client.ends() == code
        assert client.left_behind() == []
        assert f"facedown join {server.address}/FOX-42" in client.after_the_end()


@pytest.mark.parametrize(("leave", "code"), ENDS)
def test_while_the_server_is_gone(
    tmp_path: Path, leave: Callable[[PtyClient], None], code: int
) -> None:
    with on_my_turn(tmp_path) as (client, server):
        server.vanish()
        client.shows("OFFLINE")
        leave(client)

        assert client.ends() == code
        assert client.left_behind() == []


def test_with_the_mouse_in_use(tmp_path: Path) -> None:
    with at_the_start(tmp_path, *CLIENT, "--mouse") as client:
        client.types(b"q")

        assert client.ends() == 0
        assert b"\x1b[?1000h" in client.written
        assert client.left_behind() == []


def test_a_server_that_cannot_be_reached_is_code_3(tmp_path: Path) -> None:
    with on_a_terminal(tmp_path, *CLIENT, "join", "127.0.0.1:1") as client:
        client.shows("Could not reach 127.0.0.1:1")
        client.types(b"\x1b")
        client.shows("q quit")
        client.types(b"q")

        assert client.ends() == 3
        assert client.left_behind() == []


# --- the terminal goes away, or takes nothing ---------------------------------------------------


@pytest.mark.parametrize(
    "prefix",
    [
        pytest.param(CLIENT, id="as usual"),
        pytest.param(
            ("/bin/sh", "-c", 'trap "" HUP; exec "$0" "$@"', *CLIENT), id="hang-ups ignored"
        ),
    ],
)
def test_a_vanished_terminal_ends_the_client(tmp_path: Path, prefix: tuple[str, ...]) -> None:
    with on_my_turn(tmp_path, *prefix) as (client, _):
        client.hang_up()

        assert client.code_unread() == 129


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["SIGTERM", "SIGHUP"]
)
def test_a_terminal_that_takes_nothing_does_not_hold_the_client(
    tmp_path: Path, number: int, code: int
) -> None:
    with on_my_turn(tmp_path) as (client, _):
        client.stall()
        client.send(number)

        assert client.code_unread() == code
        client.read_rest()
        assert client.left_behind() == []


def test_a_terminal_that_takes_something_again_shows_how_things_are(tmp_path: Path) -> None:
    with on_my_turn(tmp_path) as (client, _):
        client.stall()
        client.types(b"?")

        client.shows("THE GAME")


# --- crashes ------------------------------------------------------------------------------------


def broken(place: str) -> tuple[str, ...]:
    """A client one of whose functions fails."""
    return changed({place: "lambda *_, **__: 1 / 0"})


NO_HELP = "lambda frame, real=client.full_screen.painter.draw: 1 / 0 if frame.help else real(frame)"


@pytest.mark.parametrize(
    "prefix",
    [
        pytest.param(broken("client.full_screen.screen_client:press"), id="in a key"),
        pytest.param(changed({"client.full_screen.painter:draw": NO_HELP}), id="in drawing"),
        pytest.param(broken("client.line.network:Network.send"), id="in network code"),
    ],
)
def test_after_a_crash(tmp_path: Path, prefix: tuple[str, ...]) -> None:
    with on_my_turn(tmp_path, *prefix) as (client, server):
        client.types(b"?")
        client.types(b"/hello\r")

        assert client.ends() == 1
        assert client.left_behind() == []
        assert "stopped because of a bug (ZeroDivisionError)" in client.after_the_end()
        assert (
            f"Your seat is kept. To come back: facedown join {server.address}/FOX-42" in client.text
        )
    (crash,) = (tmp_path / "state" / "facedown").glob("crash-*.txt")
    assert "ZeroDivisionError" in crash.read_text()


@pytest.mark.parametrize(
    "prefix",
    [
        pytest.param(broken("client.full_screen.painter:draw"), id="in drawing the first page"),
        pytest.param(broken("client.line.network:Network._heard"), id="in what the server sends"),
        pytest.param(
            broken("client.full_screen.screen_client:ScreenClient.tell"), id="in what was heard"
        ),
    ],
)
def test_after_a_crash_that_comes_by_itself(tmp_path: Path, prefix: tuple[str, ...]) -> None:
    with (
        a_server_beside(at_a_table) as server,
        on_a_terminal(tmp_path, *prefix, "join", server.address) as client,
    ):
        assert client.ends() == 1
        assert client.left_behind() == []
        assert "stopped because of a bug (ZeroDivisionError)" in client.after_the_end()


# --- what it costs --------------------------------------------------------------------------------


def test_leaving_costs_little_more_than_the_way_back(tmp_path: Path) -> None:
    with at_the_start(tmp_path) as client:
        client.writes(b"\x07")  # the title, which is set after the page
        client.forget()
        client.types(b"q")

        assert client.ends() == 0
        assert len(client.written) < 200
