"""What a server that starts again still knows of people: names, answers, when they were here."""

from collections.abc import Callable

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from server.arrivals import wall_s
from server.hall import CENSUS_EVERY_S, Hall
from tests.support.chaos import NO_LIMITS
from tests.support.guests import Guest, a_hall, a_party, a_table, code_of
from tests.support.lives import come_back, restarted
from tests.support.memory_store import MemoryStore

DAY_S = 86_400


class Calendar:
    """A wall clock that stands where a test has put it."""

    def __init__(self) -> None:
        self.now_s = 1_000 * DAY_S

    def wall(self) -> int:
        return self.now_s


async def test_whoever_came_back_now_and_then_was_once_forgotten_after_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    calendar, store = Calendar(), MemoryStore()
    hall = a_hall(nursery, store=store, wall=calendar.wall)
    often, once = Guest(hall, nursery, "ana"), Guest(hall, nursery, "bo")
    await often.connect()
    await once.connect()
    calendar.now_s += 20 * DAY_S
    await often.connect(resume=True)
    calendar.now_s += 20 * DAY_S

    after = restarted(store, nursery, calendar.wall)
    await trio.sleep(CENSUS_EVERY_S + 1)
    often.hall = once.hall = after
    welcome = await often.connect(resume=True)
    refused = await once.connect(resume=True)

    assert not isinstance(welcome, Refused)
    assert code_of(refused) is Refusal.BAD_SECRET
    assert [each.person.name for each in store.read().people] == ["ana"]


async def test_coming_back_is_not_kept_each_time(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guest = Guest(a_hall(nursery, store=store, wall=Calendar().wall), nursery, "ana")
    await guest.connect()
    before = store.statistics().commits

    for _ in range(5):
        await guest.connect(resume=True)

    assert store.statistics().commits == before


async def test_a_held_play_whose_server_died_was_once_never_answered(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store, (guests, number) = await _a_held_play(nursery)
    after = restarted(store, nursery)
    await come_back(after, *guests)

    await _say_again(guests[1], number)
    answer = await guests[1].answer_to(number)
    await guests[0].wait_for(e.Played, lambda event: event.play == 2)

    assert isinstance(answer, Accepted)


async def test_a_held_play_called_after_a_restart_comes_back_with_one_answer(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store, (guests, number) = await _a_held_play(nursery)
    _, second, third, _ = guests
    await come_back(restarted(store, nursery), *guests)
    await third.wait_for(e.Resumed)
    await _say_again(second, number)
    await second.wait_for(e.Held)

    await third.doubt()
    answer = await second.answer_to(number)
    await trio.sleep(30)

    assert code_of(answer) is Refusal.CALLED_FIRST
    assert [each.n for each in second.all_heard(Refused)].count(CommandNumber(number)) == 1
    assert number not in [each.n for each in second.all_heard(Accepted)]


async def _a_held_play(
    nursery: trio.Nursery, wall: Callable[[], int] = wall_s
) -> tuple[MemoryStore, tuple[list[Guest], int]]:
    """Somebody's cards lie ready, of which nothing is kept; and then somebody else believes."""
    store = MemoryStore()
    hall = a_hall(nursery, store=store, wall=wall)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", "dee")
    await guests[0].lay(truth=False)
    for guest in guests[1:]:
        await guest.wait_for(e.Played)
    number = await guests[1].lay()
    await guests[1].wait_for(e.Held)
    await guests[3].believe()
    return store, (list(guests), number)


async def _say_again(guest: Guest, number: int) -> None:
    assert guest.view is not None
    await guest.write(
        c.PlayCards(
            n=CommandNumber(number),
            deal=guest.view.table.deal,
            after=guest.view.table.newest,
            pile=guest.view.table.pile_number,
            cards=(guest.view.hand[0].id,),
            count=1,
            rank=guest.view.table.due[0],
        )
    )


async def test_a_command_that_waits_was_once_forgotten_with_its_sender_being_seen(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    calendar = Calendar()
    store, (guests, number) = await _a_held_play(nursery, calendar.wall)
    calendar.now_s += DAY_S
    await guests[1].connect(resume=True)

    (kept,) = (each.person for each in store.read().people if each.person.name == guests[1].name)

    assert kept.seen_at == calendar.now_s
    assert kept.last_command < number


async def test_the_last_32_answers_are_given_again_after_a_restart_and_older_ones_are_not(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    (host,) = await a_party(a_hall(nursery, store=store, **NO_LIMITS), nursery, "ana")
    first = host._number + 1
    for turn in range(33):
        await host.ask(c.SetReady, ready=turn % 2 == 0)
    after = a_hall(nursery, store=store, epoch="another", **NO_LIMITS)
    after.restore(store.read())
    await come_back(after, host)
    host.heard.clear()
    host._read_up_to = 0

    for number in (first, first + 1, first + 32):
        await host.write(c.SetReady(n=CommandNumber(number), ready=True))
    await wait_all_tasks_blocked()

    assert [answer.n for answer in host.all_heard(Accepted)] == [first + 1, first + 32]
    assert [answer.code for answer in host.all_heard(Refused)] == [Refusal.OLD_NUMBER]
    assert host.welcome is not None
    assert host.welcome.last_command == first + 32


async def test_who_asked_for_a_seat_was_once_forgotten_by_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    host, watcher = await _a_table_with_a_watcher(a_hall(nursery, store=store), nursery)
    await watcher.ask(c.SitDown, deal=1, seat=1 - host.seat)

    await come_back(restarted(store, nursery), host, watcher)
    answer = await host.ask(c.AnswerSeat, name="bo", yes=True)
    hand = await watcher.wait_for(e.HandDealt)

    assert isinstance(answer, Accepted)
    assert hand.seat == 1 - host.seat


async def test_computer_players_who_were_watched_once_stood_still_for_a_day_after_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    (host,) = await a_party(a_hall(nursery, store=store), nursery, "ana")
    for _ in range(2):
        await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StandUp)
    await host.ask(c.StartDeal)
    await host.wait_for(e.Played)

    await come_back(restarted(store, nursery), host)
    with trio.fail_after(60):
        await host.wait_for(e.Resumed)
        played = await host.wait_for(e.Played)

    assert played.play > 1


async def test_a_host_who_stepped_in_is_kept(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    host, guest = await a_party(a_hall(nursery, store=store), nursery, "ana", "bo")
    await host.vanish()
    await trio.sleep(25)

    await guest.ask(c.AddComputer, temperament="casual")
    await guest.wait_for(e.LobbyNews, lambda event: event.news is e.News.NEW_HOST)
    (kept,) = store.read().lobbies

    assert kept.lobby.state.host == "bo"


async def _a_table_with_a_watcher(hall: Hall, nursery: trio.Nursery) -> tuple[Guest, Guest]:
    host, watcher = await a_party(hall, nursery, "ana", "bo")
    await watcher.ask(c.StandUp)
    await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StartDeal)
    await watcher.wait_for(e.DealStarted)
    return host, watcher
