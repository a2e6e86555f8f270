"""Run the server and see where its processor time goes: `python -m benching.sampling FILE FLAGS`.

A timer that runs only while the process works interrupts it some hundred times a second, and the
function that was running is noted, with those that called it. That costs next to nothing, so the
shares are those of the server as it runs; a tracing profiler would make small functions look slow.
"""

import functools
import json
import runpy
import signal
import sys
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType

EVERY_S = 0.002  # of processor time; the kernel's tick may make it longer
ROOT = Path(__file__).resolve().parents[2]


class Sampler:
    """How often each function was running, itself or in something that it called."""

    def __init__(self) -> None:
        self.samples = 0
        self.alone: Counter[str] = Counter()
        self.in_all: Counter[str] = Counter()

    def take(self, _signal: int, frame: FrameType | None) -> None:
        """Note what is running now."""
        stack: list[str] = []
        while frame is not None:
            stack.append(_place(frame.f_code))
            frame = frame.f_back
        if stack:
            self.samples += 1
            self.alone[stack[0]] += 1
            self.in_all.update(set(stack))

    def save(self, path: Path) -> None:
        """Write what was seen."""
        seen = {"samples": self.samples, "alone": self.alone, "in_all": self.in_all}
        path.write_text(json.dumps(seen), encoding="utf-8")


@functools.cache  # looking up paths at each sample would cost more than the server
def _place(code: CodeType) -> str:
    path = Path(code.co_filename)
    home = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    parts = home.parts
    if "site-packages" in parts:
        parts = parts[parts.index("site-packages") + 1 :]
    return f"{'/'.join(parts[-3:])}:{code.co_qualname}"


def main() -> None:
    """Run the server with the flags that follow the file's name."""
    path, sys.argv = Path(sys.argv[1]), ["facedown-server", *sys.argv[2:]]
    sampler = Sampler()
    signal.signal(signal.SIGPROF, sampler.take)
    signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)
    try:
        runpy.run_module("server", run_name="__main__", alter_sys=True)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        sampler.save(path)


if __name__ == "__main__":
    main()
