"""What many tables send in one pass of the loop."""

from collections.abc import AsyncIterator
from functools import partial

import pytest
import trio

from server.postbag import Postbag

LONG_S = 20.0  # for which a loop would sleep that has nothing else to do


@pytest.fixture
async def bag(nursery: trio.Nursery) -> AsyncIterator[Postbag]:
    bag = Postbag()
    nursery.start_soon(bag.run)
    await trio.testing.wait_all_tasks_blocked()
    yield bag
    nursery.cancel_scope.cancel()


async def test_the_first_of_a_pass_sends_at_once(bag: Postbag) -> None:
    sent: list[str] = []

    bag.put(lambda: sent.append("first"))
    bag.put(lambda: sent.append("second"))

    assert sent == ["first"]


async def test_the_others_send_in_their_order_at_the_end_of_the_pass(bag: Postbag) -> None:
    sent: list[str] = []
    for name in ("first", "second", "third"):
        bag.put(partial(sent.append, name))

    await trio.lowlevel.checkpoint()

    assert sent == ["first", "second", "third"]


async def test_each_pass_has_a_first(bag: Postbag) -> None:
    sent: list[str] = []
    bag.put(lambda: sent.append("first"))
    await trio.lowlevel.checkpoint()

    bag.put(lambda: sent.append("first of the next"))

    assert sent == ["first", "first of the next"]


async def test_a_fault_of_one_table_keeps_nobody_elses_post(
    bag: Postbag, caplog: pytest.LogCaptureFixture
) -> None:
    sent: list[str] = []
    bag.put(lambda: sent.append("first"))
    bag.put([].pop)
    bag.put(lambda: sent.append("third"))

    await trio.lowlevel.checkpoint()
    bag.put(lambda: sent.append("of the next pass"))

    assert sent == ["first", "third", "of the next pass"]
    assert "could not be sent" in caplog.text


async def test_a_slow_line_is_not_written_to_only_once_the_loop_has_slept(bag: Postbag) -> None:
    written, began = trio.Event(), trio.current_time()
    bag.put(lambda: None)
    bag.put(written.set)  # wakes a task after the loop has looked whether anybody is ready

    with trio.move_on_after(LONG_S):
        await written.wait()

    assert trio.current_time() - began < LONG_S


async def test_what_is_put_in_while_the_bag_is_emptied_is_sent_as_well(bag: Postbag) -> None:
    sent: list[str] = []
    bag.put(lambda: sent.append("first"))
    bag.put(lambda: bag.put(lambda: sent.append("put in by the second")))

    await trio.lowlevel.checkpoint()

    assert sent == ["first", "put in by the second"]


async def test_before_the_bag_is_carried_and_after_that_everybody_sends_at_once() -> None:
    bag, sent = Postbag(), list[str]()
    for name in ("first", "second"):
        bag.put(partial(sent.append, name))

    assert sent == ["first", "second"]


async def test_what_is_in_the_bag_at_the_end_is_sent() -> None:
    bag, sent = Postbag(), list[str]()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bag.run)
        await trio.testing.wait_all_tasks_blocked()
        bag.put(lambda: sent.append("first"))
        bag.put(lambda: sent.append("second"))
        nursery.cancel_scope.cancel()

    bag.put(lambda: sent.append("third"))

    assert sent == ["first", "second", "third"]
