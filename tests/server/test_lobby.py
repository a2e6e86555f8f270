"""Seats, host's tools, matches and chat in a lobby (RULES B22, D3, D6 to D8)."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.refusals import Refusal
from protocol.rules import TableRules
from tests.support.guests import Guest, a_hall, a_newcomer, a_party, code_of, end_by_vote


def names(guest: Guest) -> list[str]:
    assert guest.lobby is not None
    return [seat.name for seat in guest.lobby.seats]


async def test_only_the_host_may_use_the_hosts_tools(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, guest = await a_party(a_hall(nursery), nursery, "ana", "bo")

    answers = [
        await guest.ask(c.StartDeal),
        await guest.ask(c.SetRules, rules="bluff"),
        await guest.ask(c.AddComputer, temperament="casual"),
        await guest.ask(c.RemoveSeat, name="ana"),
        await guest.ask(c.HandOver, name="bo"),
        await guest.ask(c.ShuffleSeats),
        await guest.ask(c.SetSettings, settings=e.LobbySettings()),
        await guest.ask(c.AnswerSeat, name="ana", yes=True),
    ]

    assert {code_of(answer) for answer in answers} == {Refusal.NOT_HOST}


async def test_a_deal_waits_for_everybody_to_be_ready_unless_the_host_starts_anyway(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, ready, late = await a_party(a_hall(nursery), nursery, "ana", "bo", "cy")
    await ready.ask(c.SetReady)

    refused = await host.ask(c.StartDeal)
    started = await host.ask(c.StartDeal, anyway=True)
    deal = await late.wait_for(e.DealStarted)

    assert code_of(refused) is Refusal.NOT_READY
    assert isinstance(refused, Refused)
    assert "cy" in refused.text
    assert isinstance(started, Accepted)
    assert [seat.name for seat in deal.seats] == ["ana", "bo"]
    assert late.view is not None
    assert late.view.you is None


async def test_one_person_alone_cannot_start_a_deal(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (host,) = await a_party(a_hall(nursery), nursery, "ana")

    assert code_of(await host.ask(c.StartDeal)) is Refusal.TOO_FEW_PLAYERS


async def test_a_rule_change_holds_from_the_next_deal_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, guest = await a_party(a_hall(nursery), nursery, "ana", "bo")
    await guest.ask(c.SetReady)
    await host.ask(c.StartDeal)

    answer = await host.ask(c.SetRules, rules="bluff")
    await end_by_vote(host, guest)

    assert isinstance(answer, Accepted)
    assert host.view is not None
    assert host.view.table.rules == TableRules()
    assert host.lobby is not None
    assert host.lobby.rules.max_cards == "none"


async def test_a_bad_rules_code_is_refused_with_a_reason(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (host,) = await a_party(a_hall(nursery), nursery, "ana")

    answer = await host.ask(c.SetRules, rules="clasic.w6")

    assert isinstance(answer, Refused)
    assert answer.code is Refusal.BAD_RULES
    assert "classic" in answer.text


async def test_rules_and_settings_that_stay_as_they_are_were_told_as_if_they_had_changed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, guest = await a_party(a_hall(nursery), nursery, "ana", "bo")

    answers = [
        await host.ask(c.SetRules, rules="w6"),
        await host.ask(c.SetRules, rules="classic.w6"),
        await host.ask(c.SetSettings, settings=e.LobbySettings()),
        await host.ask(c.SetSettings, settings=e.LobbySettings(size=6, shout="Cheat!")),
    ]

    told = [one for _, one in guest.heard if isinstance(one, e.LobbyNews) and one.detail]
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert [one.detail for one in told] == ["w6", "6 seats, Cheat!"]


@pytest.mark.parametrize(
    ("wanted", "first", "later"),
    [
        pytest.param("Cheat!", "Cheat!", "Cheat!", id="a word"),
        pytest.param("Ch\u200beat!", "Cheat!", "Cheat!", id="with something unseen in it"),
        pytest.param("\u200b", "BS!", "Liar!", id="nothing that can be seen"),
    ],
)
async def test_the_word_of_a_challenge_is_what_can_be_seen_of_it_or_stays_as_it_is(
    wanted: str, first: str, later: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host = Guest(a_hall(nursery), nursery, "ana")
    await host.connect()

    await host.ask(c.CreateLobby, settings=e.LobbySettings(shout=wanted))
    assert host.lobby is not None
    assert host.lobby.settings.shout == first
    await host.ask(c.SetSettings, settings=e.LobbySettings(shout="Liar!"))
    await host.ask(c.SetSettings, settings=e.LobbySettings(shout=wanted))

    assert host.lobby.settings.shout == later


async def test_a_removed_person_is_in_the_hall_and_cannot_come_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, guest = await a_party(a_hall(nursery), nursery, "ana", "bo")
    assert host.lobby is not None

    await host.ask(c.RemoveSeat, name="bo")
    left = await guest.wait_for(e.LobbyLeft)
    answer = await guest.ask(c.JoinLobby, code=host.lobby.code)

    assert "removed" in left.reason
    assert code_of(answer) is Refusal.WAS_REMOVED
    assert names(host) == ["ana"]


async def test_when_the_host_leaves_the_longest_seated_is_host(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, second, third = await a_party(a_hall(nursery), nursery, "ana", "bo", "cy")

    await host.ask(c.LeaveLobby)
    await third.wait_for(e.LobbyNews, lambda line: line.news is e.News.NEW_HOST)
    known = await third.wait_for(e.LobbyChanged)

    assert known.lobby.host == second.name


async def test_once_the_host_stays_away_the_longest_seated_can_start(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, second, third = await a_party(a_hall(nursery), nursery, "ana", "bo", "cy")
    await second.ask(c.SetReady)
    await third.ask(c.SetReady)
    await host.vanish()

    too_early = await second.ask(c.StartDeal, anyway=True)
    await trio.sleep(20)
    not_second = await third.ask(c.StartDeal, anyway=True)
    started = await second.ask(c.StartDeal, anyway=True)

    assert code_of(too_early) is Refusal.NOT_HOST
    assert code_of(not_second) is Refusal.NOT_HOST
    assert isinstance(started, Accepted)


async def test_whoever_stood_in_for_the_host_was_once_told_of_before_what_they_changed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    # Such a lobby, with a new host and the old rules, was never kept: all that is told is.
    host, second, third = await a_party(a_hall(nursery), nursery, "ana", "bo", "cy")
    await host.vanish()
    await trio.sleep(20)

    await second.ask(c.SetRules, rules="w7")
    known = await third.wait_for(e.LobbyChanged, lambda event: event.lobby.host == "bo")

    assert known.lobby.rules.window_s == 7


async def test_computer_players_have_names_of_their_own(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (host,) = await a_party(a_hall(nursery), nursery, "ana")

    await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.AddComputer, temperament="casual")
    unknown = await host.ask(c.AddComputer, temperament="psychic")
    await host.ask(c.RemoveSeat, name="casual")

    assert names(host) == ["ana", "casual-2"]
    assert isinstance(unknown, Refused)
    assert "certain" in unknown.text


async def test_a_full_lobby_refuses_and_can_still_be_watched(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, _ = await a_party(hall, nursery, "ana", "bo")
    await host.ask(c.SetSettings, settings=e.LobbySettings(size=2))
    guest = await a_newcomer(hall, nursery, "cy")
    assert host.lobby is not None

    full = await guest.ask(c.JoinLobby, code=host.lobby.code)
    watching = await guest.ask(c.JoinLobby, code=host.lobby.code, watch=True)

    assert code_of(full) is Refusal.LOBBY_FULL
    assert isinstance(watching, Accepted)


async def test_a_host_who_wants_no_watchers_has_none(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (host,) = await a_party(hall, nursery, "ana")
    await host.ask(c.SetSettings, settings=e.LobbySettings(watchers=False))
    guest = await a_newcomer(hall, nursery, "bo")
    assert host.lobby is not None

    answer = await guest.ask(c.JoinLobby, code=host.lobby.code, watch=True)

    assert code_of(answer) is Refusal.NO_WATCHERS


async def test_after_a_vote_everybody_sharing_first_place_scores(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_party(a_hall(nursery), nursery, "ana", "bo", rules="evening")
    await guests[1].ask(c.SetReady)
    await guests[0].ask(c.StartDeal)

    await end_by_vote(*guests)

    assert guests[0].lobby is not None
    assert [seat.wins for seat in guests[0].lobby.seats] == [1, 1]
    assert guests[0].lobby.stage is e.LobbyStage.BETWEEN_DEALS


async def test_a_late_joiner_takes_over_a_computer_players_seat_and_exactly_its_hand(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (host,) = await a_party(hall, nursery, "ana", rules="classic.t600")
    await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StartDeal)
    await host.wait_for(e.HandDealt)
    guest = await a_newcomer(hall, nursery, "bo")
    assert host.lobby is not None
    await guest.ask(c.JoinLobby, code=host.lobby.code)

    await guest.ask(c.SitDown, deal=1, seat=1)
    await host.wait_for(e.LobbyNews, lambda line: line.news is e.News.ASKS_FOR_SEAT)
    await host.ask(c.AnswerSeat, name="bo", yes=True)
    dealt = await guest.wait_for(e.HandDealt)

    table = next(iter(hall.lobbies.values())).table
    assert table is not None
    assert tuple(card.id for card in dealt.cards) == table.deal.hands[1]
    assert table.deal.table.seats[1].name == "bo"
    assert names(host) == ["ana", "bo"]


async def test_a_seat_that_is_asked_for_can_be_denied(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (host,) = await a_party(hall, nursery, "ana", rules="classic.t600")
    await host.ask(c.AddComputer, temperament="casual")
    await host.ask(c.StartDeal)
    guest = await a_newcomer(hall, nursery, "bo")
    assert host.lobby is not None
    await guest.ask(c.JoinLobby, code=host.lobby.code)
    await guest.ask(c.SitDown, deal=1, seat=1)

    await host.ask(c.AnswerSeat, name="bo", yes=False)
    await guest.wait_for(e.LobbyNews, lambda line: line.news is e.News.SEAT_DENIED)

    assert not guest.all_heard(e.HandDealt)


async def test_a_persons_seat_cannot_be_taken_over(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, other = await a_party(hall, nursery, "ana", "bo", rules="classic.t600")
    await other.ask(c.SetReady)
    await host.ask(c.StartDeal)
    guest = await a_newcomer(hall, nursery, "cy")
    assert host.lobby is not None
    await guest.ask(c.JoinLobby, code=host.lobby.code)

    person = await guest.ask(c.SitDown, deal=1, seat=0)
    nobody = await guest.ask(c.SitDown, deal=1, seat=7)

    assert code_of(person) is Refusal.NO_COMPUTER_THERE
    assert code_of(nobody) is Refusal.NO_SUCH_SEAT


async def test_chat_is_cleaned_and_limited_and_game_commands_still_flow(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, guest = await a_party(a_hall(nursery), nursery, "ana", "bo")

    answers = [await guest.ask(c.Say, text=f"hi\x1b[2J \u202eevil {n}") for n in range(7)]
    ready = await guest.ask(c.SetReady)
    said = await host.wait_for(e.Said)

    assert said.text == "hi[2J evil 0"
    assert [code_of(answer) for answer in answers[:5]] == [None] * 5
    assert code_of(answers[6]) is Refusal.TOO_FAST
    assert isinstance(ready, Accepted)


async def test_whoever_leaves_during_a_deal_leaves_the_seat_to_a_computer_player(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, guest = await a_party(a_hall(nursery), nursery, "ana", "bo", rules="classic.t600")
    await guest.ask(c.SetReady)
    await host.ask(c.StartDeal)
    await host.wait_for(e.DealStarted)

    await guest.ask(c.LeaveLobby)
    changed = await host.wait_for(e.ChairChanged)

    assert changed.chair is e.Chair.COMPUTER
    assert guest.lobby is None


async def test_standing_up_and_sitting_down_between_deals(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, guest = await a_party(a_hall(nursery), nursery, "ana", "bo")

    await guest.ask(c.StandUp)
    standing = names(host)
    await guest.ask(c.SitDown)

    assert standing == ["ana"]
    assert names(host) == ["ana", "bo"]


async def test_seats_can_be_shuffled_only_between_deals(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, guest = await a_party(a_hall(nursery), nursery, "ana", "bo")
    shuffled = await host.ask(c.ShuffleSeats)
    await guest.ask(c.SetReady)
    await host.ask(c.StartDeal)

    during = await host.ask(c.ShuffleSeats)

    assert isinstance(shuffled, Accepted)
    assert code_of(during) is Refusal.DEAL_RUNS


async def test_a_lobby_without_people_is_closed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guest = await a_party(hall, nursery, "ana", "bo")
    await host.ask(c.LeaveLobby)
    await guest.vanish()
    kept = len(hall.lobbies)

    await trio.sleep(31 * 60)

    assert kept == 1
    assert not hall.lobbies
