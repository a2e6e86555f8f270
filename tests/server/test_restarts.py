"""What survives the death of the server: lobbies, deals, seats and answers (RULES D5)."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused, Welcome
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from protocol.views import TableSnapshot
from server.game.deal import Deal
from server.hall import Hall
from tests.support.guests import Guest, a_hall, a_party, a_table, code_of
from tests.support.lives import FullDisk, come_back, restarted
from tests.support.memory_store import MemoryStore


def deal_of(hall: Hall) -> Deal:
    (lobby,) = hall.lobbies.values()
    assert lobby.table is not None
    return lobby.table.deal


def a_play_of(guest: Guest) -> c.PlayCards:
    """The first card of the guest's hand, as what is due."""
    assert guest.view is not None
    table = guest.view.table
    return c.PlayCards(
        n=CommandNumber(100),
        deal=table.deal,
        after=table.newest,
        pile=table.pile_number,
        cards=(guest.view.hand[0].id,),
        count=1,
        rank=table.due[0],
    )


async def play_to(situation: str, first: Guest, second: Guest, third: Guest) -> None:
    """Bring a deal of three into a certain situation."""
    if situation == "nothing has been played":
        return
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    await third.wait_for(e.Played)
    if situation == "cards are held":
        await second.lay()
        await second.wait_for(e.Held)
    if situation == "the protected time is over":
        await second.wait_for(e.ProtectionOver)
    if situation == "a ruling is being read":
        await third.doubt()
        await second.wait_for(e.Ruled)


SITUATIONS = (
    "nothing has been played",
    "a play is protected",
    "cards are held",
    "the protected time is over",
    "a ruling is being read",
)


@pytest.mark.parametrize("situation", SITUATIONS)
async def test_a_deal_is_the_same_after_a_restart_when(
    situation: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    before = a_hall(nursery, store=store)
    guests = await a_table(before, nursery, "ana", "bo", "cy")
    await play_to(situation, *guests)
    deal = deal_of(before)

    after = restarted(store, nursery)

    kept = deal_of(after)
    assert (kept.hands, kept.laid, kept.table, kept.log) == (
        deal.hands,
        deal.laid,
        deal.table,
        deal.log,
    )


async def test_people_come_back_to_their_seats_and_the_open_window_starts_again_in_full(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    first, second, third = guests
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    hands = [guest.view.hand for guest in guests if guest.view]

    after = restarted(store, nursery)
    await come_back(after, *guests)
    await third.wait_for(e.Resumed)
    window = await third.wait_for(e.WindowState)
    hands_again = [guest.view.hand for guest in guests if guest.view]
    answer = await third.answer_to(await third.doubt())

    assert hands_again == hands
    assert window.protected_us == 4_000_000
    assert isinstance(answer, Accepted)
    assert (await second.wait_for(e.Ruled)).taker == first.seat


async def test_a_ruling_that_was_being_read_when_the_server_died_was_once_over_before_anybody_was_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    await play_to("a ruling is being read", *guests)

    after = restarted(store, nursery)
    await come_back(after, *guests)
    await guests[0].wait_for(e.Resumed)
    window = await guests[0].wait_for(e.WindowState)

    assert (window.phase, window.reveal_us) == (e.Phase.REVEAL, 3_000_000)


@pytest.mark.parametrize("ends", ["it dies", "it is stopped"])
async def test_whoever_was_away_already_once_cost_everybody_half_a_minute_after_a_restart(
    ends: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    before = a_hall(nursery, store=store)
    first, second, third = await a_table(before, nursery, "ana", "bo", "cy")
    await third.vanish()
    if ends == "it is stopped":
        before.close()
    await wait_all_tasks_blocked()
    after = restarted(store, nursery)
    began = trio.current_time()

    await come_back(after, first)
    await trio.sleep(10)
    went_on = first.all_heard(e.Resumed)
    await come_back(after, second)
    await first.wait_for(e.Resumed)

    assert not went_on  # for the second they wait
    assert trio.current_time() - began == pytest.approx(10, abs=1)


async def test_whoever_lost_the_snapshot_after_a_restart_was_once_sent_what_had_come_before_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    first, second, third = guests
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    after = restarted(store, nursery)
    await come_back(after, first, second)
    await third.vanish()
    third.hall = after
    await wait_all_tasks_blocked()
    heard = len(third.heard)

    welcome = await third.connect(resume=True, last_event=0)  # of this server nothing was seen
    await third.wait_for(TableSnapshot)

    assert isinstance(welcome, Welcome)
    assert not welcome.resumed
    told = [event for number, event in third.heard[heard:] if number]
    assert isinstance(told[0], e.LobbyNews)  # that they are back
    assert isinstance(told[1], TableSnapshot)


async def test_a_lobby_is_back_with_its_rules_its_host_its_score_and_its_password(
    nursery: trio.Nursery,
    mock_clock: MockClock,  # it must not jump while a thread computes the hash
) -> None:
    store = MemoryStore()
    before = a_hall(nursery, store=store)
    host, guest = Guest(before, nursery, "ana"), Guest(before, nursery, "bo")
    await host.connect()
    await guest.connect()
    await host.ask(c.CreateLobby, rules="bluff", password="open sesame")  # noqa: S106 - a test's
    await host.ask(c.AddComputer, temperament="casual")
    assert host.lobby is not None
    code = host.lobby.code

    after = restarted(store, nursery)
    await come_back(after, host)
    await host.wait_for(e.LobbyChanged)
    guest.hall = after
    await guest.connect(resume=True)
    wrong = await guest.ask(c.JoinLobby, code=code, password="sesame")  # noqa: S106 - a test's

    assert host.lobby.host == "ana"
    assert host.lobby.rules.max_cards == "none"
    assert [seat.name for seat in host.lobby.seats] == ["ana", "casual"]
    assert code_of(wrong) is Refusal.WRONG_PASSWORD


async def test_a_play_sent_again_after_a_restart_is_answered_again_and_not_made_twice(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(
        a_hall(nursery, store=store), nursery, "ana", "bo", "cy", rules="classic.w0"
    )
    first = guests[0]
    again = a_play_of(first)
    await first.write(again)
    await first.answer_to(100)

    after = restarted(store, nursery)
    first.heard.clear()
    first._read_up_to = 0
    await come_back(after, first)
    await first.write(again)

    assert isinstance(await first.answer_to(100), Accepted)
    assert deal_of(after).table.newest == 1


async def test_what_lay_ready_was_lost_with_the_server_if_its_owner_was_back_before_others(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    first, second, third = guests
    await first.lay()
    await second.wait_for(e.Played)
    play = a_play_of(second)
    await second.write(play)
    await second.wait_for(e.Held)

    after = restarted(store, nursery)
    await come_back(after, second)
    await second.write(play)
    await second.wait_for(e.Held)
    newest = deal_of(after).table.newest
    await come_back(after, first, third)

    assert newest == 1
    assert isinstance(await second.answer_to(100), Accepted)
    assert deal_of(after).table.newest == 2


async def test_what_was_taken_back_as_the_server_ended_went_down_after_all_once_it_was_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    guests = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    first, second, third = guests
    await first.lay()
    await second.wait_for(e.Played)
    play = a_play_of(second)
    take_back = c.TakeBack(n=CommandNumber(101), deal=play.deal, after=play.after)

    after = restarted(store, nursery)
    await come_back(after, second)
    await second.write(play)  # neither was answered before
    await second.write(take_back)
    answers = await second.answer_to(100), await second.answer_to(101)
    await come_back(after, first, third)
    await trio.sleep(deal_of(after).table.rules.window_s + 1)

    assert code_of(answers[0]) is Refusal.TAKEN_BACK
    assert isinstance(answers[1], Accepted)
    assert deal_of(after).table.newest == 1


async def test_while_people_have_yet_to_come_back_no_cards_go_down(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    first, second = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo")
    await first.lay()
    await second.wait_for(e.Played)
    play = a_play_of(second)  # nobody else could doubt what it follows (RULES C4)

    after = restarted(store, nursery)
    await come_back(after, second)
    await second.write(play)

    assert code_of(await second.answer_to(100)) is Refusal.PAUSED
    assert deal_of(after).table.newest == 1


async def test_who_had_watched_before_a_restart_once_watched_for_ever_without_coming_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    host, guest, watcher = await a_party(
        a_hall(nursery, store=store), nursery, "ana", "bo", "cy", rules="t-off"
    )
    await watcher.ask(c.StandUp)
    after = restarted(store, nursery)
    await come_back(after, host, guest)
    await guest.ask(c.SetReady)
    watching = host.lobby and host.lobby.watching

    started = await host.ask(c.StartDeal)
    await guest.wait_for(e.HandDealt)
    newcomer = Guest(after, nursery, "cy")  # whose name it is now
    welcome = await newcomer.connect()

    assert isinstance(started, Accepted)
    assert watching == ("cy",)
    assert host.lobby is not None
    assert host.lobby.watching == ()
    assert isinstance(welcome, Welcome)


async def test_who_was_removed_stays_out_and_a_lobby_that_was_left_is_gone(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    before = a_hall(nursery, store=store)
    host, guest = await a_party(before, nursery, "ana", "bo")
    await host.ask(c.RemoveSeat, name="bo")
    assert host.lobby is not None
    code = host.lobby.code
    after = restarted(store, nursery)
    await come_back(after, guest)

    answer = await guest.ask(c.JoinLobby, code=code)
    await come_back(after, host)
    await host.ask(c.LeaveLobby)
    await trio.sleep(1)

    assert code_of(answer) is Refusal.WAS_REMOVED
    assert store.read().lobbies == ()


async def test_a_full_disk_stops_the_table_tells_nothing_and_loses_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    first, second, third = await a_table(a_hall(nursery, store=store), nursery, "ana", "bo", "cy")
    store.is_full = True
    number = await first.lay()
    await second.wait_for(e.Paused, lambda event: event.reason is e.PauseReason.STALLED)
    await trio.sleep(20)
    told_meanwhile = second.all_heard(e.Played)

    store.is_full = False
    answer = await first.answer_to(number)
    await second.wait_for(e.Resumed)
    window = await second.wait_for(e.WindowState)
    await third.wait_for(e.WindowState)

    assert told_meanwhile == []
    assert isinstance(answer, Accepted)
    assert window.protected_us == 4_000_000
    assert len(third.all_heard(e.Played)) == 1


async def test_nobody_new_gets_in_while_the_disk_is_full(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store)
    store.is_full = True

    refused = await Guest(hall, nursery, "ana").connect()
    store.is_full = False
    welcome = await Guest(hall, nursery, "ana").connect()

    assert isinstance(refused, Refused)
    assert refused.code is Refusal.TRY_AGAIN
    assert not isinstance(welcome, Refused)
