"""No seat is favoured by the arbiter, and a dead heat goes as it is written (RULES B14, C5, C6).

Policy of these tests: all dice are seeded, so no run differs from the next. What chance decides is
judged by the 99.9 % band (`Shares`); what the rules decide is compared volley by volley.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random

import pytest

from protocol.events import DeadHeat
from protocol.numbers import PlayNumber, Seat
from protocol.rules import ChallengeUntil, TableRules
from server.table.arbiter import Arrival, ChallengeWindow, Verdict, decide
from server.table.calls import windows
from tests.support.deals import a_table
from tests.support.shares import Labels, Shares

VOLLEYS = 6_000
EVERY_TABLE = [pytest.param(seats, id=f"{seats} seats") for seats in range(3, 11)]

Referee = Callable[[Sequence[Arrival]], Arrival]


@dataclass(frozen=True, slots=True, kw_only=True)
class Volley:
    """Challenges to one play, in the order in which they were read."""

    seats: int
    player: Seat
    calls: tuple[Arrival, ...]

    @property
    def labels(self) -> dict[Seat, Labels]:
        """What must not matter: the seat, the steps to the left, and the place in the reading."""
        return {
            call.seat: (
                ("seat", call.seat),
                ("steps to the left", (call.seat - self.player) % self.seats),
                ("of so many read as number", len(self.calls), place),
            )
            for place, call in enumerate(self.calls)
        }


def a_volley(dice: Random, seats: int, times: Sequence[int], *, ties: bool = False) -> Volley:
    """Two or more of all who may challenge, at random times, read in random order."""
    player = Seat(dice.randrange(seats))
    others = [Seat(seat) for seat in range(seats) if seat != player]
    callers = dice.sample(others, dice.randint(2, len(others)))
    drawn = dice.choices(times, k=len(callers)) if ties else dice.sample(times, len(callers))
    return Volley(seats=seats, player=player, calls=calls_of(callers, drawn))


def calls_of(seats: Sequence[Seat], times: Sequence[int]) -> tuple[Arrival, ...]:
    return tuple(
        Arrival(seat=seat, play=PlayNumber(1), at=at) for seat, at in zip(seats, times, strict=True)
    )


@cache
def window_after(seats: int, player: int) -> tuple[ChallengeWindow, ...]:
    """The window as the server makes it after a play of this seat."""
    return windows(a_table(["AS KD"] * seats, turn=player).play("AS").deal, {PlayNumber(1)})


@cache
def windows_after_three(seats: int, player: int) -> tuple[ChallengeWindow, ...]:
    """The same where every play of three in a row may still be doubted (RULES B14)."""
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP, window_s=0)
    table = a_table(["AS KD"] * seats, rules, turn=player)
    plays = {PlayNumber(number) for number in (1, 2, 3)}
    return windows(table.play("AS").play("AS").play("AS").deal, plays)


def the_verdict(volley: Volley, photo_finish_us: int = 0) -> Verdict:
    verdict = decide(window_after(volley.seats, volley.player), volley.calls, photo_finish_us)
    assert verdict is not None
    return verdict


def nearest_to_the_left(player: int, callers: Collection[int], seats: int) -> int:
    """The first of them that one meets when walking around the table from the player."""
    seat = (player + 1) % seats
    while seat not in callers:
        seat = (seat + 1) % seats
    return seat


@pytest.mark.parametrize(
    "spread_us",
    [
        pytest.param(4_000_000, id="calls all over the window"),
        pytest.param(12, id="calls within 12 microseconds"),
    ],
)
@pytest.mark.parametrize("seats", EVERY_TABLE)
def test_all_seats_are_first_equally_often(seats: int, spread_us: int) -> None:
    dice, shares = Random(seats), Shares()

    for _ in range(VOLLEYS):
        volley = a_volley(dice, seats, range(spread_us))
        first = the_verdict(volley).first
        assert first == min(volley.calls, key=lambda call: call.at)
        shares.count(volley.labels, first.seat)

    assert shares.outside_the_band() == {}


@pytest.mark.parametrize(
    "favourite",
    [
        pytest.param(lambda calls: calls[0], id="the one read first"),
        pytest.param(lambda calls: calls[-1], id="the one read last"),
        pytest.param(lambda calls: min(calls, key=lambda call: call.seat), id="the lowest seat"),
    ],
)
def test_a_referee_who_gives_one_race_in_ten_away_is_caught(favourite: Referee) -> None:
    dice, shares = Random(5), Shares()

    for _ in range(VOLLEYS):
        volley = a_volley(dice, 6, range(4_000_000))
        is_given_away = dice.random() < 0.1
        first = favourite(volley.calls) if is_given_away else the_verdict(volley).first
        shares.count(volley.labels, first.seat)

    assert shares.outside_the_band() != {}


@pytest.mark.parametrize("photo_finish_us", [0, 4], ids=["no photo finish", "photo finish"])
@pytest.mark.parametrize("seats", EVERY_TABLE)
def test_when_everybody_moves_on_by_a_seat_so_does_the_first_call(
    seats: int, photo_finish_us: int
) -> None:
    dice = Random(seats)

    for _ in range(VOLLEYS // 8):
        volley = a_volley(dice, seats, range(9), ties=True)
        read = dice.sample(volley.calls, len(volley.calls))
        moved = Volley(
            seats=seats,
            player=Seat((volley.player + 1) % seats),
            calls=calls_of([Seat((x.seat + 1) % seats) for x in read], [x.at for x in read]),
        )

        here, there = (the_verdict(each, photo_finish_us) for each in (volley, moved))

        assert [(call.seat + 1) % seats for call in here.order] == [x.seat for x in there.order]
        assert here.dead_heat == there.dead_heat


# --- what the rules decide and not chance -------------------------------------------------------


@pytest.mark.parametrize("seats", EVERY_TABLE)
def test_of_any_who_call_at_one_instant_the_nearest_to_the_left_is_first(seats: int) -> None:
    dice = Random(seats)

    for player in range(seats):
        for callers in groups_without(player, seats):
            read = dice.sample(callers, len(callers))
            calls = calls_of(read, [7] * len(read))

            verdict = the_verdict(Volley(seats=seats, player=Seat(player), calls=calls))

            assert verdict.first.seat == nearest_to_the_left(player, callers, seats)
            assert verdict.dead_heat is DeadHeat.EQUAL_ARRIVAL


def groups_without(player: int, seats: int) -> Iterator[tuple[Seat, ...]]:
    """All groups of two or more of the other seats."""
    others = [Seat(seat) for seat in range(seats) if seat != player]
    for size in range(2, seats):
        yield from combinations(others, size)


@pytest.mark.parametrize("spread_us", [51, 150], ids=["all within it", "some after it"])
@pytest.mark.parametrize("seats", EVERY_TABLE)
def test_in_a_photo_finish_the_nearest_to_the_left_is_first(seats: int, spread_us: int) -> None:
    dice = Random(seats)

    for _ in range(VOLLEYS // 4):
        volley = a_volley(dice, seats, range(spread_us))
        earliest = min(call.at for call in volley.calls)
        heat = [call.seat for call in volley.calls if call.at <= earliest + 50]

        verdict = the_verdict(volley, photo_finish_us=50)

        assert verdict.first.seat == nearest_to_the_left(volley.player, heat, seats)
        assert verdict.dead_heat is (DeadHeat.PHOTO_FINISH if len(heat) > 1 else None)


@pytest.mark.parametrize("photo_finish_us", [0, 50], ids=["at one instant", "in a photo finish"])
@pytest.mark.parametrize("seats", EVERY_TABLE)
def test_of_doubts_about_several_plays_the_newest_play_goes_first(
    seats: int, photo_finish_us: int
) -> None:
    dice = Random(seats)

    for _ in range(VOLLEYS // 8):
        oldest = dice.randrange(seats)
        players = {play: (oldest + play - 1) % seats for play in (1, 2, 3)}
        calls = doubts_about(players, dice, seats, photo_finish_us)

        verdict = decide(windows_after_three(seats, oldest), calls, photo_finish_us)

        newest = max(call.play for call in calls)
        callers = [call.seat for call in calls if call.play == newest]
        assert verdict is not None
        assert verdict.first.play == newest
        assert verdict.first.seat == nearest_to_the_left(players[newest], callers, seats)


def doubts_about(
    players: Mapping[int, int], dice: Random, seats: int, spread_us: int
) -> tuple[Arrival, ...]:
    """Some seats, each of which doubts one of the plays that is not its own."""
    callers = dice.sample(range(seats), dice.randint(2, seats))
    return tuple(
        Arrival(
            seat=Seat(seat),
            play=PlayNumber(dice.choice([p for p, player in players.items() if player != seat])),
            at=7 + dice.randint(0, spread_us),
        )
        for seat in callers
    )
