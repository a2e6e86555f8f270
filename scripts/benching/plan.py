"""What is to be measured, and what comes of it: plain values that all of the bench share."""

from dataclasses import dataclass, field
from pathlib import Path

Figures = dict[str, float]
"""What one side came to, by the name of each figure."""

NOTHING = 0.001  # of a second, a share, a KiB: too little to be divided by

# Classic without protected time and reveal pause: every action goes through at once. And nothing
# happens by itself while a table rests for the others' slices: no clock, the longest last window.
RULES = "w0.lw60.t-off.r0"

FLAGS = (
    "--port=0",
    "--until-eof",
    "--title=Bench",
    "--connections=100000",
    "--unauthenticated=100000",
    "--people=1000000",
    "--new-local-people-per-min=1000000",
    "--lobbies=100000",
    "--commands-per-s=1000000",
    "--commands-burst=1000000",
    "--refusals-burst=1000000",
)
"""Flags of the server: a free port, no longer life than ours, limits that nothing here reaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How long, how much, and where the files of the run go."""

    slices: int
    seconds: float  # of each slice
    tables: int
    rate: float  # actions a second, of all tables
    crowds: tuple[int, ...]  # idle connections
    hold_s: float  # for which they idle
    doubt_every: int  # plays
    rules: str
    server_flags: tuple[str, ...]
    folder: Path

    @property
    def crowd_runs(self) -> int:
        """How often each crowd gathers: every time at a fresh server, which takes longer."""
        return (self.slices + 1) // 2

    @property
    def score(self) -> Path:
        """The file of the score."""
        return self.folder / "score.json"

    @property
    def server(self) -> tuple[str, ...]:
        """The command of the server that keeps nothing on disk."""
        data = f"--data={self.folder / 'data'}"
        return ("server", *FLAGS, data, "--in-memory", *self.server_flags)

    @property
    def server_with_a_memory(self) -> tuple[str, ...]:
        """The command of the server that keeps everything for as long as it runs."""
        return ("benching.remembering", *self.server[1:])

    def server_on_disk(self, name: str) -> tuple[str, ...]:
        """The command of the server that keeps everything, in a folder of this name."""
        return ("server", *FLAGS, f"--data={self.folder / name}", *self.server_flags)

    @property
    def baseline(self) -> tuple[str, ...]:
        """The command of the baseline."""
        return ("benching.baseline", str(self.score))

    def baseline_on_disk(self, name: str) -> tuple[str, ...]:
        """The command of the baseline that keeps a play before each step, in a new folder."""
        folder = self.folder / name
        folder.mkdir()
        return (*self.baseline, str(folder))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """One kind of load; a crowd only idles."""

    name: str
    label: str
    tables: int = 0
    rate: float | None = None  # None: as fast as they go
    crowd: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The figures of one mode, side by side; those with a journal only where people play."""

    mode: Mode
    server: Figures
    baseline: Figures
    in_memory: Figures = field(default_factory=dict)  # of the server with its journal in memory
    on_disk: Figures = field(default_factory=dict)  # of the server with its journal on disk
    baseline_on_disk: Figures = field(default_factory=dict)  # with a commit before each fan-out

    @property
    def ratio(self) -> Figures:
        """Each figure of the server as a multiple of the baseline's, where that is not nothing."""
        return _times(self.server, self.baseline)

    @property
    def disk_ratio(self) -> Figures:
        """Each figure with the journal on disk as a multiple of that without any."""
        return _times(self.on_disk, self.server)

    @property
    def memory_ratio(self) -> Figures:
        """Each figure with the journal on disk as a multiple of that with one in memory."""
        return _times(self.on_disk, self.in_memory)

    @property
    def commit_us(self) -> float:
        """What one commit through the journal's writer thread adds to the bare fan-out."""
        return self.baseline_on_disk["p50_us"] - self.baseline["p50_us"]

    @property
    def p50_bound_us(self) -> float:
        """What an action may take at one table: a commit, and twice what the baseline takes."""
        return self.commit_us + 2 * self.baseline["p50_us"]


def _times(figures: Figures, base: Figures) -> Figures:
    return {name: figure / base[name] for name, figure in figures.items() if base[name] > NOTHING}


def modes(plan: Plan, wanted: tuple[str, ...]) -> tuple[Mode, ...]:
    """The modes of these names, or all of them."""
    saturated = f"{plan.tables} tables saturated"
    paced = f"{plan.tables} tables at {plan.rate:,.0f} actions/s"
    known = (
        Mode(name="one", label="one table", tables=1),
        Mode(name="saturated", label=saturated, tables=plan.tables),
        Mode(name="paced", label=paced, tables=plan.tables, rate=plan.rate),
        *(Mode(name="idle", label=f"{size:,} idle", crowd=size) for size in plan.crowds),
    )
    return tuple(mode for mode in known if not wanted or mode.name in wanted)
