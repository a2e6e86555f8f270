"""The crowd of the bench: idle people, some of whose lines the server may close."""

import contextlib
import select
import socket

import pytest

from benching import crowd as module
from benching.crowd import Crowd
from benching.tables import Line
from protocol.codec import encode_event, frame_event
from protocol.events import HallChanged
from protocol.numbers import EventNumber

LET_IN = frame_event(EventNumber(0), encode_event(HallChanged(online=1, lobbies=())))


@pytest.mark.skipif(not hasattr(select, "epoll"), reason="only on Linux")
def test_after_a_lost_line_somebody_came_under_a_name_that_was_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: list[str] = []

    with contextlib.ExitStack() as open_ends:

        class LineOfTwoEnds(Line):
            """A line whose far end lets it in; that of the second one is closed instead."""

            def __init__(self, _address: object, name: str) -> None:
                self.socket, there = socket.socketpair()
                self.received, self._rest, self._unheard = 0, b"", []
                open_ends.enter_context(self.socket)
                open_ends.enter_context(there)
                names.append(name)
                if len(names) == 2:
                    there.close()
                else:
                    there.sendall(LET_IN)

        monkeypatch.setattr(module, "Line", LineOfTwoEnds)

        Crowd(("127.0.0.1", 0)).connect(4)

    assert len(names) == 5
    assert len(set(names)) == 5
