"""Simulate one evening after the other on the whole server. Run by scripts/soak, which finds the environment.

Each evening is made from one seed: see tests/simulation/README.md. The first that goes wrong ends it.
"""

import secrets
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from soak_arguments import read_arguments
from tests.simulation.evening import Report, run_plan
from tests.simulation.plan import Plan, plan_for, planned

INTERRUPTED = 130
NOT_WRITTEN = 2
EVERY_S = 1.0  # a line of progress


def main() -> int:
    """Simulate; 1 if an evening went wrong, 130 after Ctrl-C."""
    options = read_arguments()
    try:
        if options.replay is not None:
            return replay(options.replay, options.trace)
        return soak(options.minutes, options.seed)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return INTERRUPTED


def soak(minutes: float, seed: str | None) -> int:
    """Simulate evenings for this many minutes, or until one goes wrong."""
    began, first = time.monotonic(), seed or secrets.token_hex(4)
    progress = Progress()
    print(f"evenings {first}-0, {first}-1, ... for {minutes:g} minutes", flush=True)
    for name in seeds(first):
        if time.monotonic() - began >= minutes * 60:
            break
        report = run_plan(plan_for(name))
        progress.add(report)
        if report.wrongs:
            progress.end()
            complain(report, name)
            return 1
    progress.end()
    print("nothing went wrong")
    return 0


def seeds(first: str) -> Iterator[str]:
    """The seeds of the evenings, without end."""
    return (f"{first}-{number}" for number in count())


class Progress:
    """The line that says how far it is: rewritten on a terminal, else one now and then."""

    def __init__(self) -> None:
        self._evenings = self._deals = self._plays = 0
        self._simulated_s = self._cpu_s = 0.0
        self._shown_at = 0.0
        self._on_terminal = sys.stdout.isatty()

    def add(self, report: Report) -> None:
        """One more evening is over."""
        self._evenings += 1
        self._deals += report.deals
        self._plays += report.plays
        self._simulated_s += report.simulated_s
        self._cpu_s += report.cpu_s
        every_s = EVERY_S if self._on_terminal else 30 * EVERY_S
        if time.monotonic() - self._shown_at >= every_s:
            self._shown_at = time.monotonic()
            print(self._line, end="\r" if self._on_terminal else "\n", flush=True)

    def end(self) -> None:
        """The last line stays."""
        print(self._line)

    @property
    def _line(self) -> str:
        per_minute = self._deals / max(self._cpu_s, 1e-9) * 60
        return (
            f"{self._evenings} evenings, {self._deals} deals, {self._plays} plays, "
            f"{self._simulated_s / 3600:.1f} simulated hours, {self._cpu_s:.0f} s of processor, "
            f"{per_minute:.0f} deals a minute "
        )


def replay(seed: str, trace: Path | None) -> int:
    """Simulate one evening, and say what was in it."""
    plan = planned(seed)
    notes: list[str] | None = None if trace is None else []
    report = run_plan(plan, notes=notes)
    describe(plan, report)
    if report.wrongs:
        complain(report, seed)
    if trace is not None and notes is not None:
        try:
            trace.write_text("\n".join(notes) + "\n", encoding="utf-8")
        except OSError as fault:
            print(f"scripts/soak: {trace}: {fault.strerror}", file=sys.stderr)
            return NOT_WRITTEN
    return 1 if report.wrongs else 0


def describe(plan: Plan, report: Report) -> None:
    """What the evening was like."""
    for table in plan.tables:
        guests = ", ".join(f"{g.name} ({g.temper.name}, {g.weather.name})" for g in table.guests)
        print(f"{table.rules}: {guests}")
    print(f"{plan.faults}")
    print(
        f"{report.deals} deals, {report.plays} plays, {report.simulated_s:.0f} simulated seconds, "
        f"{report.cpu_s:.2f} s of processor, trace {report.digest}"
    )


def complain(report: Report, seed: str) -> None:
    """Say what went wrong, and how to see it again."""
    for wrong in report.wrongs:
        print(f"WRONG {wrong}", file=sys.stderr)
    print(f"See it again: scripts/soak --replay {seed}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
