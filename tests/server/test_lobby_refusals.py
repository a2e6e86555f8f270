"""What a lobby and the hall refuse: names that nobody has, and more than one may have (RULES D6)."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.refusals import Refusal
from tests.support.guests import Guest, a_hall, a_party, a_table, code_of

AT_HOME, ELSEWHERE, HOME = "127.0.0.1", "192.0.2.7", "192.0.2.1"


async def a_guest_from(address: str, guest: Guest) -> Guest:
    """The guest, connected from this address."""
    await guest.connect(address=address)
    return guest


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        pytest.param(c.HandOver, {"name": "nobody"}, id="handing over"),
        pytest.param(c.RemoveSeat, {"name": "nobody"}, id="removing"),
        pytest.param(
            c.AnswerSeat, {"name": "bo", "yes": True}, id="a seat that bo never asked for"
        ),
    ],
)
async def test_a_host_names_somebody_who_is_there(
    kind: type[c.Command],
    fields: dict[str, object],
    nursery: trio.Nursery,
    autojump_clock: MockClock,
) -> None:
    host, guest = await a_party(a_hall(nursery), nursery, "ana", "bo")
    before = host.lobby

    answer = await host.ask(kind, **fields)

    assert code_of(answer) is Refusal.NO_SUCH_PERSON
    assert host.lobby == guest.lobby == before


@pytest.mark.parametrize(
    ("kind", "fields", "sentence"),
    [
        pytest.param(
            c.SetSettings,
            {"settings": e.LobbySettings(size=2)},
            "There are not enough seats for that: set more, or remove somebody first.",
            id="that they could watch, who had a seat",
        ),
        pytest.param(
            c.RemoveSeat,
            {"name": "ana"},
            "That is you: to go, leave the lobby.",
            id="that nobody had their own name",
        ),
    ],
)
async def test_a_host_was_once_told(
    kind: type[c.Command],
    fields: dict[str, object],
    sentence: str,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
) -> None:
    host, _, _ = await a_party(a_hall(nursery), nursery, "ana", "bo", "cy")

    answer = await host.ask(kind, **fields)

    assert isinstance(answer, Refused)
    assert answer.text == sentence


async def test_a_computer_player_has_one_of_the_known_temperaments(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (host,) = await a_party(a_hall(nursery), nursery, "ana")

    answer = await host.ask(c.AddComputer, temperament="genius")

    assert code_of(answer) is Refusal.NO_SUCH_TEMPERAMENT
    assert host.welcome is not None
    assert all(name in getattr(answer, "text", "") for name in host.welcome.temperaments)


async def test_a_seat_that_is_not_there_cannot_be_taken_over(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, _ = await a_table(a_hall(nursery), nursery, "ana", "bo")

    answer = await first.ask(c.SitDown, deal=1, seat=9)

    assert code_of(answer) is Refusal.NO_SUCH_SEAT


async def test_one_person_has_so_many_open_lobbies(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, lobbies_per_person=1)
    host, guest = await a_party(hall, nursery, "ana", "bo")
    await host.ask(c.LeaveLobby)

    again = await host.ask(c.CreateLobby)
    await guest.ask(c.LeaveLobby)
    once_it_is_closed = await host.ask(c.CreateLobby)

    assert code_of(again) is Refusal.TOO_MANY_LOBBIES
    assert isinstance(once_it_is_closed, Accepted)


@pytest.mark.parametrize(
    ("address", "refusal"),
    [
        pytest.param(ELSEWHERE, Refusal.TOO_MANY_LOBBIES, id="elsewhere"),
        pytest.param(AT_HOME, None, id="loopback, where SSH players come from"),
    ],
)
async def test_one_address_has_so_many_open_lobbies(
    address: str, refusal: Refusal | None, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, lobbies_per_address=1)
    first = await a_guest_from(address, Guest(hall, nursery, "ana"))
    second = await a_guest_from(address, Guest(hall, nursery, "bo"))
    await first.ask(c.CreateLobby)

    answer = await second.ask(c.CreateLobby)

    assert code_of(answer) is refusal


async def test_one_lobby_has_so_many_watchers(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, watchers=1)
    (host,) = await a_party(hall, nursery, "ana")
    assert host.lobby is not None
    watching = [Guest(hall, nursery, name) for name in ("bo", "cy")]
    for guest in watching:
        await guest.connect()

    answers = [await guest.ask(c.JoinLobby, code=host.lobby.code, watch=True) for guest in watching]

    assert [code_of(answer) for answer in answers] == [None, Refusal.TOO_MANY_WATCH]


async def test_commands_flow_again_at_their_rate_after_a_flood(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, commands_per_s=1, commands_burst=2)
    guest = Guest(hall, nursery, "ana")
    await guest.connect()

    flood = [await guest.ask(c.LeaveLobby) for _ in range(3)]
    await trio.sleep(1)
    later = [await guest.ask(c.LeaveLobby) for _ in range(2)]

    refusals = [code_of(answer) for answer in (*flood, *later)]
    too_fast = [refusal is Refusal.TOO_FAST for refusal in refusals]
    assert too_fast == [False, False, True, False, True]


@pytest.mark.parametrize(
    ("name", "address"),
    [
        pytest.param("B0", ELSEWHERE, id="the same name, spelt otherwise"),
        pytest.param("zed", HOME, id="another name from the same address"),
    ],
)
async def test_somebody_removed_could_once_come_back_as_somebody_new(
    name: str, address: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host = await a_guest_from(AT_HOME, Guest(hall, nursery, "ana"))
    guest = await a_guest_from(HOME, Guest(hall, nursery, "bo"))
    await host.ask(c.CreateLobby)
    assert host.lobby is not None
    code = host.lobby.code
    await guest.ask(c.JoinLobby, code=code)
    await host.ask(c.RemoveSeat, name="bo")
    await guest.vanish()
    await trio.sleep(60)

    again = Guest(hall, nursery, name)
    await again.connect(address=address)
    answer = await again.ask(c.JoinLobby, code=code)

    assert code_of(answer) is Refusal.WAS_REMOVED


async def test_a_removal_keeps_out_nobody_else_who_was_known_before(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guest, flatmate = (Guest(hall, nursery, name) for name in ("ana", "bo", "cy"))
    for person in (host, guest, flatmate):
        await person.connect(address=HOME)
    await host.ask(c.CreateLobby)
    assert host.lobby is not None
    code = host.lobby.code
    await guest.ask(c.JoinLobby, code=code)

    await host.ask(c.RemoveSeat, name="bo")

    assert isinstance(await flatmate.ask(c.JoinLobby, code=code), Accepted)


async def test_from_this_machine_only_the_name_of_somebody_removed_is_barred(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guest = await a_party(hall, nursery, "ana", "bo")
    assert host.lobby is not None
    code = host.lobby.code
    await host.ask(c.RemoveSeat, name="bo")
    await guest.vanish()

    answers = []
    for name in ("bo", "dee"):
        newcomer = Guest(hall, nursery, name)
        await newcomer.connect()
        answers.append(code_of(await newcomer.ask(c.JoinLobby, code=code)))

    assert answers == [Refusal.WAS_REMOVED, None]
