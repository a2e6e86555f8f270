"""The last lines said in a lobby: kept, told to whoever comes, and there after a restart (RULES D5)."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.codec import encode_event, frame_event
from protocol.framing import EVENT_CAP
from protocol.numbers import EventNumber
from protocol.text import MAX_CHAT, MAX_NAME
from server.journal.records import AnswerKept, Change, LineSaid
from server.lobby.talk import Talk
from tests.support.chaos import NO_LIMITS
from tests.support.guests import Guest, a_hall, a_party, a_table
from tests.support.lives import FullDisk, come_back, restarted
from tests.support.memory_store import MemoryStore


class Listening(MemoryStore):
    """A store that remembers what it was asked to keep."""

    def __init__(self) -> None:
        super().__init__()
        self.commits: list[tuple[Change, ...]] = []

    async def commit(self, *changes: Change) -> None:
        """Keep these."""
        self.commits.append(changes)
        await super().commit(*changes)


def texts(event: e.TalkSoFar) -> list[str]:
    return [line.text for line in event.lines]


async def test_whoever_joins_hears_what_was_said_last(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    ana, _ = await a_party(hall, nursery, "ana", "bo")
    await ana.ask(c.Say, text="hello")
    await ana.ask(c.Say, text="anybody?")
    cy = Guest(hall, nursery, "cy")
    await cy.connect()
    assert ana.lobby is not None

    await cy.ask(c.JoinLobby, code=ana.lobby.code)
    heard = await cy.wait_for(e.TalkSoFar)

    assert heard.lines == (
        e.Said(name="ana", text="hello", line=1),
        e.Said(name="ana", text="anybody?", line=2),
    )


async def test_where_nothing_was_said_nothing_is_repeated(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_party(a_hall(nursery), nursery, "ana", "bo")

    assert [guest.all_heard(e.TalkSoFar) for guest in guests] == [[], []]


@pytest.mark.parametrize("deal", ["no deal runs", "a deal runs"])
async def test_what_was_said_was_once_lost_with_the_server(
    deal: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store)
    guests = await (a_table if deal == "a deal runs" else a_party)(hall, nursery, "ana", "bo", "cy")
    said = await guests[1].ask(c.Say, text="that was a lie")
    assert isinstance(said, Accepted)

    await come_back(restarted(store, nursery), *guests)
    heard = [await guest.wait_for(e.TalkSoFar) for guest in guests]
    await guests[0].ask(c.Say, text="it was not")
    newest = await guests[2].wait_for(e.Said)

    assert [texts(each) for each in heard] == [["that was a lie"]] * 3
    assert newest.line == 2  # the count goes on


async def test_a_line_is_kept_before_it_is_told_or_acknowledged(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    ana, bo = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    store.is_full = True
    number = await ana.send(c.Say, text="hello")
    await trio.sleep(5)
    told_too_early = bo.all_heard(e.Said)

    store.is_full = False
    answer = await ana.answer_to(number)
    await bo.wait_for(e.Said)

    assert told_too_early == []
    assert isinstance(answer, Accepted)
    assert [line.text for line in store.read().lobbies[0].lobby.chat] == ["hello"]


@pytest.mark.parametrize("deal", ["no deal runs", "a deal runs"])
async def test_each_line_once_put_the_whole_lobby_into_the_journal_again(
    deal: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = Listening()
    hall = a_hall(nursery, store=store)
    guests = await (a_table if deal == "a deal runs" else a_party)(hall, nursery, "ana", "bo", "cy")
    await guests[0].ask(c.Say, text="hello")
    before = len(store.commits)

    await guests[1].ask(c.Say, text="that was a lie")

    ((line, answer),) = store.commits[before:]
    (code,) = hall.lobbies
    assert line == LineSaid(
        code=code, said=e.Said(name=guests[1].name, text="that was a lie", line=2)
    )
    assert isinstance(answer, AnswerKept)


async def test_what_is_said_while_the_lobby_changes_is_kept_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    ana, bo = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    for number in range(3):
        await ana.ask(c.Say, text=f"one {number}")
        await bo.ask(c.SetReady, ready=not number % 2)
        await bo.ask(c.Say, text=f"two {number}")

    (kept,) = store.read().lobbies

    assert [line.line for line in kept.lobby.chat] == list(range(1, 7))


async def test_no_more_lines_are_kept_than_a_newcomer_is_told(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    (ana,) = await a_party(a_hall(nursery, store=store, **NO_LIMITS), nursery, "ana")
    for number in range(e.MAX_TALK + 5):
        await ana.ask(c.Say, text=f"line {number + 1}")

    (kept,) = store.read().lobbies

    assert [line.line for line in kept.lobby.chat] == list(range(6, e.MAX_TALK + 6))
    assert kept.lobby.chat[0].text == "line 6"


async def test_who_resumes_without_a_gap_hears_no_line_twice(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana, bo = await a_party(a_hall(nursery), nursery, "ana", "bo")
    await bo.vanish()
    await ana.ask(c.Say, text="where are you?")

    await bo.connect(resume=True)
    await bo.wait_for(e.Said)
    await trio.sleep(1)

    assert bo.all_heard(e.TalkSoFar) == []
    assert len(bo.all_heard(e.Said)) == 1


def test_the_longest_talk_there_can_be_fits_in_one_message() -> None:
    talk = Talk()
    for _ in range(e.MAX_TALK):
        talk.say("x" * MAX_NAME, "\U0001f0a1" * MAX_CHAT)
    longest = talk.so_far()

    assert longest is not None
    assert len(frame_event(EventNumber(2**53), encode_event(longest))) < EVENT_CAP


def test_of_more_lines_than_are_kept_the_newest_are_taken_up() -> None:
    lines = tuple(e.Said(name="ana", text="x", line=number) for number in range(1, 100))

    assert Talk(lines).lines == lines[-e.MAX_TALK :]
