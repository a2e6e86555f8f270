"""A second fault of ours, in the handling of the first, ends the server no more than the first did."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Goodbye, Refused
from protocol.codec import encode_event
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from server.arrivals import Arrived, now_us
from server.errand import Errand
from server.hall import Hall
from server.person import Person
from tests.support.attackers import person_of
from tests.support.callers import a_call, a_hello, say_command, welcomed
from tests.support.guests import Guest, a_hall, a_newcomer, a_party, a_table, code_of, the_lobby
from tests.support.mishaps import break_once, broken
from tests.support.until import until


def break_answers_to(monkeypatch: pytest.MonkeyPatch, person: Person) -> None:
    """From now on nobody can answer this person."""
    answer = Person.answer

    def answer_others(to: Person, *arguments: Any) -> None:  # noqa: ANN401 - passed on as they are
        if to is person:
            broken()
        answer(to, *arguments)

    monkeypatch.setattr(Person, "answer", answer_others)


def break_the_next_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot be packed; those after it can."""
    pack, left = encode_event, iter([None])

    def fails_once(event: e.Event) -> bytes:
        if isinstance(event, Refused) and next(left, event) is None:
            broken()
        return pack(event)

    monkeypatch.setattr("server.person.encode_event", fails_once)


async def test_whoever_could_neither_be_let_into_a_lobby_nor_told_so_ended_the_server(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(nursery)
    ana, bo = await a_newcomer(hall, nursery, "ana"), await a_newcomer(hall, nursery, "bo")
    break_answers_to(monkeypatch, person_of(hall, ana))
    break_once(hall._entrance, "_create")

    await ana.send(c.CreateLobby, password="w")  # noqa: S106
    await until(lambda: person_of(hall, ana).is_entering)
    await until(lambda: not person_of(hall, ana).is_entering)
    created = await bo.ask(c.CreateLobby, password="w")  # noqa: S106

    assert isinstance(created, Accepted)


async def test_a_command_that_could_neither_be_passed_on_nor_refused_cost_its_sender_the_line(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(nursery)
    ana = await a_newcomer(hall, nursery, "ana")
    with monkeypatch.context() as patched:
        break_answers_to(patched, person_of(hall, ana))
        break_once(hall, "_pass_on")
        await ana.send(c.Say, text="hi")
        await until(lambda: person_of(hall, ana).last_command > 0)

    answer = await ana.ask(c.Say, text="hi again")

    assert isinstance(answer, Accepted)


@pytest.mark.parametrize("where", ["in the hall", "at a door", "in a lobby", "at a table"])
async def test_whose_refusal_could_not_be_packed_was_answered_by_nobody(
    where: str,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = a_hall(nursery)
    player, _ = await a_table(hall, nursery, "ana", "bo")
    guest, host = await a_newcomer(hall, nursery, "cy"), await a_newcomer(hall, nursery, "di")
    await host.ask(c.CreateLobby, password="w")  # noqa: S106
    assert host.lobby is not None
    locked = {"code": host.lobby.code, "password": "guessed"}
    asked: dict[str, tuple[Guest, type[c.Command], dict[str, str]]] = {
        "in the hall": (guest, c.JoinLobby, {"code": "NO-SUCH"}),
        "at a door": (guest, c.JoinLobby, locked),
        "in a lobby": (host, c.SetRules, {"rules": "nonsense"}),
        "at a table": (player, c.TakeBack, {}),
    }
    person, kind, fields = asked[where]
    break_the_next_refusal(monkeypatch)

    answer = await person.ask(kind, **fields)
    again = await person.ask(kind, **fields)

    assert code_of(answer) is Refusal.TRY_AGAIN
    assert code_of(again) not in {None, Refusal.TRY_AGAIN}


@pytest.mark.parametrize("kind", [c.SetReady, c.StartDeal])
async def test_whose_command_was_done_and_could_not_be_accepted_was_answered_by_nobody(
    kind: type[c.Command], nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guest = await a_party(hall, nursery, "ana", "bo")
    await guest.ask(c.SetReady)
    break_once(Errand, "accept")

    answer = await host.ask(kind)

    assert isinstance(answer, Accepted)


async def test_who_had_left_and_could_not_be_told_so_stayed_in_a_lobby_that_did_not_know_them(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guest = await a_party(hall, nursery, "ana", "bo")
    break_once(hall.notices, "view")

    answer = await guest.ask(c.LeaveLobby)
    await guest.wait_for(e.HallChanged, lambda view: view.lobbies)
    again = await guest.ask(c.CreateLobby)

    assert isinstance(answer, Accepted)
    assert isinstance(again, Accepted)
    assert host.lobby is not None
    assert [seat.name for seat in host.lobby.seats] == ["ana"]


async def a_lobby_that_cannot_be_closed(hall: Hall, nursery: trio.Nursery) -> tuple[Guest, ...]:
    guests = await a_party(hall, nursery, "ana", "bo")
    the_lobby(hall)._close = broken  # type: ignore[method-assign]
    return guests


@pytest.mark.parametrize("fails", ["closed", "_turn_away"])
async def test_a_lobby_that_could_be_closed_in_no_way_ended_the_server(
    fails: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_lobby_that_cannot_be_closed(hall, nursery)
    lobby = the_lobby(hall)
    break_once(hall if fails == "closed" else lobby, fails)

    for guest in guests:  # one is obeyed, and the other is still waiting
        arrived = Arrived(data=b"", at=now_us(), stamped=False, settled=True)
        hall.obey(person_of(hall, guest), c.SetReady(n=CommandNumber(50)), arrived)
    lobby.give_way()
    for guest in guests:
        await guest.wait_for(e.LobbyLeft)
    bystander = await a_newcomer(hall, nursery, "cy")
    created = await bystander.ask(c.CreateLobby)

    assert isinstance(created, Accepted)


async def test_whoever_could_not_be_told_that_a_lobby_is_closed_stayed_at_its_door_for_good(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(nursery)
    (ana,) = await a_party(hall, nursery, "ana")
    cy = await a_newcomer(hall, nursery, "cy")
    lobby, arrived = the_lobby(hall), Arrived(data=b"", at=now_us(), stamped=False, settled=True)
    with monkeypatch.context() as patched:
        break_answers_to(patched, person_of(hall, cy))
        hall.obey(person_of(hall, ana), c.SetReady(n=CommandNumber(50)), arrived)
        hall.obey(person_of(hall, cy), c.JoinLobby(n=CommandNumber(1), code=lobby.code), arrived)
        lobby.give_way()
        await ana.wait_for(e.LobbyLeft)
        await wait_all_tasks_blocked()

    assert person_of(hall, cy).lobby is None


@pytest.mark.parametrize("fails", ["the wire", "its end", "its alarm"])
async def test_a_session_that_failed_and_could_not_be_closed_ended_the_server(
    fails: str, nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = a_hall(nursery)
    caller = a_call(hall, nursery)
    session = caller.session
    with monkeypatch.context() as patched:
        patched.setattr(hall, "arrived", broken)
        owner, name = {
            "the wire": (session._wire, "close"),
            "its end": (session, "_on_close"),
            "its alarm": (hall.alarm_clock, "stop"),
        }[fails]
        patched.setattr(owner, name, broken)
        await caller.say(a_hello(), say_command(1))
        await until(lambda: session._is_closed)

    assert not next(iter(hall.people)).connected
    await welcomed(hall, nursery, "ana")  # the name is free again


async def test_one_to_whom_no_goodbye_could_be_said_left_the_others_without_one(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    ana, bo = await a_newcomer(hall, nursery, "ana"), await a_newcomer(hall, nursery, "bo")
    line = person_of(hall, ana).line
    assert line is not None
    break_once(line, "post")

    hall.close()

    assert (await bo.wait_for(Goodbye)).code is Refusal.CLOSING
    assert not ana.all_heard(Goodbye)
