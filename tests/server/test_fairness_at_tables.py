"""No seat is favoured at a whole table, whatever the order in which calls are sent and read.

Policy of these tests: a mock clock and seeded dice. What chance decides is judged by the 99.9 % band
(`Shares`); what the rules decide is compared volley by volley (RULES B14, C1, C5, C6, C8).
"""

from collections.abc import Mapping, Sequence
from random import Random

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.numbers import CommandNumber, PlayNumber, Seat
from server.errand import Errand
from server.lobby.lobby import Lobby
from server.person import Person
from tests.support.guests import Guest, a_hall, a_table
from tests.support.shares import Labels, Shares

VOLLEYS = 400
NEVER_S = 1_000_000.0
PHOTO_FINISH_US = 100_000
UNHEARD = CommandNumber(1_000)  # of commands that nobody has sent: they are not answered


class Evening:
    """Five guests at one table: whoever is to move lies, and the others doubt it."""

    def __init__(self, guests: Sequence[Guest], lobby: Lobby, dice: Random) -> None:
        self.guests, self.lobby, self.dice = guests, lobby, dice
        self.shares = Shares()
        self._distance: dict[Seat, Labels] = {}

    async def lie(self) -> tuple[Guest, list[Guest]]:
        """The next play: its player, and the others in the order of their places to the left."""
        self._move_people_about()
        view = self.guests[0].view
        assert view is not None
        player, *others = sorted(
            self.guests, key=lambda guest: (guest.seat - view.table.turn) % len(self.guests)
        )
        await player.lay(truth=False)
        for guest in self.guests:
            await guest.wait_for(e.Played)
        return player, others

    def _move_people_about(self) -> None:
        """Give everybody a line of a new length; some sit behind SSH now (RULES C8)."""
        for guest in self.guests:
            person = self.lobby.people[guest.name]
            person.ssh, is_near = self.dice.random() < 0.5, self.dice.random() < 0.5
            person.rtt_us = self.dice.randrange(1_000, 9_000) * (1 if is_near else 50)
            self._distance[guest.seat] = ("ssh", person.ssh), ("near", is_near)

    def draw(self, others: Sequence[Guest], times: Sequence[int]) -> dict[Guest, int]:
        """When each of them calls, in microseconds, in the order in which they are sent."""
        shuffled = self.dice.sample(others, len(others))
        return dict(zip(shuffled, self.dice.sample(times, len(others)), strict=True))

    async def ruling(self, calls: Mapping[Guest, int]) -> e.Ruled:
        """Hear the ruling everywhere, and count who was first."""
        for guest in self.guests[1:]:
            await guest.wait_for(e.Ruled)
        ruled = await self.guests[0].wait_for(e.Ruled)
        for call in ruled.calls:
            person = self._person_at(call.seat)
            assert (call.ssh, call.rtt_us) == (person.ssh, person.rtt_us)
        labels = {
            guest.seat: (
                ("seat", guest.seat),
                ("steps to the left", (guest.seat - ruled.shown.seat) % len(self.guests)),
                ("sent as number", place),
                *self._distance[guest.seat],
            )
            for place, guest in enumerate(calls)
        }
        self.shares.count(labels, ruled.challenger)
        return ruled

    def _person_at(self, seat: Seat) -> Person:
        return next(self.lobby.people[guest.name] for guest in self.guests if guest.seat == seat)

    def hand_in(
        self, calls: Mapping[Guest, int], *, play: int | None = None, stamped: bool = True
    ) -> None:
        """Put calls that arrived this long ago into the inbox, one after the other."""
        assert self.lobby.table is not None
        newest = self.lobby.table.deal.table.newest
        for guest, age in calls.items():
            doubted = newest if play is None else PlayNumber(play)
            self._put(guest, c.Challenge(n=UNHEARD, deal=1, play=doubted), age, stamped=stamped)

    def hand_in_cards(self, guest: Guest, age: int) -> None:
        """Put the next play into the inbox, as if it had arrived this long ago."""
        assert guest.view is not None
        table = guest.view.table
        play = c.PlayCards(
            n=UNHEARD,
            deal=table.deal,
            after=table.newest,
            pile=table.pile_number,
            cards=(guest.view.hand[0].id,),
            count=1,
            rank=table.due[0],
        )
        self._put(guest, play, age, stamped=True)

    def _put(
        self, guest: Guest, command: c.Challenge | c.PlayCards, age: int, *, stamped: bool
    ) -> None:
        table = self.lobby.table
        assert table is not None
        person, at = self.lobby.people[guest.name], table.began + table.now - age
        self.lobby.take(Errand(person=person, command=command, at=at, stamped=stamped))


async def an_evening(nursery: trio.Nursery, rules: str) -> Evening:
    hall = a_hall(nursery, ping_s=NEVER_S, silence_s=NEVER_S)  # the test says how far all are
    guests = await a_table(hall, nursery, "ana", "bo", "cy", "dee", "eve", rules=rules)
    return Evening(guests, next(iter(hall.lobbies.values())), Random(11))


async def doubt_at(guest: Guest, at: float) -> None:
    await trio.sleep_until(at)
    await guest.doubt()


async def test_guests_who_call_after_random_delays_are_first_equally_often(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    evening = await an_evening(nursery, "r0")

    for _ in range(VOLLEYS):
        _, others = await evening.lie()
        calls = evening.draw(others, range(1, 3_000_000))
        opened = trio.current_time()
        async with trio.open_nursery() as callers:
            for guest, delay in calls.items():
                callers.start_soon(doubt_at, guest, opened + delay / 1_000_000)
        ruled = await evening.ruling(calls)
        assert ruled.challenger == min(calls, key=lambda guest: calls[guest]).seat

    assert evening.shares.outside_the_band() == {}


async def test_calls_handed_in_in_any_order_are_first_equally_often(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    evening = await an_evening(nursery, "r0")

    for _ in range(VOLLEYS):
        _, others = await evening.lie()
        await trio.sleep(0.5)
        calls = evening.draw(others, range(1, 40))
        evening.hand_in(calls)
        ruled = await evening.ruling(calls)
        by_arrival = sorted(calls, key=lambda guest: -calls[guest])
        assert [call.seat for call in ruled.calls] == [guest.seat for guest in by_arrival]

    assert evening.shares.outside_the_band() == {}


@pytest.mark.parametrize(
    ("rules", "spread_us", "dead_heat"),
    [
        pytest.param("r0", 0, e.DeadHeat.EQUAL_ARRIVAL, id="at one instant"),
        pytest.param("pf100.r0", PHOTO_FINISH_US, e.DeadHeat.PHOTO_FINISH, id="in a photo finish"),
    ],
)
async def test_at_a_table_a_dead_heat_goes_to_the_nearest_on_the_players_left(
    rules: str,
    spread_us: int,
    dead_heat: e.DeadHeat,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
) -> None:
    evening = await an_evening(nursery, rules)

    for _ in range(30):
        _, others = await evening.lie()
        await trio.sleep(0.5)
        some = evening.dice.sample(others, evening.dice.randint(2, len(others)))
        calls = evening.draw(some, range(1, 2 + spread_us)) if spread_us else dict.fromkeys(some, 1)
        evening.hand_in(calls)
        ruled = await evening.ruling(calls)
        assert ruled.challenger == next(guest.seat for guest in others if guest in calls)
        assert ruled.dead_heat is dead_heat


async def test_at_a_table_equal_doubts_about_two_plays_go_to_the_newer(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    evening = await an_evening(nursery, "until-pickup.w0.r0")

    for _ in range(12):
        await evening.lie()
        newer, (near, middle, far, _) = await evening.lie()
        assert newer.view is not None
        newest = newer.view.table.newest
        await trio.sleep(0.5)
        doubts = [(near, newest - 1), (far, newest), (middle, newest)]
        for guest, play in evening.dice.sample(doubts, len(doubts)):
            evening.hand_in({guest: 9}, play=play)
        ruled = await evening.ruling(dict.fromkeys((near, middle, far), 9))
        assert (ruled.shown.play, ruled.challenger) == (newest, middle.seat)


@pytest.mark.parametrize("cards_after_us", [0, 10], ids=["at one instant", "later"])
@pytest.mark.parametrize("cards_are_read_first", [True, False], ids=["cards first", "calls first"])
async def test_cards_close_nothing_to_a_call_that_came_no_later(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    *,
    cards_are_read_first: bool,
    cards_after_us: int,
) -> None:
    evening = await an_evening(nursery, "w0.r0")

    for _ in range(12):
        _, (following, *others) = await evening.lie()
        await trio.sleep(0.5)
        caller = evening.dice.choice(others)
        if cards_are_read_first:
            evening.hand_in_cards(following, 20 - cards_after_us)
        evening.hand_in({caller: 20})
        if not cards_are_read_first:
            evening.hand_in_cards(following, 20 - cards_after_us)
        ruled = await evening.ruling({caller: 20})
        assert ruled.challenger == caller.seat


# --- where a stamp is missing (RULES C1) ------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "unstamped"),
    [
        pytest.param(True, True, False, id="none"),
        pytest.param(False, True, True, id="that of the first"),
        pytest.param(True, False, True, id="that of another"),
    ],
)
@pytest.mark.parametrize("plays_back", [0, 1], ids=["both of one play", "of two plays"])
async def test_a_ruling_says_whether_a_stamp_was_missing(
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    *,
    first: bool,
    second: bool,
    unstamped: bool,
    plays_back: int,
) -> None:
    evening = await an_evening(nursery, "until-pickup.w0.r0")
    await evening.lie()
    newer, (near, far, *_) = await evening.lie()
    assert newer.view is not None
    await trio.sleep(0.5)

    evening.hand_in({near: 20}, stamped=first)
    evening.hand_in({far: 10}, stamped=second, play=newer.view.table.newest - plays_back)
    ruled = await evening.ruling({near: 20, far: 10})

    assert ruled.challenger == near.seat
    assert ruled.unstamped is unstamped
