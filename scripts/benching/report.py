"""What people see: a progress bar while it runs, a table at the end, and one line of JSON."""

import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

from benching.plan import Figures, Mode, Outcome, Plan

BAR = 30  # characters
MOST_HOT_SPOTS = 40
OURS = ("protocol/", "server/")

Row = tuple[str, str, str]

AT_TABLES: tuple[Row, ...] = (
    ("cpu_s_per_1000", "CPU-s per 1,000 actions", ".4f"),
    ("actions_per_s", "actions per second", ",.0f"),
    ("p50_us", "p50 to the last of four updates, µs", ",.0f"),
    ("p99_us", "p99 to the last of four updates, µs", ",.0f"),
    ("bytes_per_recipient", "bytes per recipient and action", ".1f"),
    ("rss_kib_per_table", "RSS per table, KiB", ",.0f"),
    ("connections", "connections held", ",.0f"),
    ("server_busy", "share of one processor, server", ".0%"),
    ("driver_busy", "share of one processor, driver", ".0%"),
)
IDLE: tuple[Row, ...] = (
    ("accept_s", "seconds to let all in", ".2f"),
    ("accept_cpu_s", "CPU-s to let all in", ".2f"),
    ("rss_kib_per_connection", "RSS per connection, KiB", ".1f"),
    ("rss_mib", "RSS in all, MiB", ",.0f"),
    ("idle_cpu_share", "share of one processor while idle", ".1%"),
    ("pings_per_s", "pings per second", ",.0f"),
    ("connections", "connections held", ",.0f"),
)


class Progress:
    """A bar on the error output: redrawn in place on a terminal, else a line for each step."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._live = sys.stderr.isatty()

    def step(self, label: str) -> None:
        """Say what begins now."""
        filled = BAR * self._done // max(1, self._total)
        bar = "#" * filled + "." * (BAR - filled)
        line = f"[{bar}] {self._done + 1}/{self._total}  {label}"
        sys.stderr.write(f"\r{line}\x1b[K" if self._live else f"{line}\n")
        sys.stderr.flush()
        self._done += 1

    def clear(self) -> None:
        """Take the bar away."""
        if self._live:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def show(outcomes: Iterable[Outcome], plan: Plan) -> None:
    """Print each mode: the server, the baseline, and the one as a multiple of the other."""
    for outcome in outcomes:
        _show_one(outcome)
        print()
    print(
        f"medians of {plan.slices} slices of {plan.seconds:g} s of each side, in turn; "
        f"of {plan.crowd_runs} for idle connections, each at a fresh server"
    )


def _show_one(outcome: Outcome) -> None:
    on_disk = f"{'on disk':>12}{'ratio':>9}" if outcome.on_disk else ""
    print(f"{outcome.mode.label:<38}{'server':>12}{'baseline':>12}{'ratio':>9}{on_disk}")
    for name, label, form in IDLE if outcome.mode.crowd else AT_TABLES:
        sides = (outcome.server[name], outcome.baseline[name])
        figures = "".join(f"{figure:>12{form}}" for figure in sides)
        kept = ""
        if outcome.on_disk:
            kept = f"{outcome.on_disk[name]:>12{form}}{_ratio(outcome.disk_ratio, name)}"
        print(f"  {label:<36}{figures}{_ratio(outcome.ratio, name)}{kept}")
    if outcome.on_disk:
        _show_more("CPU-s on disk, beside a journal in memory", f"{_cpu_ratio(outcome):.2f}x")
    if outcome.on_disk and outcome.mode.name == "one":
        _show_more("what one commit adds to the baseline, µs", f"{outcome.commit_us:,.0f}")
        _show_more("that and twice the baseline, µs", f"{outcome.p50_bound_us:,.0f}")


def _cpu_ratio(outcome: Outcome) -> float:
    return outcome.memory_ratio["cpu_s_per_1000"]


def _show_more(label: str, figure: str) -> None:
    """A figure for the side on disk alone."""
    print(f"  {label:<57}{figure:>24}")


def _ratio(ratio: Figures, name: str) -> str:
    return f"{ratio[name]:>8.2f}x" if name in ratio else f"{'-':>9}"


def as_figures(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """The same for a machine, by mode; crowds by their size."""
    return {
        f"{outcome.mode.name}-{outcome.mode.crowd}" if outcome.mode.crowd else outcome.mode.name: {
            "server": outcome.server,
            "baseline": outcome.baseline,
            "ratio": outcome.ratio,
            **_kept_figures(outcome),
        }
        for outcome in outcomes
    }


def _kept_figures(outcome: Outcome) -> dict[str, Any]:
    if not outcome.on_disk:
        return {}
    return {
        "in_memory": outcome.in_memory,
        "on_disk": outcome.on_disk,
        "baseline_on_disk": outcome.baseline_on_disk,
        "disk_ratio": outcome.disk_ratio,
        "memory_ratio": outcome.memory_ratio,
        "commit_us": outcome.commit_us,
        "p50_bound_us": outcome.p50_bound_us,
    }


def show_hot_spots(mode: Mode, seen: dict[str, Any]) -> None:
    """Print where the server spent its time: modules, functions alone, and with what they call."""
    alone = Counter[str](seen["alone"])
    modules = Counter[str]()
    for place, count in alone.items():
        modules[place.partition(":")[0]] += count
    ours = {place: count for place, count in seen["in_all"].items() if place.startswith(OURS)}
    samples = max(1, seen["samples"])
    print(f"\n{mode.label}: hot spots of the server, in {samples:,} samples of its processor time")
    _print_shares("modules, alone", modules, samples)
    _print_shares("functions, alone (with what is written in C)", alone, samples)
    _print_shares("functions of ours, with all that they call", Counter(ours), samples)


def _print_shares(title: str, counts: Counter[str], samples: int) -> None:
    print(f"  {title}")
    for place, count in counts.most_common(MOST_HOT_SPOTS):
        print(f"    {count / samples:>6.1%}  {place}")
