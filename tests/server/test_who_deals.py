"""Deal after deal: who deals, and by which rules its match is decided (RULES A4, B22, D7)."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from tests.support.guests import Guest, a_hall, a_party, end_by_vote


async def a_deal_of(*guests: Guest) -> str:
    """Play a deal that a vote ends, and say who has dealt it."""
    for guest in guests[1:]:
        await guest.ask(c.SetReady)
    await guests[0].ask(c.StartDeal)
    started = await guests[0].wait_for(e.DealStarted)
    await end_by_vote(*guests)
    return started.seats[started.dealer].name


@pytest.mark.parametrize("rules", ["j1.m20", "j1"], ids=["a match", "no match"])
async def test_where_one_win_ended_a_match_the_deal_never_passed_to_the_left(
    nursery: trio.Nursery, autojump_clock: MockClock, rules: str
) -> None:
    guests = await a_party(a_hall(nursery), nursery, "ana", "bo", "cy", rules=rules)

    dealers = [await a_deal_of(*guests) for _ in range(6)]  # each won by the one with 17 cards

    left_of = {"ana": "bo", "bo": "cy", "cy": "ana"}
    assert [left_of[name] for name in dealers[:-1]] == dealers[1:]


@pytest.mark.parametrize("during", [False, True], ids=["between deals", "during the deal"])
async def test_once_the_dealer_had_left_anybody_could_be_the_next(
    nursery: trio.Nursery, autojump_clock: MockClock, *, during: bool
) -> None:
    hall = a_hall(nursery)
    for turn in range(4):
        guests = list(await a_party(hall, nursery, *(f"{name}{turn}" for name in "abcde")))
        while (dealer := await a_deal_of(*guests)) in {guests[0].name, guests[-1].name}:
            pass  # the host stays, also as the next to deal
        at = [guest.name for guest in guests].index(dealer) + during
        if during:
            for guest in guests[1:]:
                await guest.ask(c.SetReady)
            await guests[0].ask(c.StartDeal)

        rest = guests[:at] + guests[at + 1 :]
        await guests[at].ask(c.LeaveLobby)
        if during:
            await end_by_vote(*rest)

        assert await a_deal_of(*rest) == guests[(at + 1) % 5].name


@pytest.mark.parametrize("comes", ["somebody new", "the dealer"])
async def test_who_sat_down_once_the_last_in_the_row_had_dealt_and_left_dealt_first(
    comes: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    *rest, last = guests = await a_party(hall, nursery, "ana", "bo", "cy", "dee")
    while await a_deal_of(*guests) != "dee":
        pass
    assert last.lobby is not None
    code = last.lobby.code

    await last.ask(c.LeaveLobby)
    newcomer = last if comes == "the dealer" else Guest(hall, nursery, "eve")
    if newcomer is not last:
        await newcomer.connect()
    await newcomer.ask(c.JoinLobby, code=code)

    assert [await a_deal_of(*rest, newcomer) for _ in range(4)] == [
        "ana",
        "bo",
        "cy",
        newcomer.name,
    ]


async def test_rules_set_for_the_next_deal_decided_the_match_of_the_one_that_ran(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, *others = guests = await a_party(
        a_hall(nursery), nursery, "ana", "bo", "cy", rules="j1.m3"
    )
    for _ in range(3):
        await a_deal_of(*guests)  # won by the dealer, who has 17 cards: one win each
    for guest in others:
        await guest.ask(c.SetReady)
    await host.ask(c.StartDeal)

    await host.ask(c.SetRules, rules="j1.m2")
    await end_by_vote(*guests)

    assert host.lobby is not None
    assert sorted(seat.wins for seat in host.lobby.seats) == [1, 1, 2]
    assert (host.lobby.stage, host.lobby.match_winner) == (e.LobbyStage.BETWEEN_DEALS, None)
