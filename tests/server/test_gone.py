"""People who go, and what they, their seats, their commands and those after them get (RULES D)."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.numbers import Seat
from protocol.refusals import Refusal
from tests.support.attackers import arrive_together, person_of, send_together
from tests.support.guests import Guest, a_hall, a_party, a_table, a_watcher, code_of, the_lobby
from tests.support.mishaps import table_of
from tests.support.places import let_out


def by_name(guests: tuple[Guest, ...], name: str) -> Guest:
    return next(guest for guest in guests if guest.name == name)


async def test_a_computer_player_once_stood_in_for_whoever_was_out_and_had_gone(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, _ = await a_table(hall, nursery, "ana", "bo", "cy", rules="for-places.t-off")
    let_out(table_of(hall), second.seat)
    await second.vanish()

    await trio.sleep(60)

    assert not first.all_heard(e.ChairChanged)


# --- after leaving --------------------------------------------------------------------------------


async def test_whoever_left_and_returned_to_the_seat_in_one_breath_once_heard_its_secrets(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, *others = await a_table(hall, nursery, "ana", "bo", "cy")
    seat = first.seat

    left, returned = await send_together(first, (c.LeaveLobby, {}), (c.ReturnToSeat, {}))

    assert isinstance(await first.answer_to(left), Accepted)
    assert code_of(await first.answer_to(returned)) is Refusal.NOT_IN_A_LOBBY
    await wait_all_tasks_blocked()
    assert others[0].view is not None
    assert others[0].view.table.seats[seat].chair is e.Chair.COMPUTER


async def test_whoever_left_and_sat_down_in_one_breath_once_left_a_ghost_on_a_seat(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guest = await a_party(hall, nursery, "ana", "bo")

    numbers = await send_together(
        guest, (c.LeaveLobby, {}), (c.SitDown, {}), (c.Say, {"text": "boo"})
    )

    answers = [code_of(await guest.answer_to(number)) for number in numbers]
    await wait_all_tasks_blocked()
    assert answers == [None, Refusal.NOT_IN_A_LOBBY, Refusal.NOT_IN_A_LOBBY]
    assert host.lobby is not None
    assert [seat.name for seat in host.lobby.seats] == ["ana"]
    assert not host.all_heard(e.Said)


async def test_a_deal_that_everybody_had_left_once_kept_its_lobby_for_a_day(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")

    arrive_together(hall, *((guest, c.LeaveLobby, {}) for guest in (first, second, third)))
    await third.wait_for(e.LobbyLeft)
    await wait_all_tasks_blocked()

    assert not hall.lobbies


@pytest.mark.parametrize("first", ["the watcher", "the players"])
async def test_a_watcher_who_had_gone_kept_the_lobby_that_all_others_had_left_for_a_day(
    first: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    players = await a_table(hall, nursery, "ana", "bo")
    watcher = await a_watcher(hall, nursery, "eve")
    if first == "the watcher":
        await watcher.vanish()

    for player in players:
        await player.ask(c.LeaveLobby)
    if first == "the players":
        assert hall.lobbies
        await watcher.vanish()
    await wait_all_tasks_blocked()

    assert not hall.lobbies


@pytest.mark.parametrize("is_paused", [False, True], ids=["as they play", "in a pause"])
async def test_whose_line_was_lost_for_a_second_while_computers_played_for_them_to_see_lost_the_deal(
    nursery: trio.Nursery, autojump_clock: MockClock, *, is_paused: bool
) -> None:
    (host,) = await a_party(a_hall(nursery), nursery, "ana", rules="t-off")
    for _ in range(2):
        await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StandUp)
    await host.ask(c.StartDeal)
    await host.wait_for(e.Played)
    if is_paused:
        await host.ask(c.PauseTable)
        await host.wait_for(e.Paused)

    await host.vanish()
    await trio.sleep(1)
    await host.connect(resume=True)
    if is_paused:
        await host.ask(c.ResumeTable, pause=1)
    await host.wait_for(e.Played)

    assert host.lobby is not None
    assert host.lobby.stage is e.LobbyStage.PLAYING


async def test_cards_held_in_a_deal_that_everybody_left_are_answered(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    await first.lay()
    await second.wait_for(e.Played)
    number = await second.lay()
    await second.wait_for(e.Held)

    for guest in (first, third, second):
        await guest.send(c.LeaveLobby)

    assert code_of(await second.answer_to(number)) is Refusal.NO_DEAL


@pytest.mark.parametrize("goes", ["to the hall", "to another lobby"])
async def test_whoever_doubted_and_left_once_heard_what_came_of_it_with_the_next_ping(
    goes: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, _ = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.pf500")
    await first.lay()
    await second.wait_for(e.Played)
    asked_at = trio.current_time()

    doubted = await second.doubt()
    await second.ask(c.LeaveLobby)
    if goes == "to another lobby":
        await second.ask(c.CreateLobby)
    answer = await second.answer_to(doubted)

    assert isinstance(answer, Accepted)
    assert trio.current_time() == pytest.approx(asked_at + 0.5, abs=0.01)


# --- doors that close -----------------------------------------------------------------------------


async def test_whoever_joined_while_the_lobby_closed_was_once_never_answered(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (maker,) = await a_party(hall, nursery, "ana")
    joiner = Guest(hall, nursery, "bo")
    await joiner.connect()
    join = {"code": the_lobby(hall).code}

    _, joined, said = arrive_together(
        hall,
        (maker, c.LeaveLobby, {}),
        (joiner, c.JoinLobby, join),
        (joiner, c.SetReady, {}),
    )

    assert code_of(await joiner.answer_to(joined)) is Refusal.NO_SUCH_LOBBY
    assert code_of(await joiner.answer_to(said)) is Refusal.NO_SUCH_LOBBY
    assert isinstance(await joiner.ask(c.CreateLobby), Accepted)


async def test_whoever_joined_a_crowded_lobby_was_once_stuck_before_its_door(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, inbox=2)
    (maker,) = await a_party(hall, nursery, "ana")
    joiner = Guest(hall, nursery, "bo")
    await joiner.connect()
    join = {"code": the_lobby(hall).code}

    *_, joined = arrive_together(hall, *[(maker, c.SetReady, {})] * 3, (joiner, c.JoinLobby, join))

    assert code_of(await joiner.answer_to(joined)) is Refusal.TOO_FAST
    assert isinstance(await joiner.ask(c.JoinLobby, **join), Accepted)


async def test_whoever_was_refused_at_the_door_once_heard_of_it_with_the_next_ping(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (host,) = await a_party(hall, nursery, "ana")
    await host.ask(c.SetSettings, settings=e.LobbySettings(watchers=False))
    joiner = Guest(hall, nursery, "bo")
    await joiner.connect()
    asked_at = trio.current_time()

    answer = await joiner.ask(c.JoinLobby, code=the_lobby(hall).code, watch=True)

    assert code_of(answer) is Refusal.NO_WATCHERS
    assert trio.current_time() == asked_at


async def test_whoever_came_back_while_being_refused_was_once_shown_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    await a_party(hall, nursery, "ana")
    joiner = Guest(hall, nursery, "bo")
    await joiner.connect()
    the_lobby(hall).removed.add(person_of(hall, joiner), known_so_far=0)
    (joined,) = arrive_together(hall, (joiner, c.JoinLobby, {"code": the_lobby(hall).code}))

    await joiner.connect(resume=True)
    await joiner.wait_for(e.HallChanged)

    assert code_of(await joiner.answer_to(joined)) is Refusal.WAS_REMOVED


# --- seats that change hands (RULES D3, D8) -----------------------------------------------------------


async def test_the_seat_of_somebody_who_gave_up_and_stayed_is_not_for_others(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy")
    quitter = by_name(guests, "bo")
    seat = quitter.seat
    watcher = await a_watcher(hall, nursery, "eve")
    await by_name(guests, "ana").ask(c.HandOver, name="eve")

    await quitter.ask(c.GiveUpSeat)
    taken = await watcher.ask(c.SitDown, deal=1, seat=seat)
    returned = await quitter.ask(c.ReturnToSeat)

    assert code_of(taken) is Refusal.NO_COMPUTER_THERE
    assert isinstance(returned, Accepted)


async def test_the_seat_of_somebody_who_has_left_can_be_taken_over_with_a_lobby_seat(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy")
    seat = by_name(guests, "bo").seat
    watcher = await a_watcher(hall, nursery, "eve")
    await by_name(guests, "ana").ask(c.HandOver, name="eve")

    await by_name(guests, "bo").ask(c.LeaveLobby)
    taken = await watcher.ask(c.SitDown, deal=1, seat=seat)
    await watcher.wait_for(e.HandDealt)

    assert isinstance(taken, Accepted)
    assert watcher.lobby is not None
    assert [each.name for each in watcher.lobby.seats] == ["ana", "cy", "eve"]


async def test_whoever_asked_for_a_seat_in_a_full_lobby_once_seemed_to_ask_for_ever(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy")
    host, leaver = by_name(guests, "ana"), by_name(guests, "bo")
    seat = leaver.seat
    await host.ask(c.SetSettings, settings=e.LobbySettings(size=3))
    await leaver.ask(c.LeaveLobby)
    watcher = await a_watcher(hall, nursery, "eve")
    newcomer = Guest(hall, nursery, "dan")
    await newcomer.connect()
    await newcomer.ask(c.JoinLobby, code=the_lobby(hall).code)
    await watcher.ask(c.SitDown, deal=1, seat=seat)

    answer = await host.ask(c.AnswerSeat, name="eve", yes=True)
    await wait_all_tasks_blocked()

    assert code_of(answer) is Refusal.TOO_FEW_SEATS
    assert the_lobby(hall).state.asking == ()
    assert host.lobby is not None
    assert host.lobby.asking == ()


async def test_a_seat_was_once_given_to_somebody_whose_line_was_down_and_never_played_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules="family")
    host, leaver = by_name(guests, "ana"), by_name(guests, "bo")
    seat = leaver.seat
    watcher = await a_watcher(hall, nursery, "eve")
    await leaver.ask(c.LeaveLobby)
    await watcher.ask(c.SitDown, deal=1, seat=seat)
    await watcher.vanish()

    refused = await host.ask(c.AnswerSeat, name="eve", yes=True)
    await watcher.connect(resume=True)
    given = await host.ask(c.AnswerSeat, name="eve", yes=True)
    await watcher.vanish()
    chair = await host.wait_for(
        e.ChairChanged, lambda change: change.seat == seat and change.chair is e.Chair.STAND_IN
    )

    assert code_of(refused) is Refusal.LINE_DOWN
    assert isinstance(given, Accepted)
    assert chair.name == "eve"


async def test_whoever_was_let_in_too_late_once_got_a_seat_that_had_won_already(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (host,) = await a_party(hall, nursery, "ana", rules="for-places")
    for _ in range(2):
        await host.ask(c.AddComputer, temperament="proof")
    await host.ask(c.StartDeal)
    await host.wait_for(e.HandDealt)
    watcher = await a_watcher(hall, nursery, "eve")
    seat = Seat((host.seat + 1) % 3)
    await watcher.ask(c.SitDown, deal=1, seat=seat)
    let_out(table_of(hall), seat)

    late = await host.ask(c.AnswerSeat, name="eve", yes=True)

    assert code_of(late) is Refusal.NO_COMPUTER_THERE


async def test_giving_up_and_coming_back_without_end_once_filled_everybodys_log(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, second, _ = await a_table(hall, nursery, "ana", "bo", "cy")

    answers = []
    for _ in range(8):
        await first.ask(c.GiveUpSeat)
        answers.append(await first.ask(c.ReturnToSeat))

    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert {answer.code for answer in refused} == {Refusal.TOO_FAST}
    assert len(second.all_heard(e.ChairChanged)) <= 12


async def test_sitting_down_and_standing_up_without_end_once_filled_everybodys_log(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, refusals_burst=10_000)
    host, _ = await a_party(hall, nursery, "ana", "bo")
    restless = await a_watcher(hall, nursery, "eve")
    began, before = trio.current_time(), len(host.all_heard(e.LobbyNews))

    while trio.current_time() - began < 60:
        await restless.ask(c.SitDown)
        await restless.ask(c.StandUp)
        await trio.sleep(0.2)

    assert len(host.all_heard(e.LobbyNews)) - before <= 20 + 60


async def test_asking_for_a_seat_without_end_once_filled_everybodys_log(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, refusals_burst=10_000)
    (host,) = await a_party(hall, nursery, "ana", rules="classic.t-off")
    await host.ask(c.AddComputer, temperament="proof")
    await host.ask(c.StartDeal)
    await host.wait_for(e.HandDealt)
    watcher = await a_watcher(hall, nursery, "eve")
    seat = Seat((host.seat + 1) % 2)
    began = trio.current_time()

    while trio.current_time() - began < 60:
        await watcher.ask(c.SitDown, deal=1, seat=seat)
        await trio.sleep(0.1)

    asked = [line for line in host.all_heard(e.LobbyNews) if line.news is e.News.ASKS_FOR_SEAT]
    assert len(asked) <= 20 + 60
