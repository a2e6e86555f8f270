"""However a practice ends, its server ends too, and nothing of it stays on the disk."""

import os
import select
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.ptys import CLIENT, PATIENCE_S, PtyClient, changed, on_a_terminal


def leave(client: PtyClient) -> None:
    """Ctrl-C twice, the second time once the first was understood."""
    client.types(b"\x03")
    client.waits_for(lambda: "again leaves" in client.screen or "once more" in client.screen)
    client.types(b"\x03")


def hang_up(client: PtyClient) -> None:
    """Close the window."""
    client.hang_up()


def send(number: int) -> Callable[[PtyClient], None]:
    """Send a signal."""
    return lambda client: client.send(number)


def server_of(client: PtyClient) -> int:
    """A descriptor of the one process that the client has started."""
    (child,) = (
        Path(f"/proc/{client.process.pid}/task/{client.process.pid}/children")
        .read_text(encoding="ascii")
        .split()
    )
    return os.pidfd_open(int(child))


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(leave, id="Ctrl-C twice"),
        pytest.param(hang_up, id="the window closed"),
        pytest.param(send(signal.SIGTERM), id="SIGTERM"),
        pytest.param(send(signal.SIGHUP), id="SIGHUP"),
        pytest.param(send(signal.SIGKILL), id="SIGKILL"),
    ],
)
@pytest.mark.parametrize("mode", ["--no-plain", "--plain"])
def test_its_server_ends_with_it(
    tmp_path: Path, end: Callable[[PtyClient], None], mode: str
) -> None:
    with on_a_terminal(tmp_path, *CLIENT, "play", mode) as client:
        client.shows("HAND")
        server = server_of(client)
        end(client)

        ended, _, _ = select.select([server], [], [], PATIENCE_S)
        assert ended
        client.code_unread()
        assert list(tmp_path.glob("facedown-*")) == []
    os.close(server)


@pytest.mark.parametrize("mode", ["--no-plain", "--plain"])
def test_a_crash_in_practice_left_no_file_and_told_of_a_seat_that_is_kept(
    tmp_path: Path, mode: str
) -> None:
    broken = changed({"client.line.network:Network._answered": "lambda *_: 1 / 0"})
    with on_a_terminal(tmp_path, *broken, "play", mode) as client:
        assert client.ends() == 1
        assert "stopped because of a bug (ZeroDivisionError)" in client.text
        assert "seat" not in client.text.partition("because of a bug")[2]
    (file,) = (tmp_path / "state" / "facedown").glob("crash-*.txt")
    assert "ZeroDivisionError" in file.read_text()
