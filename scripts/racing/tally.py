"""What was found, cell by cell, and how it is shown: a bar, a table, one line of JSON."""

import statistics
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

SHOWN_FAULTS = 20
BAR = 30
HEADINGS = (
    "kind",
    "distance",
    "measured",
    "load",
    "trials",
    "wrong",
    "unstamped",
    "late",
    "together",
    "unclear",
)


class Key(NamedTuple):
    """What the trials of a cell have in common; the distance is in microseconds.

    At a closing edge it is a bound on how far the first call was from the close, negative if the call
    came before it.
    """

    kind: str
    distance_us: int
    load: str


@dataclass(slots=True, kw_only=True)
class Cell:
    """Trials of one kind.

    `trials` went as intended. Apart from them are counted, and judged by the stamps all the same:
    `late`, whose sender was held up between two writes; `together`, where a pong was on its way
    that the server may have read together with the call. `unclear` trials have no certain truth.
    """

    trials: int = 0
    wrong: int = 0
    unstamped: int = 0
    late: int = 0
    together: int = 0
    unclear: int = 0
    gaps_ns: list[int] = field(default_factory=list)

    @property
    def judged(self) -> int:
        """All trials that the stamps could judge."""
        return self.trials + self.late + self.together

    @property
    def measured_us(self) -> float | None:
        """The median of the real distances."""
        return round(statistics.median(self.gaps_ns) / 1000, 1) if self.gaps_ns else None


class Tally:
    """All cells, in the order in which they were begun, and the first faults in words."""

    def __init__(self) -> None:
        self.cells: dict[Key, Cell] = {}
        self.faults: list[str] = []
        self.timely = 0  # calls at a closing edge that were in time
        self.lost = 0  # and those of them that were refused
        self.too_late = 0  # calls at a closing edge that were not
        self.worst_us = 0.0  # between a distance as the server tells it and as the stamps have it

    def cell(self, kind: str, distance_us: int, load: str) -> Cell:
        """The cell of such trials."""
        return self.cells.setdefault(Key(kind, distance_us, load), Cell())

    def note(self, cell: Cell, key: str, faults: Iterable[str]) -> None:
        """Count a trial as wrong if it has faults."""
        told = [f"{key}: {fault}" for fault in faults]
        cell.wrong += bool(told)
        self.faults += told

    @property
    def wrong(self) -> int:
        """All wrong rulings."""
        return sum(cell.wrong for cell in self.cells.values())

    @property
    def judged(self) -> int:
        """All trials that could be judged."""
        return sum(cell.judged for cell in self.cells.values())


def as_json(tally: Tally) -> dict[str, object]:
    """The figures for programs."""
    cells = [
        {**key._asdict(), "measured_us": cell.measured_us, **_counts(cell)}
        for key, cell in in_order(tally)
    ]
    edge = {"timely": tally.timely, "lost": tally.lost, "too_late": tally.too_late}
    return {"cells": cells, "edge": edge, "worst_us": tally.worst_us}


def _counts(cell: Cell) -> dict[str, int]:
    names = ("trials", "wrong", "unstamped", "late", "together", "unclear")
    return {name: getattr(cell, name) for name in names}


def as_table(tally: Tally) -> str:
    """The same for people."""
    rows = [HEADINGS, *(_row(key, cell) for key, cell in in_order(tally))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
        for row in rows
    )


def in_order(tally: Tally) -> list[tuple[Key, Cell]]:
    """The cells by kind and load as they were begun, then by distance."""
    kinds = {(key.kind, key.load): place for place, key in reversed([*enumerate(tally.cells)])}
    cells = tally.cells.items()
    return sorted(cells, key=lambda item: (kinds[item[0].kind, item[0].load], item[0].distance_us))


def _row(key: Key, cell: Cell) -> tuple[str, ...]:
    measured = "-" if cell.measured_us is None else f"{cell.measured_us:,.1f}"
    counts = [str(count) for count in _counts(cell).values()]
    return (key.kind, f"{key.distance_us:,} us", measured, key.load, *counts)


class Progress:
    """A bar on the error output, where that is a terminal; elsewhere nothing."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._shown_at = 0.0
        self._is_shown = sys.stderr.isatty()

    def step(self, what: str) -> None:
        """One more trial is done."""
        self._done += 1
        now = time.monotonic()
        if self._is_shown and now - self._shown_at > 0.1:  # noqa: PLR2004 - seconds
            self._shown_at = now
            part = min(1.0, self._done / self._total)
            bar = "#" * round(BAR * part)
            sys.stderr.write(f"\r[{bar:.<{BAR}}] {part:4.0%} {what:<30.30}")
            sys.stderr.flush()

    def end(self) -> None:
        """Wipe the bar away."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
