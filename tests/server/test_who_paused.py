"""Who has asked for a pause is told with it, whoever hears of it and whenever it begins (RULES D9)."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.refusals import Refusal
from tests.support.guests import Guest, a_hall, a_table, code_of, host_of
from tests.support.lives import come_back, restarted
from tests.support.memory_store import MemoryStore
from tests.support.mishaps import break_commands, hears_of_it

RULES = "classic.t600.w30"


def is_asked(event: e.Paused) -> bool:
    return event.reason is e.PauseReason.ASKED


def others_of(guests: tuple[Guest, ...]) -> tuple[Guest, ...]:
    """All but the host."""
    return tuple(guest for guest in guests if guest is not host_of(guests))


async def who_pauses(guests: tuple[Guest, ...], *, voted: bool) -> Guest:
    """The host does, or somebody else by a vote."""
    host, (by, other) = host_of(guests), others_of(guests)
    if not voted:
        await host.ask(c.PauseTable)
        return host
    await by.ask(c.CallVote, on=e.VoteOn.PAUSE)
    await other.wait_for(e.VoteState)
    await other.ask(c.CastVote, yes=True)
    return by


@pytest.mark.parametrize("voted", [False, True], ids=["the host's", "by a vote"])
@pytest.mark.parametrize("what", ["everybody goes", "the server dies", "we fail"])
async def test_of_a_pause_that_began_anew_nobody_was_told_who_had_asked_for_it(
    what: str, nursery: trio.Nursery, autojump_clock: MockClock, *, voted: bool
) -> None:
    store = MemoryStore()
    hall = a_hall(nursery, store=store)
    guests = await a_table(hall, nursery, "ana", "bo", "cy", rules=RULES)
    by = await who_pauses(guests, voted=voted)
    first = await by.wait_for(e.Paused, is_asked)

    match what:
        case "everybody goes":
            for guest in guests:
                await guest.vanish()
            for guest in guests:
                await guest.connect(resume=True)
        case "the server dies":
            await come_back(restarted(store, nursery), *guests)
        case _:
            break_commands(hall)
            await by.send(c.CallVote, on=e.VoteOn.END_DEAL)
            await hears_of_it(by)
            await host_of(guests).ask(c.ResumeTable)
    again = await by.wait_for(e.Paused, lambda it: is_asked(it) and it.pause > first.pause)

    assert (first.by, first.voted) == (again.by, again.voted) == (by.name, voted)
    assert isinstance(await by.ask(c.ResumeTable), Accepted)


async def test_a_pause_was_taken_for_that_of_who_was_host_when_it_began(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules=RULES)
    host, (heir, other) = host_of(guests), others_of(guests)
    await guests[0].lay()
    await host.wait_for(e.Played)

    await host.ask(c.PauseTable)
    await host.ask(c.HandOver, name=heir.name)
    paused = await other.wait_for(e.Paused)

    assert (paused.reason, paused.by, paused.voted) == (e.PauseReason.ASKED, host.name, False)
    assert isinstance(await host.ask(c.ResumeTable), Accepted)


async def test_a_pause_after_a_vote_that_had_paused_nothing_was_taken_for_the_voters(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules=RULES)
    host, (by, other) = host_of(guests), others_of(guests)
    await guests[0].lay()
    await other.wait_for(e.Played)
    await who_pauses(guests, voted=True)
    await by.ask(c.ResumeTable)  # before it has begun

    await host.ask(c.PauseTable)
    paused = await by.wait_for(e.Paused)

    assert (paused.by, paused.voted) == (host.name, False)
    assert code_of(await by.ask(c.ResumeTable)) is Refusal.NOT_HOST


async def test_a_vote_to_pause_that_passed_while_the_table_was_counted_in_paused_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules=RULES)
    host, (by, other) = host_of(guests), others_of(guests)
    await by.ask(c.CallVote, on=e.VoteOn.PAUSE)
    await host.ask(c.PauseTable)
    first = await other.wait_for(e.Paused, is_asked)
    await host.ask(c.ResumeTable)

    await other.ask(c.CastVote, yes=True)
    again = await host.wait_for(e.Paused, lambda it: is_asked(it) and it.pause > first.pause)

    assert (again.by, again.voted) == (by.name, True)
    assert isinstance(await by.ask(c.ResumeTable), Accepted)


async def test_a_host_who_paused_again_while_the_table_was_counted_in_was_told_that_it_is_paused(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", rules=RULES)
    host, (other,) = host_of(guests), others_of(guests)
    await host.ask(c.PauseTable)
    first = await other.wait_for(e.Paused, is_asked)
    await host.ask(c.ResumeTable)

    answer = await host.ask(c.PauseTable)
    again = await other.wait_for(e.Paused, lambda it: is_asked(it) and it.pause > first.pause)

    assert isinstance(answer, Accepted)
    assert (again.by, again.voted) == (host.name, False)


async def test_a_pause_asked_for_while_the_table_is_counted_in_can_be_taken_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", rules=RULES)
    host, (other,) = host_of(guests), others_of(guests)
    await host.ask(c.PauseTable)
    await host.ask(c.ResumeTable)
    await host.ask(c.PauseTable)

    taken_back = await host.ask(c.ResumeTable, pause=0)
    await other.wait_for(e.Resumed, lambda event: event.in_us == 0)
    await trio.sleep(60)

    assert isinstance(taken_back, Accepted)
    assert len(list(filter(is_asked, other.all_heard(e.Paused)))) == 1


async def test_a_pause_asked_for_while_a_table_was_counted_in_after_a_mistake_was_everybodys_to_end(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    guests = await a_table(hall, nursery, "ana", "bo", rules=RULES)
    host, (other,) = host_of(guests), others_of(guests)
    break_commands(hall)
    await host.ask(c.PauseTable)
    await hears_of_it(host)
    await host.ask(c.ResumeTable)
    await host.ask(c.PauseTable)

    refused = await other.ask(c.ResumeTable, pause=0)
    paused = await other.wait_for(e.Paused, is_asked)

    assert code_of(refused) is Refusal.NOT_HOST
    assert paused.by == host.name


async def test_who_came_back_to_a_paused_table_was_not_told_who_had_paused_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy", rules=RULES)
    host, (away, _) = host_of(guests), others_of(guests)
    await away.vanish()
    await host.ask(c.PauseTable)

    await away.connect(resume=True)
    paused = await away.wait_for(e.Paused)

    assert (paused.by, paused.voted) == (host.name, False)


async def test_a_halt_that_nobody_asked_for_is_nobodys(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    guests = await a_table(a_hall(nursery), nursery, "ana", "bo", rules=RULES)
    host, (other,) = host_of(guests), others_of(guests)
    await host.ask(c.PauseTable)
    await host.vanish()
    await other.vanish()  # the table waits for who went last

    await host.connect(resume=True)
    waiting = await host.wait_for(e.Paused, lambda event: event.reason is e.PauseReason.WAITING)

    assert (waiting.by, waiting.voted) == ("", False)
