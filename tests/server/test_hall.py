"""The hall: the directory of lobbies, passwords, numbered commands and their limits."""

from importlib.metadata import PackageNotFoundError
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.numbers import CommandNumber, PlayNumber
from protocol.refusals import Refusal
from server import notices
from server.config import version
from server.lobby.lobby import Lobby
from server.lobby.records import listing_of
from tests.support.guests import Guest, a_hall, a_party, a_table, code_of

RIGHT, WRONG = "swordfish", "sword"


async def guests_in(
    hall_size: int,
    nursery: trio.Nursery,
    **settings: Any,  # noqa: ANN401 - settings are of all types
) -> list[Guest]:
    hall = a_hall(nursery, **settings)
    guests = [Guest(hall, nursery, f"guest{number}x") for number in range(hall_size)]
    for guest in guests:
        await guest.connect()
    return guests


async def test_public_lobbies_are_listed_and_private_ones_are_not(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    maker, hidden, looker = await guests_in(3, nursery)

    await maker.ask(c.CreateLobby, rules="bluff")
    await hidden.ask(c.CreateLobby, settings=e.LobbySettings(public=False))
    listed = await looker.wait_for(e.Listed)
    late = Guest(looker.hall, nursery, "late")
    await late.connect()
    hall = await late.wait_for(e.HallChanged)

    assert hidden.lobby is not None
    assert len(hidden.lobby.code.split("-")) == 3
    assert listed.lobby.seated == ("guest0x",)
    assert [listing.host for listing in hall.lobbies] == ["guest0x"]


async def test_where_the_package_was_replaced_meanwhile_nobody_was_let_in(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which version this is was looked up on the disk for the first who came."""
    guest = Guest(a_hall(nursery), nursery, "guest")

    def is_gone() -> str:
        raise PackageNotFoundError

    monkeypatch.setattr("server.hall.version", is_gone)
    await guest.connect()

    assert guest.welcome is not None
    assert guest.welcome.version == version()


async def test_each_newcomer_once_had_all_lobbies_put_together_and_was_shown_the_newest(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "MOST_LISTED", 2)
    makers = await guests_in(4, nursery)
    for maker in makers:
        await maker.ask(c.CreateLobby, rules="bluff")
    await trio.sleep(1)  # the hall has had its news by then
    looked_at: list[str] = []

    def noted_listing(lobby: Lobby) -> e.Listing | None:
        looked_at.append(lobby.code)
        return listing_of(lobby)

    monkeypatch.setattr(notices, "listing_of", noted_listing)
    late = Guest(makers[0].hall, nursery, "late")
    await late.connect()
    hall = await late.wait_for(e.HallChanged)

    assert [listing.host for listing in hall.lobbies] == ["guest2x", "guest3x"]
    assert len(looked_at) == 2


async def test_a_lobby_that_is_made_private_is_no_longer_listed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    maker, looker = await guests_in(2, nursery)
    await maker.ask(c.CreateLobby)
    listed = await looker.wait_for(e.Listed)

    await maker.ask(c.SetSettings, settings=e.LobbySettings(public=False))
    gone = await looker.wait_for(e.Unlisted)

    assert gone.code == listed.lobby.code


async def test_a_wrong_password_and_an_unknown_code_are_refused(
    nursery: trio.Nursery,
    mock_clock: MockClock,  # it must not jump while a thread computes the hash
) -> None:
    maker, guest = await guests_in(2, nursery)
    await maker.ask(c.CreateLobby, password=RIGHT)
    assert maker.lobby is not None

    without = await guest.ask(c.JoinLobby, code=maker.lobby.code)
    wrong = await guest.ask(c.JoinLobby, code=maker.lobby.code, password=WRONG)
    watching = await guest.ask(c.JoinLobby, code=maker.lobby.code, password=WRONG, watch=True)
    unknown = await guest.ask(c.JoinLobby, code="NO-00")
    right = await guest.ask(c.JoinLobby, code=maker.lobby.code.lower(), password=RIGHT)

    assert [code_of(x) for x in (without, wrong, watching)] == [Refusal.WRONG_PASSWORD] * 3
    assert code_of(unknown) is Refusal.NO_SUCH_LOBBY
    assert isinstance(right, Accepted)


async def test_whoever_only_knocked_at_a_lobby_with_a_password_had_guessed_it_wrong(
    nursery: trio.Nursery,
    mock_clock: MockClock,  # it must not jump while a thread computes the hash
) -> None:
    maker, guest = await guests_in(2, nursery)
    await maker.ask(c.CreateLobby, password=RIGHT)
    assert maker.lobby is not None

    knocks = [await guest.ask(c.JoinLobby, code=maker.lobby.code) for _ in range(6)]
    right = await guest.ask(c.JoinLobby, code=maker.lobby.code, password=RIGHT)

    assert {code_of(knock) for knock in knocks} == {Refusal.WRONG_PASSWORD}
    assert isinstance(right, Accepted)


async def test_a_maker_who_vanished_while_the_password_was_hashed_is_stuck_nowhere(
    nursery: trio.Nursery,
    mock_clock: MockClock,  # it must not jump while a thread computes the hash
) -> None:
    (maker,) = await guests_in(1, nursery)
    number = await maker.send(c.CreateLobby, password=RIGHT)
    await maker.vanish()

    await maker.connect(resume=True)
    await maker.write(c.CreateLobby(n=CommandNumber(number), password=RIGHT))
    first = await maker.answer_to(number)
    again = await maker.ask(c.CreateLobby)

    assert code_of(first) in {None, Refusal.TRY_AGAIN}
    assert code_of(again) is (Refusal.IN_A_LOBBY if code_of(first) is None else None)


async def test_somebody_who_guessed_too_often_does_not_get_in_with_the_right_password(
    nursery: trio.Nursery,
    mock_clock: MockClock,  # it must not jump while a thread computes the hash
) -> None:
    maker, guest = await guests_in(2, nursery)
    await maker.ask(c.CreateLobby, password=RIGHT)
    assert maker.lobby is not None
    for _ in range(5):
        await guest.ask(c.JoinLobby, code=maker.lobby.code, password=WRONG)

    answer = await guest.ask(c.JoinLobby, code=maker.lobby.code, password=RIGHT)

    assert code_of(answer) is Refusal.TOO_FAST


async def test_guessing_codes_is_slowed_down(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (guest,) = await guests_in(1, nursery)

    answers = [await guest.ask(c.JoinLobby, code=f"FOX-{n}") for n in range(8)]
    await trio.sleep(60)
    later = await guest.ask(c.JoinLobby, code="FOX-1")

    assert [code_of(a) for a in answers[:5]] == [Refusal.NO_SUCH_LOBBY] * 5
    assert code_of(answers[7]) is Refusal.TOO_FAST
    assert code_of(later) is Refusal.NO_SUCH_LOBBY


async def test_nobody_is_in_two_lobbies(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    (guest,) = await guests_in(1, nursery)
    await guest.ask(c.CreateLobby)
    assert guest.lobby is not None

    again = await guest.ask(c.CreateLobby)
    join = await guest.ask(c.JoinLobby, code=guest.lobby.code)

    assert code_of(again) is Refusal.IN_A_LOBBY
    assert code_of(join) is Refusal.IN_A_LOBBY


async def test_open_lobbies_are_limited(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    first, second, third = await guests_in(3, nursery, lobbies=2)
    await first.ask(c.CreateLobby)
    await second.ask(c.CreateLobby)

    assert code_of(await third.ask(c.CreateLobby)) is Refusal.TOO_MANY_LOBBIES


async def test_lobby_commands_in_the_hall_are_refused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (guest,) = await guests_in(1, nursery)

    answer = await guest.ask(c.SetReady)

    assert code_of(answer) is Refusal.NOT_IN_A_LOBBY


async def test_table_commands_without_a_deal_are_refused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (host,) = await a_party(a_hall(nursery), nursery, "ana")

    answer = await host.ask(c.Challenge, play=PlayNumber(1))

    assert code_of(answer) is Refusal.NO_DEAL


async def test_people_in_the_hall_can_talk(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second = await guests_in(2, nursery)

    await first.ask(c.Say, text="hello")
    said = await second.wait_for(e.Said)
    empty = await first.ask(c.Say, text="\u200b\u202e")

    assert (said.name, said.text) == ("guest0x", "hello")
    assert code_of(empty) is Refusal.EMPTY_TEXT


async def test_a_command_sent_again_is_answered_again_and_done_once(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, _ = await a_party(a_hall(nursery), nursery, "ana", "bo")
    number = await host.send(c.AddComputer, temperament="casual")
    await host.answer_to(number)
    answers_before = len(host.all_heard(Accepted))

    await host.write(c.AddComputer(n=CommandNumber(number), temperament="casual"))
    await host.ask(c.SetReady)

    assert len(host.all_heard(Accepted)) == answers_before + 2
    assert host.lobby is not None
    assert [seat.name for seat in host.lobby.seats] == ["ana", "bo", "casual"]


async def test_an_old_number_without_a_stored_answer_is_refused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (guest,) = await guests_in(1, nursery, commands_burst=100)
    for _ in range(40):
        await guest.ask(c.SetReady)

    await guest.write(c.SetReady(n=CommandNumber(1)))
    refused = await guest.wait_for(Refused, lambda x: x.code is Refusal.OLD_NUMBER)

    assert refused.n == 1


async def test_a_flood_of_commands_is_refused_but_a_challenge_gets_through(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, _ = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await first.lay(truth=False)
    await second.wait_for(e.Played)

    floods = [await second.send(c.SetReady) for _ in range(40)]
    answer = await second.answer_to(await second.doubt())

    assert code_of(await second.answer_to(floods[-1])) is Refusal.TOO_FAST
    assert isinstance(answer, Accepted)


async def test_a_flood_of_chat_once_cost_the_seat_its_plays(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second = await a_table(a_hall(nursery), nursery, "ana", "bo", rules="classic.w0")

    said = [await first.send(c.Say, text="BS! " * 40) for _ in range(100)]
    played = await first.answer_to(await first.lay())

    answers = [code_of(await first.answer_to(number)) for number in said]
    assert isinstance(played, Accepted)
    assert answers.count(None) == 5
    assert answers.count(Refusal.TOO_FAST) == 95
    assert first.is_connected
    assert len(second.all_heard(e.Said)) == 5


async def test_two_lobbies_play_at_the_same_time_and_hear_nothing_of_each_other(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first = await a_table(hall, nursery, "ana", "bo")
    second = await a_table(hall, nursery, "kim", "lee")

    await first[0].lay()
    await first[1].wait_for(e.Played)
    await second[0].lay()
    await second[1].wait_for(e.Played)

    assert len(first[1].all_heard(e.Played)) == 1
    assert len(second[0].all_heard(e.DealStarted)) == 1


async def test_the_name_of_somebody_who_left_is_free_and_that_of_a_seated_one_is_not(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guest = await a_party(hall, nursery, "ana", "bo")
    await guest.ask(c.LeaveLobby)
    await guest.vanish()
    await host.vanish()

    free = await Guest(hall, nursery, "bo").connect()
    taken = await Guest(hall, nursery, "AnA").connect()

    assert code_of(free) is None
    assert code_of(taken) is Refusal.NAME_TAKEN
