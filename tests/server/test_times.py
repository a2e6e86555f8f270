"""The scenes of tests/end_to_end/test_times under a mock clock: each lasts exactly as long as it should."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock

from server.hall import NEWS_EVERY_S, Hall
from tests.support import close_calls, refills, times
from tests.support.callers import FarEnd, a_call
from tests.support.chaos import NO_LIMITS
from tests.support.guests import Guest, a_hall
from tests.support.times import Scene, Stage

FAR = "198.51.100.7"
PATIENT = {"silence_s": 10_000.0, "hello_s": 10_000.0}
EXACT_S = 0.000_01
ASKED_AGAIN = 1 / 20  # of the bound: after each of these a refill is asked for again
HALL = NEWS_EVERY_S  # what is told to the hall comes in batches


@asynccontextmanager
async def a_line(hall: Hall, nursery: trio.Nursery) -> AsyncIterator[FarEnd]:
    async with (caller := a_call(hall, nursery, address=FAR)).stream:
        yield caller


async def played(nursery: trio.Nursery, scene: Scene, settings: dict[str, float]) -> times.Took:
    """Play one scene on a server of its own; how long each policy has lasted."""
    hall = a_hall(nursery, **(NO_LIMITS | PATIENT | settings))
    stage = Stage(
        settings=settings,
        new_guest=lambda name: Guest(hall, nursery, name),
        call=lambda: a_line(hall, nursery),
    )
    await scene(stage)
    return stage.took


@pytest.mark.parametrize(
    ("scene", "settings", "late_s"),
    [
        (times.hello, {"hello_s": 5.0}, 0.0),
        (times.silence_after_pings, {"ping_s": 5.0, "silence_s": 15.0}, 0.0),
        (times.window, {}, 0.0),
        (times.last_window, {}, 0.0),
        (times.reveal, {}, 0.0),
        (times.turn_clocks, {}, 0.0),
        (times.asked_clock, {}, 0.0),
        (times.end_of_a_deal, {}, 0.0),
        (close_calls.photo_finish, {}, 0.0),
        (close_calls.late_calls, {}, close_calls.JUST_OVER_S),
        (times.stand_in, {"stand_in_s": 20.0}, 0.0),
        (times.vote, {"vote_s": 60.0}, 0.0),
        (times.pause, {"pause_min": 15.0}, 0.0),
        (times.count_of_three, {}, 0.0),
        (times.parked, {"park_h": 0.9}, 0.0),
        (times.waiting, {"return_s": 30.0}, 0.0),
        (times.empty_lobby, {"idle_min": 30.0}, HALL),
        (times.settling, {"settle_ms": 250.0}, 0.0),
        (refills.commands, {"commands_per_s": 10.0, "commands_burst": 20}, ASKED_AGAIN * 0.1),
        (refills.chat, {"chat_per_s": 1.0, "chat_burst": 5}, ASKED_AGAIN),
        (refills.talk_in_the_hall, {"hall_chat_per_s": 10.0}, ASKED_AGAIN * 0.1),
        (refills.wrong_codes, {"wrong_codes_per_min": 5}, ASKED_AGAIN * 12),
        (refills.entries, {"entries_per_min": 30}, ASKED_AGAIN * 2),
        (refills.coming_back, {"reconnects_per_min": 30}, ASKED_AGAIN * 2),
        (refills.refusals, {"refusals_per_s": 5.0, "refusals_burst": 10}, ASKED_AGAIN * 0.2),
        (refills.newcomers, {"new_local_people_per_min": 300}, ASKED_AGAIN * 0.2),
        (refills.wrong_secrets, {"wrong_secrets_per_min": 10}, ASKED_AGAIN * 6),
    ],
)
async def test_every_time_is_up_when_it_says_and_no_later(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    scene: Scene,
    settings: dict[str, float],
    late_s: float,
) -> None:
    took = await played(nursery, scene, settings)

    assert took
    assert settings.keys() - took.keys() <= {name for name in settings if name.endswith("_burst")}
    for bound_s, lasted_s in took.values():
        assert -EXACT_S <= lasted_s - bound_s <= late_s + EXACT_S
