"""Judge what the server made of calls whose true order is known. Numbers in, faults out.

The truth is when the kernel took each frame (`Shot.at`, nanoseconds); the server tells its own times
in whole microseconds. Two arrivals less than one apart may be an equal arrival to the server, and
then the seat nearest to the left is right (RULES C5); further apart there is one right answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.numbers import Seat
from protocol.refusals import Refusal
from racing.volley import Shot

MICRO = 1_000  # nanoseconds; the finest time the server tells
ROUNDING_NS = 5_000  # that two accounts of the same instant may differ by
LATE_CALLS_NS = 900_000_000  # after a second a late call is on no strip any more (RULES C8)
CERTAIN_NS = 100_000  # without the kernel's stamps, calls this far apart are surely in order
LATE = frozenset({Refusal.NOT_FIRST, Refusal.TOO_LATE, Refusal.NO_DEAL})

Answers = Mapping[Seat, Accepted | Refused]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """All that the server said about one volley: the answer to each, the ruling, the strip."""

    answers: Answers
    ruled: e.Ruled | None = None
    late_calls: tuple[e.LateCall, ...] = ()

    @property
    def calls(self) -> tuple[e.Call, ...]:
        """The calls in the server's order: those of the ruling, then the late ones."""
        first = () if self.ruled is None else self.ruled.calls
        return (*first, *(late.call for late in self.late_calls))

    def why_not(self, seat: Seat) -> Refusal | None:
        """Why a seat's command was refused; None if it was accepted."""
        answer = self.answers[seat]
        return answer.code if isinstance(answer, Refused) else None

    def late_us(self, seat: Seat) -> int | None:
        """By how much a seat's call was late, as the server told it."""
        answer = self.answers[seat]
        return answer.late_us if isinstance(answer, Refused) else None


def is_certain(shots: Sequence[Shot]) -> bool:
    """Whether the true order is beyond doubt.

    A frame that went through within its write was in the server's kernel before the next write
    began. Without a stamp that cannot be known, and only a wide gap will do.
    """
    if all(shot.went_through for shot in shots):
        return True
    if any(shot.stamp is not None for shot in shots):
        return False
    return all(later.before - earlier.after >= CERTAIN_NS for earlier, later in pairwise(shots))


def faults_of_calls(shots: Sequence[Shot], heard: Heard, player: Seat, seats: int) -> list[str]:
    """What is wrong with the ruling on calls that all came while the window was open."""
    if heard.ruled is None:
        return ["no ruling"]
    faults = list(_faults_of_order(_times(shots), heard.calls))
    faults += _faults_of_heat(heard.ruled, player, seats)
    faults += _faults_of_answers(shots, heard, heard.ruled.challenger)
    return faults


def _times(shots: Sequence[Shot]) -> dict[Seat, int]:
    return {shot.seat: shot.at for shot in shots}


def _faults_of_order(at: Mapping[Seat, int], calls: Sequence[e.Call]) -> Iterator[str]:
    """The order told must be the order of arrival (RULES C5, C8)."""
    unknown = [call.seat for call in calls if call.seat not in at]
    if unknown or len({call.seat for call in calls}) < len(calls):
        yield f"the call order names {[call.seat for call in calls]}, not just who called, once"
        return
    for before, after in combinations([call.seat for call in calls], 2):
        ahead = at[before] - at[after]
        if ahead >= MICRO:
            yield f"seat {before} is told before seat {after}, which was {ahead} ns earlier"


def _faults_of_heat(ruled: e.Ruled, player: Seat, seats: int) -> Iterator[str]:
    """At equal arrival the seat nearest to the player's left is first (RULES C5)."""
    equal = [call.seat for call in ruled.calls[1:] if call.after_us == 0] + [ruled.challenger]
    nearest = min(equal, key=lambda seat: (seat - player) % seats)
    if ruled.dead_heat is not None and nearest != ruled.challenger:
        yield f"of equal calls by {equal} seat {ruled.challenger} was first, not {nearest}"
    by_photo = ruled.dead_heat is e.DeadHeat.PHOTO_FINISH
    if ruled.calls[0].seat != ruled.challenger and not by_photo:
        yield "the challenger is not the first of the call order"


def _faults_of_answers(shots: Sequence[Shot], heard: Heard, first: Seat) -> Iterator[str]:
    for shot in shots:
        refusal = heard.why_not(shot.seat)
        if shot.seat == first and refusal is not None:
            yield f"seat {first} was first and yet refused: {refusal}"
        if shot.seat != first and refusal not in LATE:
            yield f"seat {shot.seat} was not first and was told {refusal}"


def faults_of_cards(cards: Shot, call: Shot, heard: Heard) -> list[str]:
    """What is wrong with cards against a call in a window that is not protected (RULES C2, C5).

    A call that is earlier, or equal, turns the older play up and the cards come back; later, it
    is too late.
    """
    answers = heard.why_not(cards.seat), heard.why_not(call.seat)
    call_counts, cards_count = (Refusal.CALLED_FIRST, None), (None, Refusal.TOO_LATE)
    if answers not in {call_counts, cards_count}:
        return [f"cards were told {answers[0]} and the call {answers[1]}"]
    ahead = cards.at - call.at  # how much earlier the call was
    if answers == call_counts and ahead <= -MICRO:
        return [f"the call counted although the cards came {-ahead} ns earlier"]
    if answers == cards_count and ahead >= MICRO:
        return [f"the cards counted although the call came {ahead} ns earlier"]
    return []


# --- a window that ends by time -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A moment that is known to lie between two others, in nanoseconds."""

    low: int
    high: int

    def moved(self, by: int) -> "Span":
        """The moment later by this much."""
        return Span(low=self.low + by, high=self.high + by)

    def narrowed(self, other: "Span") -> "Span":
        """The same moment, known from two sides."""
        return Span(low=max(self.low, other.low), high=min(self.high, other.high))

    @property
    def is_possible(self) -> bool:
        """Whether there is such a moment, up to rounding."""
        return self.low <= self.high + ROUNDING_NS


def span_of(shot: Shot) -> Span:
    """When a frame reached the server's kernel."""
    return Span(low=shot.earliest, high=shot.latest)


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeFinding:
    """What a volley at a closing edge has shown.

    `offset_us` is when the first call came, seen from the close (before it: negative), and None if
    that cannot be told from outside; `lost` says that a call was in time, and refused.
    """

    offset_us: int | None
    lost: bool = False
    faults: tuple[str, ...] = ()


def edge_finding(shots: Sequence[Shot], heard: Heard, close: Span, length_us: int) -> EdgeFinding:
    """Judge calls around the end of a last play's window (RULES C2, C5).

    `close` is what is known of its end without asking the server: the cards were sent before it
    opened, and somebody had heard of them after.
    """
    if heard.ruled is None:
        return _all_refused(shots, heard, close)
    return _one_admitted(shots, heard, heard.ruled, close, length_us)


def _one_admitted(
    shots: Sequence[Shot], heard: Heard, ruled: e.Ruled, close: Span, length_us: int
) -> EdgeFinding:
    first = next((shot for shot in shots if shot.seat == ruled.calls[0].seat), None)
    if first is None:
        return EdgeFinding(offset_us=None, faults=("the first of the call order has not called",))
    left_us = length_us - ruled.calls[0].after_us  # of the window, when the first call came
    told = close.narrowed(span_of(first).moved(left_us * MICRO))
    earlier = [shot for shot in shots if shot.at + MICRO <= first.at]
    faults = [f"seat {shot.seat} was lost: a later call counted" for shot in earlier]
    faults += _faults_of_order(_times(shots), heard.calls)
    faults += _faults_of_lateness(ruled, first, close, left_us)
    if not told.is_possible:
        faults.append("the window cannot have closed when the ruling says")
    offset = (min(shot.at for shot in shots) - first.at) // MICRO - left_us
    return EdgeFinding(offset_us=offset, lost=bool(earlier), faults=tuple(faults))


def _faults_of_lateness(ruled: e.Ruled, first: Shot, close: Span, left_us: int) -> Iterator[str]:
    last_us = max((call.after_us for call in ruled.calls[1:]), default=0)
    if last_us > left_us:
        yield f"a call was let in {last_us - left_us} us after the close"
    if first.earliest > close.high:
        yield "a call was let in that came after the close, beyond doubt"


def _all_refused(shots: Sequence[Shot], heard: Heard, close: Span) -> EdgeFinding:
    told = close
    for shot in shots:
        if late_us := heard.late_us(shot.seat):
            told = told.narrowed(span_of(shot).moved(-late_us * MICRO))
    losses = tuple(
        f"seat {shot.seat} was lost: {why}" for shot in shots for why in _losses(shot, heard, told)
    )
    impossible = () if told.is_possible else ("the refusals contradict each other, or the clock",)
    first = min(shots, key=lambda shot: shot.at)
    return EdgeFinding(
        offset_us=_offset_us(first, heard, told), lost=bool(losses), faults=losses + impossible
    )


def _losses(shot: Shot, heard: Heard, close: Span) -> Iterator[str]:
    """Why this refused call was in time, if it was."""
    refusal = heard.why_not(shot.seat)
    if refusal not in LATE:
        yield f"it was told {refusal}"
    elif refusal is Refusal.TOO_LATE and not heard.late_us(shot.seat):
        yield "it was not late by the server's own account"
    elif shot.latest + ROUNDING_NS <= close.low:
        yield "it came before the close, beyond doubt"


def _offset_us(first: Shot, heard: Heard, close: Span) -> int | None:
    if late_us := heard.late_us(first.seat):
        return late_us
    return (first.at - close.high) // MICRO if first.earliest > close.high else None
