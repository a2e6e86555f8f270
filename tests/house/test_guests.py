"""The guests of our tests: whoever waits in vain says what was heard meanwhile, before the test is ended."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from tests.support.far_guests import FarGuest
from tests.support.guests import Guest, a_hall


async def test_a_guest_who_waited_in_vain_once_said_nothing_of_what_was_heard(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana = Guest(a_hall(nursery), nursery, "ana")
    await ana.connect()
    await ana.ask(c.Say, text="is anybody there?")

    with pytest.raises(AssertionError, match=r"(?s)ana never heard such a Ruled.*anybody there"):
        await ana.wait_for(e.Ruled)
    with pytest.raises(AssertionError, match=r"(?s)ana never heard an answer to command 77"):
        await ana.answer_to(77)


def test_a_guest_on_a_real_line_once_waited_for_longer_than_any_test_may_take(
    pytestconfig: pytest.Config,
) -> None:
    assert FarGuest.patience_s < float(pytestconfig.getini("timeout"))
