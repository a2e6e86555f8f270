"""How fast the client paints and how little it writes, beside an empty application on the same terminal."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benching.plan import Figures
from benching.stage import Stage, a_stage, enter
from benching.terminal import Program, on_a_terminal
from protocol import events as e
from protocol.rules import TableRules

CLIENT, EMPTY = "client", "benching.empty_app"
PAINTED = b"\x1b]2;"  # the title is set as soon as the first page is out
F1, REPAINT = b"\x1bOP", b"\x0c"
STEPS = 5
APART_S = 0.06  # between two keys: further than two redraws
NO_CLOCK = TableRules(turn_s=0)
LONG_CLOCK = TableRules(turn_s=600)


@dataclass(frozen=True, slots=True, kw_only=True)
class Painting:
    """How often and how long."""

    starts: int  # of each side, turn and turn about
    keys: int  # pressed at each side
    seconds: float  # for which nothing happens, a clock ticks, a storm blows

    def measure(self, step: Callable[[str], None]) -> tuple[Figures, Figures]:
        """The figures of the client and of the empty application; says each step before it."""
        with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
            home = Path(folder)
            step("starts of each in turn")
            client, empty = self._starts(home)
            with _at_a_table(home, NO_CLOCK) as (program, stage), _empty(home) as baseline:
                step("nothing happens")
                client["idle_bytes"] = _idle(program, self.seconds)
                empty["idle_bytes"] = _idle(baseline, self.seconds)
                step("keys")
                pairs = [(_key(program), _key(baseline)) for _ in range(self.keys)]
                client["key_ms"], empty["key_ms"] = map(median, zip(*pairs, strict=True))
                step("a storm of events")
                client |= _storm(program, stage, self.seconds)
            with _at_a_table(home, LONG_CLOCK) as (program, _), _empty(home) as baseline:
                step("a clock ticks")
                baseline.press(F1)
                client["tick_bytes"] = _tick(program, self.seconds)
                empty["tick_bytes"] = _tick(baseline, self.seconds)
        return client, empty

    def _starts(self, home: Path) -> tuple[Figures, Figures]:
        for module in (CLIENT, EMPTY):  # a first time, so that everything is compiled and cached
            _first_paint(module, home)
        client: list[Figures] = []
        empty: list[Figures] = []
        for _ in range(self.starts):
            client.append(_first_paint(CLIENT, home))
            empty.append(_first_paint(EMPTY, home))
        return _medians(client), _medians(empty)


def _medians(figures: list[Figures]) -> Figures:
    return {name: median(one[name] for one in figures) for name in figures[0]}


def _first_paint(module: str, home: Path) -> Figures:
    with on_a_terminal(module, home=home) as program:
        seconds = program.read_until(PAINTED)
        return {"first_paint_ms": seconds * 1000, "first_paint_cpu_ms": program.cpu_s * 1000}


@contextmanager
def _empty(home: Path) -> Iterator[Program]:
    with on_a_terminal(EMPTY, home=home) as program:
        program.read_until(PAINTED)
        program.drain()
        yield program


@contextmanager
def _at_a_table(home: Path, rules: TableRules) -> Iterator[tuple[Program, Stage]]:
    """The client where it is to move; with a clock of ten minutes, or with none."""
    with a_stage() as (address, door), on_a_terminal(CLIENT, "join", address, home=home) as program:
        stage = enter(door)
        stage.deal(rules)
        program.read_until(b"YOUR HAND")
        program.drain(0.3)
        yield program, stage


def _idle(program: Program, seconds: float) -> float:
    program.drain()
    return float(sum(size for _, size in program.bursts(seconds)))


def _key(program: Program) -> float:
    """Milliseconds from a key to what it paints."""
    program.drain(APART_S)
    pressed = time.perf_counter()
    program.press(b"5")
    return (program.next_burst() - pressed) * 1000


def _tick(program: Program, seconds: float) -> float:
    """Bytes of a redraw in which a clock has gone on by a second."""
    program.drain(0.05)
    return float(median(size for _, size in program.bursts(max(2.5, seconds))))


def _storm(program: Program, stage: Stage, seconds: float) -> Figures:
    """Redraws a second while somebody's talk comes in faster than anybody could read."""
    over = threading.Event()
    sent = 0

    def talk() -> None:
        nonlocal sent
        while not over.wait(0.002):
            stage.say(e.Said(name="ana", text=f"{sent} words"))
            sent += 1

    program.drain()
    talker = threading.Thread(target=talk)
    talker.start()
    drawn = program.bursts(seconds)
    over.set()
    talker.join()
    return {"storm_events_per_s": sent / seconds, "storm_redraws_per_s": len(drawn) / seconds}
