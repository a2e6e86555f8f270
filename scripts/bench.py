"""Measure how fast things go. Run by scripts/bench, which finds the environment.

Costs are measured in processor seconds, delays by the clock, and all of it beside a baseline in the
same run, in turn: figures of different machines or different days do not compare, ratios do.
"""

import argparse
import json
import shlex
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

from benching import measuring, painting, painting_report, plan, players, processes, report, rules

SPARE_FILES = 100  # beside the connections of a crowd
INTERRUPTED = 130


def main() -> int:
    """Measure what was asked for; 130 after Ctrl-C or SIGTERM, with all processes stopped."""
    options = read_arguments()
    signal.signal(signal.SIGTERM, interrupt)
    try:
        figures = {"bench": options.bench, **options.measure(options)}
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except RuntimeError as fault:
        print(f"scripts/bench: {fault}; see above", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(figures))
    return 0


def interrupt(_signal: int, _frame: object) -> NoReturn:
    """End as after Ctrl-C."""
    raise KeyboardInterrupt


# --- the command line ---------------------------------------------------------------------------


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measure how fast the rules, the server and the client are.",
        epilog="examples:\n  scripts/bench client\n  scripts/bench all --json",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    benches = parser.add_subparsers(dest="bench", required=True)
    engine = benches.add_parser("rules", help="plays per second of the rules engine alone")
    engine.set_defaults(measure=measure_rules)
    server = benches.add_parser("server", help="the server under load, beside a bare fan-out")
    server.set_defaults(measure=measure_server)
    screen = benches.add_parser("client", help="the client on a terminal, beside an empty one")
    screen.set_defaults(measure=measure_client)
    everything = benches.add_parser("all", help="all three")
    everything.set_defaults(measure=measure_all)
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
    add("--rules", default=players.RULES, help="rules code of the tables (%(default)s)")
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


# --- what is measured ---------------------------------------------------------------------------


def measure_all(options: argparse.Namespace) -> dict[str, Any]:
    """Measure the rules, then the server, then the client."""
    return {
        "rules": measure_rules(options),
        "server": measure_server(options),
        "client": measure_client(options),
    }


def measure_rules(options: argparse.Namespace) -> dict[str, Any]:
    """Measure the rules engine beside plain lists."""
    measured = rules.measure_rules(options.plays, options.runs)
    print(f"rules engine, random players, no views: {measured.engine:>9,.0f} plays/s")
    print(f"plain lists, the same players:          {measured.baseline:>9,.0f} plays/s")
    print(f"engine at {measured.ratio:.0%} of plain lists (medians of {options.runs} runs)")
    return {**measured._asdict(), "ratio": measured.ratio}


def measure_server(options: argparse.Namespace) -> dict[str, Any]:
    """Measure the server in every mode wanted, beside the baseline."""
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        the_plan = plan_of(options, Path(folder))
        modes = plan.modes(the_plan, tuple(options.mode or ()))
        steps = measuring.ticks(the_plan, modes, with_hot_spots=options.hot_spots)
        progress = report.Progress(steps)
        measuring.take_down_score(the_plan)
        outcomes = [measuring.measure(the_plan, mode, progress) for mode in modes]
        progress.clear()
        report.show(outcomes, the_plan)
        for mode in modes if options.hot_spots else ():
            seen = measuring.hot_spots(the_plan, mode, progress)
            progress.clear()
            report.show_hot_spots(mode, seen)
    return report.as_figures(outcomes)


def measure_client(options: argparse.Namespace) -> dict[str, Any]:
    """Measure the client on a terminal beside an empty application."""
    progress = report.Progress(painting.STEPS)
    wanted = painting.Painting(starts=options.starts, keys=options.keys, seconds=options.watch)
    client, empty = wanted.measure(progress.step)
    progress.clear()
    painting_report.show(client, empty, wanted.starts)
    return {"client": client, "empty": empty, "ratio": painting_report.ratios(client, empty)}


def plan_of(options: argparse.Namespace, folder: Path) -> plan.Plan:
    """The plan for these options."""
    quick = options.quick
    return plan.Plan(
        slices=options.slices or (1 if quick else 5),
        seconds=options.seconds or (0.3 if quick else 2.0),
        tables=options.tables,
        rate=options.rate,
        crowds=crowds_that_fit(options.crowd or ([100] if quick else [1_000, 5_000, 10_000])),
        hold_s=0.5 if quick else 6.0,  # by then everybody has been pinged
        doubt_every=options.doubt_every,
        rules=options.rules,
        server_flags=tuple(options.server_flags),
        folder=folder,
    )


def crowds_that_fit(wanted: list[int]) -> tuple[int, ...]:
    """The crowds for which this machine lets a process open enough files."""
    limit = processes.raise_file_limit()
    for size in wanted:
        if size + SPARE_FILES > limit:
            print(
                f"{size:,} idle connections are left out: a process may open {limit:,} files here. "
                "Raise the hard limit (ulimit -Hn) to measure them.",
                file=sys.stderr,
            )
    return tuple(size for size in wanted if size + SPARE_FILES <= limit)


if __name__ == "__main__":
    sys.exit(main())
