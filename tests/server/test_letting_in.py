"""While somebody is let in, which has to be kept first: what they say meanwhile, and whether they stay."""

import logging

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol.answers import Accepted, Refused, Welcome
from protocol.codec import encode_command
from protocol.commands import AnyCommand
from protocol.events import Event
from protocol.refusals import Refusal
from server.arrivals import Arrived, Hear, now_us
from server.person import Person
from server.session import MOST_EARLY, MOST_EARLY_READS
from tests.support.callers import a_call, a_hello, say_command
from tests.support.guests import a_hall
from tests.support.memory_store import HeldStore
from tests.support.mishaps import break_once
from tests.support.wires import StreamWire


async def test_what_is_said_while_its_sender_is_let_in_is_obeyed_then(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = HeldStore()
    caller = a_call(a_hall(nursery, store=store), nursery)
    for message in (a_hello(), say_command(1), say_command(2)):
        await caller.say(message)
        await wait_all_tasks_blocked()

    store.may_keep.set()

    await caller.wait_for(Welcome)
    assert [(await caller.wait_for(Accepted)).n for _ in range(2)] == [1, 2]


async def test_what_was_put_off_is_not_called_settled(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = HeldStore()
    hall = a_hall(nursery, store=store)
    obeyed: list[Arrived] = []

    def obey(_person: Person, _command: AnyCommand, arrived: Arrived) -> None:
        obeyed.append(arrived)

    monkeypatch.setattr(hall, "obey", obey)
    session = a_call(hall, nursery).session
    for message in (a_hello(), say_command(1)):
        data = encode_command(message)
        session._hear(Arrived(data=data, at=now_us(), stamped=True, settled=True))
    session._hear(Arrived(data=encode_command(say_command(2)), at=7, stamped=True, settled=True))

    store.may_keep.set()
    await wait_all_tasks_blocked()

    assert [arrived.settled for arrived in obeyed] == [False, False]
    assert obeyed[1].at == 7


async def test_whoever_floods_before_the_welcome_is_not_listened_to_for_ever(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = HeldStore()
    hall = a_hall(nursery, store=store)
    caller = a_call(hall, nursery)
    await caller.say(a_hello())
    await wait_all_tasks_blocked()

    await caller.send(bytes(MOST_EARLY))
    await caller.closed.wait()
    store.may_keep.set()
    await wait_all_tasks_blocked()

    assert hall.people.online == 0


async def test_single_bytes_before_the_welcome_once_cost_the_more_the_more_had_come(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """On a slow disk one connection could keep the server busy for seconds."""
    store = HeldStore()
    hall = a_hall(nursery, store=store)
    session = a_call(hall, nursery).session
    hello = Arrived(data=encode_command(a_hello()), at=now_us(), stamped=True, settled=True)
    session._hear(hello)

    for _ in range(MOST_EARLY):
        session._hear(Arrived(data=b"\0", at=now_us(), stamped=True, settled=True))
    kept = len(session._early)
    store.may_keep.set()
    await wait_all_tasks_blocked()

    assert kept <= MOST_EARLY_READS + 1
    assert hall.people.online == 0


async def test_whoever_leaves_while_being_let_in_is_not_there(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = HeldStore()
    hall = a_hall(nursery, store=store)
    caller = a_call(hall, nursery)
    await caller.say(a_hello())
    await caller.stream.aclose()
    await wait_all_tasks_blocked()

    store.may_keep.set()
    await caller.closed.wait()

    assert hall.people.online == 0
    await a_call(hall, nursery).say(a_hello())  # and the name is free
    await wait_all_tasks_blocked()
    assert hall.people.online == 1


async def test_a_slow_disk_is_no_fault_of_whoever_said_hello_in_time(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = HeldStore()
    caller = a_call(a_hall(nursery, store=store, hello_s=5), nursery)
    await caller.say(a_hello())
    await trio.sleep(30)

    store.may_keep.set()

    assert (await caller.wait_for(Welcome)).name == "ana"


async def test_a_connection_that_cannot_be_listened_to_ends_alone_and_is_logged(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def listen(_wire: StreamWire, _hear: Hear) -> None:
        raise OSError(28, "No space left on device")  # that is what epoll says of too many

    hall = a_hall(nursery)
    with monkeypatch.context() as patched:
        patched.setattr(StreamWire, "listen", listen)
        unlucky = a_call(hall, nursery)
    lucky = a_call(hall, nursery)
    await lucky.say(a_hello())

    await unlucky.closed.wait()
    await lucky.wait_for(Welcome)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


@pytest.mark.parametrize("taken", [False, True], ids=["the name is still free", "it is taken"])
async def test_whoever_came_back_as_an_older_line_was_lost_once_had_a_name_that_was_free(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    taken: bool,  # noqa: FBT001 - a parameter
) -> None:
    store, day = HeldStore(), iter(range(0, 10**9, 86_400))
    store.may_keep.set()
    hall = a_hall(nursery, store=store, wall=lambda: next(day))
    older = a_call(hall, nursery)
    await older.say(a_hello())
    secret = (await older.wait_for(Welcome)).secret
    store.may_keep = trio.Event()
    newer = a_call(hall, nursery)
    await newer.say(a_hello(secret=secret))
    await wait_all_tasks_blocked()
    await older.stream.aclose()
    await older.closed.wait()
    other = a_call(hall, nursery)
    if taken:
        await other.say(a_hello())
        await wait_all_tasks_blocked()

    store.may_keep.set()

    if taken:
        assert (await newer.wait_for(Refused)).code is Refusal.NAME_TAKEN
    else:
        await newer.wait_for(Welcome)
        await other.say(a_hello())
        assert (await other.wait_for(Refused)).code is Refusal.NAME_TAKEN


async def test_many_who_came_at_once_were_once_more_than_an_address_may_have(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = HeldStore()
    hall = a_hall(nursery, store=store, per_address=2)
    callers = [a_call(hall, nursery, address="198.51.100.7") for _ in range(4)]
    for number, caller in enumerate(callers):
        await caller.say(a_hello(f"guest {number}"))
    await wait_all_tasks_blocked()

    store.may_keep.set()
    answers = [await caller.wait_for(Event) for caller in callers]
    refused = [number for number, answer in enumerate(answers) if isinstance(answer, Refused)]
    elsewhere = a_call(hall, nursery, address="198.51.100.8")
    await elsewhere.say(a_hello(f"guest {max(refused, default=0)}"))  # the name is free again

    assert len(refused) == 2
    assert hall.people.online == 2
    assert (await elsewhere.wait_for(Welcome)).secret


async def test_who_could_not_be_welcomed_was_kept_out_by_their_own_name_for_good(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    break_once(hall, "_welcome")
    unlucky = a_call(hall, nursery)
    await unlucky.say(a_hello())
    await unlucky.closed.wait()

    again = a_call(hall, nursery)
    await again.say(a_hello())

    assert (await again.wait_for(Welcome)).name == "ana"
