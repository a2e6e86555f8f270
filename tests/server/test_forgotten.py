"""Who is forgotten, and who is not: after a while, or where there are too many."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Refused, Welcome
from protocol.guests import guest_secret
from protocol.refusals import Refusal
from server.arrivals import now_us
from server.hall import CENSUS_EVERY_S, Hall
from tests.support.callers import a_hello
from tests.support.crowds import arrive, go, pretend_to_sit_somewhere, refusal_of, some_people
from tests.support.guests import Guest, a_hall, a_party, a_table
from tests.support.lives import FullDisk, restarted
from tests.support.memory_store import MemoryStore

DAY = 86_400 * 1_000_000
FAR = "198.51.100.7"
KEY = bytes(range(1, 65))


def test_whoever_stays_away_too_long_is_forgotten() -> None:
    people = some_people(remember_days=30)
    person, secret = arrive(people, "ana")
    go(people, person, now=DAY)

    people.expire(31 * DAY)
    assert list(people) == [person]
    people.expire(31 * DAY + 1)

    assert list(people) == []
    assert refusal_of(people, a_hello("ana", secret=secret)) is Refusal.BAD_SECRET


def test_whoever_had_stayed_away_too_long_was_known_until_the_next_census() -> None:
    people = some_people(remember_days=30)
    person, secret = arrive(people, "ana")
    go(people, person, now=DAY)

    refusal = refusal_of(people, a_hello("ana", secret=secret), now=31 * DAY + 1)

    assert refusal is Refusal.BAD_SECRET
    assert list(people) == []


def test_nobody_who_is_connected_or_seated_is_forgotten() -> None:
    people = some_people(remember_days=1)
    here, _ = arrive(people, "ana")
    seated, _ = arrive(people, "bo")
    pretend_to_sit_somewhere(seated)
    go(people, seated)
    gone, _ = arrive(people, "cy")
    go(people, gone)

    people.expire(1000 * DAY)

    assert list(people) == [here, seated]


def test_coming_back_counts_as_being_seen() -> None:
    people = some_people(remember_days=30)
    person, secret = arrive(people, "ana")
    arrive(people, "ana", secret=secret, now=20 * DAY)
    go(people, person, now=20 * DAY)

    people.expire(40 * DAY)

    assert list(people) == [person]


def test_a_full_memory_never_kept_newcomers_out_while_somebody_in_it_was_away() -> None:
    people = some_people(people=3)
    away = [arrive(people, name)[0] for name in ("ana", "bo", "cy")]
    for now, person in enumerate((away[1], away[0], away[2])):
        go(people, person, now=now)

    newcomer, _ = arrive(people, "dee", now=10)

    assert list(people) == [away[0], away[2], newcomer]  # bo was away for the longest


def test_making_identities_once_pushed_out_people_who_had_played() -> None:
    people = some_people(people=50, passers_by=5, new_local_people_per_min=10_000)
    player, secret = arrive(people, "ana")
    people.dealt_in(player)
    go(people, player)

    for number in range(500):
        passer_by, _ = arrive(people, f"p{number}", now=1 + number)
        go(people, passer_by, now=1 + number)

    names = [person.name for person in people]
    assert names == ["p495", "p496", "p497", "p498", "p499", "ana"]
    assert len(people.forgotten) == 495
    assert arrive(people, "ana", secret=secret, now=1000)[0] is player


def test_of_too_many_players_the_one_who_was_away_for_the_longest_goes_after_all_passers_by() -> (
    None
):
    people = some_people(people=3)
    players = [arrive(people, name)[0] for name in ("ana", "bo")]
    for now, player in enumerate(reversed(players)):
        people.dealt_in(player)
        go(people, player, now=now)
    passer_by, _ = arrive(people, "cy", now=5)
    go(people, passer_by, now=5)

    newcomer, _ = arrive(people, "dee", now=6)
    assert list(people) == [newcomer, *reversed(players)]
    people.dealt_in(newcomer)
    arrive(people, "eve", now=7)

    assert [person.name for person in people] == ["eve", "ana", "dee"]


def test_passers_by_who_are_here_or_have_a_seat_are_not_too_many() -> None:
    people = some_people(passers_by=1)
    here, _ = arrive(people, "ana")
    seated, _ = arrive(people, "bo")
    pretend_to_sit_somewhere(seated)
    go(people, seated)
    newcomer, _ = arrive(people, "cy", now=1)

    assert list(people) == [here, seated, newcomer]


def test_a_player_is_noted_once_and_not_at_all_when_forgotten_meanwhile() -> None:
    people = some_people(remember_days=1)
    player, _ = arrive(people, "ana")
    gone, _ = arrive(people, "bo")
    for person in (player, player, gone):
        people.dealt_in(person)
    go(people, gone)
    people.expire(2 * DAY)
    noted = people.new_players
    people.are_kept_as_players(*noted)

    assert noted == (player,)
    assert people.new_players == ()
    people.dealt_in(gone)
    assert list(people) == [player]


def test_a_memory_full_of_people_who_are_here_has_no_room() -> None:
    people = some_people(people=2)
    arrive(people, "ana")
    arrive(people, "bo")

    assert refusal_of(people, a_hello("cy")) is Refusal.SERVER_FULL
    assert people.online == 2


def test_a_newcomer_who_is_refused_pushes_nobody_out() -> None:
    people = some_people(people=1, new_people_per_min=1)
    person, _ = arrive(people, "ana", FAR)
    go(people, person)

    assert refusal_of(people, a_hello("bo"), FAR) is Refusal.TOO_FAST

    assert list(people) == [person]


# --- who is a player is kept ------------------------------------------------------------------------


def players(store: MemoryStore) -> set[str]:
    return {each.person.name for each in store.read().people if each.person.has_played}


async def test_who_was_dealt_cards_is_kept_over_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store)
    await a_table(hall, nursery, "ana", "bo")
    await a_party(hall, nursery, "cy")
    await Guest(hall, nursery, "dee").connect()
    await trio.sleep(CENSUS_EVERY_S + 1)

    again = restarted(store, nursery)

    assert players(store) == {"ana", "bo"}
    assert {each.name for each in again.people if each.has_played} == {"ana", "bo"}


async def test_a_deal_that_was_begun_just_before_the_server_died_counts(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    await a_table(a_hall(nursery, store=store), nursery, "ana", "bo")
    assert players(store) == set()  # it is kept now and then

    restarted(store, nursery)
    await trio.sleep(CENSUS_EVERY_S + 1)

    assert players(store) == {"ana", "bo"}


async def test_whoever_takes_a_seat_over_is_a_player(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store)
    host, guest = await a_party(hall, nursery, "ana", "bo", rules="t600")
    await guest.ask(c.StandUp)
    await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StartDeal)
    await host.wait_for(e.HandDealt)

    await guest.ask(c.SitDown, deal=1, seat=1)
    await host.wait_for(e.LobbyNews, lambda line: line.news is e.News.ASKS_FOR_SEAT)
    await host.ask(c.AnswerSeat, name="bo", yes=True)
    await guest.wait_for(e.HandDealt)
    await trio.sleep(CENSUS_EVERY_S + 1)

    assert players(store) == {"ana", "bo"}


# --- guests, whose secret is known again at once ------------------------------------------------------


def a_guest(hall: Hall, nursery: trio.Nursery) -> Guest:
    guest = Guest(hall, nursery, "ana")
    guest.secret = guest_secret(KEY, "ana")
    return guest


@pytest.mark.parametrize("later_s", [0, CENSUS_EVERY_S + 1])
async def test_a_guest_who_came_again_was_once_forgotten_for_an_earlier_try_on_a_full_disk(
    later_s: float, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store, guest_key=KEY)
    guest = a_guest(hall, nursery)
    store.is_full = True
    refused = await guest.connect(resume=True)
    await trio.sleep(later_s)  # so that the census has tried, too, or has not
    store.is_full = False
    welcome = await guest.connect(resume=True)

    await trio.sleep(2 * CENSUS_EVERY_S)

    assert isinstance(refused, Refused)
    assert isinstance(welcome, Welcome)
    assert [kept.person.name for kept in store.read().people] == ["ana"]


async def test_a_guest_who_comes_again_after_being_forgotten_starts_anew_in_the_journal(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store, guest_key=KEY)
    guest = a_guest(hall, nursery)
    await guest.connect(resume=True)
    await guest.ask(c.CreateLobby)
    await guest.ask(c.LeaveLobby)
    await guest.vanish()
    answered = [len(kept.answers) for kept in store.read().people]

    hall.people.expire(now_us() + 31 * DAY)
    await guest.connect(resume=True)
    await trio.sleep(2 * CENSUS_EVERY_S)

    assert answered == [2]
    assert [len(kept.answers) for kept in store.read().people] == [0]
