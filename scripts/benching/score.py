"""The score of one deal: who sends what, and the very bytes that every seat hears of it.

It is taken down once while the real server deals. The baseline then plays it from the sheet, so
both servers are asked the same and write the same frames, the answer to the actor included.
"""

import json
from dataclasses import dataclass
from pathlib import Path

PLAYERS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One action: the seat that acts, its frame, and the kind of event that everybody hears."""

    seat: int
    command: bytes
    update: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a newcomer hears after the hello, and each step with what each seat hears of it."""

    welcome: bytes
    steps: tuple[Step, ...]
    heard: tuple[tuple[bytes, ...], ...]  # by step, then by seat

    def save(self, path: Path) -> None:
        """Write the score to a file."""
        sheet = {
            "welcome": self.welcome.hex(),
            "steps": [[step.seat, step.command.hex(), step.update.hex()] for step in self.steps],
            "heard": [[frames.hex() for frames in seats] for seats in self.heard],
        }
        path.write_text(json.dumps(sheet), encoding="utf-8")


def load(path: Path) -> Score:
    """Read a score that `save` has written."""
    sheet = json.loads(path.read_text(encoding="utf-8"))
    return Score(
        welcome=bytes.fromhex(sheet["welcome"]),
        steps=tuple(
            Step(seat=seat, command=bytes.fromhex(command), update=bytes.fromhex(update))
            for seat, command, update in sheet["steps"]
        ),
        heard=tuple(tuple(bytes.fromhex(frames) for frames in seats) for seats in sheet["heard"]),
    )
