"""Which sockets there is something to read on, by epoll and by the standard library's selector."""

import os
import resource
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass

import pytest

from server.readable import Polled, Selected, to_be_read

Sockets = Polled[socket.socket] | Selected[socket.socket]
HAS_EPOLL = hasattr(select, "epoll")
WAYS = [Selected, pytest.param(Polled, marks=pytest.mark.skipif(not HAS_EPOLL, reason="no epoll"))]


@pytest.fixture(params=WAYS)
def sockets(request: pytest.FixtureRequest) -> Iterator[Sockets]:
    looked_at: Sockets = request.param()
    yield looked_at
    looked_at.close()


@pytest.fixture
def a_pair() -> Iterator[Callable[[], tuple[socket.socket, socket.socket]]]:
    """Makes two ends that are connected, and closes them all."""
    with ExitStack() as stack:

        def make() -> tuple[socket.socket, socket.socket]:
            near, far = socket.socketpair()
            return stack.enter_context(near), stack.enter_context(far)

        yield make


Pair = Callable[[], tuple[socket.socket, socket.socket]]


def test_those_are_ready_on_which_there_is_something_to_read_or_that_have_ended(
    sockets: Sockets, a_pair: Pair
) -> None:
    (silent, _), (told, teller), (ended, gone) = a_pair(), a_pair(), a_pair()
    for each in (silent, told, ended):
        sockets.add(each)
    assert sockets.ready() == []

    teller.send(b"doubt")
    gone.close()

    assert set(sockets.ready()) == {told, ended}
    assert set(sockets.ready()) == {told, ended}  # until it is read
    assert select.select([sockets], [], [], 0)[0] == [sockets]


@dataclass(eq=False)
class File:
    """An open file by its number."""

    number: int

    def fileno(self) -> int:
        return self.number


@pytest.fixture
def many_files() -> Iterator[list[File]]:
    """More files with something to read than epoll tells of by itself, which are 1,023."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2048)), hard))
    ear, mouth = os.pipe()
    os.write(mouth, b"doubt")
    files = [ear, *[os.dup(ear) for _ in range(1_100)]]
    yield [File(number) for number in files]
    for number in (mouth, *files):
        os.close(number)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("way", WAYS)
def test_all_are_found_in_one_look_however_many_there_are(
    way: type[Polled[File] | Selected[File]], many_files: list[File]
) -> None:
    with closing(way()) as files:
        for file in many_files:
            files.add(file)

        assert len(files.ready()) == len(many_files)


def test_who_is_removed_is_not_found_and_may_be_removed_again(
    sockets: Sockets, a_pair: Pair
) -> None:
    near, far = a_pair()
    sockets.add(near)
    far.send(b"doubt")

    sockets.remove(near)
    sockets.remove(near)

    assert sockets.ready() == []


def test_who_is_closed_and_who_was_never_there_can_be_removed(
    sockets: Sockets, a_pair: Pair
) -> None:
    (closed, _), (stranger, _) = a_pair(), a_pair()
    closed.close()

    sockets.remove(closed)
    sockets.remove(stranger)


def test_after_the_end_sockets_can_still_be_removed(sockets: Sockets, a_pair: Pair) -> None:
    near, _ = a_pair()
    sockets.add(near)

    sockets.close()

    sockets.remove(near)


@pytest.mark.skipif(not HAS_EPOLL, reason="no epoll")
def test_where_there_is_epoll_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    found: Sockets = to_be_read()
    assert isinstance(found, Polled)
    found.close()

    monkeypatch.delattr(select, "epoll")

    found = to_be_read()
    assert isinstance(found, Selected)
    found.close()
