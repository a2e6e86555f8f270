"""Simulate evenings of one tilt until one goes wrong, and say what: `python -m tests.simulation.hunt`."""

import json
import sys
import time

from tests.simulation.evening import run_plan
from tests.simulation.plan import plan_for, tilted


def main() -> None:
    """Write the seed and the wrong of the first evening that goes wrong, or nothing at all."""
    tilt, cpu_s = sys.argv[1], float(sys.argv[2])
    number = 0
    while time.process_time() < cpu_s:
        seed = f"hunt-{number}"
        number += 1
        try:
            wrongs = run_plan(tilted(plan_for(seed), tilt)).wrongs
        except Exception as fault:  # noqa: BLE001 - a client that cannot go on has noticed, too
            wrongs = (f"[a client] {fault!r}",)
        if wrongs:
            sys.stdout.write(json.dumps({"seed": seed, "wrong": wrongs[0]}))
            return


if __name__ == "__main__":
    main()
