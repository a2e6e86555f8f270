"""Measure how fast things go. Run by scripts/bench, which finds the environment.

Costs are measured in processor seconds, delays by the clock, and all of it beside a baseline in the
same run, in turn: figures of different machines or different days do not compare, ratios do.
"""

import argparse
import json
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

from benching import measuring, painting, painting_report, plan, processes, report, rules
from benching.arguments import read_arguments

SPARE_FILES = 100  # beside the connections of a crowd
INTERRUPTED = 130


def main() -> int:
    """Measure what was asked for; 130 after Ctrl-C or SIGTERM, with all processes stopped."""
    options = read_arguments()
    signal.signal(signal.SIGTERM, interrupt)
    try:
        figures = {"bench": options.bench, **MEASURES[options.bench](options)}
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


MEASURES = {
    "rules": measure_rules,
    "server": measure_server,
    "client": measure_client,
    "all": measure_all,
}

if __name__ == "__main__":
    sys.exit(main())
