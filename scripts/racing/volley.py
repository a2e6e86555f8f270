"""Write frames a known distance apart, from one thread, and know when the kernel took each."""

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from protocol.numbers import Seat
from racing.player import Player

HELD_UP_NS = 10_000  # between two writes, less is the price of getting there,
HELD_UP_PART = 0.05  # and so is such a part of the distance
SLOW_NS = 100_000  # for one write; it usually takes 4,000 to 20,000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One frame on its way: before and after its write, and the kernel's stamp between the two.

    All of these in nanoseconds of the wall clock, as is when it was due; no stamp where the kernel
    gives none.
    """

    seat: Seat
    due: int
    before: int
    after: int
    stamp: int | None

    @property
    def at(self) -> int:
        """When it was sent, as well as can be known."""
        return self.after if self.stamp is None else self.stamp

    @property
    def earliest(self) -> int:
        """Before that it was not in the server's kernel."""
        return self.before if self.stamp is None else self.stamp

    @property
    def latest(self) -> int:
        """By then it was in the server's kernel, given that it `went_through`."""
        return self.after

    @property
    def went_through(self) -> bool:
        """Whether the kernel is known to have carried it over within the write itself."""
        return self.stamp is not None and self.before <= self.stamp <= self.after


def was_held_up(shots: Sequence[Shot]) -> bool:
    """Whether the sender was stopped between two writes, or in the middle of one.

    That a write takes its time, and the next one has to wait for it, is no such thing.
    """
    waits = [
        later.before - max(later.due, earlier.after) for earlier, later in itertools.pairwise(shots)
    ]
    distance = shots[-1].due - shots[0].due
    return max(waits) > HELD_UP_NS + distance * HELD_UP_PART or any(
        shot.after - shot.before > SLOW_NS for shot in shots
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Aimed:
    """A frame to write on this player's socket at this time, in nanoseconds of the wall clock."""

    player: Player
    seat: Seat
    frame: bytes
    due: int


def fire(volley: Sequence[Aimed]) -> tuple[Shot, ...]:
    """Write the frames, each when it is due, and look the stamps up afterwards.

    If the first one is late, all are: the distances matter.
    """
    shots = [(aimed.player.socket.send, aimed.frame, aimed.due) for aimed in volley]
    times = _fired(shots)
    return tuple(_shot(aimed, *of_it) for aimed, of_it in zip(volley, times, strict=True))


def _fired(
    shots: Sequence[tuple[Callable[[bytes], int], bytes, int]],
) -> list[tuple[int, int, int]]:
    now = time.time_ns  # looked up once: between two writes every microsecond counts
    times = []
    delay = max(0, now() - shots[0][2])
    for send, frame, wanted in shots:
        due = wanted + delay
        while (before := now()) < due:
            pass
        send(frame)
        times.append((due, before, now()))
    return times


def _shot(aimed: Aimed, due: int, before: int, after: int) -> Shot:
    aimed.player.bytes_sent += len(aimed.frame)
    stamp = aimed.player.stamp_of_newest()
    return Shot(seat=aimed.seat, due=due, before=before, after=after, stamp=stamp)
