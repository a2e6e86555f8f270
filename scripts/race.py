"""Race calls against each other over real TCP and count wrong rulings. Run by scripts/race.

The server says: the first challenge to reach my kernel wins (RULES C). What of that can be proven
from outside, without asking the server what it believes?

**The order of two calls.** All calls of a volley are written by one thread, each on the socket of
another player. On loopback a write carries its bytes all the way: before it returns, the frame has
been sent, has come in at the other end, and has got the stamp that the server will read. So the
first frame is in the server's kernel before the second write begins, however close they are. That
it was so, and not a frame that had to wait for something, is seen from the kernel's transmit stamp
(SO_TIMESTAMPING): it must lie between the clock before the write and the clock after it. A trial
whose frames did not all go through like that is unclear and not judged. Neither a slow machine nor
a sender that loses the processor between two writes can make a right ruling look wrong: it makes
the distance longer, and such trials are counted apart as late. A write takes 3 to 20 us, most of
that for waking the server, so no two calls are closer than that: the table shows what was measured
beside what was wanted. Without transmit stamps (not Linux) only calls at least 100 us apart are
judged, by our own clock.

**Equal arrival.** The server tells times in whole microseconds. Only calls less than one apart may
be equal to it, and then the seat nearest to the left is right (RULES C5).

**Cards against a call** are ordered in the same way. Either the call turns the older play up and
the cards are refused, or the cards go down and the call is too late: nothing in between.

**The end of a window by time.** When the window opened is the server's own business, but it lies
between the stamp of the last cards, which had to come first, and the stamp of the first news of
them; it lasts two seconds by a clock that both processes share. So it cannot have closed before
the one plus two seconds, nor after the other. A refused call that was in the kernel before that is
lost, beyond doubt. So is one that was refused while a later one counted, and one that was told that
it was late by nothing. What the server tells (how long after the opening the first call came, how
late the others were) narrows the moment down to microseconds; all that it tells about one window
must fit together, or the ruling counts as wrong. Calls after a deal are told nothing of the kind:
those that fall between the two bounds are unclear.

**Two things read together.** The kernel may stamp two frames that are read together with the time
of the later one. No player here says anything more before the last thing is answered, pongs
included, so this cannot happen to two calls. A pong may still be on its way when a call follows:
the stamp is then the call's all the same, and such trials are counted apart, as together.
"""

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterator
from random import Random
from typing import NoReturn

from protocol.answers import Stamps
from racing.arguments import read_arguments
from racing.course import Course, run_course
from racing.driving import NoAnswer
from racing.plan import LONG, QUICK
from racing.player import LineLost, Player
from racing.server_process import NoServer, a_server
from racing.stamps import wall_minus_monotonic
from racing.table import Unexpected
from racing.tally import SHOWN_FAULTS, Progress, Tally, as_json, as_table

CLOCK_SET_NS = 1_000_000  # more than this, and somebody has set the wall clock


def main() -> int:
    """Race and show what was found; 1 if a ruling was wrong, 2 if it could not be raced."""
    options = read_arguments()
    signal.signal(signal.SIGTERM, interrupt)
    tally = Tally()
    began, apart = time.monotonic(), wall_minus_monotonic()
    try:
        race(options, tally)
    except KeyboardInterrupt:
        print("\nStopped; so far:")
    except (NoServer, NoAnswer, LineLost, Unexpected) as fault:
        print(f"scripts/race: {type(fault).__name__}: {fault}", file=sys.stderr)
        return 2
    show(tally, time.monotonic() - began)
    if abs(wall_minus_monotonic() - apart) > CLOCK_SET_NS:
        print("Somebody has set the clock meanwhile: take these figures with caution.")
    if options.json:
        print(json.dumps(as_json(tally)))
    return 1 if tally.wrong or not tally.judged else 0


def interrupt(_signal: int, _frame: object) -> NoReturn:
    """End as after Ctrl-C."""
    raise KeyboardInterrupt


def race(options: argparse.Namespace, tally: Tally) -> None:
    """Run a server and the whole course against it."""
    plan = QUICK if options.quick else LONG
    with a_server(options.server) as address:
        course = Course(
            address=address,
            plan=plan,
            tally=tally,
            rng=Random(options.seed),  # noqa: S311 - dice of a measurement
            progress=Progress(plan.trials * len(options.loads)),
        )
        say_how_it_is_timed(course.gather())
        run_course(course, options.loads)


def say_how_it_is_timed(player: Player) -> None:
    """Say where the truth comes from, at both ends."""
    assert player.welcome is not None  # noqa: S101 - everybody has gathered
    if player.welcome.stamps is not Stamps.KERNEL:
        print("The server times arrivals after reading them: wrong rulings are to be expected.")
    if not player.is_stamped:
        print("No kernel stamps here: only calls 100 us apart or more are judged, by our clock.")


def show(tally: Tally, seconds: float) -> None:
    """Print the table, what its columns mean, the first faults, and what it comes to."""
    print(as_table(tally))
    print(*legend(tally), *tally.faults[:SHOWN_FAULTS], sep="\n")
    pairs = sum(cell.judged for key, cell in tally.cells.items() if key.kind == "pair")
    print(
        f"{tally.wrong} wrong rulings in {tally.judged:,} trials, {pairs:,} of them pairs.",
        f"At closing edges {tally.timely:,} calls were in time, {tally.lost} of them lost;",
        f"{tally.too_late:,} were too late. {seconds:.0f} s.",
    )
    if tally.worst_us:
        print(f"Distances as told were off by up to {tally.worst_us:.1f} us.")


def legend(tally: Tally) -> Iterator[str]:
    """What the columns mean that count something apart from the trials."""
    cells = tally.cells.values()
    if late := sum(cell.late for cell in cells):
        yield f"late: in {late} more trials the sender was held up; judged by the stamps, too."
    if together := sum(cell.together for cell in cells):
        yield f"together: in {together} more a pong may have been read with a call; judged, too."
    if unclear := sum(cell.unclear for cell in cells):
        yield f"unclear: in {unclear} nobody can tell from outside what was right; not judged."


if __name__ == "__main__":
    sys.exit(main())
