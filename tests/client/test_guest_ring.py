"""The one secret of a guest, as the network uses it: never stored, and never quietly another."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from client import state as s
from client.kept.identity import GuestRing
from client.line import network as module
from client.line.network import Ending, Network
from protocol.answers import Refused, Welcome
from protocol.commands import ClientMessage, Hello
from protocol.events import Event
from protocol.guests import brief_secret
from protocol.refusals import Refusal
from tests.support.fake_server import FakeServer, a_welcome, polite
from tests.support.network_ears import Ears

DERIVED = b"d" * 32
BRIEF = brief_secret(b"written do")
WHY = "Nobody knows it."


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Come back at once."""
    monkeypatch.setattr(module, "FIRST_RETRY_S", 0.001)
    monkeypatch.setattr(module, "LONGEST_RETRY_S", 0.01)


def by_key() -> GuestRing:
    return GuestRing(secret=DERIVED, if_unknown=WHY, if_no_name="Tell the host.")


def by_phrase(secret: bytes | None = BRIEF) -> GuestRing:
    return GuestRing(secret=secret, if_unknown=WHY, brief=True)


def knows(message: ClientMessage) -> Sequence[Event]:
    """A server that gives newcomers a brief secret, and knows all others."""
    if isinstance(message, Hello):
        secret = None if message.resume else BRIEF
        return (a_welcome(message, secret=secret), *polite(message)[1:])
    return polite(message)


def forgetful(message: ClientMessage) -> Sequence[Event]:
    """A server that knows nobody."""
    if isinstance(message, Hello) and message.resume:
        return (Refused(code=Refusal.BAD_SECRET),)
    return knows(message)


def hellos_after(
    ring: GuestRing,
    *answers: Callable[[ClientMessage], Sequence[Event]],
) -> tuple[list[tuple[bytes | None, bool]], str]:
    """The secret and the wish of each hello while a server answers in these ways in turn."""

    async def story() -> tuple[list[tuple[bytes | None, bool]], str]:
        async with FakeServer(answers[0]) as server:
            ears = Ears()
            network = Network(server.address, name="ana", version="1", keyring=ring, tell=ears.tell)
            running = asyncio.create_task(network.run())
            for count, answer in enumerate(answers, 1):
                server.answer = answer
                if count > 1:
                    server.cut()
                waiting = asyncio.create_task(ears.hear(Welcome, count))
                await asyncio.wait({waiting, running}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
            network.close()
            await running
            heard = [
                (one.resume.secret if one.resume else None, one.brief)
                for one in server.heard
                if isinstance(one, Hello)
            ]
            ended = [one.text for one in ears.events if isinstance(one, s.LinkRefused)]
            assert bool(ended) == (network.ending is Ending.REFUSED)
            return heard, "".join(ended)

    return asyncio.run(story())


def test_a_guest_with_a_key_says_their_secret_from_the_first_time_on() -> None:
    assert hellos_after(by_key(), knows, knows) == ([(DERIVED, False)] * 2, "")


def test_a_guest_whose_key_the_server_does_not_know_is_told_and_never_comes_as_another() -> None:
    assert hellos_after(by_key(), forgetful) == ([(DERIVED, False)], WHY)


def test_a_guest_whose_name_their_host_has_chosen_was_told_to_choose_another() -> None:
    def full_of_anas(message: ClientMessage) -> Sequence[Event]:
        return (Refused(code=Refusal.NAME_TAKEN),) if isinstance(message, Hello) else ()

    assert hellos_after(by_key(), full_of_anas) == ([(DERIVED, False)], "Tell the host.")


def test_that_holds_also_once_a_guest_has_been_let_in() -> None:
    assert hellos_after(by_key(), knows, forgetful) == ([(DERIVED, False)] * 2, WHY)


def test_a_guest_without_a_key_asks_for_a_secret_to_write_down_and_comes_back_by_it() -> None:
    said, ended = hellos_after(by_phrase(None), knows, knows)

    assert said == [(None, True), (BRIEF, False)]
    assert ended == ""


def test_a_phrase_that_nobody_knows_is_said_so() -> None:
    assert hellos_after(by_phrase(), forgetful) == ([(BRIEF, False)], WHY)


def test_a_phrase_that_was_good_and_is_forgotten_makes_one_new() -> None:
    said, ended = hellos_after(by_phrase(), knows, forgetful)

    assert said == [(BRIEF, False), (BRIEF, False), (None, True)]
    assert ended == ""
