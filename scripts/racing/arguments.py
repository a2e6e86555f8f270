"""The command line of scripts/race. Nothing else is needed for its help."""

import argparse
import shlex
from collections.abc import Sequence

from racing.plan import LOADS, USUAL


def read_arguments() -> argparse.Namespace:
    """Read the command line of scripts/race."""
    parser = argparse.ArgumentParser(
        prog="scripts/race",
        description="Race calls against each other over real TCP and count wrong rulings.",
        epilog="examples:\n  scripts/race --quick\n  scripts/race --seed 7 --loads idle,busy",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="a small run, as the tests use it")
    parser.add_argument(
        "--json", action="store_true", help="print the figures again as one last line of JSON"
    )
    parser.add_argument(
        "--seed", type=int, default=None, help="of the random delays (default: a new one)"
    )
    parser.add_argument(
        "--loads", type=loads, default=LOADS, help=f"some of {','.join(LOADS)} (default: all)"
    )
    parser.add_argument(
        "--server",
        metavar="COMMAND",
        type=shlex.split,
        default=USUAL,
        help="what to run as the server (default: the one here)",
    )
    return parser.parse_args()


def loads(text: str) -> Sequence[str]:
    """Read the names of some loads."""
    names = tuple(text.split(","))
    if not set(names) <= set(LOADS):
        message = f"some of {','.join(LOADS)}"
        raise argparse.ArgumentTypeError(message)
    return names


if __name__ == "__main__":
    read_arguments()
