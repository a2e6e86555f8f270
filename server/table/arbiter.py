"""Decide who challenged first. Times come in as numbers; no clock lives here (RULES C5 to C7)."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from protocol.events import DeadHeat
from protocol.numbers import PlayNumber, Seat


class Arrival(Struct, frozen=True, kw_only=True):
    """One challenge as the server received it, in microseconds since the table began."""

    seat: Seat
    play: PlayNumber
    at: int
    stamped: bool = True


class ChallengeWindow(Struct, frozen=True, kw_only=True):
    """The time in which a play may be challenged, and the seats that may.

    `seats` are in the order of RULES C5: the one nearest to the left of the player first.
    `closes_at` is the arrival of the closing cards or the end of a last play's protected time;
    None while nothing has closed it.
    """

    play: PlayNumber
    opened_at: int
    seats: tuple[Seat, ...]
    closes_at: int | None = None

    def admits(self, arrival: Arrival) -> bool:
        """Whether the challenge counts; at the same instant as the closing cards it does."""
        in_time = self.closes_at is None or arrival.at <= self.closes_at
        return (
            arrival.play == self.play
            and arrival.seat in self.seats
            and self.opened_at <= arrival.at
            and in_time
        )


class Verdict(Struct, frozen=True, kw_only=True):
    """Whose challenge it is, and the call order of all that counted, by arrival.

    `first` is the first of these, unless a photo finish went to one that came later (RULES C6).
    """

    first: Arrival
    order: tuple[Arrival, ...]
    dead_heat: DeadHeat | None = None


def decide(
    windows: Sequence[ChallengeWindow], arrivals: Iterable[Arrival], photo_finish_us: int = 0
) -> Verdict | None:
    """Find the first challenge that counts, or None if none does.

    Windows of several plays are open at once under `pick_up` only (RULES B14): then the earliest
    arrival of all wins, and at equal arrival the newer play. Within `photo_finish_us` of the
    earliest, all challenges count as equal arrivals (RULES C6).
    """
    window_of = {window.play: window for window in windows}
    counted = [a for a in arrivals if a.play in window_of and window_of[a.play].admits(a)]
    if not counted:
        return None
    earliest = min(arrival.at for arrival in counted)
    heat = [arrival for arrival in counted if arrival.at - earliest <= photo_finish_us]
    first = min(heat, key=lambda a: (-a.play, window_of[a.play].seats.index(a.seat), a.at))
    order = _call_order(first.play, window_of[first.play].seats, counted)
    return Verdict(first=first, order=order, dead_heat=_kind(heat, earliest))


def _call_order(
    play: PlayNumber, seats: Sequence[Seat], counted: Iterable[Arrival]
) -> tuple[Arrival, ...]:
    """Who doubted this play, each once, by arrival and C5 (RULES C8)."""
    same = (a for a in counted if a.play == play)
    order: dict[Seat, Arrival] = {}
    for arrival in sorted(same, key=lambda a: (a.at, seats.index(a.seat))):
        order.setdefault(arrival.seat, arrival)
    return tuple(order.values())


def _kind(heat: Sequence[Arrival], earliest: int) -> DeadHeat | None:
    if len({arrival.seat for arrival in heat}) == 1:
        return None
    if all(arrival.at == earliest for arrival in heat):
        return DeadHeat.EQUAL_ARRIVAL
    return DeadHeat.PHOTO_FINISH
