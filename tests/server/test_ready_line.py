"""What the ready line tells friends to type. Nothing here listens on a network."""

import socket

import pytest

from server import __main__ as module
from server.config import DEFAULT_PORT


@pytest.mark.parametrize(
    ("port", "after_the_host"),
    [
        pytest.param(DEFAULT_PORT, "", id="the port that a client tries by itself"),
        pytest.param(6000, ":6000", id="another port"),
    ],
)
def test_friends_were_once_told_to_join_on_a_port_where_nobody_was(
    port: int, after_the_host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket.socket, "connect", _no_way_out)
    monkeypatch.setattr(socket, "gethostname", lambda: "box")

    line = module._on_the_network("0.0.0.0", port)  # noqa: S104 - said, not bound

    assert line == f" (friends: facedown join box{after_the_host})"


def test_nobody_else_is_invited_where_the_server_is_for_this_machine() -> None:
    assert module._on_the_network("127.0.0.1", DEFAULT_PORT) == ""


def _no_way_out(*_where: object) -> None:
    raise OSError
