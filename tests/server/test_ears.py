"""The one reader of all sockets: what it hands on, when, in which order, and what does not stop it."""

import socket
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server import sockets
from server.arrivals import Arrived, Hear, WallClock
from server.sockets import Ears, SocketWire
from tests.support.sockets import a_connection, keep_the_loop_busy
from tests.support.until import until


class Room:
    """Connections on which somebody listens, and all that was heard, in order."""

    def __init__(self, clients: tuple[socket.socket, ...]) -> None:
        self.clients = clients
        self.heard: list[tuple[int, Arrived]] = []
        self.ended: list[int] = []
        self.expected = 1
        self.is_heard = trio.Event()

    def hears(self, number: int) -> Hear:
        def hear(arrived: Arrived) -> None:
            if arrived.data:
                self.heard.append((number, arrived))
                if len(self.heard) == self.expected:
                    self.is_heard.set()
            else:
                self.ended.append(number)

        return hear

    @property
    def order(self) -> list[int]:
        return [number for number, _ in self.heard]


@asynccontextmanager
async def a_room(size: int, *, stamps: bool = True) -> AsyncIterator[Room]:
    """So many connections, and the ears at work."""
    ears = Ears(WallClock())
    async with AsyncExitStack() as stack:
        ends = [
            await stack.enter_async_context(a_connection(stamps=stamps, ears=ears))
            for _ in range(size)
        ]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ears.run)
            room = Room(tuple(client for _, client in ends))
            for number, (wire, _) in enumerate(ends):
                wire.listen(room.hears(number))
            await wait_all_tasks_blocked()
            yield room
            nursery.cancel_scope.cancel()


async def test_what_is_sent_is_heard_as_settled_and_with_its_stamp() -> None:
    async with a_room(1) as room:
        room.clients[0].sendall(b"doubt")

        await until(lambda: len(room.heard) == 1)

        arrived = room.heard[0][1]
        assert (arrived.data, arrived.settled) == (b"doubt", True)


@pytest.mark.parametrize("turn", [(0, 1, 2), (2, 1, 0), (1, 2, 0)], ids=str)
async def test_all_is_heard_in_the_order_of_its_arrival(turn: tuple[int, ...]) -> None:
    async with a_room(3) as room:
        for number in turn:
            room.clients[number].sendall(b"doubt")
            keep_the_loop_busy(1)

        await until(lambda: len(room.heard) == 3)

        assert room.order == list(turn)


async def test_what_came_while_others_were_read_is_put_where_it_belongs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody calls after the first look at all sockets, but before another's call is read."""
    async with a_room(2) as room:
        early, late = room.clients
        read = SocketWire.read
        reads: list[SocketWire] = []

        def slow_read(wire: SocketWire) -> tuple[bytes, int | None] | None:
            reads.append(wire)
            if len(reads) == 1:
                early.sendall(b"first")
                keep_the_loop_busy(1)
                late.sendall(b"second")  # comes with what is read now, and has its stamp
                keep_the_loop_busy(1)
            return read(wire)

        monkeypatch.setattr(SocketWire, "read", slow_read)
        late.sendall(b"card ")
        await until(lambda: len(room.heard) == 2)

        assert [(number, arrived.data) for number, arrived in room.heard] == [
            (0, b"first"),
            (1, b"card second"),
        ]


async def test_what_only_the_second_look_finds_is_kept_for_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with a_room(2) as room:
        one, other = room.clients
        look = Ears._look
        looks: list[int] = []

        def noted_look(ears: Ears) -> list[sockets.Heard]:
            looks.append(len(room.heard))
            if len(looks) == 2:
                other.sendall(b"later")
            return look(ears)

        monkeypatch.setattr(Ears, "_look", noted_look)
        one.sendall(b"now")
        await until(lambda: len(room.heard) == 2)

        assert looks == [0, 0, 1, 1]
        assert room.order == [0, 1]


async def test_the_loop_does_not_sleep_on_what_is_kept_for_the_next_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with a_room(1) as room:
        (one,) = room.clients
        look, looks, room.expected = Ears._look, list[None](), 2

        def look_while_they_send(ears: Ears) -> list[sockets.Heard]:
            looks.append(None)
            if len(looks) == 2:
                one.sendall(b"later")
            return look(ears)

        monkeypatch.setattr(Ears, "_look", look_while_they_send)
        one.sendall(b"now")
        with trio.move_on_after(5) as patience:
            await room.is_heard.wait()

        assert [arrived.data for _, arrived in room.heard] == [b"now", b"later"]
        assert not patience.cancel_called  # by then the loop is awake anyway


class Passes(trio.abc.Instrument):
    """Counts the passes of the scheduler."""

    def __init__(self) -> None:
        self.count = 0

    def before_io_wait(self, timeout: float) -> None:  # noqa: ARG002 - trio's own name
        self.count += 1


@contextmanager
def passes_counted() -> Iterator[Passes]:
    passes = Passes()
    trio.lowlevel.add_instrument(passes)
    yield passes
    trio.lowlevel.remove_instrument(passes)


async def test_whom_it_wakes_goes_on_in_the_same_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    settle = Ears._settle
    heard_in: list[int] = []

    def settle_and_note(ears: Ears) -> None:
        settle(ears)
        heard_in.append(passes.count)

    monkeypatch.setattr(Ears, "_settle", settle_and_note)
    async with a_room(1) as room:
        room.clients[0].sendall(b"now")
        with passes_counted() as passes:
            await room.is_heard.wait()
            went_on_in = passes.count

    assert heard_in == [went_on_in]


async def test_a_fault_of_ours_ends_the_server_and_leaves_no_deaf_one_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def look_wrongly(_: Ears) -> list[sockets.Heard]:
        raise ZeroDivisionError

    with pytest.RaisesGroup(ZeroDivisionError):
        async with a_room(1) as room:
            monkeypatch.setattr(Ears, "_look", look_wrongly)
            room.clients[0].sendall(b"now")
            with trio.fail_after(5):
                await trio.sleep_forever()


async def test_a_line_of_which_nothing_could_be_taken_in_once_made_the_server_deaf_to_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hear = SocketWire.hear

    def hear_or_fail(wire: SocketWire, arrived: Arrived) -> None:
        if arrived.data == b"fault":
            raise ZeroDivisionError
        hear(wire, arrived)

    async with a_room(2) as room:
        monkeypatch.setattr(SocketWire, "hear", hear_or_fail)
        room.clients[0].sendall(b"fault")
        room.clients[1].sendall(b"doubt")

        await until(lambda: bool(room.heard))

        assert room.order == [1]


async def test_a_call_once_waited_for_a_pass_more_because_another_was_still_unsettled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A window's deadline lets two passes go by: what came before must be handed on in the first."""
    async with a_room(3) as room:
        one, other, third = room.clients
        look, settle = Ears._look, Ears._settle
        looks: list[None] = []
        orders: list[list[int]] = []  # after each time

        def look_while_they_send(ears: Ears) -> list[sockets.Heard]:
            looks.append(None)
            if len(looks) == 2:
                other.sendall(b"is kept")
            if len(looks) == 3:
                third.sendall(b"in time")
            return look(ears)

        def settle_and_note(ears: Ears) -> None:
            settle(ears)
            orders.append(list(room.order))

        monkeypatch.setattr(Ears, "_look", look_while_they_send)
        monkeypatch.setattr(Ears, "_settle", settle_and_note)
        one.sendall(b"now")
        await until(lambda: len(orders) >= 2)

        assert orders[:2] == [[0], [0, 1, 2]]


async def test_one_connection_is_heard_in_its_own_order_also_without_stamps() -> None:
    async with a_room(1, stamps=False) as room:
        said = b""
        for number in range(200):
            word = b"%d," % number
            said += word
            room.clients[0].sendall(word)
            await trio.lowlevel.checkpoint()

        await until(lambda: sum(len(arrived.data) for _, arrived in room.heard) == len(said))

        assert b"".join(arrived.data for _, arrived in room.heard) == said
        times = [arrived.at for _, arrived in room.heard]
        assert times == sorted(times)


async def test_whoever_closes_or_breaks_off_is_no_longer_listened_to() -> None:
    async with a_room(3) as room:
        room.clients[0].close()
        room.clients[1].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        room.clients[1].close()

        await until(lambda: sorted(room.ended) == [0, 1])
        room.clients[2].sendall(b"still here")
        await until(lambda: room.order == [2])


async def test_the_last_words_before_a_close_are_heard() -> None:
    async with a_room(1) as room:
        room.clients[0].sendall(b"bye")
        room.clients[0].close()

        await until(lambda: room.ended == [0])

        assert [arrived.data for _, arrived in room.heard] == [b"bye"]


async def test_many_connections_are_all_heard() -> None:
    async with a_room(200) as room:
        for client in room.clients:
            client.sendall(b"x")

        await until(lambda: len(room.heard) == 200)

        assert room.order == list(range(200))
