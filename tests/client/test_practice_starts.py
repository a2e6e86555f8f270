"""One server at a time: practice begins once, on a server of its own, which ends when it is left."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from client.full_screen.screen_client import ScreenClient
from client.kept import recents
from client.line import child
from client.line.server_line import ON_THE_WAY, STARTING
from client.start.visit import Visit
from client.way_in.address import Recent
from protocol import commands as c
from protocol.answers import Refused
from protocol.commands import ClientMessage, Hello
from protocol.events import Event
from protocol.refusals import Refusal
from tests.support.fake_server import FakeServer, polite
from tests.support.playing import HOME, run
from tests.support.screen import PATIENCE_S, Terminal

UP, DOWN, ENTER, TAB = "\x1b[A", "\x1b[B", "\r", "\t"
PRACTISE, LEARN = UP * 2 + DOWN + ENTER, UP * 2 + DOWN * 2 + ENTER  # below the friend's server


@dataclass
class Practice:
    """What stands in for `child.practice_server`: each is ready once it may be, and is counted."""

    server: FakeServer
    may_start: threading.Event = field(default_factory=threading.Event)
    started: int = 0
    ended: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    @contextmanager
    def start(self) -> Iterator[child.Child]:
        """It runs in a thread, as the real one does."""
        self.started += 1
        assert self.may_start.wait(PATIENCE_S)
        yield child.Child(process=None, address=self.server.address)  # type: ignore[arg-type]
        self.ended.release()


@dataclass
class Newcomer:
    """Somebody before any server, at a terminal; a friend's is in their list of servers."""

    client: ScreenClient
    terminal: Terminal
    keyboard: PipeInput
    practice: Practice
    friend: FakeServer

    def type(self, keys: str) -> None:
        """Press keys; those pressed together are read together."""
        self.keyboard.send_text(keys)


@asynccontextmanager
async def newcomer(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *, practising: bool = False
) -> AsyncIterator[Newcomer]:
    """The list has the friend's server, practice and the tutorial; or they practise already."""
    monkeypatch.setattr("client.keys.press.STRAY_S", 0.0)
    terminal = Terminal()
    with create_pipe_input() as keyboard:
        async with FakeServer() as own, FakeServer() as friend:
            practice = Practice(own)
            monkeypatch.setattr(child, "practice_server", practice.start)
            recents.save(folder, (Recent(address=str(friend.address)),))
            there = own.address if practising else None
            visit = Visit(name="maya", folder=folder, address=there, passing=practising)
            client = ScreenClient(visit, HOME, terminal=(keyboard, terminal.output))
            ended = asyncio.ensure_future(client.run())
            await terminal.shows("the hall" if practising else "practise here")
            try:
                yield Newcomer(client, terminal, keyboard, practice, friend)
            finally:
                practice.may_start.set()
                keyboard.send_text("\x03\x03")
                await ended
                client.close()


def test_practice_chosen_twice_started_two_servers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def scenario() -> int:
        async with newcomer(monkeypatch, tmp_path) as play:
            play.type(PRACTISE * 2)
            await play.terminal.shows(STARTING)
            play.practice.may_start.set()
            await play.practice.server.hears(c.CreateLobby)
            return play.practice.started

    assert run(scenario) == 1


def test_a_server_chosen_while_practice_started_got_the_practice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def scenario() -> list[ClientMessage]:
        async with newcomer(monkeypatch, tmp_path) as play:
            play.type(PRACTISE + UP + ENTER)
            await play.terminal.shows(STARTING)
            play.practice.may_start.set()
            await play.practice.server.hears(c.CreateLobby)
            return play.friend.heard

    assert run(scenario) == []


def test_a_lobby_named_on_the_way_to_another_server_was_joined_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def scenario() -> list[type[ClientMessage]]:
        async with newcomer(monkeypatch, tmp_path) as play:
            play.friend.answer = lambda _: ()  # it takes its time
            play.type(ENTER)
            hello = await play.friend.hears(Hello)
            play.type(f"{TAB}elsewhere/FOX-42{ENTER}")
            await play.terminal.shows(ON_THE_WAY[:50])
            play.friend.say(*polite(hello))
            await play.terminal.shows("the hall")
            return play.friend.order()

    assert run(scenario) == [Hello]


def refuse(message: ClientMessage) -> Sequence[Event]:
    """Take nobody in."""
    return (Refused(code=Refusal.SERVER_FULL),) if isinstance(message, Hello) else ()


def test_what_was_planned_for_a_server_that_refused_was_done_to_the_next(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def scenario() -> list[type[ClientMessage]]:
        async with newcomer(monkeypatch, tmp_path) as play:
            play.practice.server.answer = refuse
            play.practice.may_start.set()
            play.type(LEARN)
            await play.terminal.shows("full")
            play.type(UP * 2 + ENTER)
            await play.terminal.shows("the hall")
            assert play.client.desk.tutorial is None
            return play.friend.order()

    assert run(scenario) == [Hello]


def test_each_practice_left_another_server_running(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def scenario() -> list[bool]:
        ended: list[bool] = []
        async with newcomer(monkeypatch, tmp_path) as play:
            play.practice.may_start.set()
            for number in (1, 2):
                play.type(PRACTISE)
                await play.practice.server.hears(c.CreateLobby, number)
                await play.terminal.shows("the hall")
                play.type("q")
                await play.terminal.shows("practise here")
                ended.append(await asyncio.to_thread(play.practice.ended.acquire, timeout=2))
        return ended

    assert run(scenario) == [True, True]


def test_whoever_left_the_practice_they_had_started_with_could_not_practise_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They found the address of a server that was gone for good, and nothing else."""

    async def scenario() -> tuple[int, str]:
        async with newcomer(monkeypatch, tmp_path, practising=True) as play:
            play.type("q")
            await play.terminal.shows("practise here")
            left_with = play.client.desk.address.text
            play.practice.may_start.set()
            play.type(PRACTISE)
            await play.practice.server.hears(c.CreateLobby)
            return play.practice.started, left_with

    assert run(scenario) == (1, "")
