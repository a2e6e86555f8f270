"""Simulate evenings of one tilt until one goes wrong, and say what: `python -m tests.simulation.hunt`."""

import json
import sys
import time

from tests.simulation.evening import run_plan
from tests.simulation.plan import plan_for, tilted
from tests.simulation.secret_moves import with_a_sneak, with_second_thoughts
from tests.simulation.twins import with_a_den, with_hidden_cards

TWINS = {
    "hidden cards": with_hidden_cards,
    "a den": with_a_den,
    "a sneak": with_a_sneak,
    "second thoughts": with_second_thoughts,
}


def main() -> None:
    """Write the seed and the wrong of the first evening that goes wrong, or nothing at all."""
    tilt, cpu_s = sys.argv[1], float(sys.argv[2])
    number = 0
    while time.process_time() < cpu_s:
        try:
            wrongs = look_at(number, tilt)
        except Exception as fault:  # noqa: BLE001 - a client that cannot go on has noticed, too
            wrongs = (f"[a client] {fault!r}",)
        if wrongs:
            sys.stdout.write(json.dumps({"seed": number, "wrong": wrongs[0]}))
            return
        number += 1


def look_at(number: int, tilt: str) -> tuple[str, ...]:
    """What goes wrong on one evening, or between the two of a pair of twins."""
    twins = TWINS.get(tilt)
    if twins is None:
        return run_plan(tilted(plan_for(f"hunt-{number}"), tilt)).wrongs
    difference = twins(number).difference
    return (f"[{tilt}] {difference}",) if difference else ()


if __name__ == "__main__":
    main()
