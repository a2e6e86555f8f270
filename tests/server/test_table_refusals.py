"""What a table refuses: clocks, votes, pauses and seats asked for out of turn (RULES C10, D1, D4, D6, D9)."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.refusals import Refusal
from tests.support.guests import Guest, a_hall, a_party, a_table, code_of

CLOCK_OFF = "classic.t-off"


async def a_watcher(guest: Guest, nursery: trio.Nursery, name: str) -> Guest:
    """Somebody who watches the lobby that the guest is in."""
    assert guest.lobby is not None
    watcher = Guest(guest.hall, nursery, name)
    await watcher.connect()
    await watcher.ask(c.JoinLobby, code=guest.lobby.code, watch=True)
    return watcher


async def a_deal_without_its_host(nursery: trio.Nursery) -> tuple[Guest, Guest]:
    """The host, who watches, and one of two players; nobody has a turn clock."""
    host, *players = await a_party(a_hall(nursery), nursery, "ana", "bo", "cy", rules=CLOCK_OFF)
    await host.ask(c.StandUp)
    for player in players:
        await player.ask(c.SetReady)
    await host.ask(c.StartDeal)
    await host.wait_for(e.DealStarted)
    return host, players[0]


async def test_where_a_turn_clock_runs_nobody_starts_one(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second = await a_table(a_hall(nursery), nursery, "ana", "bo")

    answer = await second.ask(c.StartClock)

    assert code_of(answer) is Refusal.CLOCK_RUNS


async def test_nobody_starts_a_clock_for_oneself(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, _ = await a_table(a_hall(nursery), nursery, "ana", "bo", rules=CLOCK_OFF)

    answer = await first.ask(c.StartClock)

    assert code_of(answer) is Refusal.OWN_CLOCK


async def test_a_clock_was_started_for_a_computer_player_and_told_to_everybody(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules=CLOCK_OFF)
    first, second, third = guests
    await first.ask(c.GiveUpSeat)

    answers = [await guest.ask(c.StartClock) for guest in (second, third)]

    assert {code_of(answer) for answer in answers} == {Refusal.CLOCK_RUNS}
    assert not second.all_heard(e.TurnClock)


async def test_a_host_without_a_seat_hurries_the_seat_to_move(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, player = await a_deal_without_its_host(nursery)

    answer = await host.ask(c.StartClock)
    clock = await player.wait_for(e.TurnClock)

    assert isinstance(answer, Accepted)
    assert player.view is not None
    assert (clock.seat, clock.left_us) == (player.view.table.turn, 30_000_000)


async def test_a_host_without_a_seat_hurries_nobody_while_the_table_is_paused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, _ = await a_deal_without_its_host(nursery)
    await host.ask(c.PauseTable)

    answer = await host.ask(c.StartClock)

    assert code_of(answer) is Refusal.PAUSED


async def test_a_watcher_who_is_not_host_hurries_nobody(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, _ = await a_table(a_hall(nursery), nursery, "ana", "bo", rules=CLOCK_OFF)
    watcher = await a_watcher(first, nursery, "wim")

    answer = await watcher.ask(c.StartClock)

    assert code_of(answer) is Refusal.WATCHING


async def test_a_second_clock_is_not_started_beside_the_first(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _, second, third = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules=CLOCK_OFF)
    await second.ask(c.StartClock)
    await third.ask(c.StartClock)
    await second.wait_for(e.TurnClock)

    answer = await second.ask(c.StartClock)

    assert code_of(answer) is Refusal.CLOCK_RUNS


async def test_a_vote_that_was_not_called_cannot_be_answered(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, _ = await a_table(a_hall(nursery), nursery, "ana", "bo")

    answer = await first.ask(c.CastVote, yes=True)

    assert code_of(answer) is Refusal.NO_VOTE


async def test_whoever_was_away_when_a_vote_was_counted_has_none_in_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, third = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await first.ask(c.CallVote, on=e.VoteOn.END_DEAL)
    await third.vanish()
    await third.connect(resume=True)

    answer = await third.ask(c.CastVote, vote=1, yes=True)
    open_still = not second.all_heard(e.DealOver)
    await second.ask(c.CastVote, vote=1, yes=True)

    assert code_of(answer) is Refusal.NO_VOTE
    assert open_still
    assert (await third.wait_for(e.DealOver)).reason is e.StopReason.VOTE


async def test_there_is_one_vote_at_a_time(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second, _ = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await first.ask(c.CallVote, on=e.VoteOn.END_DEAL)

    answer = await second.ask(c.CallVote, on=e.VoteOn.PAUSE)

    assert code_of(answer) is Refusal.VOTE_RUNS


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        pytest.param(c.CallVote, {"on": e.VoteOn.END_DEAL}, id="calling"),
        pytest.param(c.CastVote, {"yes": True}, id="voting"),
    ],
)
async def test_a_watcher_has_no_vote(
    kind: type[c.Command],
    fields: dict[str, object],
    nursery: trio.Nursery,
    autojump_clock: MockClock,
) -> None:
    first, _ = await a_table(a_hall(nursery), nursery, "ana", "bo")
    watcher = await a_watcher(first, nursery, "dee")

    answer = await watcher.ask(kind, **fields)

    assert code_of(answer) in {Refusal.NO_VOTE, Refusal.WATCHING}


async def test_there_is_nothing_to_resume_at_a_table_that_runs(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo")

    answers = [await guest.ask(c.ResumeTable) for guest in guests]

    assert [code_of(answer) for answer in answers] == [Refusal.NOT_PAUSED] * 2


async def test_a_pause_that_ends_already_or_is_none_was_once_said_to_be_a_clock(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    host, player = await a_deal_without_its_host(nursery)
    await host.ask(c.PauseTable)
    await host.ask(c.ResumeTable)
    counting_in = await host.ask(c.ResumeTable)
    await host.wait_for(e.WindowState)
    for name in (player.name, "cy"):
        await host.ask(c.RemoveSeat, name=name)
    await host.wait_for(e.Paused, lambda pause: pause.reason is e.PauseReason.PARKED)

    parked = await host.ask(c.ResumeTable)

    assert code_of(counting_in) is Refusal.NOT_PAUSED
    assert code_of(parked) is Refusal.WAITS_FOR_PEOPLE


async def test_with_nothing_to_read_there_is_nothing_to_go_on_from(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, second = await a_table(a_hall(nursery), nursery, "ana", "bo")
    await first.lay()
    await second.wait_for(e.Played)

    answer = await second.ask(c.GoOn, play=1)

    assert code_of(answer) is Refusal.NOTHING_TO_READ


async def test_the_play_of_somebody_who_has_left_may_still_be_doubted(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    first, _, third = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    seat = first.seat
    await first.lay(truth=False)
    await third.wait_for(e.Played)
    await first.ask(c.LeaveLobby)
    await third.wait_for(e.ChairChanged)

    answer = await third.answer_to(await third.doubt())

    ruled = await third.wait_for(e.Ruled)
    assert isinstance(answer, Accepted)
    assert (ruled.lie, ruled.taker) == (True, seat)


@pytest.mark.parametrize(
    ("caller", "play", "code"),
    [
        pytest.param(0, 1, Refusal.OWN_PLAY, id="one's own play"),
        pytest.param(2, 1, Refusal.NOT_NEXT, id="not the next player"),
        pytest.param(1, 2, Refusal.NOT_ANNOUNCED, id="not laid yet"),
    ],
)
async def test_a_doubt_that_nobody_may_have_was_once_called_late_and_cost_no_patience(
    nursery: trio.Nursery, autojump_clock: MockClock, caller: int, play: int, code: Refusal
) -> None:
    hall = a_hall(nursery, refusals_burst=1, refusals_per_s=0.001)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules="classic.next-only")
    await guests[0].lay()
    await guests[1].wait_for(e.Played)

    first = await guests[caller].ask(c.Challenge, play=play)
    await guests[caller].send(c.Challenge, play=play)
    await trio.testing.wait_all_tasks_blocked()

    assert isinstance(first, Refused)
    assert (first.code, first.late_us) == (code, None)
    assert guests[caller].said_goodbye()
