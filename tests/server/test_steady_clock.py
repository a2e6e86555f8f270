"""A server that was stopped for a while goes on where it was: no time-outs, no closed windows."""

import time

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import wait_all_tasks_blocked

from protocol import events as e
from protocol.answers import Goodbye
from protocol.numbers import MICROS
from server import arrivals
from server.arrivals import WallClock
from server.steady_clock import LATE_S, NAP_S, SteadyClock
from tests.support.guests import a_hall, a_table


class Source:
    """A monotonic clock that is moved by hand, in seconds."""

    def __init__(self, at: float = 5_000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


def a_clock(source: Source) -> SteadyClock:
    clock = SteadyClock(source)
    clock.start_clock()
    return clock


def sleep(clock: SteadyClock, source: Source, deadline: float, *, for_s: float) -> float:
    """Sleep towards a deadline, and be woken after this long; return how long was asked for."""
    asked_s = clock.deadline_to_sleep_time(deadline)
    source.at += for_s
    return asked_s


def test_time_passes_as_it_does_while_the_loop_runs() -> None:
    source = Source()
    clock = a_clock(source)
    began = clock.current_time()

    for _ in range(100):
        asked_s = sleep(clock, source, began + 30, for_s=0.3)
        assert asked_s == pytest.approx(min(NAP_S, began + 30 - clock.current_time() + 0.3))

    assert clock.current_time() - began == pytest.approx(30)


@pytest.mark.parametrize("for_s", [20, 3600, 86_400])
def test_a_stop_counts_as_a_second_and_a_half_at_most(for_s: float) -> None:
    source = Source()
    clock = a_clock(source)
    began = clock.current_time()

    sleep(clock, source, began + 3600, for_s=for_s)

    assert clock.current_time() - began == pytest.approx(LATE_S + NAP_S)


def test_a_loop_that_is_only_late_loses_nothing() -> None:
    source = Source()
    clock = a_clock(source)
    began = clock.current_time()

    for _ in range(10):
        source.at += LATE_S - 0.01
        clock.current_time()

    assert clock.current_time() - began == pytest.approx(10 * (LATE_S - 0.01))


@given(
    naps=st.lists(st.floats(0, 100), min_size=1, max_size=30),
    moments=st.lists(st.floats(0, 1), min_size=2, max_size=20),
)
def test_what_came_in_order_before_during_and_after_a_stop_stays_in_order(
    naps: list[float], moments: list[float]
) -> None:
    source = Source()
    clock = a_clock(source)
    shown = [clock.current_time()]
    for nap_s in naps:
        sleep(clock, source, shown[-1] + 1000, for_s=nap_s)
        shown.append(clock.current_time())
    since = clock._stop[0] - 1
    stamps = sorted(round((since + each * (source.at - since)) * MICROS) for each in moments)

    times = [clock.loop_us(stamp) for stamp in stamps]

    assert shown == sorted(shown)
    assert times == sorted(times)
    assert times[-1] <= round(shown[-1] * MICROS) + 1


def test_calls_that_came_while_the_server_was_stopped_are_stamped_and_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = Source()
    clock = a_clock(source)
    monkeypatch.setattr(arrivals, "now_us", lambda: round(clock.current_time() * MICROS))
    monkeypatch.setattr(time, "time_ns", lambda: round(source.at * MICROS) * 1000 + 7 * 10**17)
    wall = WallClock(clock)
    before = arrivals.now_us()
    stamps = []
    for _ in range(4):  # 5 s apart, and nobody looks
        source.at += 5
        stamps.append(time.time_ns())

    assert wall.look()

    times = [wall.loop_us(stamp) for stamp in stamps]
    assert times == sorted(set(times))
    assert before < times[0]
    assert times[-1] <= arrivals.now_us()


class Stopping:
    """The clock of the system, plus the time in which, as the test says, nothing ran."""

    def __init__(self) -> None:
        self.stopped_s = 0.0

    def __call__(self) -> float:
        return time.perf_counter() + self.stopped_s


@pytest.fixture
def stopping() -> Stopping:
    return Stopping()


@pytest.fixture
def clock(stopping: Stopping) -> SteadyClock:
    return SteadyClock(stopping)


async def test_when_a_stopped_server_went_on_everybody_was_once_gone_and_every_window_closed(
    nursery: trio.Nursery, clock: SteadyClock, stopping: Stopping
) -> None:
    first, second, third = await a_table(a_hall(nursery), nursery, "ana", "bo", "cy")
    await first.lay(truth=False)
    await third.wait_for(e.Played)

    stopping.stopped_s += 20
    await wait_all_tasks_blocked()
    doubt = await third.doubt()
    ruled = await second.wait_for(e.Ruled)

    assert ruled.challenger == third.seat
    assert (await third.answer_to(doubt)) is not None
    assert not any(guest.all_heard(Goodbye) for guest in (first, second, third))
    assert not [line for line in second.all_heard(e.LobbyNews) if line.news is e.News.LOST]
