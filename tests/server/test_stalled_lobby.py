"""While nothing can be kept a lobby's people are told why nothing happens, and when that is over."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.refusals import Refusal
from server.journal.records import Change
from server.person import Person
from tests.support.guests import (
    Guest,
    a_hall,
    a_newcomer,
    a_party,
    a_table,
    code_of,
    end_by_vote,
    the_lobby,
)
from tests.support.lives import FullDisk
from tests.support.mishaps import break_once, broken

A_WHILE_S = 20  # several pings
STALLED, OVER = e.Stalled(), e.Stalled(over=True)


def told(guest: Guest) -> list[e.Event]:
    """What this guest has heard of the disk."""
    return [
        event
        for _, event in guest.heard
        if isinstance(event, e.Stalled)
        or (isinstance(event, e.Paused) and event.reason is e.PauseReason.STALLED)
    ]


@pytest.mark.parametrize("when", ["before the first deal", "after it"])
async def test_on_a_full_disk_people_in_a_lobby_pressed_keys_and_did_not_know_why_nothing_happened(
    when: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    host, guest = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    if when == "after it":
        await guest.ask(c.SetReady)
        await host.ask(c.StartDeal)
        await end_by_vote(host, guest)
    store.is_full = True
    number = await guest.send(c.SetReady)
    await trio.sleep(A_WHILE_S)
    meanwhile = told(host), told(guest)

    store.is_full = False
    answer = await guest.answer_to(number)
    await host.wait_for(e.SeatChanged)

    assert meanwhile == ([STALLED], [STALLED])
    assert (told(host), told(guest)) == ([STALLED, OVER], [STALLED, OVER])
    assert isinstance(answer, Accepted)


async def test_whoever_opened_a_lobby_on_a_full_disk_was_told_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    maker = await a_newcomer(a_hall(nursery, store=store), nursery, "ana")
    store.is_full = True
    await maker.send(c.CreateLobby)
    await trio.sleep(A_WHILE_S)
    meanwhile = told(maker)

    store.is_full = False
    await maker.wait_for(e.LobbyChanged)

    assert meanwhile == [STALLED]
    assert told(maker) == [STALLED, OVER]


async def test_who_came_to_a_lobby_that_waited_for_the_disk_was_told_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    host, back, anew = await a_party(hall, nursery, "ana", "bo", "cy")
    guest = await a_newcomer(hall, nursery, "di")
    for person in (back, anew):
        await person.vanish()
    await wait_all_tasks_blocked()
    store.is_full = True
    await host.send(c.SetReady)
    await trio.sleep(A_WHILE_S)

    await back.connect(resume=True)
    await anew.connect(resume=True, last_event=0)
    number = await guest.send(c.JoinLobby, code=the_lobby(hall).code)
    await wait_all_tasks_blocked()
    meanwhile = [told(person) for person in (back, anew, guest)]
    store.is_full = False
    answer = await guest.answer_to(number)
    await wait_all_tasks_blocked()

    assert meanwhile == [[STALLED]] * 3
    assert [told(person) for person in (host, back, anew, guest)] == [[STALLED, OVER]] * 4
    assert isinstance(answer, Accepted)
    assert back.lobby == anew.lobby == guest.lobby == the_lobby(hall).state


@pytest.mark.parametrize("resumed", [True, False], ids=["with what was missed", "shown anew"])
async def test_who_came_back_to_a_table_that_waited_for_the_disk_was_told_nothing(
    *, resumed: bool, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    await third.vanish()
    await second.wait_for(e.SeatChanged)
    store.is_full = True
    await first.lay()
    await trio.sleep(2)

    await third.connect(resume=True, last_event=None if resumed else 0)
    await wait_all_tasks_blocked()
    meanwhile = told(third)
    store.is_full = False
    await third.wait_for(e.Resumed)

    assert meanwhile == told(second) == [e.Paused(reason=e.PauseReason.STALLED)]
    assert told(third) == meanwhile


async def test_whoever_left_a_table_on_a_full_disk_was_the_only_one_who_was_not_told_why_it_waits(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    first, second, _ = await a_table(hall, nursery, "ana", "bo", "cy")
    store.is_full = True
    number = await second.send(c.LeaveLobby)
    await trio.sleep(A_WHILE_S)
    meanwhile = told(second), told(first)

    store.is_full = False
    answer = await second.answer_to(number)

    assert meanwhile == ([e.Paused(reason=e.PauseReason.STALLED)],) * 2
    assert isinstance(answer, Accepted)


async def test_a_deal_that_had_yet_to_begin_was_told_to_be_paused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    host, guest = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    await guest.ask(c.SetReady)
    store.is_full = True
    await host.send(c.StartDeal)
    await trio.sleep(A_WHILE_S)
    meanwhile = told(guest)

    store.is_full = False
    await guest.wait_for(e.HandDealt)

    assert meanwhile == [STALLED]
    assert told(guest) == [STALLED, OVER]


async def test_who_was_at_the_door_of_a_lobby_that_closed_on_a_full_disk_thought_it_full_for_good(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    (host,) = await a_party(hall, nursery, "ana")
    guest = await a_newcomer(hall, nursery, "bo")
    store.is_full = True
    await host.send(c.LeaveLobby)
    await trio.sleep(A_WHILE_S)
    number = await guest.send(c.JoinLobby, code=the_lobby(hall).code)
    await trio.sleep(A_WHILE_S)

    store.is_full = False
    answer = await guest.answer_to(number)

    assert code_of(answer) is Refusal.NO_SUCH_LOBBY
    assert told(guest) == [STALLED, OVER]
    assert told(host) == [STALLED, OVER]


async def test_on_a_full_disk_each_lobby_looked_through_all_who_were_ever_known(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FullDisk()
    host, guest = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    store.is_full = True
    monkeypatch.setattr("server.people.People.__iter__", broken)
    await guest.send(c.SetReady)
    await trio.sleep(2)

    store.is_full = False
    await host.wait_for(e.SeatChanged)

    assert told(host) == told(guest) == [STALLED, OVER]


class FullThenBroken(FullDisk):
    """A store that fails in another way, once, when there is room again."""

    async def commit(self, *changes: Change) -> None:
        """Keep these, unless it is full, or has just been."""
        was_full, self.was_full = self.was_full, self.is_full
        if was_full and not self.is_full:
            message = "broken"
            raise RuntimeError(message)
        await super().commit(*changes)

    was_full = False


async def test_a_fault_after_a_full_disk_left_everybody_waiting_for_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullThenBroken()
    host, guest = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    store.is_full = True
    number = await guest.send(c.SetReady)
    await trio.sleep(A_WHILE_S)

    store.is_full = False
    answer = await guest.answer_to(number)
    again = await guest.ask(c.SetReady)
    await host.wait_for(e.SeatChanged)

    assert code_of(answer) is Refusal.TRY_AGAIN
    assert isinstance(again, Accepted)
    assert told(host) == told(guest) == [STALLED, OVER]


@pytest.mark.parametrize("of", [STALLED, OVER], ids=["it is full", "there is room again"])
async def test_one_who_could_not_be_told_of_the_disk_kept_it_from_all_others(
    of: e.Stalled,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = FullDisk()
    _, guest = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    tell = Person.tell

    def tell_all_but_ana(person: Person, event: e.Event) -> None:
        if person.name == "ana" and event == of:
            broken()
        tell(person, event)

    monkeypatch.setattr(Person, "tell", tell_all_but_ana)
    store.is_full = True
    number = await guest.send(c.SetReady)
    await trio.sleep(A_WHILE_S)

    store.is_full = False
    answer = await guest.answer_to(number)

    assert isinstance(answer, Accepted)
    assert told(guest) == [STALLED, OVER]


async def test_who_could_not_be_let_in_after_a_fault_never_heard_what_the_hall_was_told_meanwhile(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    _, guest = await a_party(hall, nursery, "ana", "bo")
    other, comer = [await a_newcomer(hall, nursery, name) for name in ("cy", "dee")]
    break_once(the_lobby(hall).removed, "bars")
    store.is_full = True
    await guest.send(c.SetReady)
    number = await comer.send(c.JoinLobby, code=the_lobby(hall).code)
    await other.vanish()
    await trio.sleep(A_WHILE_S)

    store.is_full = False
    answer = await comer.answer_to(number)
    hall_now = await comer.wait_for(e.HallChanged, lambda seen: seen.online == hall.people.online)

    assert code_of(answer) is Refusal.TRY_AGAIN
    assert hall_now.online == 3
