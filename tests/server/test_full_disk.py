"""While the disk is full nothing is told that could still be lost, and nobody's time runs out."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.refusals import Refusal
from protocol.rules import CLASSIC
from server.game.engine import next_deadline
from tests.support.guests import Guest, a_hall, a_party, a_table, code_of
from tests.support.lives import FullDisk, come_back, recovered, restarted
from tests.support.mishaps import table_of

A_WHILE_S = 20  # several pings


async def test_what_a_lobby_tells_once_went_out_with_a_ping_before_it_was_kept(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    host, guest = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    await wait_all_tasks_blocked()
    known, heard = host.lobby, len(host.all_heard(e.LobbyNews))
    store.is_full = True
    await guest.send(c.AddComputer, temperament="casual")
    await guest.send(c.SetReady)
    await host.send(c.SetRules, rules="bluff")
    await trio.sleep(A_WHILE_S)
    told = host.lobby, len(host.all_heard(e.LobbyNews))

    store.is_full = False
    await host.wait_for(e.LobbyNews, lambda event: event.news is e.News.RULES)
    await wait_all_tasks_blocked()

    assert told == (known, heard)
    assert host.lobby == guest.lobby
    assert host.lobby is not None
    assert host.lobby.rules.max_cards == "none"


async def test_a_deal_was_once_acknowledged_before_it_was_kept(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    host, guest = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    await guest.ask(c.SetReady)
    store.is_full = True
    number = await host.send(c.StartDeal)
    await trio.sleep(A_WHILE_S)
    told = host.all_heard(e.DealStarted), [answer.n for answer in host.all_heard(Accepted)]

    store.is_full = False
    answer = await host.answer_to(number)
    await guest.wait_for(e.HandDealt)
    kept = store.read()

    assert told == ([], [number - 1])
    assert isinstance(answer, Accepted)
    assert [lobby.deal is not None for lobby in kept.lobbies] == [True]
    assert any(each.n == number for person in kept.people for each in person.answers)


async def test_giving_up_a_seat_was_once_acknowledged_before_it_was_kept(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    first, second, _ = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    store.is_full = True
    number = await first.send(c.GiveUpSeat)
    await trio.sleep(A_WHILE_S)
    early = [answer.n for answer in first.all_heard(Accepted)]

    store.is_full = False
    answer = await first.answer_to(number)
    await second.wait_for(e.ChairChanged)

    assert number not in early
    assert isinstance(answer, Accepted)


async def test_who_left_could_once_sit_in_two_lobbies_after_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    host, guest = await a_party(hall, nursery, "ana", "bo")
    store.is_full = True
    left = await guest.send(c.LeaveLobby)
    await trio.sleep(A_WHILE_S)
    created = await guest.ask(c.CreateLobby)
    gone_early = guest.all_heard(e.LobbyLeft)

    store.is_full = False
    answer = await guest.answer_to(left)
    again = await guest.ask(c.CreateLobby)

    assert code_of(created) is Refusal.IN_A_LOBBY
    assert gone_early == []
    assert isinstance(answer, Accepted)
    assert isinstance(again, Accepted)
    assert [len(lobby.lobby.people) for lobby in store.read().lobbies] == [1, 1]
    assert host.lobby is not None


@pytest.mark.parametrize("meanwhile", ["a lobby is opened", "nothing happens"])
async def test_whoever_was_refused_at_a_door_once_missed_what_the_hall_was_told_before_it(
    meanwhile: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    (host,) = await a_party(hall, nursery, "ana")
    await host.ask(c.SetSettings, settings=e.LobbySettings(size=2, watchers=False))
    maker, guest = Guest(hall, nursery, "bo"), Guest(hall, nursery, "cy")
    await maker.connect()
    await guest.connect()
    await guest.wait_for(e.HallChanged)
    assert host.lobby is not None
    await trio.sleep(A_WHILE_S)
    store.is_full = True
    await host.send(c.Say, text="well")  # tried every second
    await trio.sleep(0.5)
    if meanwhile == "a lobby is opened":
        await maker.send(c.CreateLobby)  # and this in between
    number = await guest.send(c.JoinLobby, code=host.lobby.code, watch=True)
    await trio.sleep(0.75)
    store.is_full = False

    refused = await guest.answer_to(number)
    await wait_all_tasks_blocked()

    assert code_of(refused) is Refusal.NO_WATCHERS
    views = guest.all_heard(e.HallChanged)[1:]
    codes = [[listing.code for listing in view.lobbies] for view in views]
    assert codes == ([list(hall.lobbies)] if meanwhile == "a lobby is opened" else [])


async def test_the_hall_was_once_shown_a_lobby_before_it_was_kept(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    host, guest = Guest(hall, nursery, "ana"), Guest(hall, nursery, "bo")
    await host.connect()
    await guest.connect()
    await guest.vanish()
    store.is_full = True
    await host.send(c.CreateLobby)
    await guest.connect(resume=True)
    view = await guest.wait_for(e.HallChanged)
    await trio.sleep(A_WHILE_S)
    early = guest.all_heard(e.Listed)

    store.is_full = False
    listed = await guest.wait_for(e.Listed)

    assert (view.lobbies, early) == ((), [])
    assert listed.lobby.host == "ana"


async def test_a_challenge_while_the_disk_was_full_was_once_taken_for_too_early(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    first, second, third = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    await third.wait_for(e.Played)
    store.is_full = True
    await third.send(c.LetGoOf, play=1)
    await wait_all_tasks_blocked()
    number = await second.doubt()
    await trio.sleep(A_WHILE_S)

    store.is_full = False
    answer = await second.answer_to(number)

    assert isinstance(answer, Accepted)
    assert (await third.wait_for(e.Ruled)).challenger == second.seat


async def test_a_vote_does_not_run_out_while_the_disk_is_full(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    first, second, third = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    await second.ask(c.CallVote, on=e.VoteOn.END_DEAL)
    await third.wait_for(e.VoteState)
    store.is_full = True
    await first.lay()
    await trio.sleep(100)

    store.is_full = False
    await third.wait_for(e.Resumed)
    answer = await third.ask(c.CastVote, yes=True)
    vote = await third.wait_for(e.VoteState)

    assert isinstance(answer, Accepted)
    assert vote.passed


async def test_after_a_full_disk_a_vote_seemed_to_run_out_too_soon(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    first, second, third = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    await second.ask(c.CallVote, on=e.VoteOn.END_DEAL)
    before = await third.wait_for(e.VoteState)
    store.is_full = True
    await first.lay()
    await trio.sleep(100)

    store.is_full = False
    after = await third.wait_for(e.VoteState)

    assert after.left_us == pytest.approx(before.left_us, abs=1_000_000)


async def test_a_lobby_command_on_a_full_disk_stops_the_clocks_of_the_table_too(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    first, second, _ = guests
    host = next(guest for guest in guests if guest.lobby and guest.lobby.host == guest.name)
    store.is_full = True
    await host.send(c.SetRules, rules="bluff")
    await second.wait_for(e.Paused, lambda event: event.reason is e.PauseReason.STALLED)
    await trio.sleep(100)

    store.is_full = False
    await second.wait_for(e.Resumed)
    await trio.sleep(40)
    await first.lay()
    played = await second.wait_for(e.Played)

    assert not played.auto


@pytest.mark.parametrize("way", ["by vote", "by time"])
async def test_the_last_window_of_a_deal_once_counted_from_before_a_full_disk(
    way: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    first, second, third = await a_table(
        hall, nursery, "ana", "bo", "cy", rules="classic.t-off.min-1"
    )
    await trio.sleep(57)
    await first.lay()
    await second.wait_for(e.Played)
    store.is_full = True
    await second.send(c.Say, text="well")
    await trio.sleep(30)
    store.is_full = False
    await third.wait_for(e.Resumed)
    went_on = trio.current_time()

    if way == "by vote":
        await second.ask(c.CallVote, on=e.VoteOn.END_DEAL)
        await third.ask(c.CastVote, vote=1, yes=True)
    await third.wait_for(e.Stopping)
    live, kept = table_of(hall).deal, recovered(store.read())[0].deal
    await third.wait_for(e.Stands)

    assert trio.current_time() - went_on == pytest.approx(CLASSIC.last_window_s, abs=0.1)
    assert kept is not None
    assert next_deadline(kept) == next_deadline(live)


async def test_newcomers_whom_a_full_disk_keeps_out_do_not_crowd_out_those_who_are_known(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store, people=2)
    known = Guest(hall, nursery, "ana")
    await known.connect()
    await known.vanish()
    store.is_full = True
    for number in range(3):
        await Guest(hall, nursery, f"new {number}").connect()

    store.is_full = False
    answer = await known.connect(resume=True)

    assert not isinstance(answer, Refused)
    assert [person.name for person in hall.people] == ["ana"]


async def test_a_new_name_that_could_not_be_kept_leaves_the_old_one_as_it_was(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    ana, other = Guest(hall, nursery, "ana"), Guest(hall, nursery, "bo")
    await ana.connect()
    await other.connect()
    store.is_full = True
    twin = Guest(hall, nursery, "zoe")
    twin.secret = ana.secret
    refused = await twin.connect(resume=True)
    other.name = "ana"
    store.is_full = False

    taken = await other.connect(resume=True)
    other.name = "zoe"
    free = await other.connect(resume=True)

    assert code_of(refused) is Refusal.TRY_AGAIN
    assert code_of(taken) is Refusal.NAME_TAKEN
    assert not isinstance(free, Refused)
    assert "ana" in {person.name for person in hall.people if person.connected}


async def test_who_took_another_name_once_had_the_old_one_again_after_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    guest = Guest(hall, nursery, "ana")
    await guest.connect()
    guest.name = "anna"
    await guest.connect(resume=True)
    await guest.ask(c.CreateLobby)

    after = restarted(store, nursery)
    await come_back(after, guest)
    lobby = await guest.wait_for(e.LobbyChanged)

    assert [person.name for person in after.people] == ["anna"]
    assert [seat.name for seat in lobby.lobby.seats] == ["anna"]
    assert list(after.lobbies[lobby.lobby.code].people) == ["anna"]
