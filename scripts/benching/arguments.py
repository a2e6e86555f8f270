"""The command line of scripts/bench. Nothing else is needed for its help: not even what is measured."""

import argparse
import shlex

from benching.plan import RULES


def read_arguments() -> argparse.Namespace:
    """Read the command line of scripts/bench."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measure how fast the rules, the server and the client are.",
        epilog="examples:\n  scripts/bench client\n  scripts/bench all --json",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    benches = parser.add_subparsers(dest="bench", required=True)
    engine = benches.add_parser("rules", help="plays per second of the rules engine alone")
    server = benches.add_parser("server", help="the server under load, beside a bare fan-out")
    screen = benches.add_parser("client", help="the client on a terminal, beside an empty one")
    everything = benches.add_parser("all", help="all three")
    for bench in (engine, everything):
        add_rules_flags(bench)
    for bench in (server, everything):
        add_server_flags(bench)
    for bench in (screen, everything):
        add_client_flags(bench)
    for bench in (engine, server, screen, everything):
        bench.add_argument(
            "--json", action="store_true", help="print all again as one last line of JSON"
        )
    return parser.parse_args()


def add_rules_flags(parser: argparse.ArgumentParser) -> None:
    """How long the rules engine is measured."""
    parser.add_argument(
        "--plays", type=at_least_one, default=30_000, help="plays in each run (%(default)s)"
    )
    parser.add_argument("--runs", type=at_least_one, default=5, help="how many runs (%(default)s)")


def add_server_flags(parser: argparse.ArgumentParser) -> None:
    """How the server is measured."""
    add = parser.add_argument
    add(
        "--mode",
        action="append",
        choices=("one", "saturated", "paced", "idle"),
        help="only this one; may be given several times",
    )
    add("--quick", action="store_true", help="a rough look that takes seconds")
    add("--slices", type=at_least_one, help="slices of each side (5, quick: 1)")
    add("--seconds", type=float, help="length of a slice (2, quick: 0.3)")
    add("--tables", type=at_least_one, default=64, help="tables in the larger modes (%(default)s)")
    add("--rate", type=at_least_one, default=1000, help="actions a second, paced (%(default)s)")
    add("--crowd", type=at_least_one, action="append", help="idle people (1,000, 5,000 and 10,000)")
    add("--doubt-every", type=at_least_one, default=10, help="plays for each doubt (%(default)s)")
    add("--rules", default=RULES, help="rules code of the tables (%(default)s)")
    add("--server-flags", type=shlex.split, default=[], help="more flags for the server")
    add("--hot-spots", action="store_true", help="show where the server spends its time, too")


def add_client_flags(parser: argparse.ArgumentParser) -> None:
    """How the client is measured."""
    add = parser.add_argument
    add(
        "--starts",
        type=at_least_one,
        default=21,
        help="starts of client and baseline (%(default)s)",
    )
    add("--keys", type=at_least_one, default=60, help="keys pressed in each (%(default)s)")
    add("--watch", type=float, default=4.0, help="seconds of calm, clock and storm (%(default)s)")


def at_least_one(text: str) -> int:
    """Read a number that is not below one."""
    number = int(text)
    if number < 1:
        message = "at least 1"
        raise argparse.ArgumentTypeError(message)
    return number


if __name__ == "__main__":
    read_arguments()
