"""The command line of scripts/soak. Nothing else is needed for its help."""

import argparse
from pathlib import Path

MINUTES = 10.0


def read_arguments() -> argparse.Namespace:
    """Read the command line of scripts/soak."""
    parser = argparse.ArgumentParser(
        prog="scripts/soak",
        description="Simulate evenings on the whole server, each from a seed of its own, "
        "until the time is up or one goes wrong.",
        epilog="Examples:\n"
        "  scripts/soak                         ten minutes of evenings that nobody has seen\n"
        "  scripts/soak --minutes 480 --seed 7  a night of evenings 7-0, 7-1, 7-2 ...\n"
        "  scripts/soak --replay 7-213          one evening again, and what went wrong in it\n"
        "  scripts/soak --replay whims:e-4      one with much of something, as in seeds.txt\n\n"
        "A seed decides everything: whoever has it sees the same evening. One that went wrong belongs\n"
        "in tests/simulation/seeds.txt, with a line that says why.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, help=f"how long (default: {MINUTES:g})")
    parser.add_argument("--seed", help="where the seeds of the evenings begin (default: a new one)")
    parser.add_argument("--replay", metavar="SEED", help="simulate this one evening and stop")
    parser.add_argument(
        "--trace", metavar="FILE", type=Path, help="with --replay: write all that is sent to a file"
    )
    asked = parser.parse_args()
    if asked.replay is None and asked.trace is not None:
        parser.error("--trace is for the one evening of --replay")
    if asked.replay is not None and (asked.minutes, asked.seed) != (None, None):
        parser.error("--replay is one evening, without --minutes and --seed")
    asked.minutes = MINUTES if asked.minutes is None else asked.minutes
    return asked


if __name__ == "__main__":
    read_arguments()
