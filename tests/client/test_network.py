"""The line to a server: numbers, answers, silence after a challenge, and coming back."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from client import state as s
from client.intents.shared import UNNUMBERED
from client.kept.identity import Identity, Keyring
from client.line import hush
from client.line import network as module
from client.line.network import Ending
from client.way_in.address import Address
from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Goodbye, Ping, Refused, Welcome
from protocol.commands import ClientMessage, Hello, Pong
from protocol.events import Event
from protocol.numbers import CommandNumber, EventNumber, PlayNumber
from protocol.refusals import Refusal
from tests.support.fake_server import SECRET, FakeServer, a_welcome, polite
from tests.support.network_ears import connected, run

DOUBT = c.Challenge(n=UNNUMBERED, deal=1, play=PlayNumber(7))
READY = c.SetReady(n=UNNUMBERED)


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Come back at once: what is tested is the order of things, not the waiting."""
    monkeypatch.setattr(module, "FIRST_RETRY_S", 0.001)
    monkeypatch.setattr(module, "LONGEST_RETRY_S", 0.01)


def test_a_command_is_numbered_sent_and_told_as_sent() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (network, ears):
            await ears.hear(Welcome)

            network.send(READY)
            network.send(READY)

            heard = await server.hears(c.SetReady, 2)
            assert [one.n for one in server.heard if isinstance(one, c.SetReady)] == [1, 2]
            assert heard.ready
            assert isinstance(await ears.hear(Accepted, 2), Accepted)
            assert isinstance(await ears.hear(s.Sent), s.Sent)

    run(story)


def test_a_ping_is_answered_at_once_with_its_nonce() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (_, ears):
            await ears.hear(Welcome)

            server.say(Ping(nonce=41))

            assert (await server.hears(Pong)).nonce == 41

    run(story)


def silent_on_challenges(message: ClientMessage) -> Sequence[Event]:
    """Everything is accepted, but a challenge waits for its ruling."""
    return () if isinstance(message, c.Challenge) else polite(message)


def test_after_a_challenge_nothing_follows_before_its_answer() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (network, ears):
            await ears.hear(Welcome)
            network.send(DOUBT)
            network.send(READY)
            doubt = await server.hears(c.Challenge)
            server.say(Ping(nonce=5))
            await ears.hear(Ping)
            assert server.order() == [Hello, c.Challenge]
            assert not any(isinstance(one, Pong) for one in server.heard)

            server.say(Accepted(n=doubt.n))

            await server.hears(c.SetReady)
            await server.hears(Pong)

    run(story, silent_on_challenges)


def test_the_silence_after_a_challenge_lasts_a_second_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hush, "HUSH_S", 0.02)

    async def story(server: FakeServer) -> None:
        async with connected(server) as (network, ears):
            await ears.hear(Welcome)

            network.send(DOUBT)
            network.send(READY)

            await server.hears(c.SetReady)

    run(story, silent_on_challenges)


def deaf(message: ClientMessage) -> Sequence[Event]:
    """Welcomes, and answers nothing."""
    return polite(message) if isinstance(message, Hello) else ()


def test_an_unanswered_command_is_sent_again_under_its_number_after_a_reconnect() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (network, ears):
            await ears.hear(Welcome)
            network.send(READY)
            await server.hears(c.SetReady)

            server.cut()

            again = await server.hears(c.SetReady, 2)
            assert again.n == CommandNumber(1)
            assert isinstance(await ears.hear(s.LinkLost), s.LinkLost)

    run(story, deaf)


def test_an_answer_that_was_lost_with_what_came_before_it_was_awaited_for_ever() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (network, ears):
            await ears.hear(Welcome)
            ears.cannot_be = e.LobbyLeft
            network.send(READY)
            await server.hears(c.SetReady)

            server.say(e.LobbyLeft(), Accepted(n=CommandNumber(1)))

            again = await server.hears(c.SetReady, 2)
            assert again.n == CommandNumber(1)
            assert not any(isinstance(event, Accepted) for event in ears.events)

    run(story, deaf)


def test_an_answered_command_is_not_sent_again() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (network, ears):
            await ears.hear(Welcome)
            network.send(READY)
            await ears.hear(Accepted)

            server.cut()
            await ears.hear(Welcome, 2)

            network.send(c.StandUp(n=UNNUMBERED))
            await server.hears(c.StandUp)
            assert server.order().count(c.SetReady) == 1

    run(story)


def test_a_reconnect_resumes_with_secret_epoch_and_last_event() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (_, ears):
            await ears.hear(Welcome)
            server.say(e.Said(name="bo", text="one"), e.Said(name="bo", text="two"))
            await ears.hear(e.Said, 2)

            server.cut()

            hello = await server.hears(Hello, 2)
            assert hello.resume == c.Resume(secret=SECRET, epoch="e1", last_event=EventNumber(2))

    run(story)


def test_the_numbers_of_another_process_are_skipped(tmp_path: Path) -> None:
    def known(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, Hello):
            welcome = a_welcome(message, secret=None, last_command=CommandNumber(9))
            return (welcome, e.HallChanged(online=1, lobbies=()))
        return polite(message)

    async def story(server: FakeServer) -> None:
        ring = Keyring(tmp_path)
        ring.keep(server="fake", address=str(server.address), name="maya", secret=SECRET)
        ring.release()
        async with connected(server, tmp_path) as (network, ears):
            await ears.hear(Welcome)

            assert network.send(READY).n > CommandNumber(9)

    run(story, known)


def test_a_secret_the_server_does_not_know_is_forgotten_and_a_new_one_kept(tmp_path: Path) -> None:
    def forgetful(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, Hello) and message.resume:
            return (Refused(code=Refusal.BAD_SECRET),)
        return polite(message)

    async def story(server: FakeServer) -> None:
        ring = Keyring(tmp_path)
        ring.keep(server="fake", address=str(server.address), name="maya", secret=b"o" * 32)
        ring.release()
        async with connected(server, tmp_path) as (_, ears):
            await ears.hear(Welcome)

        found = Keyring(tmp_path).find(str(server.address))
        assert isinstance(found, Identity)
        assert found.secret == SECRET

    run(story, forgetful)


def test_who_was_forgotten_comes_as_somebody_new_and_not_as_another_of_this_user(
    tmp_path: Path,
) -> None:
    def forgetful(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, Hello) and message.resume:
            return (Refused(code=Refusal.BAD_SECRET),)
        return polite(message)

    async def story(server: FakeServer) -> None:
        for name in ("maya", "bo"):
            ring = Keyring(tmp_path)
            ring.keep(server="fake", address=str(server.address), name=name, secret=b"o" * 32)
            ring.release()
        async with connected(server, tmp_path) as (_, ears):
            await ears.hear(Welcome)

        resumes = [one.resume is not None for one in server.heard if isinstance(one, Hello)]
        assert resumes == [True, False]

    run(story, forgetful)


def test_a_refused_hello_ends_it_with_the_reason() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (network, ears):
            refused = await ears.hear(s.LinkRefused)

        assert isinstance(refused, s.LinkRefused)
        assert refused.code is Refusal.NAME_TAKEN
        assert network.ending is Ending.REFUSED

    run(story, lambda _: (Refused(code=Refusal.NAME_TAKEN),))


def test_a_goodbye_for_good_ends_it_and_one_for_a_restart_does_not() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (_, ears):
            await ears.hear(Welcome)

            server.say(Goodbye(code=Refusal.CLOSING))
            await ears.hear(Welcome, 2)
            server.say(Goodbye(code=Refusal.ELSEWHERE))

            refused = await ears.hear(s.LinkRefused)
            assert isinstance(refused, s.LinkRefused)
            assert "another terminal" in refused.text

    run(story)


def test_nobody_there_is_told_at_once() -> None:
    async def story(server: FakeServer) -> None:
        await server.vanish()
        async with connected(server) as (_, ears):
            refused = await ears.hear(s.LinkRefused)

        assert isinstance(refused, s.LinkRefused)
        assert refused.text.startswith(f"Could not reach {server.address}: connection refused. ")

    run(story)


def test_a_server_that_comes_back_is_found_again() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (_, ears):
            await ears.hear(Welcome)
            await server.vanish()
            await ears.hear(s.LinkLost, 2)

            await server.listen(server.address.port)

            await ears.hear(Welcome, 2)

    run(story)


def test_a_server_that_stays_away_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GIVE_UP_S", 0.02)

    async def story(server: FakeServer) -> None:
        async with connected(server) as (network, ears):
            await ears.hear(Welcome)

            await server.vanish()

            refused = await ears.hear(s.LinkRefused)
            assert isinstance(refused, s.LinkRefused)
            assert "has not come back" in refused.text
            await asyncio.sleep(0)
            assert network.ending is Ending.LOST

    run(story)


def test_silence_beyond_the_limit_counts_as_a_lost_line() -> None:
    def brief(message: ClientMessage) -> Sequence[Event]:
        return (a_welcome(message, silence_us=20_000),) if isinstance(message, Hello) else ()

    async def story(server: FakeServer) -> None:
        async with connected(server) as (_, ears):
            lost = await ears.hear(s.LinkLost)

            assert isinstance(lost, s.LinkLost)
            assert lost.reason == "no answer"

    run(story, brief)


def test_another_protocol_is_recognised() -> None:
    async def story(server: FakeServer) -> None:
        async def speak_http(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            writer.close()

        web = await asyncio.start_server(speak_http, "127.0.0.1", 0)
        address = Address(host="127.0.0.1", port=web.sockets[0].getsockname()[1])
        async with connected(server, address=address) as (_, ears):
            refused = await ears.hear(s.LinkRefused)
        web.close()

        assert isinstance(refused, s.LinkRefused)
        assert "does not speak our protocol. Another program answers there" in refused.text

    run(story)


def test_all_messages_of_one_read_are_told_at_once() -> None:
    async def story(server: FakeServer) -> None:
        async with connected(server) as (_, ears):
            await ears.hear(Welcome)
            before = len(ears.batches)

            server.say(*(e.Said(name="bo", text=str(number)) for number in range(5)))
            await ears.hear(e.Said, 5)

            assert sum(ears.batches[before:]) == 5
            assert len(ears.batches) - before < 5

    run(story)
