"""Several servers one after the other at one address, as with `ssh -L`: each knows its own people."""

import asyncio
import secrets
from collections.abc import Sequence
from pathlib import Path

from client.kept.identity import Keyring
from client.state import LinkRefused
from protocol.answers import Refused, Welcome
from protocol.commands import ClientMessage, Hello
from protocol.events import Event, HallChanged
from protocol.refusals import Refusal
from tests.support.fake_server import FakeServer, a_welcome
from tests.support.network_ears import connected


class Box:
    """One of the servers: whom it knows by which secret, and what it was told."""

    def __init__(self, name: str) -> None:
        """Nobody is known yet."""
        self.name = name
        self.people: dict[bytes, str] = {}
        self.told: list[bytes | None] = []

    def answer(self, message: ClientMessage) -> Sequence[Event]:
        """Let those in who are known, or new under a free name."""
        if not isinstance(message, Hello):
            return ()
        secret = message.resume.secret if message.resume else None
        self.told.append(secret)
        if secret is None:
            if message.name in self.people.values():
                return (Refused(code=Refusal.NAME_TAKEN),)
            new = f"{self.name}{len(self.people)}".encode().ljust(32)
            self.people[new] = message.name
            return self._let_in(message, new)
        if secret not in self.people:
            return (Refused(code=Refusal.BAD_SECRET),)
        return self._let_in(message, None)

    def _let_in(self, hello: Hello, secret: bytes | None) -> Sequence[Event]:
        here = a_welcome(hello, server=self.name, secret=secret, resumed=False)
        return (here, HallChanged(online=1, lobbies=()))


async def visit(server: FakeServer, box: Box, folder: Path, name: str = "maya") -> Welcome:
    """What somebody is told who finds this box at that address, once; they leave again."""
    server.answer = box.answer
    async with connected(server, folder, name=name) as (network, ears):
        welcome = await ears.hear(Welcome)
        assert isinstance(welcome, Welcome)
        network.close()
    assert sum(isinstance(event, Welcome) for event in ears.events) == 1
    return welcome


def test_after_one_visit_to_another_box_by_the_same_tunnel_the_seat_on_the_first_was_gone(
    tmp_path: Path,
) -> None:
    a, b = Box("a"), Box("b")

    async def story() -> list[Welcome]:
        async with FakeServer() as server:
            return [await visit(server, box, tmp_path) for box in (a, b, a, b, a)]

    welcomes = asyncio.run(story())

    assert [one.server for one in welcomes] == ["a", "b", "a", "b", "a"]
    assert [one.secret is None for one in welcomes] == [False, False, True, True, True]
    assert (len(a.people), len(b.people)) == (1, 1)


def test_a_client_whose_line_went_to_another_box_and_back_had_lost_its_seat_and_could_not_come_in(
    tmp_path: Path,
) -> None:
    boxes = [Box("a"), Box("b")]

    async def story() -> list[Welcome]:
        welcomes: list[Welcome] = []
        async with FakeServer(boxes[0].answer) as server, connected(server, tmp_path) as (_, ears):
            for count in range(1, 5):
                welcome = await ears.hear(Welcome, count)
                assert isinstance(welcome, Welcome)
                welcomes.append(welcome)
                server.answer = boxes[count % 2].answer
                server.cut()
        return welcomes

    welcomes = asyncio.run(story())

    assert [one.server for one in welcomes] == ["a", "b", "a", "b"]
    assert [one.secret is None for one in welcomes] == [False, False, True, True]


def test_who_comes_back_to_a_box_under_another_name_is_known_by_its_id(tmp_path: Path) -> None:
    a, b = Box("a"), Box("b")

    async def story() -> Welcome:
        async with FakeServer() as server:
            await visit(server, a, tmp_path)
            await visit(server, b, tmp_path)
            return await visit(server, a, tmp_path, name="maja")

    last = asyncio.run(story())

    assert (last.server, last.secret) == ("a", None)


def test_where_somebody_else_has_the_name_each_secret_under_it_is_tried_once(
    tmp_path: Path,
) -> None:
    boxes = [Box(name) for name in "abc"]
    boxes[2].people[b"theirs".ljust(32)] = "maya"

    async def story() -> LinkRefused:
        async with FakeServer() as server:
            await visit(server, boxes[0], tmp_path, name="bo")
            await visit(server, boxes[1], tmp_path)
            await visit(server, Box("d"), tmp_path)
            await visit(server, boxes[0], tmp_path, name="bo")
            server.answer = boxes[2].answer
            async with connected(server, tmp_path) as (_, ears):
                refused = await ears.hear(LinkRefused)
                assert isinstance(refused, LinkRefused)
                return refused

    refused = asyncio.run(story())

    (bo,), (maya,), newer = boxes[0].people, boxes[1].people, b"d0".ljust(32)
    assert refused.code is Refusal.NAME_TAKEN
    assert boxes[2].told == [bo, None, newer, maya, None]


def test_a_server_that_keeps_nothing_leaves_no_more_than_a_few_behind(tmp_path: Path) -> None:
    async def story() -> None:
        async with FakeServer() as server:
            for number in range(12):
                await visit(server, Box(f"evening {number} "), tmp_path)
            found = Keyring(tmp_path).find(str(server.address))
            assert found is not None
            assert found.server == "evening 11 "

    asyncio.run(story())

    assert len(list(tmp_path.rglob("*.json"))) == 9


def test_a_server_that_gives_a_new_secret_to_whom_it_knows_once_filled_the_folder(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with FakeServer() as server:
            for number in range(40):
                await visit(server, Forgetful(f"{number // 2} "), tmp_path)

    asyncio.run(story())

    assert len(list(tmp_path.rglob("*.json"))) <= 9


class Forgetful(Box):
    """A hostile one: it lets everybody in, and each time as somebody new."""

    def answer(self, message: ClientMessage) -> Sequence[Event]:
        """Whatever secret was sent, here is another."""
        if not isinstance(message, Hello):
            return ()
        return self._let_in(message, secrets.token_bytes(32))
