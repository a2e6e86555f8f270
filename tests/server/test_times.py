"""The scenes of tests/end_to_end/test_times under a mock clock: each lasts exactly as long as it should.

All but one: the listener's own limit on connections is in `test_attacks`.
"""

import hashlib
import itertools
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock

from server.hall import Hall
from server.notices import NEWS_EVERY_S
from server.passwords import Passwords
from tests.support import close_calls, refills, times
from tests.support.callers import FarEnd, a_call
from tests.support.chaos import NO_LIMITS
from tests.support.guests import Guest, a_hall
from tests.support.times import Scene, Stage

FAR = "198.51.100.7"
MANY = tuple(f"203.0.113.{number}" for number in range(250))
HERE = "127.0.0.1"
PATIENT = {
    "silence_s": 10_000.0,
    "hello_s": 10_000.0,
    "own_passwords_per_min": 1000,
    "entries_per_min": 1000,
}
EXACT_S = 0.000_01
ASKED_AGAIN = 1 / 20  # of the bound: after each of these a refill is asked for again
HALL = NEWS_EVERY_S  # what is told to the hall comes in batches


class Elsewhere(Guest):
    """A guest whose address is their own."""

    address = HERE

    async def _call(self, address: str) -> trio.abc.Stream:
        del address
        return await super()._call(self.address)


@asynccontextmanager
async def a_line(hall: Hall, nursery: trio.Nursery) -> AsyncIterator[FarEnd]:
    async with (caller := a_call(hall, nursery, address=FAR)).stream:
        yield caller


@pytest.fixture(autouse=True)
def hashing_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mock clock does not wait for a thread."""

    async def at_once(password: str, salt: bytes) -> bytes:
        return hashlib.blake2b(salt + password.encode()).digest()

    monkeypatch.setattr(Passwords, "_scrypt", staticmethod(at_once))


async def played(
    nursery: trio.Nursery,
    scene: Scene,
    settings: dict[str, float],
    addresses: Iterable[str] = (),
) -> times.Took:
    """Play one scene on a server of its own, with guests from here; how long each policy has lasted."""
    hall = a_hall(nursery, **(NO_LIMITS | PATIENT | settings))
    of_guests = itertools.chain(addresses, itertools.repeat(HERE))

    def new_guest(name: str) -> Guest:
        guest = Elsewhere(hall, nursery, name)
        guest.address = next(of_guests)
        return guest

    stage = Stage(
        settings=settings,
        new_guest=new_guest,
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
        (refills.passwords_from_here, {"local_passwords_per_min": 5}, ASKED_AGAIN * 12),
        (refills.passwords_of_one_person, {"own_passwords_per_min": 10}, ASKED_AGAIN * 6),
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
    assert out_of_bounds(took, late_s) == {}


@pytest.mark.parametrize(
    ("scene", "settings", "addresses"),
    [
        (refills.newcomers_from_afar, {"new_people_per_min": 10.0}, [FAR] * 99),
        (refills.newcomers_from_everywhere, {"new_far_people_per_min": 60.0}, MANY),
        (refills.passwords, {"passwords_per_min": 5.0}, [FAR]),
    ],
)
async def test_every_limit_on_people_off_this_machine_refills_when_it_says(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    scene: Scene,
    settings: dict[str, float],
    addresses: Sequence[str],
) -> None:
    took = await played(nursery, scene, settings, addresses)

    ((policy, value),) = settings.items()
    assert took.keys() == {policy}
    assert out_of_bounds(took, ASKED_AGAIN * times.lasts(policy, value)) == {}


async def test_whoever_stays_away_is_forgotten_before_twice_the_time_is_up(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    took = await played(nursery, times.forgotten, {"remember_days": 0.05})

    assert took.keys() == {"remember_days"}
    assert out_of_bounds(took, 0.9 * times.lasts("remember_days", 0.05)) == {}


def out_of_bounds(took: times.Took, late_s: float) -> times.Took:
    """What was up too soon, or later than by so much."""
    return {
        name: each
        for name, each in took.items()
        if not -EXACT_S <= each[1] - each[0] <= late_s + EXACT_S
    }
